"""The sums by DuckDB as the first pages of its manual have them: columns and types guessed, one query."""

import duckdb
from task import Task, answer, read_task

QUERY = """
WITH log AS (
  SELECT *, occurredAt::TIMESTAMPTZ AS time, price::DECIMAL(18, 6) AS amount
  FROM {log}
  WHERE coalesce(lower(environment), 'production') = 'production'
    AND coalesce(ownershipType, '') <> 'FAMILY_SHARED'
    AND occurredAt::TIMESTAMPTZ < '{cutoff}'
),
assigned AS (
  SELECT user_id, min(test_group_id) AS test_group, min(assigned_at::TIMESTAMPTZ) AS begins
  FROM read_csv('{assignments}')
  WHERE assigned_at::TIMESTAMPTZ < '{cutoff}'
  GROUP BY user_id
  HAVING count(DISTINCT test_group_id) = 1 AND begins + INTERVAL {days} DAYS <= '{cutoff}'
),
charges AS (
  SELECT userId, transactionId, min(time) AS charged_at, arg_min(amount, time) AS gross
  FROM log WHERE eventType IN ('purchase', 'renewal', 'one_time_purchase')
  GROUP BY ALL
),
taken AS (
  SELECT userId, transactionId, eventId, eventType,
    min(time) AS time, arg_min(coalesce(amount, 1000000), time) AS amount
  FROM log WHERE eventType IN ('refund', 'refund_reversal')
  GROUP BY ALL
),
restored AS (
  SELECT userId, transactionId, max(time) AS restored_at
  FROM taken WHERE eventType = 'refund_reversal'
  GROUP BY ALL
),
refunds AS (
  SELECT userId, transactionId, sum(amount) AS refunded
  FROM taken LEFT JOIN restored USING (userId, transactionId)
  WHERE eventType = 'refund' AND (restored_at IS NULL OR time > restored_at)
  GROUP BY ALL
),
users AS (
  SELECT user_id, test_group, count(gross) AS charges, coalesce(max(gross), 0) > 0 AS pays,
    coalesce(sum(gross - least(gross, coalesce(refunded, 0))), 0) AS net
  FROM assigned
  LEFT JOIN charges
    ON charges.userId = user_id AND charged_at >= begins AND charged_at < begins + INTERVAL {days} DAYS
  LEFT JOIN refunds USING (userId, transactionId)
  GROUP BY ALL
)
SELECT test_group, count(*), count(*) FILTER (pays), sum(charges), (sum(net) * 1000000)::BIGINT
FROM users GROUP BY ALL
"""


def log(task: Task) -> str:
    """How the purchase log is read, everything guessed."""
    if task.format == "events":
        return f"read_json_auto('{task.purchases}', ignore_errors = true)"
    return f"read_csv('{task.purchases}', ignore_errors = true)"


task = read_task()
database = duckdb.connect(config={"threads": task.threads})
database.execute("SET TimeZone = 'UTC'")
query = QUERY.format(log=log(task), assignments=task.assignments, cutoff=task.cutoff, days=task.window_days)
answer(database.execute(query).fetchall())
