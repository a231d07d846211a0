"""Quizzes on a page: a fieldset that JavaScript lets answer; without it a list, and the answers in a fold."""

from __future__ import annotations

from string import ascii_lowercase

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

from rfdev import quiz
from rfdev.lint.markdown import Directive


class element(nodes.General, nodes.Element):
    """An element of HTML; other formats show what is in it."""


def tag(name: str, /, *children, classes=(), **attributes) -> element:
    """Make one; of its attributes those that are None or False are left out, and those that are True have no value."""
    shown = {key.replace("_", "-"): value for key, value in attributes.items()
             if value is not None and value is not False}
    return element("", *children, tag=name, shown=shown, classes=list(classes))


def _open(self, node) -> None:
    words = [node["tag"]]
    if node["classes"]:
        words.append(f'class="{" ".join(node["classes"])}"')
    words += [key if value is True else f'{key}="{self.attval(str(value))}"' for key, value in node["shown"].items()]
    self.body.append(f"<{' '.join(words)}>")


def _close(self, node) -> None:
    if node["tag"] != "input":
        self.body.append(f"</{node['tag']}>" + "\n" * (node["tag"] not in {"span", "strong", "label"}))


class Quiz(SphinxDirective):
    """A question with choices, or one for a number."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True

    def run(self):
        part = Directive(self.name, self.arguments[0].strip(), {}, "\n".join(self.content))
        if wrong := list(quiz.faults(part)):
            raise self.error(f"the quiz {part.argument!r}: {'; '.join(wrong)}")
        asked = quiz.read(part)
        place = f"quiz-{self.env.new_serialno('quiz') + 1}"
        box = tag("div", classes=["rf-quiz"])
        self.set_source_info(box)
        ask = self._number(place) if asked.numeric else self._radios(asked, place)
        box += tag("fieldset", tag("legend", *self._inline(asked.question)), ask,
                   tag("button", nodes.Text("Check"), type="button", hidden=True),
                   tag("div", classes=["rf-quiz-said"], role="status", aria_live="polite"))
        answers = [self._answer(asked, choice) for choice in asked.choices]
        listed = tag("ul", *answers) if asked.numeric else tag("ol", *answers, type="a")
        box += tag("details", tag("summary", nodes.Text("Answers")), listed, classes=["rf-quiz-answers"])
        return [box]

    def _inline(self, text: str) -> list[nodes.Node]:
        box = nodes.container()
        self.state.nested_parse(StringList([text], self.get_source_info()[0]), self.content_offset, box)
        return box[0].children if len(box) else []

    def _radios(self, asked: quiz.Quiz, place: str) -> element:
        lines = []
        for i, choice in enumerate(asked.choices):
            button = tag("input", type="radio", name=place, value=i, id=f"{place}-{i}")
            # a formula alone is no name of a button for all screen readers, so its letter stands before it, unseen
            letter = tag("span", nodes.Text(f"{ascii_lowercase[i]}: "), classes=["rf-quiz-letter"])
            label = tag("label", letter, *self._inline(choice.text), **{"for": f"{place}-{i}"})
            lines.append(tag("li", button, label))
        return tag("ol", *lines, type="a", classes=["rf-quiz-choices"])

    def _number(self, place: str) -> element:
        field = tag("input", type="number", step="any", id=place, inputmode="decimal", autocomplete="off")
        return tag("p", tag("label", nodes.Text("Your number "), **{"for": place}), field, classes=["rf-quiz-number"])

    def _answer(self, asked: quiz.Quiz, choice: quiz.Choice) -> element:
        verdict = "Right." if choice.right else "Not right."
        what = []
        if asked.numeric:
            what = [nodes.Text("Any other number: " if choice.value is None else f"{choice.text}: ")]
        said = tag("span", tag("strong", nodes.Text(verdict)), nodes.Text(" "), *self._inline(choice.answer))
        return tag("li", *what, said, data_right="" if choice.right else None, data_value=choice.value,
                   data_tolerance=choice.tolerance or None)


def _bring_script(app, pagename, templatename, context, doctree) -> None:
    """Pages with a quiz, and no others, load what makes it answer."""
    if doctree is not None and any("rf-quiz" in node["classes"] for node in doctree.findall(element)):
        app.add_js_file("quiz.js", loading_method="defer")
        app.add_css_file("quiz.css")


def setup(app):
    """Teach Sphinx the two directives."""
    plain = (lambda self, node: None, lambda self, node: None)
    app.add_node(element, html=(_open, _close), latex=plain, text=plain, man=plain, texinfo=plain)
    for name in ("quiz", "quiz-number"):
        app.add_directive(name, Quiz)
    app.connect("html-page-context", _bring_script)
    return {"version": "0.1", "parallel_read_safe": True, "parallel_write_safe": True}
