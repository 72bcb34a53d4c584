"""Small jobs whose inputs somebody has made to do harm, and the program on them."""

import json
import os
import shutil
import subprocess
import tempfile

from nights import BINARY

DATE = "2026-03-31"
USERS = [(f"u{number}", "o", "control" if number % 2 else "b", "2026-03-01T00:00:00Z") for number in range(60)]


def purchases(users=None):
    names = [user for user, *_ in USERS[::3]] if users is None else users
    return "".join(json.dumps({
        "eventId": f"e{place}", "userId": user, "eventType": "purchase", "occurredAt": "2026-03-02T00:00:00Z", "productId": "p",
        "price": "7.99", "currency": "USD", "transactionId": str(place)}) + "\n" for place, user in enumerate(names))


class World:
    """A folder with a job in it; `path` is the log's, `assignments` what the job says of the assignments."""

    def __init__(self, path="../log.jsonl", assignments="path: ../users.csv\n    format: csv", more="", purchases_at=None):
        self.folder = tempfile.mkdtemp(prefix="offerlift-hostile-")
        os.chmod(self.folder, 0o755)
        self.write("users.csv", "user,offering,group,at\n" + "".join(",".join(row) + "\n" for row in USERS))
        self.write("log.jsonl", purchases())
        log = purchases_at or f"path: '{path}'"
        self.write("jobs/job.yml", f"""job: test
timezone: UTC
currency: USD
assignments:
  - {assignments}
    columns: {{user: user, offering: offering, group: group, assigned_at: at}}
purchases:
  - {log}
    format: events
metrics:
  - {{name: paying_conversion, window: 7d}}
{more}""")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder, ignore_errors=True)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())

    def run(self, *options, command="run", most=120, date=DATE, before=()):
        """What the program said and how it left; what has not left after so many seconds would never."""
        dated = ["--date", date] if command == "run" else []
        return subprocess.run([*before, BINARY, command, *options, self.path("jobs", "job.yml"), *dated], capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=most)

    def night(self, name):
        with open(self.path("reports", "test", DATE, name), "rb") as file:
            return file.read()

    @property
    def reports(self):
        """Beside the job file's folder."""
        return self.path("reports")
