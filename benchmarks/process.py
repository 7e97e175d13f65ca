"""Our own processes with the measured workflows added: ``python -m benchmarks.process api``."""

import sys

from benchmarks.workload import WITH_WORKLOAD
from jobsteward.settings import load_settings
from jobsteward_server.http import serve
from jobsteward_worker import main as worker


def main(part: str) -> None:
    """Become that process; does not return."""
    if part == "api":
        serve.main(load_settings(), WITH_WORKLOAD)
    else:
        worker.main(load_settings(), WITH_WORKLOAD)


if __name__ == "__main__":
    main(sys.argv[-1])
