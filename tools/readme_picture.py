"""Draw _assets/readme.svg, and _assets/preview.png for links to the site, from the results of the first machine."""

from pathlib import Path

from matplotlib.figure import Figure

from rfbook.figures import error_against_time, use_style
from rfbook.records import read_records, summary

ROOT = Path(__file__).resolve().parents[1]


def picture(table: list[dict], size: tuple[float, float]) -> Figure:
    """Test error against training time."""
    fig = Figure(figsize=size)
    ax = fig.subplots()
    error_against_time(ax, table, time="train_seconds")
    ax.set(xlabel="training time in seconds", ylabel="test error")
    return fig


if __name__ == "__main__":
    use_style()
    rows = read_records(ROOT / "data" / "results" / "first_machine.jsonl")[1]
    tests = [row for row in rows if row["stage"] == "test"]
    table = summary(tests, ("method", "n_components"), ("error", "train_seconds"))
    picture(table, (7, 3.4)).savefig(ROOT / "_assets" / "readme.svg", metadata={"Date": None})
    card = picture(table, (8, 4.2))
    card.suptitle("Random features for kernel machines", fontsize=20, fontweight="bold")
    card.savefig(ROOT / "_assets" / "preview.png", dpi=150, metadata={"Software": None})
