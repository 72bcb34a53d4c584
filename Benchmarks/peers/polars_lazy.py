"""The sums by Polars: one lazy query, run by its streaming engine.

`scan_ndjson` ends at the first malformed line, so the log is read as lines: those that cannot be about money are passed
over as text, those that are no JSON have no key, and of the rest the keys that matter are decoded.
"""

import os

from task import CHARGES, REFUNDS, Task, answer, read_task

task = read_task()
os.environ["POLARS_MAX_THREADS"] = str(task.threads)  # Polars reads it once, when it is imported.
import polars as pl  # noqa: E402

KEYS = ["eventId", "userId", "eventType", "occurredAt", "price", "transactionId", "environment", "ownershipType"]
CUTOFF = pl.lit(task.cutoff).str.to_datetime("%+", time_unit="us", time_zone="UTC")
WINDOW = pl.duration(days=task.window_days)
SALE = ["userId", "transactionId"]


def log(task: Task) -> pl.LazyFrame:
    """The keys of every row about money, as text."""
    if task.format == "events-csv":
        return pl.scan_csv(task.purchases, infer_schema=False).select(KEYS)
    line = pl.col("line")
    about_money = '"eventType":"(' + "|".join(CHARGES + REFUNDS) + ')"'
    is_json = line.str.json_path_match("$.eventType").is_not_null()
    keys = line.str.json_decode(pl.Struct({key: pl.String for key in KEYS}))
    return pl.scan_lines(task.purchases).filter(line.str.contains(about_money) & is_json).select(keys).unnest("line")


def money(task: Task) -> pl.LazyFrame:
    """What counts: production, paid for, before the cut-off."""
    return (
        log(task)
        .filter(
            pl.col("eventType").is_in(CHARGES + REFUNDS),
            pl.col("environment").fill_null("production").str.to_lowercase() == "production",
            pl.col("ownershipType").fill_null("") != "FAMILY_SHARED",
        )
        .with_columns(
            pl.col("occurredAt").str.to_datetime("%+", time_unit="us", time_zone="UTC").alias("time"),
            pl.col("price").cast(pl.Decimal(18, 6)),
        )
        .filter(pl.col("time") < CUTOFF)
        .select("eventId", *SALE, "eventType", "time", "price")
    )


def assigned(task: Task) -> pl.LazyFrame:
    """Users of one group whose window is over: their group, and when it began."""
    time = pl.col("assigned_at").str.to_datetime("%Y-%m-%d %H:%M:%S%.f", time_unit="us", time_zone="UTC")
    return (
        pl.scan_csv(task.assignments, infer_schema=False)
        .select(pl.col("user_id").alias("userId"), "test_group_id", time.alias("begins"))
        .filter(pl.col("begins") < CUTOFF)
        .group_by("userId")
        .agg(pl.col("begins").min(), pl.col("test_group_id").min().alias("group"), last=pl.col("test_group_id").max())
        .filter(pl.col("group") == pl.col("last"), pl.col("begins") + WINDOW <= CUTOFF)
        .select("userId", "group", "begins")
    )


def refunded(rows: pl.DataFrame) -> pl.LazyFrame:
    """What is taken back of each sale: the refunds after its last reversal, each once."""
    once = (
        rows.lazy()
        .filter(pl.col("eventType").is_in(REFUNDS))
        .sort("time")
        .unique([*SALE, "eventId", "eventType"], keep="first", maintain_order=True)
    )
    reversals = once.filter(pl.col("eventType") == "refund_reversal")
    restored = reversals.group_by(SALE).agg(restored_at=pl.col("time").max())
    return (
        once.filter(pl.col("eventType") == "refund")
        .join(restored, on=SALE, how="left")
        .filter(pl.col("restored_at").is_null() | (pl.col("time") > pl.col("restored_at")))
        .group_by(SALE)
        .agg(refunded=pl.col("price").fill_null(1_000_000).sum())
    )


def sums(task: Task) -> pl.DataFrame:
    """Users, payers, charges and what they paid, by group."""
    rows, people = pl.collect_all([money(task), assigned(task)], engine="streaming")
    kept = pl.col("gross") - pl.min_horizontal("gross", pl.col("refunded").fill_null(0))
    payers = (
        rows.lazy()
        .filter(pl.col("eventType").is_in(CHARGES))
        .group_by(SALE)
        .agg(pl.col("time").min(), gross=pl.col("price").get(pl.col("time").arg_min()))
        .join(people.lazy(), on="userId")
        .filter(pl.col("time") >= pl.col("begins"), pl.col("time") < pl.col("begins") + WINDOW)
        .join(refunded(rows), on=SALE, how="left")
        .group_by("group", "userId")
        .agg(charges=pl.len(), pays=pl.col("gross").max() > 0, net=kept.sum())
        .group_by("group")
        .agg(pl.col("pays").sum(), pl.col("charges").sum(), (pl.col("net").sum() * 1_000_000).cast(pl.Int64))
    )
    users = people.lazy().group_by("group").agg(users=pl.len())
    joined = users.join(payers, on="group", how="left").select("group", "users", "pays", "charges", "net").fill_null(0)
    return joined.collect(engine="streaming")


answer(sums(task).rows())
