"""A tiny API and worker in place of ours: ``python stand_in.py api|worker|up …``.

The API answers 200 to everything; each process writes its pid to ``NAME.pid`` in the app
directory. ``STAND_IN`` changes how they behave: ``api-fails`` (exits 1),
``worker-clings`` (ignores SIGTERM). ``up`` is the real command.
"""

import http.server
import os
import signal
import sys
import threading
from pathlib import Path


class Answer(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


def main() -> None:
    name = sys.argv[1]
    if name == "up":
        from jobsteward_server.cli import main as command_line

        command_line()
        return
    behaviour = os.environ.get("STAND_IN", "")
    if behaviour == f"{name}-fails":
        print("error[configuration]: this stand-in refuses", file=sys.stderr)
        sys.exit(1)
    if behaviour == f"{name}-clings":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    print(f"{name} says hello on its standard output")
    draft = Path(os.environ["JOBSTEWARD_HOME"], f".{name}.pid")
    draft.write_text(str(os.getpid()))
    draft.rename(draft.with_name(f"{name}.pid"))
    if name == "api":
        address = ("127.0.0.1", int(os.environ["JOBSTEWARD_PORT"]))
        http.server.ThreadingHTTPServer(address, Answer).serve_forever()
    threading.Event().wait()


if __name__ == "__main__":
    main()
