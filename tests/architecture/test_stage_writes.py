"""No way around the rules: what may name the tables whose writes they guard (DOM-3, DIS-9)."""

import re

import pytest

from tests.architecture.test_purity import PACKAGES, ROOT, tracked_modules

_OWNERS = {
    "job_stage_states": {"src/jobsteward/discover/pipeline_state.py"},
    "job_posting_snapshots": {"src/jobsteward/discover/snapshots.py"},
    "job_enrichments": {"src/jobsteward/discover/snapshots.py"},
}


@pytest.mark.parametrize("table", _OWNERS)
def test_only_its_owner_names_a_guarded_table(table: str) -> None:
    """Everybody else asks the owner's functions, which check every write."""
    word = re.compile(rf"\b{table}\b", re.IGNORECASE)
    naming = {
        path
        for path in tracked_modules(*PACKAGES)
        if "/migrations/" not in path and word.search((ROOT / path).read_text())
    }
    assert naming <= _OWNERS[table]
