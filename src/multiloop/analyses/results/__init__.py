"""Results of analyses by the user's names: states, time histories, energies, extremes, tables and warnings."""
