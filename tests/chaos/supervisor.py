"""``python -m tests.chaos.supervisor``: the product's supervisor, restarting without pauses.

Its usual pauses grow to ten seconds for a part that falls again and again, which is right for
users and would leave a storm with nothing to kill.
"""

import asyncio
import logging
import signal

from jobsteward.settings import load_settings
from jobsteward_server import app_directory
from jobsteward_server.supervisor import Supervisor
from jobsteward_server.watch import Pace

PACE = Pace(first_delay=0.05, longest_delay=0.2, steady_after=0.5)


async def main() -> None:
    """Run the stack of these settings until SIGTERM."""
    settings = load_settings()
    app_directory.prepare(settings.home)
    supervisor = Supervisor(settings, pace=PACE)
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, supervisor.stop)
    await supervisor.run()


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    asyncio.run(main())
