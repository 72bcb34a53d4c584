"""One thing to measure: which data, which job, how it is run."""

from dataclasses import dataclass, replace
from typing import Literal

from containers import CONTAINERS

FORMATS = {
    "events": "our own log as JSON Lines",
    "events-csv": "the same as CSV",
    "app-store-notifications": "App Store notifications, decoded",
    "app-store-notifications-signed": "the same as signed bodies, unverified",
    "app-store-notifications-verified": "the same, every signature verified",
    "revenuecat-export": "RevenueCat's export, version 7",
    "revenuecat-webhooks": "RevenueCat's webhooks",
    "superwall-webhooks": "Superwall's webhooks",
    "adapty-export": "Adapty's export",
    "app-store-transactions": "App Store transactions, signed, unverified",
    "google-play-orders": "Google Play's orders",
    "google-play": "the same with subscriptions and notifications",
    "stripe-events": "Stripe's events",
    "ga4-export": "GA4's export",
    "api-log": "the app server's requests, and sales as CSV",
}


@dataclass(frozen=True)
class Case:
    """A run to measure, and the data it reads."""

    label: str = "as it is every night"
    format: str = "events"
    scale: float = 1.0
    """Times the rows and the users of the scenario."""
    users: int | None = None
    """Users who share those rows among them; None: as the scenario has it."""
    metrics: int | None = None
    """None: the seven of nightly.job.yml."""
    threads: int = 2
    container: str = "gzip"
    """What the purchase log comes in, one of `CONTAINERS`."""
    one_file: bool = False
    """The purchase log in one gzip file, not in 16."""
    nights: int = 1
    """Nights of a back-fill, the last of them the log's end."""
    day: Literal["", "next", "alone", "again"] = ""
    """The log in a file a day. `next`: all but the last were read the night before; `alone`: only the last is there.
    `again`: the log as it is, read by a run before."""
    stored: bool = False
    """The job keeps what purchase files held (`state:`)."""
    options: tuple[str, ...] = ()
    """Passed on to `offerlift run`."""

    @property
    def in_days(self) -> bool:
        """The log lies in a file a day."""
        return self.day in ("next", "alone")

    @property
    def is_feed(self) -> bool:
        """Made from feeds.yml: its format has no words for a paywall's views."""
        return self.format != "events"


def in_containers(base: Case) -> list[Case]:
    """The same rows in one container after the other; the first is what the others are held against."""
    allowed = {"xz": (*base.options, "--allow-commands")}
    return [
        replace(base, label=words, format="events", container=name, options=allowed.get(name, base.options))
        for name, words in CONTAINERS.items()
    ]


def scalings(base: Case) -> list[Case]:
    """What is changed one at a time; the first is what the others are held against."""
    tenth = base.scale / 10
    days = [
        replace(base, label="one new day, 91 read the night before", day="next", stored=True),
        replace(base, label="that day alone", day="alone"),
    ]
    little = ("--memory", "256M")
    return [
        base,
        replace(base, label="a tenth of the rows and users", scale=tenth),
        replace(base, label="four times the rows and users", scale=base.scale * 4),
        replace(base, label="a quarter of the users, as many rows", users=int(250_000 * base.scale)),
        replace(base, label="5 metrics", metrics=5),
        replace(base, label="50 metrics", metrics=50),
        replace(base, label="1 thread", threads=1),
        replace(base, label="--memory 256M", options=little),
        replace(base, label="--memory 256M, four times the rows and users", scale=base.scale * 4, options=little),
        replace(base, label="state:, the first night", stored=True),
        replace(base, label="state:, the same night again", stored=True, day="again"),
        replace(base, label="the log in one gzip file", one_file=True),
        replace(base, label="10 nights back, of a tenth of the rows", scale=tenth, nights=10),
        *(days if base.format == "events" else []),
        *(replace(base, label=words, format=name) for name, words in FORMATS.items() if name != base.format),
    ]
