"""The sums by DuckDB as someone writes them who knows it.

Nothing is guessed: the columns that matter are named and typed, so that the others are skipped while parsing; no order
is kept; the log is read once, into a table of its money rows; refunds, which are few, are settled apart.
"""

import duckdb
from task import Task, answer, read_task

COLUMNS = {
    "eventId": "VARCHAR",
    "userId": "VARCHAR",
    "eventType": "VARCHAR",
    "occurredAt": "TIMESTAMPTZ",
    "price": "DECIMAL(18, 6)",
    "transactionId": "VARCHAR",
    "environment": "VARCHAR",
    "ownershipType": "VARCHAR",
}
HEADER = (
    "eventId userId eventType occurredAt productId price currency transactionId originalTransactionId offeringId "
    "testGroupId environment ownershipType expiresDate errorCode"
).split()

MONEY = """
CREATE TEMP TABLE money AS
SELECT eventId, userId, eventType, occurredAt, price, transactionId
FROM {log}
WHERE eventType IN ('purchase', 'renewal', 'one_time_purchase', 'refund', 'refund_reversal')
  AND (environment IS NULL OR environment ILIKE 'production')
  AND ownershipType IS DISTINCT FROM 'FAMILY_SHARED'
  AND occurredAt < '{cutoff}'
"""
ASSIGNED = """
CREATE TEMP TABLE assigned AS
SELECT user_id AS userId, min(test_group_id) AS test_group, min(assigned_at) AS begins
FROM read_csv('{assignments}', header = true, auto_detect = false, delim = ',', quote = '"', columns = {{
  user_id: 'VARCHAR', offering_id: 'VARCHAR', test_group_id: 'VARCHAR', assigned_at: 'TIMESTAMPTZ',
  country: 'VARCHAR', platform: 'VARCHAR'}})
WHERE assigned_at < '{cutoff}'
GROUP BY user_id
HAVING min(test_group_id) = max(test_group_id) AND begins + INTERVAL {days} DAYS <= '{cutoff}'
"""
REFUNDED = """
CREATE TEMP TABLE refunded AS
WITH once AS (
  SELECT userId, transactionId, eventType = 'refund' AS is_refund, min(occurredAt) AS time,
    arg_min(coalesce(price, 1000000), occurredAt) AS amount
  FROM money WHERE eventType IN ('refund', 'refund_reversal')
  GROUP BY userId, transactionId, eventId, is_refund
)
SELECT userId, transactionId, sum(amount) AS refunded
FROM (
  SELECT *, max(time) FILTER (NOT is_refund) OVER (PARTITION BY userId, transactionId) AS restored_at FROM once
)
WHERE is_refund AND (restored_at IS NULL OR time > restored_at)
GROUP BY userId, transactionId
"""
SUMS = """
WITH charges AS (
  SELECT userId, transactionId, min(occurredAt) AS time, arg_min(price, occurredAt) AS gross
  FROM money WHERE eventType NOT IN ('refund', 'refund_reversal')
  GROUP BY userId, transactionId
),
payers AS (
  SELECT test_group, count(*) AS charges, max(gross) > 0 AS pays,
    sum(gross - least(gross, coalesce(refunded, 0))) AS net
  FROM charges JOIN assigned USING (userId) LEFT JOIN refunded USING (userId, transactionId)
  WHERE time >= begins AND time < begins + INTERVAL {days} DAYS
  GROUP BY test_group, userId
),
sums AS (
  SELECT test_group, count(*) FILTER (pays) AS payers, sum(charges) AS charges, sum(net) * 1000000 AS net
  FROM payers GROUP BY test_group
)
SELECT test_group, users, coalesce(payers, 0), coalesce(charges, 0), coalesce(net, 0)::BIGINT
FROM (SELECT test_group, count(*) AS users FROM assigned GROUP BY test_group) LEFT JOIN sums USING (test_group)
"""


def log(task: Task) -> str:
    """How the purchase log is read: nothing guessed."""
    if task.format == "events":
        return (
            f"read_json('{task.purchases}', format = 'newline_delimited', compression = 'gzip', "
            f"ignore_errors = true, columns = {COLUMNS})"
        )
    columns = {name: COLUMNS.get(name, "VARCHAR") for name in HEADER}
    return (
        f"read_csv('{task.purchases}', header = true, auto_detect = false, delim = ',', quote = '\"', "
        f"compression = 'gzip', ignore_errors = true, columns = {columns})"
    )


task = read_task()
database = duckdb.connect(config={"threads": task.threads, "preserve_insertion_order": False})
database.execute("SET TimeZone = 'UTC'")
places = {"log": log(task), "assignments": task.assignments, "cutoff": task.cutoff, "days": task.window_days}
for statement in (MONEY, ASSIGNED, REFUNDED):
    database.execute(statement.format(**places))
answer(database.execute(SUMS.format(**places)).fetchall())
