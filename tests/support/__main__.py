"""Run every cell, or those of the named items, and write the page."""

import sys

from support.cells import forward_cells, inverse_cells
from support.functions import LINKS, function_cells
from support.items import ITEMS
from support.page import PAGE, Verdicts, text_of, written

asked, found = sys.argv[1:], Verdicts()
known = written() if asked else found
for item in ITEMS:
    anew = not asked or item.name in asked
    found.forward[item.name] = forward_cells(item) if anew else known.forward[item.name]
    found.inverse[item.name] = inverse_cells(item) if anew else known.inverse[item.name]
    if item.name in LINKS:
        found.functions[item.name] = function_cells(item) if anew else known.functions[item.name]
    if anew:
        verdicts = [*found.forward[item.name].values(), *found.inverse[item.name].values()]
        print(
            item.name, {verdict: verdicts.count(verdict) for verdict in dict.fromkeys(verdicts)}, flush=True
        )
PAGE.write_text(text_of(found), encoding="utf-8")
