"""Quizzes: what a directive says, what is wrong with it, and the bank parsed back."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from rfdev import ROOT, paper, plain, quiz
from rfdev.lint.markdown import directives, words

CHOICE = r"""```{quiz} Which estimate of $k\{0\}$ is unbiased?
- [x] the pair, $\{a\}=1$ :: Yes: *its mean* is $k<1$.
- [ ] the root of it :: No, for it is
  concave; the mean of $\nu#~$ is not.
- [ ] none :: No.
```
"""
NUMBER = """```{quiz-number} How many waves are enough?
- [x] 200 ± 0.5 :: Yes.
- [ ] 100 :: Half of it: a constant was lost.
- [ ] -1e-3 :: A number is positive.
- [ ] else :: Solve for $m$.
```
"""


def one(text):
    """The quiz of a text."""
    return next(directives(text))


def test_it_is_read():
    asked = quiz.read(one(CHOICE))
    assert asked.question.startswith("Which estimate") and not asked.numeric
    assert [c.right for c in asked.choices] == [True, False, False]
    assert asked.choices[1].answer.startswith("No, for it is concave;")
    number = quiz.read(one(NUMBER))
    assert [(c.value, c.tolerance) for c in number.choices] == [(200, 0.5), (100, 0), (-1e-3, 0), (None, 0)]
    assert number.right.value == 200
    assert not [*quiz.faults(one(CHOICE)), *quiz.faults(one(NUMBER))]


@pytest.mark.parametrize(("text", "old", "new", "says"), [
    (CHOICE, "unbiased?", "unbiased", "no question"),
    (CHOICE, "- [ ] none :: No.\n", "", "2 choices"),
    (CHOICE, "[ ] none", "[x] none", "2 of its choices are right"),
    (CHOICE, "[x]", "[ ]", "0 of its choices are right"),
    (CHOICE, "none :: No.", "none", "nothing is answered to 'none'"),
    (CHOICE, "- [ ] none", "none", "is no choice"),
    (CHOICE, "none :: No.", "none :: See {prf:ref}`thm-x`.", "reference"),
    (CHOICE, "none :: No.", "none :: See [there](x.ipynb).", "reference"),
    (CHOICE, "- [ ] none", "- [ ] the root of it", "the same"),
    (NUMBER, "100", "hundred", "no number"),
    (NUMBER, "- [ ] else :: Solve for $m$.\n", "", "'else'"),
    (NUMBER, "100", "200", "overlap"),
])
def test_what_is_wrong_is_said(text, old, new, says):
    assert old in text
    assert any(says in fault for fault in quiz.faults(one(text.replace(old, new))))


BOOK = [("21 Fourier features", tuple(quiz.read(one(text)) for text in (CHOICE, NUMBER))),
        ("22 A/B: 100 %", (quiz.read(one(CHOICE)),))]


def unescaped(text):
    """Text of a GIFT file as Moodle reads it."""
    return re.sub(r"\\([\\~=#{}:])", r"\1", text)


def parsed(text):
    """Category, name, question, and (sign, choice, feedback) of each question of a GIFT file."""
    found, category = [], ""
    for piece in re.split(r"\n\s*\n", text.strip()):
        if piece.startswith("$CATEGORY: "):
            category = piece.removeprefix("$CATEGORY: ")
            continue
        special = re.compile(r"(?<!\\)(?:\\\\)*([{}])")
        opened, closed = (m.start(1) for m in special.finditer(piece))
        assert piece[closed:] == "}"
        m = re.fullmatch(r"::((?:[^:\\]|\\.)*)::\[html\](.*?) ", piece[:opened], flags=re.S)
        body = piece[opened + 1 : closed]
        numeric, body = body.startswith("#"), body.removeprefix("#")
        choices = re.findall(r"\n([=~])((?:[^#\\~=]|\\.)*)#((?:[^#\\~=]|\\.)*)(?=\n)", body)
        found.append((category, unescaped(m[1]), unescaped(m[2]), numeric,
                      [(s, unescaped(c), unescaped(f)) for s, c, f in choices]))
    return found


def meant(book, formula=lambda tex: tex, *, xml=False):
    """The same, from the quizzes; of all other numbers GIFT says the answer alone, and says it last."""
    found = []
    for chapter, quizzes in book:
        for i, asked in enumerate(quizzes, 1):
            choices = []
            for c in asked.choices if xml else sorted(asked.choices, key=lambda c: asked.numeric and c.value is None):
                if asked.numeric and c.value is None and not xml:
                    choices.append(("~", "", quiz.as_html(c.answer, formula)))
                    continue
                what = "*" if c.value is None else f"{c.value:.12g}:{c.tolerance:.12g}"
                said = ("%0%" * (not c.right) + what) if asked.numeric else quiz.as_html(c.text, formula)
                choices.append(("=" if asked.numeric or c.right else "~", said, quiz.as_html(c.answer, formula)))
            found.append((f"rfbook/{chapter.replace('/', '//')}", f"{chapter}, question {i}",
                          quiz.as_html(asked.question, formula), asked.numeric, choices))
    return found


def same_as_xml(book, text, formula=lambda tex: tex):
    """Assert that Moodle's XML says what the quizzes say."""
    category, found = "", []
    for question in ElementTree.fromstring(text):
        if question.get("type") == "category":
            category = question.findtext("category/text")
            continue
        numeric = question.get("type") == "numerical"
        choices = []
        for answer in question.iter("answer"):
            what, tolerance = answer.findtext("text"), answer.findtext("tolerance")
            right = answer.get("fraction") == "100"
            what = f"{'%0%' * (not right)}{what}{':' + tolerance if tolerance else ''}" if numeric else what
            choices.append(("=" if numeric or right else "~", what, answer.findtext("feedback/text")))
        found.append((category.removeprefix("$course$/top/"), question.findtext("name/text"),
                      question.findtext("questiontext/text"), numeric, choices))
    assert found == meant(book, formula, xml=True)


def moodle_rejects(text):
    """What Moodle's import of XML would not take, or would read as something else, after its published format."""
    root, category = ElementTree.fromstring(text.encode()), ""
    if root.tag != "quiz" or {child.tag for child in root} != {"question"}:
        yield "it is no <quiz> of <question>s"
    if re.search(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|[\ue000-\uf8ff]", text):
        yield "a character that XML does not allow, or one for private use"
    names = []
    for question in root:
        if question.get("type") == "category":
            category = question.findtext("category/text")
            if not category.startswith("$course$/top/") or not all(0 < len(p.strip()) <= 255 for p in
                                                                   category.replace("//", "").split("/")):
                yield f"the category {category!r}"
            continue
        name, asked = question.findtext("name/text"), question.find("questiontext")
        names.append((category, name))
        at = f"{name!r}: "
        if not name or len(name) > 255:
            yield at + "its name"
        if asked is None or asked.get("format") != "html" or not (asked.findtext("text") or "").strip():
            yield at + "its text"
        if not float(question.findtext("defaultgrade") or 0) > 0:
            yield at + "its grade"
        answers = question.findall("answer")
        fractions = [float(answer.get("fraction")) for answer in answers]
        if sorted(set(fractions)) != [0, 100] or sum(fractions) != 100:  # and Moodle knows these two
            yield at + f"fractions {fractions}"
        for answer in answers:
            html = [answer.findtext("feedback/text") or "", answer.findtext("text") or ""]
            if not all(part.strip() for part in html) or answer.find("feedback").get("format") != "html":
                yield at + "an answer, or what is said to it, is empty"
            for part in html:
                ElementTree.fromstring(f"<p>{part}</p>")  # HTML that is closed
                if part.count(r"\(") != part.count(r"\)") or "$" in part:
                    yield at + "a formula that is not closed"
        if question.get("type") == "multichoice":
            settings = {tag: question.findtext(tag) for tag in ("single", "shuffleanswers", "answernumbering")}
            if settings != {"single": "true", "shuffleanswers": "true", "answernumbering": "abc"} or len(answers) < 2:
                yield at + f"{settings} or {len(answers)} choices"
        elif question.get("type") == "numerical":
            values = [answer.findtext("text") for answer in answers]
            if values.count("*") > 1 or ("*", 100) in zip(values, fractions, strict=True):
                yield at + "numbers for all others"
            for answer, value in zip(answers, values, strict=True):
                if value != "*" and not (re.fullmatch(r"-?\d+(\.\d+)?([eE][+-]?\d+)?", value)
                                         and float(answer.findtext("tolerance")) >= 0):
                    yield at + f"the number {value!r}"
        else:
            yield at + f"the type {question.get('type')!r}"
    if len(set(names)) < len(names):
        yield "two questions of one name"


def gift_rejects(text):
    """What Moodle's import of GIFT would read as something else: weights, comments and formats of no intention."""
    for line in text.split("\n"):
        if line.startswith("//"):
            yield f"a comment: {line}"
        if re.match(r"[=~](?!%0%)%", line):
            yield f"a weight: {line}"
        if re.match(r"[=~]\[", line):
            yield f"a format: {line}"
        if line.endswith("\\") or re.search(r"(?<!\\)(?:\\\\)*\\[^\\~=#{}:]", line):
            yield f"half an escape: {line}"


def test_moodle_would_take_the_bank():
    for book, formula in ((BOOK, lambda tex: tex), (quiz.of_the_book(ROOT), plain.formula)):
        assert [*moodle_rejects(quiz.moodle(book, formula))] == []
        assert [*gift_rejects(quiz.gift(book, formula))] == []


@pytest.mark.parametrize(("old", "new"), [
    ('fraction="100"', 'fraction="50"'), ("<single>true", "<single>false"), ("<tolerance>0.5", "<tolerance>-1"),
    ('type="numerical"', 'type="calculated"'), ("<text>200<", "<text>two<"), ("question 2", "question 1"),
    ("<text>none<", "<text> <"), ("$course$/top/", ""), ("<text>*<", "<text>* or more<"),
])
def test_what_moodle_would_not_take_is_seen(old, new):
    text = quiz.moodle(BOOK)
    assert old in text and [*moodle_rejects(text.replace(old, new))]


def test_the_bank_is_read_back():
    assert parsed(quiz.gift(BOOK)) == meant(BOOK)
    same_as_xml(BOOK, quiz.moodle(BOOK))


# ---- GIFT in the order in which Moodle's import takes it apart ----------------------------------------------------

HIDDEN = dict(zip(":#={}~", map(chr, range(0xE100, 0xE106)), strict=True))  # no text has these


def shown(text):
    """Text with the characters back that were hidden, without a format in brackets before it."""
    text = text.strip()
    if text.startswith("["):
        known = text[1 : text.index("]")] in {"html", "plain", "moodle", "markdown"}
        text = text[text.index("]") + 1 :] if known else text
    for character, place in HIDDEN.items():
        text = text.replace(place, character)
    return text.strip()


def weighed(answer, otherwise):
    """Weight and text of an answer; Moodle takes one or two digits between per cents."""
    m = re.match(r"%(-?\d{1,2}(?:\.\d*)?)%", answer)
    return (float(m[1]) / 100, answer[m.end() :]) if m else (otherwise, answer)


def taken_apart(text):
    """The same as `meant`, by Moodle's steps: blank lines, escapes, name, braces, kind, answers, weights, feedback."""
    category = ""
    for piece in re.split(r"\n\s*\n", text.strip()):
        piece = "\n".join(line for line in piece.split("\n") if not line.strip().startswith("//"))
        piece = piece.replace("\\\\", "\ue110")
        for character, place in HIDDEN.items():
            piece = piece.replace("\\" + character, place)
        piece = piece.replace("\\n", "\n").replace("\ue110", "\\")
        if piece.startswith("$CATEGORY:"):
            category = piece[10:].strip()
            continue
        assert piece.startswith("::")
        name, _, piece = piece[2:].partition("::")
        piece = piece.strip()
        opened, closed = piece.index("{"), piece.index("}")
        assert closed == len(piece) - 1  # or a blank is left where the answers were
        asked, body = piece[:opened], piece[opened + 1 : closed].strip()
        assert asked.startswith("[html]") and "####" not in body
        answers, numeric, rest = [], body.startswith("#"), []
        if numeric:
            body, tilde, other = body[1:].partition("~")
            assert "~" not in other
            parts, rest = body.split("="), [("~", "", shown(other.partition("#")[2]))] if tilde else []
            assert not parts.pop(0).strip()
            for part in parts:
                weight, said = weighed(part.strip(), 1.0)
                what, _, feedback = said.partition("#")
                # a colon in a number divides it from its tolerance; the writer escapes all others
                value, _, tolerance = what.strip().partition(":")
                assert float(tolerance) >= 0 and float(value) == float(value)
                answers.append(("=", f"{'' if weight == 1 else '%0%'}{value}:{tolerance}", shown(feedback)))
        else:
            assert "~" in body  # or it is another kind of question
            parts = body.replace("=", "~=").split("~")
            assert not parts.pop(0).strip()
            for part in map(str.strip, parts):
                right = part.startswith("=")
                weight, said = (1.0, part[1:]) if right else weighed(part, 0.0)
                assert weight == right
                what, _, feedback = said.partition("#")
                answers.append(("=" if right else "~", shown(what), shown(feedback)))
        yield category, shown(name), shown(asked), numeric, answers + rest


def test_moodle_takes_gift_apart_as_it_is_meant():
    for book, formula in ((BOOK, lambda tex: tex), (quiz.of_the_book(ROOT), plain.formula)):
        assert list(taken_apart(quiz.gift(book, formula))) == meant(book, formula)


@pytest.mark.parametrize(("old", "new"), [("\\=", "="), ("\\{", "{"), ("~#", "~"), ("%0%", ""), ("[html]", ""),
                                          ("200:0.5", "200±0.5"), ("\n~", "\n")])
def test_what_moodle_takes_apart_otherwise_is_seen(old, new):
    text = quiz.gift(BOOK)
    assert old in text
    try:
        found = list(taken_apart(text.replace(old, new)))
    except (AssertionError, ValueError):
        return
    assert found != meant(BOOK)


def test_the_bank_of_the_book_is_read_back():
    book = quiz.of_the_book(ROOT)
    assert parsed(quiz.gift(book, plain.formula)) == meant(book, plain.formula)
    same_as_xml(book, quiz.moodle(book, plain.formula), plain.formula)


def test_formulas_and_emphasis_become_html():
    assert quiz.as_html(r"*a* & $x<\nu$ `b`") == r"<em>a</em> &amp; \(x&lt;\nu\) <code>b</code>"
    assert quiz.as_html(r"$\E x_1*y_1$", plain.formula) == r"\(\mathbb{E} x_1*y_1\)"


@pytest.mark.parametrize("text", [CHOICE, NUMBER])
def test_a_plain_copy_has_the_answers_in_a_fold(text):
    said = plain.Page("nbs/2_features/21_fourier.ipynb", plain.Edition()).text(text)
    asked, fold = said.split("<details>")
    assert "Answers" in fold and "[x]" not in said and "::" not in said
    for choice in quiz.read(one(text)).choices:
        assert choice.answer in fold and (choice.text in asked) == (text is CHOICE)


def test_its_words_do_not_count():
    assert words(CHOICE + "\nOne two.", fine_print=False) == 2 < words(CHOICE)


PAGE = """<html><head></head><body><article class="bd-article"><h1>T</h1><div class="rf-quiz"><fieldset>
<legend>Why?</legend><ol type="a" class="rf-quiz-choices"><li>
<input type="radio" id="quiz-1-0"><label for="quiz-1-0">so</label></li></ol>
<button type="button" hidden>Check</button><div class="rf-quiz-said" role="status"></div></fieldset>
<details class="rf-quiz-answers"><summary>Answers</summary><ol type="a"><li>Yes.</li></ol></details></div>
</article></body></html>"""


def test_on_paper_it_is_a_list_with_its_answers(tmp_path):
    (tmp_path / "a.html").write_text(PAGE, encoding="utf-8")
    chapter = paper.Chapter("a", "")
    paper.read_chapter(chapter, {}, Path(tmp_path), "")
    assert "<input" not in chapter.body and "<button" not in chapter.body and "<details" not in chapter.body
    assert "Answers" in chapter.body and "Yes." in chapter.body and "so" in chapter.body
