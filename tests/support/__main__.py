"""Run every cell and write the page."""

from support.cells import row
from support.items import ITEMS
from support.page import PAGE, text_of

found = {}
for item in ITEMS:
    found[item.name] = row(item)
    print(item.name, found[item.name], flush=True)
PAGE.write_text(text_of(found), encoding="utf-8")
