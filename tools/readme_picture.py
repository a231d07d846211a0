"""Draw _assets/readme.svg from the committed results of the first machine."""

from pathlib import Path

from matplotlib.figure import Figure

from rfbook.figures import error_against_time, use_style
from rfbook.records import read_records, summary

ROOT = Path(__file__).resolve().parents[1]

if __name__ == "__main__":
    use_style()
    rows = read_records(ROOT / "data" / "results" / "first_machine.jsonl")[1]
    tests = [row for row in rows if row["stage"] == "test"]
    table = summary(tests, ("method", "n_components"), ("error", "train_seconds"))
    fig = Figure(figsize=(7, 3.4))
    ax = fig.subplots()
    error_against_time(ax, table, time="train_seconds")
    ax.set(xlabel="training time in seconds", ylabel="test error")
    fig.savefig(ROOT / "_assets" / "readme.svg", metadata={"Date": None})
