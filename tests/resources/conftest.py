"""Fixtures of the resource tests."""

import pytest

from tests.tools.fake_api import FakeApi


@pytest.fixture
def api() -> FakeApi:
    """An API without runs and jobs."""
    return FakeApi()
