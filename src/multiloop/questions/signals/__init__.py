"""What acts on a mechanism over time: drives, efforts, tables, controllers; numbers are their trace evaluated."""
