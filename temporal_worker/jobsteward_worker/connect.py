"""Reaching Temporal: one client a process, and the refusal of a server that is not ours."""

import asyncio

import structlog
from temporalio.api.workflowservice.v1 import DescribeNamespaceRequest
from temporalio.client import Client
from temporalio.contrib.pydantic import pydantic_data_converter
from temporalio.service import GrpcCompression, RPCError, RPCStatusCode

from jobsteward.kernel.errors import ConfigurationError
from jobsteward.settings import LOOPBACK_HOSTS, Settings

RETRY_SECONDS = 1.0
_ATTEMPT_SECONDS = 10.0

log = structlog.get_logger()


async def connect(settings: Settings) -> Client:
    """A client of the settings' Temporal, once it has answered for our namespace.

    Raises ConfigurationError where no address is set or the server has no such namespace
    (then it is not ours), RuntimeError or RPCError while it does not answer.
    """
    address = settings.temporal_address
    if address is None:
        raise ConfigurationError(
            "JOBSTEWARD_TEMPORAL_ADDRESS is not set; use `jobsteward up`, which brings its own"
        )
    key = settings.temporal_api_key
    local = address.rpartition(":")[0].strip("[]") in LOOPBACK_HOSTS
    client = await Client.connect(
        address,
        namespace=settings.temporal_namespace,
        data_converter=pydantic_data_converter,
        tls=settings.temporal_tls,
        api_key=key.get_secret_value() if key else None,
        grpc_compression=GrpcCompression.NONE if local else GrpcCompression.GZIP,
    )
    await _refuse_foreign(client)
    return client


async def wait_for_temporal(settings: Settings) -> Client:
    """The client, however long Temporal takes to come up (ADM-11).

    Raises ConfigurationError for a server that is not ours.
    """
    told = False
    while True:
        try:
            async with asyncio.timeout(_ATTEMPT_SECONDS):
                return await connect(settings)
        except (RuntimeError, RPCError, TimeoutError):
            if not told:
                log.warning("temporal_unreachable", address=settings.temporal_address)
            told = True
        await asyncio.sleep(RETRY_SECONDS)


async def _refuse_foreign(client: Client) -> None:
    # An embedded server's namespace is drawn at random for its app directory, so a server
    # that knows it is the one that belongs to us.
    try:
        await client.workflow_service.describe_namespace(
            DescribeNamespaceRequest(namespace=client.namespace)
        )
    except RPCError as error:
        if error.status is not RPCStatusCode.NOT_FOUND:
            raise
        raise ConfigurationError(
            "the Temporal server at JOBSTEWARD_TEMPORAL_ADDRESS has no namespace"
            f" {client.namespace}: it is another one; correct the address or the namespace"
        ) from None
