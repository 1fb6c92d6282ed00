"""Laws of mechanics hold for numbers of every magnitude: implausible ones cause no warning here."""

import pytest


@pytest.fixture(autouse=True)
def _any_numbers(any_numbers: None) -> None:
    """Every law is tested with the fixture `any_numbers`."""
