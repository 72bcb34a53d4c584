"""The job file of a case: nightly.job.yml, with another purchase log or other metrics where the case says so."""

import re
from itertools import product
from pathlib import Path

from case import Case

TEMPLATE = Path(__file__).parent / "nightly.job.yml"
NAMES = (
    "revenue_net_per_payer charges paying_conversion revenue_net refund_rate "
    "proceeds revenue_gross initial_conversion subscription_conversion one_time_conversion"
).split()
PLACES = {"": [""], "before": ["days/"], "next": ["days/", "last-day/"], "alone": ["last-day/"], "again": [""]}
"""Where the purchase log lies, by the case's `day`; `before` is what the night before `next` reads."""
LOGS = {
    "google-play": {
        "purchases-orders-*.jsonl.gz": "google-play-orders",
        "purchases-subscriptions-*.jsonl.gz": "google-play-subscriptions",
        "purchases-notifications-*.jsonl.gz": "google-play-notifications",
    },
    "api-log": {"purchases-requests-*.jsonl.gz": "api-log", "purchases-sales-*.csv.gz": "events-csv"},
}
"""What several logs together are, by where each lies."""
WINDOWS = ("30d", "7d", "14d", "21d", "45d")


def job(case: Case, day: str = "", place: str = "") -> str:
    """The job's text; `day` is one of `PLACES`, and `place` where the log lies, if that is not by days: `path: …`."""
    text = TEMPLATE.read_text()
    if case.format in LOGS:
        inputs = [f"  - path: {path}\n    format: {name}\n" for path, name in LOGS[case.format].items()]
    else:
        ending = "csv" if case.format in ("events-csv", "revenuecat-export", "adapty-export") else "jsonl"
        places = [place] if place else [f"path: {folder}purchases-*.{ending}.gz" for folder in PLACES[day]]
        inputs = [f"  - {place}\n    {log(case.format)}\n" for place in places]
    text = text.replace("  - path: purchases-*.jsonl.gz\n    format: events\n", "".join(inputs))
    if case.metrics is not None:
        text = text[: text.index("metrics:\n")] + "metrics:\n" + "".join(metrics(case.metrics))
    return text + ("state:\n" if case.stored else "")


def log(format: str) -> str:
    """What the job says of the purchase log."""
    name = re.sub("-(signed|verified)$", "", format).replace("app-store-transactions", "app-store-notifications")
    if not format.endswith("-verified"):
        return f"format: {name}"
    return f"format: {name}\n    verify: true\n    root: test-root.pem\n    bundle_id: org.offerlift.sample"


def metrics(count: int) -> list[str]:
    """That many metrics, over one window after the other; the sums that answers are compared by come first.

    Raises ValueError where there are not as many.
    """
    kinds = [(name, window) for window, name in product(WINDOWS, NAMES)]
    if not 2 <= count <= len(kinds):
        raise ValueError(f"--metrics {count}: from 2 to {len(kinds)}")
    return [f"  - {{name: {name}, window: {window}}}\n" for name, window in kinds[:count]]
