"""What the routes work with: the open services of one API process."""

from dataclasses import dataclass
from typing import Annotated, cast

from fastapi import Depends, Request

from jobsteward.library import Library
from jobsteward.runs.tokens import Token
from jobsteward_server.admission import AdmissionDesk
from jobsteward_server.dispatcher import Dispatcher
from jobsteward_server.http.auth import Authenticator, require
from jobsteward_server.http.metrics import Metrics
from jobsteward_server.http.tail import EventTail
from jobsteward_worker.spec import Catalogue


@dataclass(frozen=True, slots=True)
class Services:
    """Opened by the application's lifespan, closed with it."""

    library: Library
    catalogue: Catalogue
    authenticator: Authenticator
    dispatcher: Dispatcher
    desk: AdmissionDesk
    tail: EventTail
    metrics: Metrics


async def services_of(request: Request) -> Services:
    """The services of the process that serves this request.

    Async although it waits for nothing: a plain function would cost a thread hop a request.
    """
    return cast(Services, request.app.state.services)


WithServices = Annotated[Services, Depends(services_of)]
Reader = Annotated[Token, Depends(require("read"))]
Runner = Annotated[Token, Depends(require("run"))]
Admin = Annotated[Token, Depends(require("admin"))]
