"""Tables of planted answers: a wrong one is a change of the master's, or a text of its own."""

from rfdev.marking import checks

# answers of assignment 1 whose checks ask them thousands of times: of all submissions that are marked one has them
LONG = {"gaussian", "laplacian", "matern", "estimate", "phases"}


class Planted:
    """Planted answers to one assignment."""

    def __init__(self, name):
        self.cells = {checks.grade_id(c): c["source"] for c in checks.master(name) if checks.kind(c) == "answer"}
        self.points = checks.points(name)
        self.tables = {}

    def source(self, answer, *changes):
        """The master's answer with some changes, each a pair; or an answer that is given whole, behind some imports."""
        if len(changes) == 1 and isinstance(changes[0], str):
            return "import math\n\nimport numpy as np\n\n" + changes[0]
        text = self.cells[answer]
        for before, after in changes:
            assert before in text, (answer, before)
            text = text.replace(before, after)
        return text

    def wrong(self, answer, table):
        """Entries of ``WRONG`` for one answer: its name, which checks it loses, and its changes."""
        self.tables[answer] = table
        made = {f"{answer}: {name}": ({answer: self.source(answer, *changes)},
                                      {check: self.points[check] for check in lost.split()})
                for name, lost, *changes in table}
        assert len(made) == len(table), "two planted answers have one name"
        return made

    def again(self, other, answer, *swaps, without=(), lost=None):
        """The table of wrong answers of another variant, carried over to this one.

        Each of the `swaps`, a pair of texts, is made in all changes; entries that mean nothing here are named in
        `without`, and `lost` has the checks of those that lose others here.
        """
        lost, names = lost or {}, {name for name, *_ in other.tables[answer]}
        assert names >= {*without, *lost}, names.symmetric_difference({*without, *lost})
        return [(name, lost.get(name, checks), *carried(changes, swaps))
                for name, checks, *changes in other.tables[answer] if name not in without]

    def choices(self, answer, function, check, wrong, right):
        """Entries of ``WRONG`` and sources of right ones, for a question whose answer is letters."""
        def said(value):
            return f"def {function}():\n    return {value!r}\n"

        return ({f"{check}: {value!r}": ({answer: said(value)}, {check: self.points[check]}) for value in wrong},
                [said(value) for value in right])


def carried(things, swaps):
    """Texts, or pairs of texts, with each of the `swaps` made in them."""
    out = []
    for thing in things:
        texts = [thing] if isinstance(thing, str) else thing
        for before, after in swaps:
            texts = [text.replace(before, after) for text in texts]
        out.append(texts[0] if isinstance(thing, str) else tuple(texts))
    return out


def right_again(right, answer, *swaps, without=()):
    """Right answers of another variant to one question, carried over; `without` has the places of those left out.

    Those of sets that are called "found later: ..." stay where they are.
    """
    sources = [answers[answer] for name, answers in right.items()
               if answer in answers and not name.startswith("found later")]
    return carried([source for k, source in enumerate(sources) if k not in without], swaps)


def sets(**answers):
    """``RIGHT`` from lists of right answers to each question: the first of each, the second of each, and so on."""
    return {f"set {k + 1}": {name: sources[k] for name, sources in answers.items() if k < len(sources)}
            for k in range(max(map(len, answers.values())))}
