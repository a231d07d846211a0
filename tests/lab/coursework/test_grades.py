"""The tables of marks, as learning platforms read them."""

import csv

import pytest

from rfdev.marking import grade
from rfdev.marking.grade import canvas_columns, write_grades


def canvas_reads(rows):
    """What Canvas's import makes of a table: marks that there are, and marks by ID, SIS IDs or name; after its source.

    It knows columns by their places and refuses a header without Section behind those of a student.
    """
    head, *rest = rows
    assert len(head) > 3 and "Student" in head[0] and "ID" in head[1], "Invalid header row"
    many = 3
    if "SIS Login ID" in head[2]:
        many = 4
    elif "SIS User ID" in head[2] and "SIS Login ID" in head[3]:
        many = 5
    assert "Section" in head[many - 1], "Invalid header row"
    names, points, found = head[many:], None, {}
    for row in rest:
        assert len(row) == len(head)
        if "Points Possible" in row[0]:
            points = dict(zip(names, row[many:], strict=True))
        else:
            found[next(part for part in [row[1], *row[2:many - 1], row[0]] if part)] = dict(
                zip(names, row[many:], strict=True))
    return points, found


@pytest.fixture
def course(tmp_path, monkeypatch):
    """A course with three students and two assignments, marked or not."""
    scores = {("ada", "assignment1"): 45.0, ("ada", "assignment2"): 50.5, ("bo, b", "assignment1"): 0.0}

    def marks(folder, student, name):
        score = scores.get((student, name))
        return [] if score is None else [{"id": "x", "score": score, "max": 55.0, "hand": None, "waiting": False}]

    monkeypatch.setattr(grade, "marks", marks)
    monkeypatch.setattr(grade, "_comment", lambda folder, name, rows: "")
    state = {f"{student}/{name}": {"status": "marked" if (student, name) in scores else "unreadable", "notes": []}
             for student, name in [*scores, ("cy", "assignment2")]}

    def written(students):
        if students:
            (tmp_path / "students.csv").write_text(students, encoding="utf-8")
        write_grades(tmp_path, state)
        return {path.stem: list(csv.reader(open(path, newline="", encoding="utf-8")))
                for path in tmp_path.glob("grades*.csv")}

    return written


@pytest.mark.parametrize(("students", "keys"), [
    ("student,ID\nada,17\ncy,19\n", ["17", "bo, b", "19"]),
    ("student,Email address,SIS Login ID,ID\nada,a@x,lovelace,17\ncy,c@x,cy1,\n", ["17", "bo, b", "cy1"]),
    ("student,SIS User ID\nada,s17\ncy,s19\n", ["s17", "bo, b", "s19"]),
    ("student,Section,SIS Login ID,Email address,SIS User ID\nada,A,lovelace,a@x,s17\ncy,A,cy1,c@x,\n",
     ["s17", "bo, b", "cy1"]),
])
def test_canvas_reads_its_table(course, students, keys):
    points, found = canvas_reads(course(students)["grades_canvas"])
    assert points == {"assignment1": "55.0", "assignment2": "55.0"}
    assert list(found) == keys
    assert list(found.values()) == [{"assignment1": "45.0", "assignment2": "50.5"},
                                    {"assignment1": "0.0", "assignment2": ""}, {"assignment1": "", "assignment2": ""}]


def test_moodle_finds_an_address_and_a_column_for_each_assignment(course):
    tables = course("student,Email address\nada,a@x\n")
    assert tables["grades_by_student"] == [
        ["Student", "Email address", "assignment1", "assignment2"], ["ada", "a@x", "45.0", "50.5"],
        ["bo, b", "", "0.0", ""], ["cy", "", "", ""]]
    assert "grades_canvas" not in tables  # nothing by which Canvas would know a student
    assert all(len(row) == len(tables["grades"][0]) for row in tables["grades"])


def test_without_a_list_of_students_there_is_none_for_canvas(course):
    assert set(course("")) == {"grades", "grades_by_student"}
    assert canvas_columns(["Email address"]) == []
