"""A submission with everything in it that should be."""

from __future__ import annotations

import copy
import json
import re

import nbformat

from rfdev.cells import grade_id, kind, questions

MAX_NOTEBOOK = 20 * 2**20  # bytes of a submission


class Unreadable(Exception):
    """A submission that is no notebook; the message is a sentence."""


# an answer has no business with these; no reason to take marks, but one to look
_ODD = re.compile(r"rfbook\.(?:lab\.)?coursework|import coursework|lab\.ledger|RFBOOK_COURSE_SEED|sys\.modules|"
                  r"sys\.meta_path|sys\.path_hooks|importlib\.\w+|__import__|_getframe|currentframe|inspect\.\w+|"
                  r"\bf_(?:back|locals|globals)\b|tb_(?:frame|next)|__traceback__|exc_info|set(?:trace|profile)|addaudithook|\bgc\.get_|get_ipython|"
                  r"input_transformer\w*|ast_transformers|builtins|\bsetattr|\bdelattr|__dict__|\bvars\(|monkeypatch|"
                  r"\b(?:os|shutil|pathlib|glob|socket|subprocess|urllib|requests|ctypes|pickle|joblib|multiprocessing|"
                  r"threading|signal|psutil)\.\w+|\bPath\(|\bopen\(|\beval\(|\bexec\(|\.ipynb|^[ \t]*!\w+|"
                  r"^[ \t]*(?:np|numpy|scipy|kernels|bounds|rfbook)\.[\w.]+[ \t]*=(?!=)", flags=re.M)


def too_large(size: int) -> str:
    """What is said of a file that is too large."""
    return f"the file has {size / 2**20:.0f} MB; clear its outputs and hand it in again"


def _read(text: bytes) -> list:
    """Cells of a submitted file, whatever they are."""
    if len(text) > MAX_NOTEBOOK:
        raise Unreadable(too_large(len(text)))
    if not text.strip():
        raise Unreadable("the file is empty")
    try:
        data = json.loads(text.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"the file is no notebook, or damaged ({type(error).__name__}: {str(error)[:100]})") from None
    if isinstance(data, dict) and "worksheets" in data:
        try:
            data = nbformat.convert(nbformat.from_dict(data), 4)
        except Exception as error:  # any old or odd notebook
            raise Unreadable(f"the file is a notebook of an old format that cannot be read ({error})") from None
    if not isinstance(data, dict) or not isinstance(data.get("cells"), list):
        raise Unreadable("the file is not a notebook: it has no cells")
    return data["cells"]


def _loose_cell(raw):
    """A clean cell from whatever stands in a submitted file, or None."""
    if not isinstance(raw, dict):
        return None
    source, metadata = raw.get("source", ""), raw.get("metadata")
    if isinstance(source, list):
        source = "".join(part for part in source if isinstance(part, str))
    if not isinstance(source, str) or raw.get("cell_type") not in {"code", "markdown", "raw"}:
        return None
    make = {"code": nbformat.v4.new_code_cell, "markdown": nbformat.v4.new_markdown_cell,
            "raw": nbformat.v4.new_raw_cell}[raw["cell_type"]]
    cell = make(source)
    mark = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    name = mark.get("grade_id") if isinstance(mark, dict) else None
    kept = metadata.get("id") if isinstance(metadata, dict) else None  # where Colab keeps the ids of cells
    cell.metadata["was"] = (name if isinstance(name, str) else None, raw.get("id") or kept)
    return cell


def _place(name: str | None, asked: dict[str, tuple[str, str]]) -> str:
    """A cell in words: its question, if it has one, and its name."""
    if name is None:
        return "a cell of the student's own"
    number = asked.get(name, ("", ""))[0]
    return f"question {number}: the cell {name}" if number else f"the cell {name}"


def _defined(source: str) -> set[str]:
    """Functions that a cell defines at its top level, also if it cannot be parsed."""
    return set(re.findall(r"^(?:async )?def (\w+)", source, flags=re.M))


def _title(source: str) -> str:
    """First line of a check, by which it is known when the rest was changed."""
    first = source.strip().split("\n", 1)[0]
    return first if re.match(r"# .*\(\d+ marks?\)$", first) else ""


def _by_content(cells: list, names: list, release) -> None:
    """Name cells that have lost their metadata: checks by their text, answers by what they define, texts by place.

    Of several cells that define an answer the last that is more than the stub counts, as it does in a notebook.
    """
    left = {grade_id(c): c for c in release.cells if kind(c) and grade_id(c) not in names}
    asked, at = questions(release.cells), ""
    stubs = {c.source.strip() for c in release.cells}
    for index, cell in enumerate(cells):
        if found := re.findall(r"^#+ Question (\d+\.\d+)", cell.source, flags=re.M):
            at = found[-1]
        if names[index] is not None:
            continue
        for name, should in left.items():
            if cell.cell_type != should.cell_type or kind(should) == "answer":
                continue
            alike = cell.source.strip() == should.source.strip() or (
                kind(should) == "check" and _title(cell.source) == _title(should.source) != "")
            here = kind(should) == "written" and asked[name][0] == at and cell.source.strip() not in stubs
            if alike or here:
                names[index] = name
                del left[name]
                break
    for name, should in left.items():
        if kind(should) != "answer":
            continue
        mine = [i for i, c in enumerate(cells) if names[i] is None and c.cell_type == "code"
                and _defined(c.source) & _defined(should.source)]
        full = [i for i in mine if cells[i].source.strip() != should.source.strip()]
        if full or mine:
            names[(full or mine)[-1]] = name


def _recognise(given: list, release) -> tuple[list, list[str]]:
    """Clean cells of a submission, those of the release under their names, and sentences about what was odd."""
    known = {grade_id(c): c for c in release.cells if kind(c)}
    asked = questions(release.cells)
    by_id = {c.id: grade_id(c) for c in release.cells if kind(c)}
    notes, cells, seen = [], [], set()
    loose, names = list(filter(None, map(_loose_cell, given))), []
    for cell in loose:
        name, cell_id = cell.metadata.pop("was")
        # some editors drop metadata and keep the ids of cells
        names.append(name if name in known else by_id.get(cell_id) if isinstance(cell_id, str) else None)
    _by_content(loose, names, release)
    for cell, name in zip(loose, names, strict=True):
        if name in seen:
            notes.append(f"{_place(name, asked)} is there more than once; the first one counts")
        elif name:
            seen.add(name)
            source, should = cell.source, known[name]
            cell = copy.deepcopy(should)
            if kind(should) not in {"check", "locked"}:
                cell.source = source
            elif source.strip() != should.source.strip():
                notes.append(f"{_place(name, asked)} was changed and has been put back")
        theirs = cell.cell_type == "code" and kind(cell) in {"", "answer"}
        if theirs and (odd := _ODD.search(cell.source)):
            notes.append(f"{_place(name, asked)} says {odd[0].strip()!r}, which no answer needs; a person should look")
        cells.append(cell)
    return cells, notes


def _put_back(cells: list, release) -> list[str]:
    """Insert what is missing, each cell behind the one that it should follow; say what it was."""
    notes, at, asked = [], 0, questions(release.cells)
    for should in filter(kind, release.cells):
        name = grade_id(should)
        there = next((i for i, c in enumerate(cells) if kind(c) and grade_id(c) == name), None)
        if there is None:
            notes.append(f"{_place(name, asked)} was missing and has been put back")
            cells.insert(at, copy.deepcopy(should))
            there = at
        at = there + 1
    return notes


def repair(text: bytes, release):
    """A submission with everything in it that should be, and sentences about what was not.

    Parameters
    ----------
    text : bytes
        The submitted file.
    release : NotebookNode
        The notebook that students were given.

    Returns
    -------
    nb : NotebookNode
        Without outputs.  Locked cells are those of `release`, put back where they are missing; answers and cells of the
        student's own are the student's.
    notes : list of str

    Raises
    ------
    Unreadable
        If `text` is no notebook.
    """
    cells, notes = _recognise(_read(text), release)
    notes += _put_back(cells, release)
    for cell in cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    nb = nbformat.v4.new_notebook(cells=cells, metadata=copy.deepcopy(release.metadata))
    for i, cell in enumerate(nb.cells):
        cell.id = f"cell-{i}"  # ids of submitted cells may be anything
    return nb, notes
