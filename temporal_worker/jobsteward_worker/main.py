"""The worker process: long steps of its lanes, until SIGTERM (ENV-7)."""

import asyncio
import contextlib
import gc
import logging
import os
import signal
import sys

import structlog

from jobsteward.kernel.errors import ConfigurationError
from jobsteward.library import open_library
from jobsteward.settings import Settings
from jobsteward_worker.connect import wait_for_temporal
from jobsteward_worker.pool import lanes_of, open_pool
from jobsteward_worker.pulse import Pulse
from jobsteward_worker.reconciler import Reconciler
from jobsteward_worker.spec import Catalogue
from jobsteward_worker.workflows import CATALOGUE

EXIT_REFUSED = 2
"""Exit code for settings or data that a person has to correct."""
log = structlog.get_logger()


def main(settings: Settings, catalogue: Catalogue = CATALOGUE) -> None:
    """Run the worker process of these settings. Ends the process, never returns."""
    code = 0
    try:
        asyncio.run(_run(settings, catalogue))
    except ConfigurationError as error:
        print(error.message, file=sys.stderr)
        code = EXIT_REFUSED
    # The interpreter can crash on its way out after a worker's shutdown (sdk-python#300).
    gc.collect()
    logging.shutdown()
    sys.stderr.flush()
    os._exit(code)


async def _run(settings: Settings, catalogue: Catalogue) -> None:
    working = asyncio.create_task(_work(settings, catalogue))
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, working.cancel)
    with contextlib.suppress(asyncio.CancelledError):
        await working


async def _work(settings: Settings, catalogue: Catalogue) -> None:
    async with await open_library(settings) as library:
        client = await wait_for_temporal(settings)
        lanes = lanes_of(settings)
        async with open_pool(client, library, catalogue, lanes) as pool:
            log.info("worker_ready", lanes=[str(lane) for lane in lanes])
            pulse = Pulse(library, pool, lanes, Reconciler(client, library))
            beating = asyncio.create_task(pulse.beat_forever())
            try:
                await pool.broken()
            finally:
                beating.cancel()
                await pulse.end()
