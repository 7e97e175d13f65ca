"""The command line: quick to start, one line for each failure, a client of the API."""

import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from jobsteward import __version__
from jobsteward.kernel.errors import JobstewardError
from jobsteward.runs.tokens import looks_like_secret
from jobsteward_server.cli import COMMANDS, cli

RECEIPT = {
    "status": "submitted",
    "execution_id": "exe_" + "a" * 32,
    "workflow": "discover",
    "run_path": "/api/v1/workflow-runs/x",
    "events_path": "/api/v1/workflow-runs/x/events",
}
RUN = {
    "execution_id": RECEIPT["execution_id"],
    "run_id": None,
    "workflow": "discover",
    "status": "pending",
    "terminal": False,
    "stuck": False,
    "created_at": "2026-01-31T09:30:00.000000Z",
    "started_at": None,
    "ended_at": None,
    "error": None,
    "result": None,
    "metadata": {"lane": "interactive", "priority": 5, "summary": {}, "startup": {}},
    "events_path": RECEIPT["events_path"],
    "as_of": "2026-01-31T09:30:01.000000Z",
}
REASON = {
    "execution_id": RECEIPT["execution_id"],
    "status": "pending",
    "why": "no worker has taken it yet",
    "next": "start a worker",
    "code": "no_worker",
}


class FakeApi(ThreadingHTTPServer):
    """Answers each path with a prepared body and remembers what was asked."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answer)
        self.answers: dict[str, list[tuple[int, Mapping[str, object]]]] = {}
        self.asked: list[tuple[str, str, dict[str, str], bytes]] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"


class Answer(BaseHTTPRequestHandler):
    server: FakeApi

    def do_GET(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.asked.append((self.command, self.path, headers, body))
        prepared = self.server.answers[self.path.partition("?")[0]]
        status, answer = prepared.pop(0) if len(prepared) > 1 else prepared[0]
        data = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_POST = do_GET

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeApi]:
    server = FakeApi()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    monkeypatch.setenv("JOBSTEWARD_URL", server.url)
    monkeypatch.setenv("JOBSTEWARD_TOKEN", "jobs_secret")
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("JOBSTEWARD_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def call(*arguments: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(cli, list(arguments), input=stdin)


def jobsteward(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "jobsteward_server.cli", *arguments],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_version_is_quick_and_loads_little() -> None:
    """Below 0.3 s: the fastest of five, because the machine may be busy."""
    times = []
    for _ in range(5):
        started = time.perf_counter()
        done = jobsteward("--version")
        times.append(time.perf_counter() - started)
        assert done.stdout == f"jobsteward, version {__version__}\n"
    assert min(times) < 0.3
    heavy = "pydantic httpx sqlalchemy temporalio fastapi mcp asyncio"
    probe = (
        f"import sys, jobsteward_server.cli; print(*(set('{heavy}'.split()) & set(sys.modules)))"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", probe], capture_output=True, text=True, check=True
    )
    assert loaded.stdout.strip() == ""


def test_help_lists_every_command_and_each_has_its_module() -> None:
    text = call("--help").output
    for name in COMMANDS:
        assert f"  {name} " in text
        assert call(name, "--help").exit_code == 0


def test_openapi_describes_the_api_without_a_stack(home: Path) -> None:
    done = jobsteward("openapi")
    assert done.returncode == 0, done.stderr
    assert "/api/v1/workflows/{workflow}/execute" in json.loads(done.stdout)["paths"]
    assert not home.exists()


def test_failure_is_one_line_and_exit_code_1() -> None:
    """No traceback, and a remedy."""
    done = jobsteward("runs")
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith("error[configuration]: no stack runs for ")
    assert "jobsteward up" in done.stderr
    assert done.stderr.count("\n") == 1


def test_bad_setting_is_named_without_its_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JOBSTEWARD_PORT", "secret-value")
    done = jobsteward("doctor")
    assert done.returncode == 1
    assert "JOBSTEWARD_PORT" in done.stderr
    assert "secret-value" not in done.stderr + done.stdout


def test_token_create_prints_the_token_alone(home: Path) -> None:
    """SEC-1: shown once, alone on standard output; the list never shows it."""
    created = jobsteward("token", "create", "--name", "agent of mine", "--days", "30")
    assert created.returncode == 0, created.stderr
    secret = created.stdout.removesuffix("\n")
    assert looks_like_secret(secret)
    listed = jobsteward("token", "list").stdout
    assert "agent of mine" in listed
    assert secret not in listed
    token_id = listed.split()[0]
    assert "revoked" in jobsteward("token", "revoke", token_id).stdout
    assert not [path for path in home.rglob("*") if path.stat().st_mode & 0o077]


@pytest.mark.parametrize(
    "settings",
    [
        {"JOBSTEWARD_ORIGIN_MAP": "{"},
        {"JOBSTEWARD_ORIGIN_MAP": '{"a": 5}'},
        {"JOBSTEWARD_ALLOWED_HOSTS": "a:1"},
        {"JOBSTEWARD_URL": "http://[::1"},
        {"JOBSTEWARD_URL": "127.0.0.1:8765"},
        {"JOBSTEWARD_URL": "http://127.0.0.1:99999"},
        {"JOBSTEWARD_HOME": "~no-such-user/x"},
        {"JOBSTEWARD_HOME": "/tmp/" + "h" * 300},
        {"JOBSTEWARD_URL": "http://127.0.0.1:1", "JOBSTEWARD_TOKEN": "sécret"},
    ],
)
def test_nonsense_in_a_setting_is_one_line(
    monkeypatch: pytest.MonkeyPatch, settings: dict[str, str]
) -> None:
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    done = jobsteward("runs")
    assert done.returncode == 1
    assert done.stderr.startswith("error[")
    assert done.stderr.count("\n") == 1


def test_a_settings_file_that_is_no_text_is_named(home: Path) -> None:
    home.mkdir(mode=0o700, exist_ok=True)
    (home / "settings.env").write_bytes(b"\x8e\xff")
    done = jobsteward("runs")
    assert done.returncode == 1
    assert "settings.env must be text" in done.stderr


@pytest.mark.parametrize("name", ["", "a\nb", "x" * 101, "red \x1b[31m"])
def test_a_token_is_one_line_of_a_list(name: str) -> None:
    done = call("token", "create", "--name", name)
    assert isinstance(done.exception, JobstewardError)
    assert done.exception.code == "invalid_input"


def test_a_token_for_a_million_days_is_refused() -> None:
    assert call("token", "create", "--days", "3000000").exit_code == 2


def test_agent_scopes_are_the_default_and_never_approve() -> None:
    """SEC-7."""
    done = call("token", "create")
    assert done.stderr.rstrip().endswith("may: read, run")


def test_unknown_token_is_named_as_such() -> None:
    done = call("token", "revoke", "tok_0000000000000000")
    assert isinstance(done.exception, JobstewardError)
    assert done.exception.code == "not_found"


def test_run_sends_inputs_key_and_token_and_prints_the_receipt(api: FakeApi) -> None:
    """TOP-1: work goes through the API."""
    path = "/api/v1/workflows/discover/execute"
    api.answers[path] = [(200, RECEIPT)]
    done = call("run", "discover", "--inputs", "-", "--key", "k1", stdin='{"query": "python"}')
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["execution_id"] == RECEIPT["execution_id"]
    [(method, asked, headers, body)] = api.asked
    assert (method, asked) == ("POST", path)
    assert headers["authorization"] == "Bearer jobs_secret"
    assert headers["idempotency-key"] == "k1"
    assert json.loads(body)["inputs"] == {"query": "python"}


@pytest.mark.parametrize(("status", "code"), [("succeeded", 0), ("failed", 1)])
def test_run_wait_stays_until_the_end(api: FakeApi, status: str, code: int) -> None:
    api.answers["/api/v1/workflows/discover/execute"] = [(200, RECEIPT)]
    ended = RUN | {"status": status, "terminal": True}
    run_path = f"/api/v1/workflow-runs/{RECEIPT['execution_id']}"
    api.answers[run_path] = [(200, RUN), (200, ended)]
    done = call("run", "discover", "--wait")
    assert done.exit_code == code
    assert json.loads(done.stdout)["status"] == status


@pytest.mark.parametrize("text", ["[1]", "not json", '"x"', '{"a":' + "[" * 50_000])
def test_run_refuses_inputs_that_are_no_object(api: FakeApi, text: str) -> None:
    done = call("run", "discover", "--inputs", text)
    assert isinstance(done.exception, JobstewardError)
    assert done.exception.code == "invalid_input"
    assert api.asked == []


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--inputs", '{"a": NaN}'], "bad_json"),
        (["--inputs", '{"a": "\\ud83d"}'], "invalid_text"),
        (["--key", ""], "invalid_input"),
        (["--key", "clé"], "invalid_input"),
        (["--key", "a\nb"], "invalid_input"),
    ],
)
def test_s24_run_sends_nothing_that_http_cannot_carry(
    api: FakeApi, arguments: list[str], code: str
) -> None:
    """An empty key is a bad one too: it must not quietly start work without a key (ADM-3)."""
    done = call("run", "discover", *arguments)
    assert isinstance(done.exception, JobstewardError)
    assert done.exception.code == code
    assert api.asked == []


def test_a_bad_argument_is_named_on_the_line(api: FakeApi) -> None:
    problem = {
        "code": "invalid_input",
        "detail": "it does not fit",
        "fields": {"status": "a state"},
    }
    api.answers["/api/v1/workflow-runs"] = [(422, problem)]
    done = jobsteward("runs", "--status", "bogus")
    assert done.stderr == "error[invalid_input]: it does not fit (status: a state)\n"


def test_runs_lists_shows_and_explains(api: FakeApi) -> None:
    """OBS-5: why a run waits and what to do next."""
    run_path = f"/api/v1/workflow-runs/{RECEIPT['execution_id']}"
    api.answers["/api/v1/workflow-runs"] = [(200, {"items": [RUN], "next_cursor": None})]
    api.answers[run_path] = [(200, RUN)]
    api.answers[f"{run_path}/why"] = [(200, REASON)]
    listed = call("runs", "--status", "pending").stdout
    assert listed.split()[:3] == [RECEIPT["execution_id"], "pending", "discover"]
    assert "status=pending" in api.asked[0][1]
    assert json.loads(call("runs", RECEIPT["execution_id"]).stdout)["status"] == "pending"
    why = call("runs", "--why", RECEIPT["execution_id"]).stdout
    assert why == "pending: no worker has taken it yet\nnext: start a worker\n"


def test_problem_of_the_api_keeps_its_code(api: FakeApi) -> None:
    problem = {"code": "not_found", "detail": "no such run"}
    api.answers["/api/v1/workflow-runs/exe_x"] = [(404, problem)]
    done = call("runs", "exe_x")
    assert isinstance(done.exception, JobstewardError)
    assert (done.exception.code, done.exception.message) == ("not_found", "no such run")


def test_agent_token_of_the_app_directory_is_used_when_none_is_set(
    api: FakeApi, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("JOBSTEWARD_TOKEN")
    home.mkdir(mode=0o700)
    (home / "agent.token").write_text("jobs_from_file\n")
    api.answers["/api/v1/workflow-runs"] = [(200, {"items": [], "next_cursor": None})]
    assert call("runs").exit_code == 0
    assert api.asked[0][2]["authorization"] == "Bearer jobs_from_file"
