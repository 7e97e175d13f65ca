"""How well postings are understood, against labelled tables, each in its own convention.

A figure is the share of rows that are right; its ``_precision`` the share among rows where
the answer is not "unknown".
"""

from collections import Counter
from collections.abc import Sequence

from benchmarks.quality_tables import BARS, UNKNOWN, Row
from benchmarks.report import Report


async def discovery_quality() -> Report:
    """Share right and precision for every bar, with all wrong rows in the settings."""
    report = Report("quality")
    for bar, tables in BARS.items():
        rows = [row for table in tables for row in table()]
        figures(report, bar, rows)
    return report


def figures(report: Report, bar: str, rows: Sequence[Row]) -> None:
    """Put a bar's share and precision into the report; nothing where there are no rows."""
    if rows:
        report.set(bar, _share(rows))
        report.set(f"{bar}_precision", _share(_answered(rows)))
        report.settings[bar] = _by_table(rows)
        report.settings[f"{bar}_wrong"] = [
            f"{row.table}: {row.shown!r} is {row.expected}, said {row.got}"
            for row in rows
            if not _right(row)
        ]


def _right(row: Row) -> bool:
    return row.expected == row.got or (row.expected == UNKNOWN and row.got in {"", UNKNOWN})


def _answered(rows: Sequence[Row]) -> list[Row]:
    return [row for row in rows if row.got not in {"", UNKNOWN}]


def _share(rows: Sequence[Row]) -> float:
    return sum(map(_right, rows)) / len(rows) if rows else 1.0


def _by_table(rows: Sequence[Row]) -> dict[str, str]:
    """For each table the rows right of all, and each confusion with its count."""
    total = Counter(row.table for row in rows)
    right = Counter(row.table for row in rows if _right(row))
    return {table: f"{right[table]} of {count}" for table, count in total.items()}
