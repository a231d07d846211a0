"""Write the quizzes of the book as a question bank, GIFT and Moodle XML: python tools/quiz.py [--out FOLDER]."""

from __future__ import annotations

import argparse
from pathlib import Path

from rfdev import ROOT, plain, quiz


def main() -> None:
    """Write both files, and say how many questions they have."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=ROOT / "_build" / "quiz")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    book = quiz.of_the_book(ROOT)
    for name, write in (("rfbook.gift", quiz.gift), ("rfbook.xml", quiz.moodle)):
        (args.out / name).write_text(write(book, plain.formula), encoding="utf-8")
    questions = sum(len(quizzes) for _, quizzes in book)
    print(f"{questions} questions of {len(book)} chapters in {args.out}/rfbook.gift and rfbook.xml")


if __name__ == "__main__":
    main()
