"""Sliders: sound markup, names of their own, a frame for those without a script, and clear errors."""

import io
import json
import re
import xml.etree.ElementTree as ET

import matplotlib

matplotlib.use("agg")
import matplotlib.pyplot as plt
import numpy as np
import pytest

from rfbook import figures

VALUES = [0.5, 1, 2]


def draw(value, size=(3, 2)):
    """Return a figure with what needs references: clipping, markers, hatches, letters, an image."""
    fig, ax = plt.subplots(figsize=size)
    ax.plot([0, 1], [0, value], "o-")
    ax.fill_between([0, 1], [0, value], hatch="//", alpha=0.3)
    ax.imshow(np.eye(2), extent=(0, 0.2, 0, 0.2))
    ax.set(xlim=(0, 1), ylim=(0, 2), xlabel="$x^2$", title=f"value {value}")
    return fig


def alone(value):
    """Return one frame as matplotlib writes it."""
    out = io.StringIO()
    with plt.rc_context({"svg.fonttype": "path"}):
        fig = draw(value)
        fig.savefig(out, format="svg")
        plt.close(fig)
    return out.getvalue()


@pytest.fixture(scope="module")
def moving():
    """Return a slider over three frames."""
    with plt.rc_context({"svg.fonttype": "path"}):
        return figures.slider(draw, "width <ℓ> & more", VALUES, alt=lambda v: f'A line rises to "{v}" < 3 & stops.')


@pytest.fixture
def tree(moving):
    """Return its markup as a tree, so that every tag is closed and every attribute quoted."""
    return ET.fromstring(moving._repr_html_())


def names(tree):
    return [node.get("id") for node in tree.iter() if node.get("id")]


def references(tree):
    text = [f"{k}={v}" for node in tree.iter() for k, v in node.attrib.items()]
    return {a or b for t in text for a, b in re.findall(r"^href=#(.+)|url\(#([^)]+)\)", t)}


def test_names_are_its_own_and_references_hold(moving, tree):
    ids = names(tree)
    assert len(set(ids)) == len(ids)
    assert len(references(tree)) > 10 and references(tree) <= set(ids)
    again = names(ET.fromstring(moving._repr_html_()))
    assert not set(ids) & set(again), "shown twice in one page, two elements would have one name"


def test_without_a_script_one_frame_is_seen_and_no_dead_slider(tree):
    image = tree.find("svg")
    frames = image.findall("g")
    assert [g.get("display") for g in frames] == ["none", None, "none"]
    assert tree.find("p/input").get("hidden")
    assert tree.find("p/output").text == "1"


def test_the_slider_is_labelled_and_the_drawing_described(tree):
    control, label, image = tree.find("p/input"), tree.find("p/label"), tree.find("svg")
    assert [control.get(key) for key in ("type", "min", "max", "value")] == ["range", "0", "2", "1"]
    assert label.get("for") == control.get("id") == tree.find("p/output").get("for")
    assert label.text == "width <ℓ> & more" and control.get("aria-valuetext") == "1"
    assert image.get("role") == "img" and image.get("aria-label") == 'A line rises to "1" < 3 & stops.'


def test_the_script_knows_each_frame(moving):
    script = re.search(r"<script>(.*)</script>", moving._repr_html_(), flags=re.S)[1]
    assert "<" not in script and "&" not in script
    words = json.loads(re.search(r"words = (\[.*\]);", script)[1])
    assert words == [[f"{v:g}", f'A line rises to "{v}" < 3 & stops.'] for v in VALUES]


def test_nothing_comes_from_elsewhere_and_nothing_styles_the_page(moving, tree):
    page = moving._repr_html_()
    assert not re.search(r"https?://|<link|<img|@import|src=", page)
    rules = re.findall(r"(?:^|\})\s*([^{}@]+)\{", tree.find("svg/style").text)
    assert rules and all(".rf-slider" in rule for rule in rules)


def test_frames_share_what_they_have_in_common(moving):
    with plt.rc_context({"svg.fonttype": "path"}):
        more = figures.slider(draw, "width", [*VALUES, 1.5, 1.6, 1.7], alt="A line.")
    added = len(more._repr_html_()) - len(moving._repr_html_())
    assert added / 3 < 0.25 * len(alone(1)), "a further frame should cost its curve and little else"


def test_every_frame_is_drawn_as_matplotlib_draws_it(moving):
    """What a frame shows, references resolved, has as many strokes and letters as the figure alone."""
    tree = ET.fromstring(moving._repr_html_())
    known = {node.get("id"): node for node in tree.iter() if node.get("id")}

    def count(node):
        if node.tag == "use":
            return count(known[node.get("href")[1:]])
        return (node.tag in ("path", "image", "rect")) + sum(count(child) for child in node)

    def expected(value):
        space, link = "{http://www.w3.org/2000/svg}", "{http://www.w3.org/1999/xlink}href"
        root = ET.fromstring(alone(value))
        ids = {node.get("id"): node for node in root.iter() if node.get("id")}

        def shown(node):
            tag = node.tag.removeprefix(space)
            if tag == "defs":
                return 0
            if tag == "use":
                return shown(ids[node.get(link)[1:]])
            return (tag in ("path", "image", "rect")) + sum(shown(child) for child in node)
        return shown(root)

    assert [count(g) for g in tree.find("svg").findall("g")] == [expected(v) for v in VALUES]


def test_the_png_and_the_text_show_the_start(moving):
    assert moving._repr_png_().startswith(b"\x89PNG")
    assert "drawn at 1" in repr(moving) and "from 0.5 to 2" in repr(moving)
    assert not plt.get_fignums(), "a figure that stays open is shown once more"


def test_figures_made_beforehand_and_a_start():
    made = [draw(v) for v in VALUES]
    moving = figures.slider(made, "w", VALUES, alt="A line.", start=2, text="{:.1f} m".format)
    tree = ET.fromstring(moving._repr_html_())
    assert [g.get("display") for g in tree.find("svg").findall("g")] == ["none", "none", None]
    assert tree.find("p/output").text == "2.0 m" and tree.find("svg").get("aria-label") == "A line."


@pytest.mark.parametrize(("change", "kind", "says"), [
    ({"values": [1]}, ValueError, "values"), ({"values": []}, ValueError, "values"),
    ({"label": " "}, ValueError, "label"), ({"label": None}, ValueError, "label"),
    ({"alt": ""}, ValueError, "alt"), ({"alt": lambda v: None}, ValueError, "alt"), ({"start": 3}, ValueError, "start"),
    ({"frames": 7}, TypeError, "frames"), ({"frames": lambda v: v}, TypeError, "frames"),
    ({"frames": lambda v: draw(v, (3, 2 + v))}, ValueError, "one size"),
])
def test_wrong_arguments(change, kind, says):
    arguments = {"frames": draw, "label": "width", "values": VALUES, "alt": "A line."} | change
    with pytest.raises(kind, match=says) as error:
        figures.slider(arguments.pop("frames"), arguments.pop("label"), arguments.pop("values"), **arguments)
    assert "\n" not in str(error.value)
    plt.close("all")
