"""Minutes on the cards of the chapters, beside what the model of rfdev/minutes.py says; --write puts them there."""

from __future__ import annotations

import argparse
import json

from rfdev import ROOT, minutes, routes
from rfdev.cells import read_notebook


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--write", action="store_true", help="write the minutes of the model on the cards")
    write = asked.parse_args().write
    total = 0
    for path in sorted((ROOT / "nbs").glob("[1-7]_*/*.ipynb")):
        book = read_notebook(path, ROOT)
        said, told = minutes.estimate(book), routes.minutes(book)
        total += said
        if said != told:
            print(f"{path.name}: {told} on the card, {said} by the model")
            if write:
                text = path.read_text(encoding="utf-8")
                notebook = json.loads(text)
                for cell in notebook["cells"]:
                    if "**Time.**" in "".join(cell["source"]):
                        cell["source"] = minutes.on_card("".join(cell["source"]), said).splitlines(True)
                        break
                path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{total} minutes in all")


if __name__ == "__main__":
    main()
