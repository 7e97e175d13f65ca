"""Processes to measure: ``python -m benchmarks.process api|worker`` are ours with the measured
workflows added, ``floor SHAPE …`` and ``floor-worker …`` are bare."""

import asyncio
import sys

from benchmarks import floor
from benchmarks.workload import WITH_WORKLOAD
from jobsteward.settings import load_settings
from jobsteward_server.http import serve
from jobsteward_worker import main as worker


def main(part: str, arguments: list[str]) -> None:
    """Become that process; does not return."""
    match part:
        case "api":
            serve.main(load_settings(), WITH_WORKLOAD)
        case "worker":
            worker.main(load_settings(), WITH_WORKLOAD)
        case "floor-worker":
            asyncio.run(floor.work(*arguments))
        case _:
            floor.serve(*arguments)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
