"""The scenario that `offerlift simulate` makes a case's data from."""

import re
from pathlib import Path

from case import Case

HERE = Path(__file__).parent
MOST_VIEWS_AGAIN = 30
"""The simulation's own bound on how often a user comes back to the paywall."""
ROWS_A_USER = 5.03
"""What nightly-5m.yml makes."""
OUTPUTS = {
    "events-csv": ["format: events-csv, path: purchases-*.csv.gz"],
    "app-store-notifications": ["format: app-store-notifications, form: decoded, path: purchases-*.jsonl.gz"],
    "app-store-notifications-signed": ["format: app-store-notifications, form: signed, path: purchases-*.jsonl.gz"],
    "app-store-transactions": ["format: app-store-notifications, form: transactions, path: purchases-*.jsonl.gz"],
    "revenuecat-export": ["format: revenuecat-export, version: 7, path: purchases-*.csv.gz"],
    "revenuecat-webhooks": ["format: revenuecat-webhooks, path: purchases-*.jsonl.gz"],
    "superwall-webhooks": ["format: superwall-webhooks, path: purchases-*.jsonl.gz"],
    "adapty-export": ["format: adapty-export, path: purchases-*.csv.gz"],
    "google-play-orders": ["format: google-play-orders, path: purchases-*.jsonl.gz"],
    "google-play": [
        "format: google-play-orders, path: purchases-orders-*.jsonl.gz",
        "format: google-play-subscriptions, path: purchases-subscriptions-*.jsonl.gz",
        "format: google-play-notifications, path: purchases-notifications-*.jsonl.gz",
    ],
    "stripe-events": ["format: stripe-events, path: purchases-*.jsonl.gz"],
    "ga4-export": ["format: ga4-export, path: purchases-*.jsonl.gz"],
    "api-log": ["format: api-log, server: offerings, path: purchases-requests-*.jsonl.gz", "format: events-csv, path: purchases-sales-*.csv.gz"],
}
OUTPUTS["app-store-notifications-verified"] = OUTPUTS["app-store-notifications-signed"]
SERVED = "begin: {event: offering_served, after: 0s..0s, "
"""What the app's own server says of a user in feeds.yml."""
SIGNED_SHARE = 0.1
"""A signed notification is as long as forty events: a tenth of the users fill files of the same size."""


def scenario(case: Case) -> str:
    """The scenario's text.

    Raises ValueError where the scenario's rows cannot be shared among so few or so many users.
    """
    if case.is_feed:
        share = SIGNED_SHARE if case.format.endswith(("-signed", "-verified", "-transactions")) else 1
        text = (HERE / "feeds.yml").read_text()
        text = text.replace("begin: {", SERVED) if case.format == "api-log" else text
        dirt = "dirt: {copy: 0.015, sandbox: 0.002, family_shared: 0.002}"
        outputs = "".join(f"  - {{{output}, shards: 16, {dirt}}}\n" for output in OUTPUTS[case.format])
        return with_users(text, case.scale * share) + f"outputs:\n{outputs}"
    text = with_users((HERE / "nightly-5m.yml").read_text(), case.scale)
    return text if case.users is None else shared_among(text, case.users)


def with_users(text: str, scale: float) -> str:
    """The scenario with `scale` times its users."""
    return re.sub(r"(?m)^users: (\d+)", lambda found: f"users: {round(int(found[1]) * scale)}", text)


def shared_among(text: str, users: int) -> str:
    """The scenario with as many rows among `users` users: they see the paywall more often, or less."""
    before = int(re.search(r"(?m)^users: (\d+)", text)[1])
    view_rate = float(re.search(r"view_rate: ([\d.]+)", text)[1])
    rate = float(re.search(r"return_rate: ([\d.]+)", text)[1])
    others = ROWS_A_USER - view_rate * views(rate)
    wanted = (ROWS_A_USER * before / users - others) / view_rate
    if not 1 <= wanted <= views(0.99):
        raise ValueError(f"--users {users}: these rows can be shared among {before // 5} to {before * 14 // 10} users")
    text = re.sub(r"return_rate: [\d.]+", f"return_rate: {return_rate(wanted):.4f}", text)
    return re.sub(r"(?m)^users: \d+", f"users: {users}", text)


def views(rate: float) -> float:
    """How often a viewer sees the paywall, by the chance to come back."""
    return sum(rate**again for again in range(MOST_VIEWS_AGAIN + 1))


def return_rate(wanted: float) -> float:
    """The chance to come back that makes so many views, by halving."""
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if views(middle) < wanted else (low, middle)
    return low
