"""Exchange of results with files: their stored form, and the comparison with measured time histories."""

from multiloop.analyses.results.exchange.comparison import (
    ComparedColumn,
    Comparison,
    MeasuredTable,
    compare,
)
from multiloop.analyses.results.exchange.stored_result import (
    RECORDED,
    NotRestorableError,
    StoredResult,
    restored_result,
    stored_form,
)
from multiloop.analyses.results.table import split_unit

__all__ = [
    "RECORDED",
    "ComparedColumn",
    "Comparison",
    "MeasuredTable",
    "NotRestorableError",
    "StoredResult",
    "compare",
    "restored_result",
    "split_unit",
    "stored_form",
]
