"""Time-dependent inputs of a mechanism: drives, known efforts, tables and controllers, traced symbolically."""
