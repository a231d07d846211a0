"""Write slides of the parts of the book, Marp Markdown and HTML: python tools/slides.py [PART ...] [--out FOLDER].

Figures are those of the runs that `make test` or `make book` has kept, as SVG beside the slides.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat

from rfdev import ROOT, execute, keys, slides

PARTS = "123456"


def figures(page: str, folder: Path, store: execute.Store, sources: keys.Sources) -> dict[str, tuple[str, str]]:
    """Write the figures of a page that has been run, and return path and alt text by the identifier of the cell."""
    job = execute.prepare(ROOT / page, sources)
    try:
        record = store.cache.match_cache_notebook(job.nb)
    except KeyError:
        return {}
    run = nbformat.read(store.cache.path / "executed" / record.hashkey / "base.ipynb", as_version=4)
    # cells of code stand in the same order, whatever the cache has made of their identifiers
    ids = [cell.get("id", "") for cell in job.nb.cells if cell.cell_type == "code"]
    alt, found = slides.alt_texts(page, ROOT), {}
    for name, cell in zip(ids, (cell for cell in run.cells if cell.cell_type == "code"), strict=True):
        drawn = [o.data["image/svg+xml"] for o in cell.outputs if "image/svg+xml" in o.get("data", {})]
        if name in alt and drawn:
            path = folder / f"{Path(page).stem}-{name}.svg"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(drawn[-1], encoding="utf-8")
            found[name] = (f"{path.parent.name}/{path.name}", alt[name])
    return found


def main() -> int:
    """Write the Markdown of all decks, then their HTML if Marp can be had."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("parts", nargs="*", default=list(PARTS), help="numbers of parts (default: 1 to 6)")
    parser.add_argument("--out", type=Path, default=ROOT / "_build" / "slides")
    args = parser.parse_args()
    if wrong := [part for part in args.parts if part not in set(PARTS)]:
        parser.error(f"no slides are made of part {wrong[0]!r}; parts are {', '.join(PARTS)}")
    args.out.mkdir(parents=True, exist_ok=True)
    sources = keys.Sources(ROOT)
    store, written, unrun = execute.Store(sources), [], []

    def figures_of(page: str) -> dict[str, tuple[str, str]]:
        found = figures(page, args.out / "figures", store, sources)
        if not found:
            unrun.append(page)
        return found

    for part in args.parts:
        path = args.out / f"part{part}.md"
        path.write_text(slides.of_part(part, ROOT, figures_of), encoding="utf-8")
        written.append(path)
    if unrun:
        print(f"no figures of {', '.join(unrun)}: run them first, python tools/execute.py {' '.join(unrun)}")
    marp = subprocess.run(["sh", str(ROOT / "tools" / "marp.sh")], stdout=subprocess.PIPE, text=True, check=False)
    if marp.returncode:
        print(f"{len(written)} decks as Markdown in {args.out}")
        return marp.returncode
    node = shutil.which("node")
    done = subprocess.run([node, ROOT / marp.stdout.strip(), "--html", "--no-stdin", *written], check=False)
    print(f"{len(written)} decks in {args.out}")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
