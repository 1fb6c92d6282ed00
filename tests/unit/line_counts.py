"""The cost of a function as a count instead of a time: the executed lines of Python, the same on every machine."""

import sys


def lines_run(function, *arguments):
    """The number of lines executed during a call of a function, in it and in all functions that it calls."""
    count = 0

    def trace(frame, event, argument):
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        function(*arguments)
    finally:
        sys.settrace(before)
    return count
