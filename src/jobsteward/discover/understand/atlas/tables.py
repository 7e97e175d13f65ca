"""Tables of names written as text: one row a line, an indented line goes on with the row."""


def table_rows(table: str) -> list[str]:
    """The rows of a table, each on one line."""
    return table.strip("\n").replace("\n  ", "").split("\n")
