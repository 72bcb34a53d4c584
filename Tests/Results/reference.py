"""The reference as people read it: its chapters, its index of tasks and its complaints, and a small test to try them on."""

import functools
import glob
import os
import random
import re
import subprocess

import nights

JOBS = os.path.join(nights.ROOT, "jobs")
CHAPTERS = sorted(glob.glob(os.path.join(JOBS, "reference", "*.md")))
NIGHT, USER = "2026-10-01", "u9"

JOB = """job: pricing
output: reports
currency: USD
baseline: old_price
assignments: {path: users.csv, defaults: {offering: pricing}, attributes: [country, platform],
  columns: {user: user_id, group: variant, assigned_at: joined_at}}
purchases: {path: orders.csv, format: events-csv, defaults: {eventType: purchase, currency: USD},
  columns: {userId: customer, occurredAt: paid_at, productId: sku, price: total, transactionId: order_id}}
exchange_rates: rates.csv
metrics: [{name: revenue_net, window: 7d, primary: true}, {name: paying_conversion, window: 7d}]
"""


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def cells(line):
    """The cells of a line of a table; None of any other line."""
    if not (line.startswith("| ") and line.endswith(" |")):
        return None
    return [cell.replace("\\|", "|") for cell in line[2:-2].split(" | ")]


@functools.cache
def tasks():
    """(words, line to type, place, link) of each task of the index."""
    rows = [cells(line) for line in read(os.path.join(JOBS, "README.md")).splitlines()]
    found = [row for row in rows if row and len(row) == 4 and row[0] not in ("to", "---")]
    return [(words, line.strip("`"), place, re.search(r"\((.*)\)", link).group(1)) for words, line, place, link in found]


@functools.cache
def complaints():
    """Each complaint with its section."""
    text = read(os.path.join(JOBS, "reference", "troubleshooting.md"))
    return [tuple(section.split("\n", 1)) for section in re.split(r"^## ", text, flags=re.M)[1:]]


def commands(section):
    return [line for block in re.findall(r"^```sh\n(.*?)^```", section, re.M | re.S) for line in block.splitlines()]


def write_world(folder):
    """4,000 users in two groups, what they bought in a month, and the small tables beside."""
    chance = random.Random(9)
    users, orders = [], []
    for number in range(1, 4001):
        group = chance.choice(["old_price", "new_price"])
        day, minute = 1 + number % 20, number % 60
        place = chance.choice(["US", "DE", "FR"])
        employee = str(number % 100 == 0).lower()
        users.append(f"u{number},{group},2026-09-{day:02} 08:{minute:02}:00,{place},ios,{employee},")
        if chance.random() < 0.1:
            price = "9.99" if group == "old_price" else "17.99"
            orders.append(f"{7000 + number},u{number},2026-09-{day + 2:02} 09:{minute:02}:00,plan_monthly,{price},paid,1,web,")
    days = [f"2026-09-{day:02}" for day in range(1, 31)]
    files = {
        "pricing.yml": JOB,
        "users.csv": "\n".join(["user_id,variant,joined_at,country,platform,is_employee,deleted_at", *users]) + "\n",
        "orders.csv": "\n".join(["order_id,customer,paid_at,sku,total,status,quantity,store,deleted_at", *orders]) + "\n",
        "aliases.csv": "alias,user\nanonymous9,u9\n",
        "products.csv": "product_id,kind,period\nplan_monthly,auto_renewable,P1M\n",
        "rates.csv": "date,currency,rate\n" + "".join(f"{day},EUR,1.1\n{day},USD,0.9\n" for day in days),
    }
    for name, text in files.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)


def shell(command, folder):
    """A command as the reference has it, typed in a folder with the test; what names stand for is put in."""
    for name, value in [("JOB.yml", "pricing.yml"), ("reports/JOB", "reports/pricing"), ("NIGHT", NIGHT), ("ID", USER)]:
        command = re.sub(rf"\b{re.escape(name)}\b", value, command)
    programs = os.path.join(folder, "bin")
    os.makedirs(programs, exist_ok=True)
    if not os.path.exists(os.path.join(programs, "offerlift")):
        os.symlink(os.path.abspath(nights.BINARY), os.path.join(programs, "offerlift"))
    return subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                          timeout=300, env={**os.environ, "PATH": programs + ":" + os.environ["PATH"]})
