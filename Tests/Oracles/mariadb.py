"""Tables as a real MariaDB holds them, and the bytes it writes of them in many dialects.

Starts a server of its own on a socket in a temporary folder (`apt-get install mariadb-server`), fills tables
with awkward content and exports them with `SELECT … INTO OUTFILE` and `mysqldump --tab`. Needs only Python.
"""

import base64
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

TEXTS = [
    "plain", "", None, "NULL", "N", "\\N", "\\", "\\\\N", "ends in \\", "a\tb", "\t", "a\nb", "\n", "a\rb", "ends in \r",
    "a\r\nb", "\r\n", "nul\0nul", "\0", "say \"hi\"", "\"", "\"\"", "\",\"", "it's", "'", "a,b", ",", "a;b", "a|b", "|", "||",
    "a||b", "^", "^N", "tab\\tword", " leading", "trailing ", "  ", "\b\x1a", "caf\u00e9", "cafe\u0301", "\U0001f600\u2028",
    "0", "-1.5", ">> ", "N,x", "x\ny,z", "\"N", "ntrb0ZN",
]
TAMEST = ["plain", None, "caf\u00e9", "\U0001f600", " spaces ", "it's", "N", "7.99", None, "x"]


def literal(text):
    return "NULL" if text is None else f"CONVERT(X'{text.encode().hex()}' USING utf8mb4)"


# What the statement says: fields terminated, optionally, enclosed, escaped, lines starting, lines terminated.
def dialect(terminated="\t", enclosed="", escaped="\\", lines="\n", starting="", optionally=False):
    return {"terminated_by": terminated, "enclosed_by": enclosed, "escaped_by": escaped, "optionally": optionally,
            "lines_terminated_by": lines, "lines_starting_by": starting}


DIALECTS = [
    dialect(), dialect(lines="\r\n"), dialect(","), dialect(";"), dialect("|"), dialect("||"), dialect(", "),
    dialect("||", lines="\r\n"), dialect("\t", escaped="^"), dialect(",", escaped="!", lines="\r\n"),
    dialect(enclosed='"'), dialect(",", '"'), dialect(",", '"', optionally=True), dialect(",", "'"),
    dialect(",", "'", optionally=True), dialect(",", '"', lines="\r\n"), dialect(",", '"', lines="\r\n", optionally=True),
    dialect("||", '"', optionally=True), dialect(";", '"', "^"), dialect(",", '"', starting=">> "),
    dialect(starting=">> "), dialect(lines="\r"), dialect(",", lines="|\n"), dialect(",", '"', lines="||"),
    dialect(",", '"', '"'), dialect(",", '"', '"', optionally=True), dialect(",", '"', '"', lines="\r\n"),
    dialect(escaped=""), dialect(",", escaped=""), dialect("||", escaped=""), dialect(escaped="", lines="\r\n"),
    dialect(",", '"', ""), dialect(",", '"', "", optionally=True), dialect("\t", '"', "", lines="\r\n"),
]


def clause(d):
    # The client would turn a CRLF that stands in the statement into LF.
    escapes = {"\\": "\\\\", "'": "''", "\r": "\\r", "\n": "\\n", "\t": "\\t"}
    quote = lambda text: "'" + "".join(escapes.get(c, c) for c in text) + "'"
    optionally = "OPTIONALLY " if d["optionally"] else ""
    return (f"FIELDS TERMINATED BY {quote(d['terminated_by'])} {optionally}ENCLOSED BY {quote(d['enclosed_by'])} "
            f"ESCAPED BY {quote(d['escaped_by'])} LINES STARTING BY {quote(d['lines_starting_by'])} "
            f"TERMINATED BY {quote(d['lines_terminated_by'])}")


class Server:
    def __init__(self, folder):
        self.folder, self.socket = folder, f"{folder}/s.sock"
        me = subprocess.run(["id", "-un"], capture_output=True, text=True).stdout.strip()
        user = "mysql" if me == "root" else me
        if me == "root":
            shutil.chown(folder, user)
        common = ["--no-defaults", f"--datadir={folder}/data", f"--user={user}"]
        subprocess.run(["mariadb-install-db", *common, "--auth-root-authentication-method=normal", "--skip-test-db"],
                       check=True, capture_output=True)
        self.process = subprocess.Popen(
            ["mariadbd", *common, f"--socket={self.socket}", "--skip-networking", "--secure-file-priv=",
             f"--pid-file={folder}/pid", "--character-set-server=utf8mb4"], stderr=subprocess.DEVNULL)
        for _ in range(100):
            if subprocess.run(["mariadb-admin", "--no-defaults", "-uroot", f"-S{self.socket}", "ping"],
                              capture_output=True).returncode == 0:
                break
            time.sleep(0.2)

    def run(self, sql):
        return subprocess.run(
            ["mariadb", "--no-defaults", "-uroot", f"-S{self.socket}", "--default-character-set=utf8mb4", "-N", "--raw"],
            input=sql.encode(), check=True, capture_output=True).stdout

    def dump(self, table, d):
        """`mysqldump --tab`, whose default is the server's default dialect."""
        target = f"{self.folder}/tab"
        shutil.rmtree(target, ignore_errors=True)
        os.mkdir(target)
        os.chmod(target, 0o777)
        enclosed = "--fields-optionally-enclosed-by" if d["optionally"] else "--fields-enclosed-by"
        options = [f"--fields-terminated-by={d['terminated_by']}", f"{enclosed}={d['enclosed_by']}",
                   f"--fields-escaped-by={d['escaped_by']}", f"--lines-terminated-by={d['lines_terminated_by']}"]
        options = [option for option in options if not option.endswith("=")]
        subprocess.run(["mysqldump", "--no-defaults", "-uroot", f"-S{self.socket}", "--default-character-set=utf8mb4",
                        f"--tab={target}", *(options if d != dialect() else []), "shop", table],
                       check=True, capture_output=True)
        return pathlib.Path(target, f"{table}.txt").read_bytes()

    def stop(self):
        self.process.terminate()
        self.process.wait()


def export(server, select, d, charset="utf8mb4"):
    path = f"{server.folder}/out.txt"
    if os.path.exists(path):
        os.remove(path)
    server.run(f"USE shop; {select} INTO OUTFILE '{path}' CHARACTER SET {charset} {clause(d)} "
               if "{into}" not in select else "USE shop; " + select.format(into=f"INTO OUTFILE '{path}' {clause(d)}"))
    return pathlib.Path(path).read_bytes()


def table(server, name, columns, rows):
    server.run("CREATE DATABASE IF NOT EXISTS shop; USE shop; "
               f"CREATE TABLE {name} ({', '.join(columns)}) CHARACTER SET utf8mb4;"
               + "".join(f"INSERT INTO {name} VALUES ({', '.join(row)});" for row in rows))
    names = [column.split()[0] for column in columns]
    # What the server itself says each value is, as the bytes of its text.
    shown = ", ".join(f"COALESCE(HEX(CAST({n} AS BINARY)), '-')" for n in names)
    lines = server.run(f"USE shop; SELECT CONCAT_WS(' ', {shown}) FROM {name} ORDER BY 1*id;").decode().split("\n")[:-1]
    values = [[None if cell == "-" else bytes.fromhex(cell) for cell in line.split(" ")] for line in lines]
    return {"columns": names, "rows": [[None if v is None else base64.b64encode(v).decode() for v in row] for row in values]}


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        server = Server(folder)
        try:
            version = server.run("SELECT version()").decode().strip()
            tables, exports = {}, []
            count = len(TEXTS)
            columns = ["id INT PRIMARY KEY", "body TEXT", "price DECIMAL(12,4)", "at DATETIME(6)", "tail TEXT"]
            stamp = lambda k: "NULL" if k % 7 == 3 else f"'2026-03-{k % 28 + 1:02} 0{k % 10}:00:00.{k * 1001:06}'"
            price = lambda k: "NULL" if k % 5 == 2 else f"{(-1) ** k * k}.{k:04}"
            tables["awkward"] = table(server, "awkward", columns, [
                [str(k), literal(TEXTS[k]), price(k), stamp(k), literal(TEXTS[(k * 7 + 3) % count])] for k in range(count)])
            tables["tame"] = table(server, "tame", columns, [
                [str(k), literal(text), price(k), stamp(k), literal(TAMEST[k * 3 % 10])] for k, text in enumerate(TAMEST)])
            # Two columns of text that come first and last in their line.
            tables["edges"] = table(server, "edges", ["id INT PRIMARY KEY", "head TEXT", "tail TEXT"], [
                [str(k), literal(TEXTS[k]), literal(TEXTS[count - 1 - k])] for k in range(count)])
            tables["bits"] = table(server, "bits", ["id INT PRIMARY KEY", "flag BIT(8)", "raw VARBINARY(8)"], [
                ["1", "b'1000001'", "X'6100620a'"], ["2", "b'1001'", "X'09'"], ["3", "NULL", "X'ff'"], ["4", "b'11111111'", "NULL"],
                ["5", "b'110000'", "X'5c4e'"]])
            for d in DIALECTS:
                for name in ["awkward", "tame"]:
                    exports.append((name, tables[name]["columns"], d, export(server, f"SELECT * FROM {name} ORDER BY id", d)))
                exports.append(("edges", ["head", "tail"], d, export(server, "SELECT head, tail FROM edges ORDER BY id", d)))
            for d in [dialect(), dialect(",", '"', optionally=True)]:
                exports.append(("bits", tables["bits"]["columns"], d, export(server, "SELECT * FROM bits ORDER BY id", d, "binary")))
                for name in ["awkward", "tame"]:
                    exports.append((name, tables[name]["columns"], d, server.dump(name, d)))
            for d in [dialect(), dialect(",", '"'), dialect(",", '"', lines="\r\n")]:
                head = "SELECT 'id', 'head', 'tail' UNION ALL (SELECT id, head, tail FROM edges ORDER BY id LIMIT 1000) {into}"
                exports.append(("edges", None, d | {"header": True}, export(server, head, d)))
        finally:
            server.stop()
    path = pathlib.Path(__file__).with_suffix(".json")
    head = json.dumps({"version": version, "tables": tables}, ensure_ascii=True)[:-1]
    lines = ",\n".join(json.dumps({"table": t, "columns": c, "dialect": d, "bytes": base64.b64encode(b).decode()})
                       for t, c, d, b in exports)
    path.write_text(f"{head},\n\"exports\": [\n{lines}\n]}}\n")
    print(version, len(exports), "exports,", path.stat().st_size, "bytes", file=sys.stderr)


main()
