"""Makes users.csv.gz and orders.csv.gz: 4,000 users in two groups, and what they bought. The same bytes every time."""
import datetime
import gzip
import random

random.seed(7)
start = datetime.datetime(2026, 9, 1)
users, orders, order = ["user_id,variant,joined_at"], ["order_id,customer,paid_at,sku,total"], 7000
for i in range(1, 4001):
    joined = start + datetime.timedelta(minutes=i * 9)
    users.append(f"u{i},{'old_price' if random.random() < .5 else 'new_price'},{joined:%Y-%m-%d %H:%M:%S}")
for row in users[1:]:
    user, variant, joined = row.split(",")
    if random.random() < (.10 if variant == "old_price" else .085):
        order += 1
        paid = datetime.datetime.fromisoformat(joined) + datetime.timedelta(hours=random.randint(1, 150))
        price = "9.99" if variant == "old_price" else "17.99"
        orders.append(f"{order},{user},{paid:%Y-%m-%d %H:%M:%S},plan_monthly,{price}")
for name, rows in ("users", users), ("orders", orders):
    with open(f"{name}.csv.gz", "wb") as file, gzip.GzipFile("", "wb", mtime=0, fileobj=file) as packed:
        packed.write(("\n".join(rows) + "\n").encode())
