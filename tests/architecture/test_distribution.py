"""The wheel is whole, the lock is complete and quiet, every licence is one we can pass on."""

import re
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder
from packaging.requirements import Requirement

from tests.architecture.test_purity import PACKAGES, ROOT, tracked_modules

_COPYLEFT = re.compile(r"\b(A?GPL|Affero|GNU General Public)", re.IGNORECASE)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel as users get it, built without a network."""
    folder = tmp_path_factory.mktemp("dist")
    [built] = WheelBuilder(str(ROOT)).build(directory=str(folder), versions=["standard"])
    return Path(built)


def test_the_wheel_holds_every_module(wheel: Path) -> None:
    """Every ``.py`` that git has in the five packages is in the wheel."""
    expected = {path.split("/", 1)[1] for path in tracked_modules(*PACKAGES)}
    with zipfile.ZipFile(wheel) as archive:
        held = set(archive.namelist())
    assert expected - held == set()


def test_the_wheel_adds_only_our_packages(wheel: Path) -> None:
    """Nothing generic lands in a user's site-packages."""
    with zipfile.ZipFile(wheel) as archive:
        tops = {name.split("/")[0] for name in archive.namelist()}
    ours = {Path(package).name for package in PACKAGES}
    assert tops - ours == {name for name in tops if name.endswith(".dist-info")}


def _locked() -> dict[str, str]:
    entries = re.split(r"\n(?=[a-z0-9])", (ROOT / "requirements.lock").read_text())
    return {entry.split("==")[0]: entry for entry in entries}


def test_every_pin_has_hashes() -> None:
    """An install takes exactly the bytes that were locked."""
    assert [name for name, entry in _locked().items() if "--hash=sha256:" not in entry] == []


def test_the_lock_names_no_host() -> None:
    """The lock works with whatever index its user has."""
    text = (ROOT / "requirements.lock").read_text()
    assert "://" not in text
    assert "--index" not in text and "--extra-index" not in text


def test_the_lock_covers_the_project() -> None:
    """Every direct dependency is pinned, within its bounds."""
    locked = _locked()
    for text in metadata.requires("jobsteward") or []:
        requirement = Requirement(text)
        entry = locked[requirement.name.lower().replace("_", "-")]
        version = entry.split("==")[1].split()[0]
        assert requirement.specifier.contains(version), requirement.name


def test_no_dependency_is_under_gpl_or_agpl() -> None:
    """The MIT licence can be kept by whoever ships this with its dependencies."""
    bound = {}
    for name in _locked():
        try:
            found = metadata.distribution(name).metadata.json
        except metadata.PackageNotFoundError:
            continue  # for another platform
        terms = [str(found.get("license_expression", "")), *found.get("classifier", [])]
        terms += [] if terms[0] else [str(found.get("license", "")).split("\n")[0]]
        bad = [term for term in terms if _COPYLEFT.search(term) and "Lesser" not in term]
        if bad:
            bound[name] = bad
    assert bound == {}
