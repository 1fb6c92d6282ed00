"""To each equation an unknown of its own: the largest matching of a pattern, by augmenting paths.

Source: Berge (1957): a matching is the largest when no path leads from a free row to a free column along entries that
are alternately not in it and in it; turning such a path over gains one. Paths are sought breadth first, so that they
are short and nothing recurs.
"""

from __future__ import annotations

from collections.abc import Sequence


def largest_matching(pattern: Sequence[Sequence[int]]) -> dict[int, int]:
    """Row by column, in the order of the rows, where `pattern` are the columns with entries of every row."""
    column_of: dict[int, int] = {}
    row_of: dict[int, int] = {}
    for root in range(len(pattern)):
        reached, column = _reached_columns(pattern, root, row_of)
        while (
            column is not None
        ):  # the last row of the path takes the free column and frees its own, and so on
            row = row_of[column] = reached[column]
            before = column_of.get(row)
            column_of[row] = column
            column = before
    return {column: row for row, column in sorted(column_of.items())}


def _reached_columns(
    pattern: Sequence[Sequence[int]], root: int, row_of: dict[int, int]
) -> tuple[dict[int, int], int | None]:
    """Columns on alternating paths from a row, each with the row before it, and the first that is free."""
    reached: dict[int, int] = {}
    rows = [root]
    for row in rows:
        for column in pattern[row]:
            if column in reached:
                continue
            reached[column] = row
            if column not in row_of:
                return reached, column
            rows.append(row_of[column])
    return reached, None
