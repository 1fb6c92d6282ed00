"""A motion that its drives lead: efforts and loads along it, for one design or many."""
