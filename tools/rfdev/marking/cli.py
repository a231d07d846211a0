"""Write assignments as students get them, and mark what they hand in."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from rfdev import ROOT
from rfdev.marking.apart import run_here
from rfdev.marking.grade import course_seed, grade, mark
from rfdev.marking.gradebook import log_to, own_programs
from rfdev.marking.limits import Limits
from rfdev.marking.otter import export
from rfdev.marking.release import masters, release


def _positive(text: str) -> float:
    value = float(text)
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is no positive number")
    return value


def main(argv: list[str] | None = None) -> int:
    """Read the command line and do what it says."""
    argv = sys.argv[1:] if argv is None else argv
    if argv[:1] == ["_run"]:
        return run_here(argv[1], argv[2], Limits(*map(float, argv[3:6])), argv[6])
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--folder", type=Path, default=ROOT / "coursework", help="of the course (default: coursework)")
    common.add_argument("--book", default=None, metavar="ADDRESS",
                        help="where the book's notebooks are, for links in feedback (default: the built book)")
    some = argparse.ArgumentParser(add_help=False)
    some.add_argument("names", nargs="*", metavar="NAME",
                      help=f"assignments (default: {', '.join(masters())}, and all of the bank)")
    some.add_argument("--variant", type=int, default=1, metavar="NUMBER",
                      help="another variant of the questions, for another year; its name ends with -variantNUMBER")
    some.add_argument("--bank", type=Path, default=None, metavar="FOLDER",
                      help="with masters of your own, FOLDER/NAME.ipynb; they take the place of the book's")
    commands.add_parser("release", parents=[common, some], help="write the student versions")
    grading = commands.add_parser("grade", parents=[common, some], help="mark submissions")
    grading.add_argument("--jobs", type=int, default=min(2, os.cpu_count() or 1), help="notebooks at a time")
    grading.add_argument("--cell-limit", type=_positive, default=Limits.cell, metavar="SECONDS")
    grading.add_argument("--limit", type=_positive, default=Limits.total, metavar="SECONDS", help="per submission")
    grading.add_argument("--memory", type=_positive, default=Limits.memory, metavar="GIB", help="per submission")
    grading.add_argument("--seed", type=int, default=None, help="of the marking (default: drawn once, then kept)")
    grading.add_argument("--again", action="store_true", help="mark what did not change, too")
    other = commands.add_parser("otter", parents=[common, some], help="write what Otter-Grader and Gradescope need")
    other.add_argument("--seed", type=int, default=None, help="of the marking (default: drawn once, then kept)")
    other.add_argument("--otter", default=None, metavar="COMMAND",
                       help="Otter-Grader's (default: otter, if it is there)")
    hand = commands.add_parser("mark", parents=[common], help="record a mark that a person gave")
    hand.add_argument("student")
    hand.add_argument("name")
    hand.add_argument("question", help="its number, e.g. 5.4, or the name of its cell")
    hand.add_argument("points", type=float)
    args = parser.parse_args(argv)

    folder = args.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    log_to(folder)
    own_programs()
    # from feedback/STUDENT/NAME.html to the pages of the book
    built = os.path.relpath(ROOT / "_build" / "html" / "nbs", folder / "feedback" / "STUDENT")
    book = (args.book or Path(built).as_posix()).rstrip("/") + "/"
    if args.command == "mark":
        return mark(folder, args.student, args.name, args.question, args.points, book)
    if args.bank and not args.bank.is_dir():
        parser.error(f"--bank is {args.bank}; it may be a folder that is there")
    known = masters(args.bank, args.variant)
    if args.variant != 1:
        args.names = [name if name in known else f"{name}-variant{args.variant}" for name in args.names]
    if args.command == "grade":  # what was handed out may be of any variant
        known |= {p.stem: p for p in (folder / "release").glob("*/*.ipynb") if p.parent.name == p.stem}
    if unknown := set(args.names) - set(known):
        parser.error(f"there is no assignment {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    names = args.names or list(known)
    if args.command == "release":
        return release(folder, names, args.bank)
    if args.command == "otter":
        return export(folder, names, seed=course_seed(folder, args.seed), bank=args.bank, otter=args.otter,
                      book=args.book.rstrip("/") + "/" if args.book else "")
    if args.jobs < 1:
        parser.error(f"--jobs is {args.jobs}; it may be a positive integer")
    return grade(folder, names, Limits(args.cell_limit, args.limit, args.memory), jobs=args.jobs, seed=args.seed,
                 book=book, again=args.again, bank=args.bank)
