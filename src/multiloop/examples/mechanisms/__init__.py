"""One mechanism a file: a function that describes it, and `ask`, the question that is asked of it."""
