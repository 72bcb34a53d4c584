"""The sums by Apache Spark's own readers of JSON and CSV, as someone writes them who knows it.

Columns named, so that nothing is guessed; the log read once, and its money rows kept; as many partitions as there is work
for. Started by `spark-submit`, which says where it runs.

Spark takes a line with a brace too many at its end for an object, and there is no mode in which it does not; so this finds
0.1 % more charges than there are.
"""

from pyspark.sql import SparkSession
from task import answer, read_task

COLUMNS = ("eventId", "userId", "eventType", "occurredAt", "price", "transactionId", "environment", "ownershipType")
ASSIGNED = ("user_id", "offering_id", "test_group_id", "assigned_at", "country", "platform")

MONEY = """
SELECT eventId, userId, eventType, cast(occurredAt AS TIMESTAMP) AS time, try_cast(price AS DECIMAL(18, 6)) AS price,
  transactionId
FROM log
WHERE eventType IN ('purchase', 'renewal', 'one_time_purchase', 'refund', 'refund_reversal')
  AND (environment IS NULL OR lower(environment) = 'production')
  AND NOT ownershipType <=> 'FAMILY_SHARED'
  AND cast(occurredAt AS TIMESTAMP) < TIMESTAMP '{cutoff}'
"""
SUMS = """
WITH assigned AS (
  SELECT user_id AS userId, min(test_group_id) AS test_group, min(cast(assigned_at AS TIMESTAMP)) AS begins
  FROM assignments
  WHERE cast(assigned_at AS TIMESTAMP) < TIMESTAMP '{cutoff}'
  GROUP BY user_id
  HAVING min(test_group_id) = max(test_group_id) AND begins + INTERVAL {days} DAYS <= TIMESTAMP '{cutoff}'
),
once AS (
  SELECT userId, transactionId, eventType = 'refund' AS is_refund, min(time) AS time,
    min_by(coalesce(price, 1000000), time) AS amount
  FROM money WHERE eventType IN ('refund', 'refund_reversal')
  GROUP BY userId, transactionId, eventId, eventType
),
refunded AS (
  SELECT userId, transactionId, sum(amount) AS refunded
  FROM (
    SELECT *, max(CASE WHEN NOT is_refund THEN time END) OVER (PARTITION BY userId, transactionId) AS restored_at
    FROM once
  )
  WHERE is_refund AND (restored_at IS NULL OR time > restored_at)
  GROUP BY userId, transactionId
),
charges AS (
  SELECT userId, transactionId, min(time) AS time, min_by(price, time) AS gross
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
  SELECT test_group, count_if(pays) AS payers, sum(charges) AS charges, sum(net) * 1000000 AS net
  FROM payers GROUP BY test_group
)
SELECT test_group, users, coalesce(payers, 0), coalesce(charges, 0), cast(coalesce(net, 0) AS BIGINT)
FROM (SELECT test_group, count(*) AS users FROM assigned GROUP BY test_group) LEFT JOIN sums USING (test_group)
"""


def text_columns(names: tuple[str, ...]) -> str:
    """A schema of columns that are all read as text."""
    return ", ".join(f"{name} STRING" for name in names)


task = read_task()
spark = (
    SparkSession.builder.config("spark.sql.session.timeZone", "UTC")
    .config("spark.sql.shuffle.partitions", 2 * task.threads)
    .getOrCreate()
)
spark.read.schema(text_columns(COLUMNS)).json(task.purchases, mode="DROPMALFORMED").createOrReplaceTempView("log")
assignments = spark.read.schema(text_columns(ASSIGNED)).option("header", True).csv(task.assignments)
assignments.createOrReplaceTempView("assignments")
places = {"cutoff": task.cutoff, "days": task.window_days}
spark.sql(MONEY.format(**places)).persist().createOrReplaceTempView("money")
answer(spark.sql(SUMS.format(**places)).collect())
