"""Maximum matching of rows and columns of a sparsity pattern, by augmenting paths.

Source: Berge (1957): a matching is maximum if and only if no augmenting path exists, that is, no path from an unmatched
row to an unmatched column along entries that are alternately outside and inside the matching. Exchanging the entries
of such a path adds one. Paths are found breadth first, so that they are short and no recursion is needed.
"""

from __future__ import annotations

from collections.abc import Sequence


def largest_matching(pattern: Sequence[Sequence[int]]) -> dict[int, int]:
    """The matched row of each column, in the order of rows; `pattern` lists the columns with entries of every row."""
    column_of: dict[int, int] = {}
    row_of: dict[int, int] = {}
    for root in range(len(pattern)):
        reached, column = _reached_columns(pattern, root, row_of)
        while (
            column is not None
        ):  # the last row of the path takes the unmatched column and releases its former one, and so on
            row = row_of[column] = reached[column]
            before = column_of.get(row)
            column_of[row] = column
            column = before
    return {column: row for row, column in sorted(column_of.items())}


def _reached_columns(
    pattern: Sequence[Sequence[int]], root: int, row_of: dict[int, int]
) -> tuple[dict[int, int], int | None]:
    """Columns on alternating paths from a row, each with the row before it, and the first unmatched column."""
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
