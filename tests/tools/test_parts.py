"""The pictures of the parts follow the cards of their chapters."""

import re
from pathlib import Path

from rfdev import ROOT, parts


def chapter(number, *before):
    return parts.Chapter(number, f"Chapter <{number}>", f"nbs/x/{number}_x", "Why?", frozenset(before))


def test_columns_are_by_what_must_be_read_before():
    some = [chapter(21), chapter(22, 21), chapter(23, 22, 14), chapter(25, 22, 21), chapter(26)]
    assert parts.depths(some) == {21: 0, 22: 1, 23: 2, 25: 2, 26: 0}


def test_the_picture_has_a_box_for_each_and_an_arrow_for_each_need():
    some = [chapter(21), chapter(22, 21), chapter(25, 22, 21, 14)]
    drawn = parts.picture(some, "../../")
    assert drawn.count("<rect") == 3 and drawn.count('class="arrow"') == 3  # 14 is of another part
    assert 'href="../../nbs/x/22_x.html"' in drawn and "&lt;22&gt;" in drawn
    boxes = re.findall(r'<rect x="(\d+)" y="(\d+)"', drawn)
    assert len({*boxes}) == 3, "two boxes lie on each other"


def test_chapters_that_do_not_need_each_other_stand_behind_those_of_other_parts_that_they_need():
    some, outside = [chapter(61, 21, 42), chapter(62, 21)], [chapter(21), chapter(42)]
    drawn = parts.picture(some, "../../", outside)
    assert drawn.count("<rect") == 4 and drawn.count('class="arrow"') == 3 and drawn.count('class="other"') == 2
    boxes = re.findall(r'<rect x="(\d+)" y="(\d+)"', drawn)
    assert len({*boxes}) == 4 and [x == "0" for x, _ in boxes] == [True, True, False, False]
    text = "\n".join(parts.lines("6", ROOT, Path("nbs/parts")))
    assert 'class="arrow"' in text and 'class="other"' in text


def test_every_chapter_of_the_book_has_its_place():
    found = parts.chapters(ROOT)
    assert len(found) > 35 and all(c.question for c in found)
    assert not [c.number for c in found if "**" in c.question]  # a question, and nothing else of its card
    for part in {str(c.number)[0] for c in found}:
        text = "\n".join(parts.lines(part, ROOT, Path("nbs/parts")))
        assert all(f"{c.page}.ipynb" in text for c in found if str(c.number)[0] == part)


def test_a_part_rests_on_what_its_cards_ask_for():
    """What rests on something that is named too is not named: III on II, which rests on I."""
    some = (chapter(11), chapter(21, 11), chapter(31, 11, 21), chapter(41, 21), chapter(51, 31, 41, 11))
    assert parts.rests_on(some) == {"1": set(), "2": {"1"}, "3": {"2"}, "4": {"2"}, "5": {"3", "4"}}


def test_the_picture_of_the_book_has_every_chapter_once_in_a_place_of_its_own():
    some, captions = parts.chapters(ROOT), parts.titles(ROOT)
    assert {*captions} == {str(c.number)[0] for c in some}
    text = "\n".join(parts.lines("all", ROOT, Path("nbs")))
    for window, (width, _) in parts.WINDOWS.items():
        drawn = parts.whole(some, captions, "../", window)
        assert drawn in text and all(drawn.count(f'href="../{c.page}.html"') == 1 for c in some)
        boxes = re.findall(r'<rect x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"', drawn)
        assert len({(x, y) for x, y, _ in boxes}) == len(some)
        assert all(float(x) + float(w) <= width + 0.1 for x, _, w in boxes)
        assert drawn.count('class="arrow"') == sum(map(len, parts.rests_on(some).values()))
        assert drawn.count('class="core"') == sum(c.core for c in some) > 5
