"""Assembly of mechanisms: positions in which all loops are closed and all held values are met."""
