"""The query that the first pages of each manual lead to: users, payers and net revenue of each group within 30 days.

Whoever wrote them read how a file is opened, how tables are joined, and that refunds have to be taken off. Where a reader stops at a
fault, it is asked again with what its error message, or the page on reading that format, says to add; `stopped` remembers that.
"""

import glob
import warnings
from decimal import Decimal

warnings.simplefilter("ignore")

SQL = """
with members as (select user_id, test_group_id, min({time}) as since from {assignments} group by user_id, test_group_id),
charges as (select userId, {occurred} as paid_at, transactionId, cast(price as double) as price from {log} where eventType = 'purchase'),
refunds as (select distinct transactionId as refunded from {log} where eventType = 'refund'),
sums as (
  select test_group_id, user_id, sum(case when refunded is null then price else 0 end) as net
  from members join charges on {same} left join refunds on transactionId = refunded
  where paid_at >= since and paid_at < since + interval {month}
  group by test_group_id, user_id
)
select m.test_group_id, count(distinct m.user_id), count(distinct s.user_id), coalesce(sum(net), 0)
from members m left join sums s on m.user_id = s.user_id and m.test_group_id = s.test_group_id group by m.test_group_id
"""


def answer(rows):
    return {group: (int(users), int(payers), Decimal(str(net)).quantize(Decimal("0.01"))) for group, users, payers, net in rows}


def duckdb(folder, again=False):
    import duckdb

    log = f"read_json_auto('{folder}/purchases-*.jsonl'{', ignore_errors = true' if again else ''})"
    query = SQL.format(assignments=f"'{folder}/assignments.csv'", log=log, time="assigned_at", occurred="cast(occurredAt as timestamp)",
                       same="user_id = userId", month="30 days")
    return answer(duckdb.sql(query).fetchall())


def chdb(folder, again=False):
    import chdb

    settings = " settings input_format_allow_errors_ratio = 0.05" if again else ""
    query = SQL.format(assignments=f"file('{folder}/assignments.csv', 'CSVWithNames')", log=f"file('{folder}/purchases-*.jsonl')",
                       time="parseDateTimeBestEffort(toString(assigned_at))", occurred="parseDateTimeBestEffort(toString(occurredAt))",
                       same="user_id = userId", month="30 day")
    # A join leaves 0 and '' where nothing is found, unless it is told to leave null: the page on joins says so.
    text = str(chdb.query(query + (settings + ", join_use_nulls = 1" if again else " settings join_use_nulls = 1"), "TabSeparated"))
    return answer(line.split("\t") for line in text.strip().split("\n"))


def polars(folder, again=False):
    import polars as pl

    files = sorted(glob.glob(f"{folder}/purchases-*.jsonl"))
    log = pl.concat([pl.read_ndjson(path, ignore_errors=again) for path in files], how="vertical_relaxed")
    members = pl.read_csv(f"{folder}/assignments.csv", try_parse_dates=True).group_by("user_id", "test_group_id").agg(pl.col("assigned_at").min().alias("since"))
    charges = log.filter(pl.col("eventType") == "purchase").with_columns(
        pl.col("occurredAt").str.to_datetime(time_zone="UTC").alias("at"), pl.col("price").cast(pl.Float64))
    refunded = log.filter(pl.col("eventType") == "refund")["transactionId"].unique()
    if members["since"].dtype == pl.String:
        members = members.with_columns(pl.col("since").str.to_datetime(time_zone="UTC"))
    since = pl.col("since") if members["since"].dtype.time_zone else pl.col("since").dt.replace_time_zone("UTC")
    paid = charges.join(members, left_on="userId", right_on="user_id").filter(
        (pl.col("at") >= since) & (pl.col("at") < since + pl.duration(days=30)))
    paid = paid.with_columns(pl.when(pl.col("transactionId").is_in(refunded.implode())).then(0.0).otherwise(pl.col("price")).alias("net"))
    return answer((group, members.filter(pl.col("test_group_id") == group)["user_id"].n_unique(), part["userId"].n_unique(), part["net"].sum())
                  for (group,), part in paid.group_by("test_group_id"))


def pandas(folder, again=False):
    import pandas as pd

    log = pd.concat([pd.read_json(path, lines=True) for path in sorted(glob.glob(f"{folder}/purchases-*.jsonl"))])
    members = pd.read_csv(f"{folder}/assignments.csv", parse_dates=["assigned_at"]).groupby(["user_id", "test_group_id"], as_index=False)["assigned_at"].min()
    charges = log[log["eventType"] == "purchase"].copy()
    charges["at"] = pd.to_datetime(charges["occurredAt"], utc=again, format="ISO8601" if again else None)
    charges["price"] = charges["price"].astype(float)
    refunded = set(log.loc[log["eventType"] == "refund", "transactionId"])
    paid = charges.merge(members, left_on="userId", right_on="user_id")
    paid = paid[(paid["at"] >= paid["assigned_at"]) & (paid["at"] < paid["assigned_at"] + pd.Timedelta(days=30))]
    paid = paid.assign(net=paid["price"].where(~paid["transactionId"].isin(refunded), 0.0))
    return answer((group, members.loc[members["test_group_id"] == group, "user_id"].nunique(), part["userId"].nunique(), part["net"].sum())
                  for group, part in paid.groupby("test_group_id"))


SESSION = []


def spark(folder, again=False):
    from pyspark.sql import SparkSession

    if not SESSION:
        builder = SparkSession.builder.master("local[2]").appName("traps").config("spark.ui.enabled", "false")
        SESSION.append(builder.config("spark.sql.shuffle.partitions", "2").config("spark.sql.session.timeZone", "UTC").getOrCreate())
        SESSION[0].sparkContext.setLogLevel("OFF")
    session = SESSION[0]
    session.read.json(f"{folder}/purchases-*.jsonl").createOrReplaceTempView("log")
    session.read.csv(f"{folder}/assignments.csv", header=True, inferSchema=True).createOrReplaceTempView("assignments")
    price = "try_cast" if again else "cast"
    query = SQL.format(assignments="assignments", log="log", time="cast(assigned_at as timestamp)", occurred="cast(occurredAt as timestamp)",
                       same="user_id = userId", month="30 days").replace("cast(price", price + "(price")
    return answer([tuple(row) for row in session.sql(query).collect()])


def versions():
    import importlib.metadata

    return {name: importlib.metadata.version(package) for name, package in
            (("DuckDB", "duckdb"), ("Polars", "polars"), ("pandas", "pandas"), ("chDB", "chdb"), ("Spark", "pyspark"))}


PEERS = {"DuckDB": duckdb, "Polars": polars, "pandas": pandas, "chDB": chdb, "Spark": spark}
