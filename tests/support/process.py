"""The product's own processes with the probes in their catalogue.

Usage: ``python -m tests.support.process api|worker``. Stands in for the ``jobsteward``
command where a test needs real processes and workflows of its own.
"""

import sys

from jobsteward.settings import load_settings
from jobsteward_server.http import serve
from jobsteward_worker.main import main as worker_main
from tests.support.probe import WITH_PROBE


def main(name: str) -> None:
    """Run the process of that name with the environment's settings."""
    settings = load_settings()
    match name:
        case "api":
            serve.main(settings, WITH_PROBE)
        case "worker":
            worker_main(settings, WITH_PROBE)
        case _:
            raise SystemExit(f"no such process: {name}")


if __name__ == "__main__":
    main(sys.argv[1])
