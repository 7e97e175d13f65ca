"""What the documentation says exists: commands, options, targets, links, settings, codes."""

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from jobsteward.discover.sources import SOURCES
from jobsteward.kernel import errors
from jobsteward.kernel.errors import UNCLASSIFIED, JobstewardError
from jobsteward.settings import PREFIX, Settings
from jobsteward_server.cli import COMMANDS, cli
from jobsteward_tools import TOOLS
from jobsteward_worker.workflows import CATALOGUE

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
REFERENCE = (ROOT / "docs" / "reference.md").read_text()

_FENCE = re.compile(r"^ *```\w*\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
_SPAN = re.compile(r"`([^`\n]+)`")
_LINK = re.compile(r"\[[^\]]+\]\(([^)\s]+)\)")


def _name(path: object) -> str:
    return str(path.relative_to(ROOT)) if isinstance(path, Path) else str(path)


def _code(page: Path) -> Iterator[str]:
    """Every line of code blocks, fenced or indented, and every code span of the page."""
    text = page.read_text()
    yield from re.findall(r"^ {4,}(\S.*)$", text, re.MULTILINE)
    for block in _FENCE.findall(text):
        yield from block.splitlines()
    yield from _SPAN.findall(_FENCE.sub("", text))


def _commands(program: str) -> list[list[str]]:
    """Words after the program's name, for each call that some page shows."""
    found = []
    for page in PAGES:
        for line in _code(page):
            text = re.split(r"\s{2,}#", line.strip())[0]
            match = re.match(rf"(?:\S*/)?{program}\s+(.+)$", text)
            if match:
                found.append(shlex.split(match[1]))
    return found


_CALLS = sorted({" ".join(words): words for words in _commands("jobsteward")}.items())


@pytest.mark.parametrize(("call", "words"), _CALLS, ids=[call for call, _ in _CALLS])
def test_documented_calls_fit_the_command_line(call: str, words: list[str]) -> None:
    """The subcommand exists and takes every option that the page gives it."""
    shown = CliRunner().invoke(cli, [*_leading(words), "--help"])
    assert shown.exit_code == 0, call
    for word in words:
        if word.startswith("--"):
            option = word.split("=")[0]
            assert re.search(rf"(?<!\S){re.escape(option)}\b", shown.output), f"{call}: {option}"


def _leading(words: list[str]) -> list[str]:
    """The names of (sub)commands before the first option or argument."""
    group: click.Command | None = cli
    names: list[str] = []
    for word in words:
        if not isinstance(group, click.Group):
            break
        found = group.get_command(click.Context(group), word)
        if found is None:
            assert word.startswith("-"), f"no such command: {word}"
            break
        names.append(word)
        group = found
    return names


def test_calls_are_found() -> None:
    """The extraction above sees something."""
    assert {words[0] for _, words in _CALLS} >= {"up", "mcp", "doctor", "token", "restore"}


def test_documented_targets_exist() -> None:
    """Every ``make`` target that a page names is in the Makefile."""
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = {word for words in _commands("make") for word in words if re.match(r"[a-z-]+$", word)}
    assert named >= {"demo", "test", "prove"}
    assert named - targets == set()


@pytest.mark.parametrize("page", PAGES, ids=_name)
def test_links_lead_somewhere(page: Path) -> None:
    """Relative links reach a file, and a heading where they name one."""
    for target in _LINK.findall(page.read_text()):
        if "://" in target:
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), target
        if anchor:
            assert anchor in _anchors(file), target


def _anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def _first_column(section: str) -> set[str]:
    text = REFERENCE.split(f"\n## {section}\n")[1].split("\n## ")[0]
    return {name for row in re.findall(r"^\| (`.+?) \|", text, re.M) for name in _SPAN.findall(row)}


def test_the_reference_lists_what_is_registered() -> None:
    """Every workflow, tool and source has its line, and no line is of the past."""
    assert _first_column("Workflows") == {spec.name for spec in CATALOGUE}
    assert _first_column("MCP tools") == {tool.name for tool in TOOLS}
    assert _first_column("Job sources") == set(SOURCES)


def test_the_reference_lists_every_setting() -> None:
    """Name by name, as the environment spells them."""
    names = {
        name.upper() if field.validation_alias else PREFIX + name.upper()
        for name, field in Settings.model_fields.items()
    }
    assert _first_column("Settings") == names


def test_the_reference_lists_every_code() -> None:
    """Each error code, and whether it is retried."""

    def walk(kind: type[JobstewardError]) -> Iterator[type[JobstewardError]]:
        for child in kind.__subclasses__():
            if child.__module__ == errors.__name__:
                yield child
                yield from walk(child)

    rows = dict(re.findall(r"^\| `(\w+)` \| (yes|no) \|", REFERENCE, re.MULTILINE))
    expected = {kind.code: "yes" if kind.retryable else "no" for kind in walk(JobstewardError)}
    assert rows == expected | {UNCLASSIFIED: "yes"}


def test_the_reference_lists_every_path() -> None:
    """The paths of the HTTP API are those of its OpenAPI document."""
    document = json.loads(CliRunner().invoke(cli, ["openapi"]).stdout)
    paths = {name for name in _first_column("HTTP API") if name.startswith("/")}
    assert paths == set(document["paths"])


def test_every_command_is_documented() -> None:
    """A subcommand that no page shows would not be found."""
    shown = {words[0] for _, words in _CALLS}
    assert set(COMMANDS) - shown == set()


def test_the_example_configuration_is_json() -> None:
    """What a user copies can be read by their host."""
    example = json.loads((ROOT / "claude_desktop_config.example.json").read_text())
    assert example["mcpServers"]["jobsteward"]["args"] == ["mcp"]
    for page in PAGES:
        for block in re.findall(r"```json\n(.*?)```", page.read_text(), re.DOTALL):
            json.loads(block)
