"""What GitHub does with the repository: the commands that a reader types, on the Pythons that the package names."""

import re
from pathlib import Path

import pytest
import yaml

from rfdev import plain

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / ".github" / "workflows").glob("*.yml"))

if not FILES:
    pytest.skip("no repository around the tests", allow_module_level=True)


def read(path):
    # YAML 1.1 reads the key `on` as true
    return {("on" if key is True else key): value for key, value in yaml.safe_load(path.read_text()).items()}


WORKFLOWS = {path.stem: read(path) for path in FILES}
JOBS = [job for flow in WORKFLOWS.values() for job in flow["jobs"].values()]
RUN = [step["run"] for job in JOBS for step in job["steps"] if "run" in step]


@pytest.mark.parametrize("name", WORKFLOWS)
def test_jobs_end_and_ask_for_no_more_than_they_need(name):
    flow = WORKFLOWS[name]
    assert flow["on"] and flow["permissions"] == {"contents": "read"}
    for job in flow["jobs"].values():
        assert job["timeout-minutes"] <= 60 and job["runs-on"].startswith("ubuntu-")
        assert all(("run" in step) != ("uses" in step) for step in job["steps"])
        assert all(step.get("uses", "actions/").startswith("actions/") for step in job["steps"])


def test_actions_are_pinned_by_commit_with_their_version_beside_it():
    """A tag can be moved to other code, a commit cannot; one action has one commit."""
    found = [re.fullmatch(r"\s*-? *uses: (actions/[\w-]+)@([0-9a-f]{40}) # (v\d+\.\d+\.\d+)", line)
             for path in FILES for line in path.read_text().splitlines() if "uses:" in line]
    assert found and all(found) and len({pin.groups() for pin in found}) == len({pin[1] for pin in found})


def test_the_pythons_of_the_package_are_tested():
    named = re.findall(r"Python :: (3\.\d+)", (ROOT / "setup.py").read_text())
    assert WORKFLOWS["test"]["jobs"]["test"]["strategy"]["matrix"]["python"] == named


def test_commands_exist():
    targets = set(re.findall(r"^([a-z0-9-]+):", (ROOT / "Makefile").read_text(), flags=re.M))
    for command in RUN:
        if command.startswith("make "):
            assert command.split()[1] in targets, command
        for script in re.findall(r"tools/\S+", command):
            assert (ROOT / script).exists(), command
    assert {"make test", "make book", "make pdf", "make wheel"} <= set(RUN)


def test_the_site_is_published_with_the_paper_beside_it():
    steps = WORKFLOWS["site"]["jobs"]["build"]["steps"]
    said = [step.get("run") or step["uses"].partition("@")[0] for step in steps]
    order = ["make book", "make pdf", "cp _build/rfbook.pdf _build/html/rfbook.pdf", "actions/upload-pages-artifact"]
    assert [said.index(step) for step in order] == sorted(said.index(step) for step in order)
    deploy = WORKFLOWS["site"]["jobs"]["deploy"]
    assert deploy["needs"] == "build" and deploy["permissions"] == {"pages": "write", "id-token": "write"}


def test_colab_finds_the_copies_on_their_branch():
    flow = WORKFLOWS["site"]["jobs"]
    env = next(step["env"] for step in flow["build"]["steps"] if step.get("run") == "make book")
    assert env["RFBOOK_REPOSITORY"] == "${{ github.repository }}"
    assert flow["notebooks"]["needs"] == "build" and flow["notebooks"]["permissions"] == {"contents": "write"}
    assert f"git push --quiet --force origin {plain.BRANCH}" in flow["notebooks"]["steps"][-1]["run"]
    writers = [name for name, job in flow.items() if "contents" in job.get("permissions", {})]
    assert writers == ["notebooks"]


FORMS = sorted(path for path in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml") if path.stem != "config")


@pytest.mark.parametrize("form", FORMS, ids=lambda path: path.stem)
def test_forms_of_issues_are_ones_that_github_reads(form):
    read = yaml.safe_load(form.read_text(encoding="utf-8"))
    assert set(read) == {"name", "description", "labels", "body"}
    for field in read["body"]:
        assert field["type"] in {"input", "textarea"} and field["attributes"]["label"]
    names = [field["id"] for field in read["body"]]
    assert len(set(names)) == len(names) and any(field.get("validations", {}).get("required") for field in read["body"])
