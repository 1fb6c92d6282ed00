"""Numbers of a description, addressed by paths such as `ground.D.x`: their list, and descriptions with other numbers or
with parameters in their places."""

from multiloop.model.numbers.number_changes import (
    parametrise as parametrise,
    require_fitting_number_units as require_fitting_number_units,
    with_numbers as with_numbers,
)
from multiloop.model.numbers.number_list import list_numbers as list_numbers
from multiloop.model.numbers.number_table import DescribedNumber, NumberTable

__all__ = ["DescribedNumber", "NumberTable"]
