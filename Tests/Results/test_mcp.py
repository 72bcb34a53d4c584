"""`offerlift mcp`: the built program, asked over stdin and stdout; every figure it tells is one of the CSV tables."""

import collections
import hashlib
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest

import nights
import tables

JOBS = ["offering-price-test", "both-stores", "tiers-and-credits"]
KEYS = {"job", "as_of", "night"}


class Client:
    """A conversation with one server."""

    def __init__(self, *folders, version="2025-06-18", options=()):
        self.server = subprocess.Popen([nights.BINARY, "mcp", *folders, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE)
        self.asked = 0
        self.begun = self.ask("initialize", protocolVersion=version, capabilities={}, clientInfo={"name": "test", "version": "1"})
        self.say({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def say(self, message):
        text = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.server.stdin.write(text + b"\n")
        self.server.stdin.flush()

    def hear(self):
        return json.loads(self.server.stdout.readline())

    def ask(self, method, **parameters):
        self.asked += 1
        self.say({"jsonrpc": "2.0", "id": self.asked, "method": method, "params": parameters})
        reply = self.hear()
        assert reply["id"] == self.asked, reply
        return reply.get("result", reply.get("error"))

    def call(self, tool, **arguments):
        """The tool's answer; its sentence where it refuses."""
        result = self.ask("tools/call", name=tool, arguments=arguments)
        if result.get("isError"):
            return result["content"][0]["text"]
        assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
        return result["structuredContent"]

    def rows(self, sql, **more):
        answer = self.call("query", sql=sql, limit=2000, **more)
        assert isinstance(answer, dict), answer
        assert not answer["is_cut"]
        return [tuple(row) for row in answer["rows"]]

    def end(self):
        self.server.stdin.close()
        code = self.server.wait(60)
        errors = self.server.stderr.read().decode()
        self.server.stdout.close()
        self.server.stderr.close()
        return code, errors


class Night:
    """A night's CSV tables, a dict a row; empty cells are None, numbers numbers."""

    def __init__(self, name):
        self.folder = nights.folder(name)
        self.name, self.date = name, os.path.basename(self.folder)
        self.paths = tables.paths(self.folder)

    def table(self, name, where=lambda row: True):
        head, body = tables.rows(self.paths[name])
        rows = [dict(zip(head, (self.cell(name, column, text) for column, text in zip(head, line)))) for line in body]
        return [row for row in rows if where(row)]

    @staticmethod
    def cell(table, column, text):
        kind = tables.kind(table, column)
        if text == "":
            return None
        if kind == "number":
            return text if column.startswith("sum_") else float(text)
        if kind == "yes or no":
            return {"true": 1, "false": 0}[text]
        return tables.bare(text)


def alike(told, meant):
    """Whether two cells say the same: a sum's digits may be a text, an empty text is no text."""
    if isinstance(meant, str) and isinstance(told, (int, float)):
        return float(meant) == told
    if isinstance(told, (int, float)) and isinstance(meant, (int, float)):
        return abs(told - meant) <= 1e-12 * max(abs(told), abs(meant))
    return (told or None) == (meant or None) if not isinstance(meant, (int, float)) else told == meant


def key(row):
    return [str(cell) if not isinstance(cell, float) else f"{cell:.9e}" for cell in row]


class Questions(unittest.TestCase):
    """What a product lead asks, in SQL or by a tool, held against the CSV files."""

    @classmethod
    def setUpClass(cls):
        cls.nights = {name: Night(name) for name in JOBS}
        cls.client = Client(os.path.join(nights.scratch(), "reports"))

    @classmethod
    def tearDownClass(cls):
        assert cls.client.end() == (0, "")

    def same(self, told, meant, ordered=False):
        told, meant = list(map(tuple, told)), list(map(tuple, meant))
        self.assertEqual(len(told), len(meant), (told[:3], meant[:3]))
        if not ordered:
            number = lambda row: [f"{float(c):.9e}" if isinstance(c, (int, float)) else str(c or "") for c in row]
            told, meant = sorted(told, key=number), sorted(meant, key=number)
        for left, right in zip(told, meant):
            self.assertEqual(len(left), len(right))
            self.assertTrue(all(map(alike, left, right)), f"{left} is not {right}")
        return True

    # What there is

    def test_jobs(self):
        told = {job["job"]: job for job in self.client.call("jobs")["jobs"]}
        for name, night in self.nights.items():
            self.assertEqual(told[name]["latest_night"], night.date)
            calls = [(c["offering_id"], c["test_group_id"], c["call"], c["headline"]) for c in told[name]["calls"]]
            self.same(calls, [(r["offering_id"], r["test_group_id"], r["call"], r["headline"]) for r in night.table("verdicts")], True)

    def test_nights(self):
        for name, night in self.nights.items():
            told = self.client.call("nights", job=name)["nights"]
            as_of = night.table("group_metrics")[0]["as_of"]
            self.assertEqual([(n["night"], n["as_of"]) for n in told], [(night.date, as_of)])

    def test_tables_are_those_of_the_folder(self):
        told = self.client.call("tables")
        self.assertEqual({t["name"] for t in told["tables"]}, set(self.nights[JOBS[0]].paths))
        self.assertTrue(all(t["meaning"] for t in told["tables"] + told["views"]))

    def test_columns_are_those_of_the_files(self):
        for name, path in self.nights[JOBS[0]].paths.items():
            columns = self.client.call("tables", table=name)["columns"]
            self.assertEqual([c["name"] for c in columns], [tables.IN_SQL.get(c, c) for c in tables.rows(path)[0]], name)
            self.assertTrue(all(c["meaning"] for c in columns))

    # A night's calls

    def calls(self):
        for name, night in self.nights.items():
            yield night, self.client.call("calls", job=name)

    def told(self, rows, columns):
        """Cells of rows that are called as in the CSV, or as in results.sqlite."""
        return [[row[c] if c in row else row[tables.IN_SQL[c]] for c in columns] for row in rows]

    def columns(self, night, table):
        return [c for c in tables.rows(night.paths[table])[0] if c not in KEYS]

    def test_calls_are_the_verdicts(self):
        for night, told in self.calls():
            columns = self.columns(night, "verdicts")
            self.same(self.told(told["verdicts"], columns), self.told(night.table("verdicts"), columns), True)

    def test_calls_rest_on_the_primary_comparisons(self):
        for night, told in self.calls():
            columns = self.columns(night, "comparisons")
            meant = night.table("comparisons", lambda r: r["primary"] == 1 and r["segment"] == "all")
            self.assertTrue(meant)
            self.same(self.told(told["primary_comparisons"], columns), self.told(meant, columns), True)

    def test_calls_tell_the_checks(self):
        for night, told in self.calls():
            columns = self.columns(night, "checks")
            self.same(self.told(told["checks_not_passed"], columns),
                      self.told(night.table("checks", lambda r: r["status"] != "pass"), columns))
            self.assertEqual(told["checks_passed"], sorted({r["check"] for r in night.table("checks", lambda r: r["status"] == "pass")}))

    def test_calls_hold_no_figure_that_is_in_no_table(self):
        for night, told in self.calls():
            figures = {float(cell) for path in night.paths.values() for row in tables.rows(path)[1] for cell in row
                       if re.fullmatch(r"-?\d+(\.\d+)?(e-?\d+)?", cell)} | {0.0, 1.0}
            found = []
            def walk(value):
                if isinstance(value, dict):
                    [walk(v) for v in value.values()]
                elif isinstance(value, list):
                    [walk(v) for v in value]
                elif isinstance(value, (int, float)) and not isinstance(value, bool):
                    found.append(float(value))
            walk(told)
            self.assertTrue(found)
            self.assertEqual([f for f in found if f not in figures], [])

    def test_calls_of_one_offering(self):
        for name, night in self.nights.items():
            offering = night.table("verdicts")[0]["offering_id"]
            told = self.client.call("calls", job=name, night=night.date, offering=offering)
            self.assertEqual({v["offering_id"] for v in told["verdicts"]}, {offering})

    def test_files_are_read_as_they_lie_there(self):
        listed = {r["uri"]: r for r in self.client.ask("resources/list")["resources"]}
        for name, night in self.nights.items():
            for file in ["summary.md", "run.json", "verdicts.csv", "comparisons.csv"]:
                uri = f"offerlift://results/{name}/{night.date}/{file}"
                self.assertIn(uri, listed)
                text = self.client.ask("resources/read", uri=uri)["contents"][0]["text"]
                with open(os.path.join(night.folder, file), encoding="utf-8", newline="") as lies:
                    self.assertEqual(text, lies.read())

    def test_vocabulary(self):
        for topic in ["calls", "decisions", "methods", "metrics", "checks", "reasons"]:
            self.assertGreater(len(self.client.call("vocabulary", topic=topic)["text"]), 100)
        self.assertIn("did you mean \"checks\"?", self.client.call("vocabulary", topic="cheks"))


def whole(table):
    """Every cell of a table."""
    def test(self):
        for name, night in self.nights.items():
            columns = self.columns(night, table)
            quoted = ", ".join(f'"{tables.IN_SQL.get(c, c)}"' for c in columns)
            sql = f"SELECT {quoted} FROM {table} WHERE night = '{night.date}'"
            meant = self.told(night.table(table), columns)
            told, place = [], 0
            while True:
                part = self.client.call("query", sql=f"{sql} LIMIT 1500 OFFSET {place}", job=name, limit=1500)
                self.assertIsInstance(part, dict, part)
                told += part["rows"]
                if len(part["rows"]) < 1500 and not part["is_cut"]:
                    break
                place += len(part["rows"])
            self.same(told, meant)
    return test


def asked(question):
    """One question of a job: SQL, and what the CSV tables say."""
    name, sql, meant = question
    def test(self):
        for job, night in self.nights.items():
            if night.table(name.split()[0] if name.split()[0] in night.paths else "verdicts") == []:
                continue
            self.same(self.client.rows(sql.replace("NIGHT", f"'{night.date}'"), job=job), meant(night))
    return test


def summed(rows, keys, values):
    sums = collections.defaultdict(lambda: [0.0] * len(values))
    for row in rows:
        for place, value in enumerate(values):
            sums[tuple(row[k] for k in keys)][place] += float(row[value] or 0)
    return [(*k, *v) for k, v in sums.items()]


def picked(table, columns, where=lambda row: True):
    return lambda night: [[row[c] for c in columns] for row in night.table(table, where)]


everybody = lambda row: row["segment"] == "all"
QUESTIONS = [
    ("verdicts what to ship", "SELECT offering_id, test_group_id, headline FROM verdicts WHERE night = NIGHT AND call = 'ship'",
     picked("verdicts", ["offering_id", "test_group_id", "headline"], lambda r: r["call"] == "ship")),
    ("verdicts expected lift", "SELECT test_group_id, expected_lift, expected_ci_low, expected_ci_high FROM verdicts WHERE night = NIGHT",
     picked("verdicts", ["test_group_id", "expected_lift", "expected_ci_low", "expected_ci_high"])),
    ("verdicts worth a month", "SELECT test_group_id, worth_per_month FROM verdicts WHERE night = NIGHT AND worth_per_month > 0",
     picked("verdicts", ["test_group_id", "worth_per_month"], lambda r: (r["worth_per_month"] or 0) > 0)),
    ("states users a group", "SELECT offering_id, test_group_id, SUM(users) FROM states WHERE night = NIGHT GROUP BY 1, 2",
     lambda night: summed(night.table("states"), ["offering_id", "test_group_id"], ["users"])),
    ("states share subscribed", "SELECT test_group_id, users, share FROM states WHERE night = NIGHT AND state = 'subscribed'",
     picked("states", ["test_group_id", "users", "share"], lambda r: r["state"] == "subscribed")),
    ("products gross a group", "SELECT test_group_id, SUM(gross), SUM(charges) FROM products WHERE night = NIGHT GROUP BY 1",
     lambda night: summed(night.table("products"), ["test_group_id"], ["gross", "charges"])),
    ("products best seller", "SELECT product_id, SUM(buyers) AS n FROM products WHERE night = NIGHT GROUP BY 1 ORDER BY n DESC, 1 LIMIT 1",
     lambda night: sorted(summed(night.table("products"), ["product_id"], ["buyers"]), key=lambda r: (-r[1], r[0]))[:1]),
    ("money refunds", "SELECT test_group_id, refunds, net, proceeds FROM money WHERE night = NIGHT",
     picked("money", ["test_group_id", "refunds", "net", "proceeds"])),
    ("money gross less net is refunds", "SELECT test_group_id, ROUND(gross - net - refunds, 6) FROM money WHERE night = NIGHT",
     lambda night: [(r["test_group_id"], 0) for r in night.table("money")]),
    ("checks failed", "SELECT offering_id, check_name, subject, message FROM checks WHERE night = NIGHT AND status = 'fail'",
     picked("checks", ["offering_id", "check", "subject", "message"], lambda r: r["status"] == "fail")),
    ("checks sample ratio", "SELECT subject, observed, expected, p_value FROM checks WHERE night = NIGHT AND check_name = 'sample_ratio'",
     picked("checks", ["subject", "observed", "expected", "p_value"], lambda r: r["check"] == "sample_ratio")),
    ("checks by status", "SELECT status, COUNT(*) FROM checks WHERE night = NIGHT GROUP BY status",
     lambda night: list(collections.Counter(r["status"] for r in night.table("checks")).items())),
    ("inputs rows set aside", "SELECT input, reason, SUM(rows_set_aside) FROM inputs WHERE night = NIGHT AND reason <> '' GROUP BY 1, 2",
     lambda night: summed([r for r in night.table("inputs") if r["reason"]], ["input", "reason"], ["rows_set_aside"])),
    ("inputs files", "SELECT DISTINCT file, bytes, crc32, rows_read, used FROM inputs WHERE night = NIGHT",
     lambda night: sorted({(r["file"], r["bytes"], r["crc32"], r["rows"], r["used"]) for r in night.table("inputs")})),
    ("comparisons primary lifts", "SELECT test_group_id, metric, rel_lift, decided_ci_low, decided_ci_high, decision FROM comparisons "
     "WHERE night = NIGHT AND segment = 'all' AND is_primary = 1",
     picked("comparisons", ["test_group_id", "metric", "rel_lift", "decided_ci_low", "decided_ci_high", "decision"],
            lambda r: everybody(r) and r["primary"] == 1)),
    ("comparisons smallest p", "SELECT MIN(p_value) FROM comparisons WHERE night = NIGHT",
     lambda night: [(min(r["p_value"] for r in night.table("comparisons") if r["p_value"] is not None),)]),
    ("comparisons largest lift", "SELECT MAX(rel_lift) FROM comparisons WHERE night = NIGHT AND segment = 'all'",
     lambda night: [(max(r["rel_lift"] for r in night.table("comparisons", everybody) if r["rel_lift"] is not None),)]),
    ("comparisons decisions", "SELECT decision, COUNT(*) FROM comparisons WHERE night = NIGHT GROUP BY 1",
     lambda night: list(collections.Counter(r["decision"] for r in night.table("comparisons")).items())),
    ("comparisons by view", "SELECT test_group_id, metric, rel_lift, decision FROM latest_decisions",
     picked("comparisons", ["test_group_id", "metric", "rel_lift", "decision"], everybody)),
    ("comparisons over time", "SELECT test_group_id, segment, metric, rel_lift FROM lift_over_time WHERE night = NIGHT AND segment = 'all'",
     picked("comparisons", ["test_group_id", "segment", "metric", "rel_lift"], everybody)),
    ("group_metrics values", "SELECT test_group_id, metric, users, value FROM group_metrics WHERE night = NIGHT AND segment = 'all'",
     picked("group_metrics", ["test_group_id", "metric", "users", "value"], everybody)),
    ("group_metrics baseline", "SELECT DISTINCT offering_id, test_group_id FROM group_metrics WHERE night = NIGHT AND is_baseline = 1",
     lambda night: sorted({(r["offering_id"], r["test_group_id"]) for r in night.table("group_metrics", lambda r: r["is_baseline"])})),
    ("group_metrics who is best", "WITH ranked AS (SELECT metric, test_group_id, value, ROW_NUMBER() OVER (PARTITION BY offering_id, metric "
     "ORDER BY value DESC, test_group_id) AS place FROM group_metrics WHERE night = NIGHT AND segment = 'all' AND value IS NOT NULL) "
     "SELECT metric, test_group_id, value FROM ranked WHERE place = 1",
     lambda night: [sorted(rows, key=lambda r: (-r["value"], r["test_group_id"]))[0] and
                    [sorted(rows, key=lambda r: (-r["value"], r["test_group_id"]))[0][c] for c in ("metric", "test_group_id", "value")]
                    for rows in grouped(night.table("group_metrics", lambda r: everybody(r) and r["value"] is not None), "offering_id", "metric")]),
    ("group_metrics segments", "SELECT DISTINCT segment FROM group_metrics WHERE night = NIGHT",
     lambda night: sorted({(r["segment"],) for r in night.table("group_metrics")})),
    ("sufficient_statistics sums", "SELECT test_group_id, metric, n, sum_y, sum_yy FROM sufficient_statistics WHERE night = NIGHT AND segment = 'all'",
     picked("sufficient_statistics", ["test_group_id", "metric", "n", "sum_y", "sum_yy"], everybody)),
    ("sufficient_statistics means", "SELECT test_group_id, metric, n, sum_y / n FROM metric_sums WHERE night = NIGHT AND segment = 'all' AND n > 0",
     lambda night: [(r["test_group_id"], r["metric"], r["n"], float(r["sum_y"]) / float(r["scale"]) / r["n"])
                    for r in night.table("sufficient_statistics", lambda r: everybody(r) and r["n"] > 0)]),
    ("funnels last step", "SELECT funnel, test_group_id, MAX(step), MIN(users) FROM funnels WHERE night = NIGHT GROUP BY 1, 2",
     lambda night: [(rows[0]["funnel"], rows[0]["test_group_id"], max(r["step"] for r in rows), min(r["users"] for r in rows))
                    for rows in grouped(night.table("funnels"), "funnel", "test_group_id")]),
    ("funnels by view", "SELECT funnel, step, test_group_id, users, of_first FROM funnel_steps",
     picked("funnels", ["funnel", "step", "test_group_id", "users", "of_first"])),
    ("retention after a month", "SELECT test_group_id, metric, day, survival FROM retention WHERE night = NIGHT AND day <= 30",
     picked("retention", ["test_group_id", "metric", "day", "survival"], lambda r: r["day"] <= 30)),
    ("retention_renewals by view", "SELECT test_group_id, metric, renewals_due, at_risk, survival FROM retention_by_renewal",
     picked("retention_renewals", ["test_group_id", "metric", "renewals_due", "at_risk", "survival"])),
    ("plans nights needed", "SELECT * FROM (SELECT COUNT(*) FROM plans WHERE night = NIGHT)",
     lambda night: [(len(night.table("plans")),)]),
    ("arrivals first and last day", "SELECT MIN(day), MAX(day) FROM arrivals WHERE night = NIGHT",
     lambda night: [(min(r["day"] for r in night.table("arrivals")), max(r["day"] for r in night.table("arrivals")))]),
    ("daily last day", "SELECT COUNT(*), MAX(day) FROM daily WHERE night = NIGHT",
     lambda night: [(len(night.table("daily")), max(r["day"] for r in night.table("daily")))]),
    ("copy what they read", "SELECT test_group_id, field, text FROM copy WHERE night = NIGHT",
     picked("copy", ["test_group_id", "field", "text"])),
    ("offers display prices", "SELECT test_group_id, product_id, display_price FROM offers WHERE night = NIGHT",
     picked("offers", ["test_group_id", "product_id", "display_price"])),
    ("checks by view", "SELECT check_name, status, message FROM failed_checks WHERE night = NIGHT",
     picked("checks", ["check", "status", "message"], lambda r: r["status"] != "pass")),
    ("products joined with states", "SELECT p.test_group_id, SUM(p.net) / u.users FROM products AS p JOIN (SELECT test_group_id, SUM(users) "
     "AS users FROM states WHERE night = NIGHT GROUP BY 1) AS u ON u.test_group_id = p.test_group_id WHERE p.night = NIGHT GROUP BY 1",
     lambda night: [(group, net / dict(summed(night.table("states"), ["test_group_id"], ["users"]))[group])
                    for group, net in summed(night.table("products"), ["test_group_id"], ["net"])]),
]


def grouped(rows, *keys):
    groups = collections.defaultdict(list)
    for row in rows:
        groups[tuple(row[k] for k in keys)].append(row)
    return list(groups.values())


for name in ["verdicts", "group_metrics", "comparisons", "daily", "plans", "offers", "copy", "arrivals", "money", "price_response",
             "revenue_parts", "changes", "products", "charges_by", "funnels", "funnel_splits", "states", "retention",
             "retention_renewals", "failures", "trial_days", "outside", "display_prices", "sufficient_statistics", "checks", "inputs"]:
    setattr(Questions, f"test_whole_{name}", whole(name))
for question in QUESTIONS:
    setattr(Questions, "test_" + question[0].replace(" ", "_"), asked(question))


class Trouble(unittest.TestCase):
    """What a client, or a stranger's statement, may do wrong."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="offerlift-mcp-")
        self.addCleanup(shutil.rmtree, self.folder, True)
        self.job = os.path.join(self.folder, "reports", JOBS[0])
        shutil.copytree(os.path.dirname(nights.folder(JOBS[0])), self.job, symlinks=True)

    def marks(self):
        """Every file below with its bytes and its times."""
        found = {}
        for folder, _, names in os.walk(self.folder):
            for name in [*names, "."]:
                path = os.path.join(folder, name)
                stat = os.lstat(path)
                found[path] = (stat.st_mtime_ns, stat.st_ino, self.digest(path) if name != "." and not os.path.islink(path) else "")
        return found

    @staticmethod
    def digest(path):
        with open(path, "rb") as file:
            return hashlib.sha256(file.read()).hexdigest()

    @staticmethod
    def write(path, content):
        with open(path, "wb") as file:
            file.write(content)

    def test_nothing_is_written(self):
        before = self.marks()
        client = Client(self.job)
        for tool, arguments in [("jobs", {}), ("nights", {}), ("calls", {}), ("tables", {}), ("query", {"sql": "SELECT * FROM daily"}),
                                ("query", {"sql": "SELECT metric, segment FROM comparisons ORDER BY random() LIMIT 5"})]:
            self.assertIsInstance(client.call(tool, **arguments), dict)
        for sql in ["DELETE FROM nights", "PRAGMA journal_mode = WAL", "ATTACH ':memory:' AS x", "VACUUM", "CREATE TABLE x (y)",
                    "SELECT load_extension('/tmp/x.so')", "PRAGMA user_version", "SELECT 1; DELETE FROM nights", "SELECT writefile('x', 'y')"]:
            self.assertIsInstance(client.call("query", sql=sql), str, sql)
        self.assertEqual(client.end(), (0, ""))
        self.assertEqual(self.marks(), before)

    def test_a_statement_without_end_is_ended(self):
        client = Client(self.job)
        told = client.call("query", sql="WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n")
        self.assertIn("ended after", told)
        told = client.call("query", sql="SELECT COUNT(*) FROM daily a, daily b, daily c, daily d, comparisons e")
        self.assertIn("ended after", told)
        self.assertIn("nights", client.call("nights"))
        self.assertEqual(client.end()[0], 0)

    def test_rubbish_between_messages(self):
        client = Client(self.job)
        rubbish = [(b"{", -32700), (b"\xff\xfe", -32700), (b"[" * 100_000, -32700), (b"x" * (5 << 20), -32600), (b"null", -32600),
                   (b'{"jsonrpc":"2.0","id":3,"method":"nothing"}', -32601), (b'{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600),
                   (b'{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":5}}', -32602)]
        for line, code in rubbish:
            client.say(line)
            self.assertEqual(client.hear()["error"]["code"], code, line[:50])
        client.say(b"")
        client.say(b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}')
        self.assertEqual(client.ask("ping"), {})
        self.assertEqual(client.end(), (0, ""))

    def test_a_last_line_without_an_end(self):
        done = subprocess.run([nights.BINARY, "mcp", self.job], input=b'{"jsonrpc":"2.0","id":1,"method":"ping"}', capture_output=True)
        self.assertEqual((done.returncode, json.loads(done.stdout)["result"]), (0, {}))

    def test_nobody_listens_any_more(self):
        server = subprocess.Popen([nights.BINARY, "mcp", self.job], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        server.stdout.close()
        try:
            for _ in range(200):
                server.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
                server.stdin.flush()
            server.stdin.close()
        except BrokenPipeError:
            pass
        self.assertEqual(server.wait(60), 0)
        self.assertEqual(server.stderr.read(), b"")
        server.stderr.close()

    def test_a_night_that_is_published_meanwhile(self):
        empty = os.path.join(self.folder, "empty")
        os.mkdir(empty)
        client = Client(empty)
        self.assertIn("No night has been published", client.call("calls"))
        shutil.copytree(self.job, os.path.join(empty, JOBS[0]), symlinks=True)
        self.assertEqual([job["job"] for job in client.call("jobs")["jobs"]], [JOBS[0]])
        code, errors = client.end()
        self.assertEqual(code, 0)
        self.assertIn("No night has been published", errors)

    def test_a_database_that_is_damaged_or_being_changed(self):
        path = os.path.join(self.job, "results.sqlite")
        client = Client(os.path.dirname(self.job))
        self.write(path + "-wal", b"x")
        self.assertIn("being changed by another program", client.call("calls"))
        os.remove(path + "-wal")
        with open(path, "r+b") as file:
            file.truncate(5000)
        self.assertIsInstance(client.call("calls"), str)
        self.assertIn("error", client.call("jobs")["jobs"][0])
        self.write(path, b"no database" * 1000)
        self.assertIsInstance(client.call("query", sql="SELECT * FROM nights"), str)
        self.assertEqual(client.end()[0], 0)

    def test_links_do_not_lead_out_of_the_folder(self):
        secret = os.path.join(self.folder, "secret")
        self.write(secret, b"SECRET")
        night = sorted(name for name in os.listdir(self.job) if name[:2] == "20")[-1]
        summary = os.path.join(self.job, night, "summary.md")
        os.remove(summary)
        os.symlink(secret, summary)
        other = os.path.join(os.path.dirname(self.job), "other")
        os.symlink(self.job, other)
        client = Client(os.path.dirname(self.job))
        self.assertEqual([job["job"] for job in client.call("jobs")["jobs"]], [JOBS[0]])
        answer = client.ask("resources/read", uri=f"offerlift://results/{JOBS[0]}/{night}/summary.md")
        self.assertNotIn("SECRET", json.dumps(answer))
        os.rename(os.path.join(self.job, "results.sqlite"), secret)
        os.symlink(secret, os.path.join(self.job, "results.sqlite"))
        self.assertNotIn("rows", json.dumps(client.call("query", sql="SELECT * FROM nights")))
        self.assertEqual(client.end()[0], 0)

    def test_a_folder_that_is_not_there(self):
        done = subprocess.run([nights.BINARY, "mcp", os.path.join(self.folder, "none")], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, 66)
        self.assertIn("is no folder", done.stderr)

    def test_a_client_of_the_revision_without_a_handshake(self):
        meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {},
                "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"}}
        asked = [("server/discover", {}), ("tools/list", {}), ("tools/call", {"name": "jobs", "arguments": {}})]
        lines = [json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": {**parameters, "_meta": meta}})
                 for number, (method, parameters) in enumerate(asked)]
        done = subprocess.run([nights.BINARY, "mcp", self.job], input="\n".join(lines) + "\n", capture_output=True, text=True,
                              timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        discovered, listed, called = (json.loads(line)["result"] for line in done.stdout.splitlines())
        self.assertEqual(discovered["supportedVersions"], ["2026-07-28"])
        self.assertIn("query", [tool["name"] for tool in listed["tools"]])
        self.assertEqual(called["resultType"], "complete")
        self.assertEqual(json.loads(called["content"][0]["text"]), called["structuredContent"])
        self.assertEqual(len(called["structuredContent"]["jobs"]), 1)

    def test_help_answers_complaints_tasks_and_names(self):
        client = Client(self.job)
        everything = client.call("help")
        self.assertIn("It flips every day", everything["complaints"])
        self.assertIn("exclude a country", everything["tasks"])
        self.assertIn("troubleshooting", [chapter["name"] for chapter in everything["chapters"]])
        found = client.call("help", topic="it flips every day")
        self.assertEqual(found["file"], "jobs/reference/troubleshooting.md#it-flips-every-day")
        self.assertIn("SELECT night", found["text"])
        self.assertEqual(client.call("help", topic="exclude a country")["tasks"][0]["in"], "assignments")
        self.assertIn("There is no topic", client.call("help", topic="qwertzuiop"))
        client.end()

    def test_a_user_is_explained_where_a_job_file_is_named(self):
        job = os.path.join(nights.ROOT, "jobs", JOBS[0] + ".yml")
        client = Client(self.job, options=("--job", job))
        self.assertIn("explain", [tool["name"] for tool in client.ask("tools/list")["tools"]])
        told = client.call("explain", user="u0002013", date="2026-04-30")
        plain = subprocess.run([nights.BINARY, "explain", job, "--user", "u0002013", "--date", "2026-04-30", "--format", "json"],
                               capture_output=True, text=True, stdin=subprocess.DEVNULL)
        self.assertEqual(told, json.loads(plain.stdout))
        self.assertIn("No line of any input", client.call("explain", user="nobody", date="2026-04-30"))
        self.assertEqual(client.end()[0], 0)
        without = Client(self.job)
        self.assertNotIn("explain", [tool["name"] for tool in without.ask("tools/list")["tools"]])
        without.end()
