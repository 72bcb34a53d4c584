"""Nights and cut-offs from the command line: `--date`, `--from/--to`, folders, `latest`, history."""

import os
import sqlite3

from bench import Bench, clean
from product import table

TABLES = ["group_metrics.csv", "comparisons.csv", "sufficient_statistics.csv", "checks.csv", "inputs.csv"]


def run_with(bench, *arguments, output="out"):
    ran = bench.run([bench.binary, "run", bench.path("job.yml"), *arguments, "--output", bench.path(output)])
    clean(ran)
    assert ran.code == 0, ran.err
    return ran


def a_date_is_the_end_of_its_day(binary):
    """Also where that day has 23 or 25 hours."""
    for zone, date, as_of in [
        ("UTC", "2026-03-31", "2026-04-01T00:00:00Z"), ("Europe/Berlin", "2026-03-29", "2026-03-29T22:00:00Z"),
        ("America/New_York", "2026-11-01", "2026-11-02T05:00:00Z"), ("Asia/Kolkata", "2026-03-31", "2026-03-31T18:30:00Z"),
    ]:
        with Bench(binary) as bench:
            bench.add_to_job(f"timezone: {zone}\n")
            run_with(bench, "--date", date)
            folder = bench.path(f"out/rubbish/{date}")
            assert os.path.isdir(folder), os.listdir(bench.path("out/rubbish"))
            said = {row["as_of"] for row in table(folder, "group_metrics.csv")}
            assert said == {as_of}, said
            run_with(bench, "--as-of", as_of, output="other")
            for name in TABLES:
                one, two = (bench.read(f"{out}/rubbish/{date}/{name}") for out in ("out", "other"))
                assert one == two, f"{name} differs between --date and --as-of"


def the_night_is_the_date_before_the_cut_off(binary):
    for as_of, night in [("2026-03-31T00:00:00Z", "2026-03-30"), ("2026-03-31T00:00:00.001Z", "2026-03-31"),
                         ("2026-03-31T02:00:00+02:00", "2026-03-30")]:
        with Bench(binary) as bench:
            run_with(bench, "--as-of", as_of)
            assert os.path.isdir(bench.path(f"out/rubbish/{night}")), os.listdir(bench.path("out/rubbish"))


def back_fill_is_night_by_night(binary):
    with Bench(binary) as bench:
        dates = ["2026-03-28", "2026-03-29", "2026-03-30"]
        run_with(bench, "--from", dates[0], "--to", dates[-1])
        for date in dates:
            run_with(bench, "--date", date, output="single")
            for name in TABLES:
                one, two = (bench.read(f"{out}/rubbish/{date}/{name}") for out in ("out", "single"))
                assert one == two, f"{date}: {name} differs"
        assert os.path.realpath(bench.path("out/rubbish/latest")).endswith(dates[-1])


def history_keeps_every_night_once(binary):
    with Bench(binary) as bench:
        for date in ("2026-03-28", "2026-03-29", "2026-03-28"):
            run_with(bench, "--date", date)
        found = [os.path.join(root, "results.sqlite") for root, _, files in os.walk(bench.path("out")) if "results.sqlite" in files]
        assert len(found) == 1, found
        base = sqlite3.connect(found[0])
        try:
            for name in TABLES:
                rows = len(table(bench.path("out/rubbish/2026-03-29"), name))
                stored = base.execute(f"SELECT as_of, count(*) FROM {name[:-4]} GROUP BY as_of").fetchall()
                assert len(stored) == 2 or not rows, f"{name}: {stored}"
                assert not rows or dict(stored)["2026-03-30T00:00:00Z"] == rows, f"{name}: {stored}, CSV has {rows}"
            for view in ("latest_decisions", "lift_over_time"):
                base.execute(f"SELECT * FROM {view}").fetchall()
            assert base.execute("PRAGMA user_version").fetchone()[0] > 0, "user_version is not set"
            assert base.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        finally:
            base.close()


def a_newer_history_is_refused(binary):
    with Bench(binary) as bench:
        run_with(bench, "--date", "2026-03-28")
        path = next(os.path.join(root, "results.sqlite") for root, _, files in os.walk(bench.path("out")) if "results.sqlite" in files)
        base = sqlite3.connect(path)
        base.execute("PRAGMA user_version = 9999")
        base.commit()
        base.close()
        before = bench.snapshot()
        ran = bench.run([binary, "run", bench.path("job.yml"), "--date", "2026-03-29", "--output", bench.path("out")])
        clean(ran)
        assert ran.code not in (0, 64), ran.code
        assert "results.sqlite" in ran.err, ran.err
        assert bench.snapshot() == before, "old results were touched"


def an_older_night_does_not_move_latest_back(binary):
    """`latest` points at the newest night, whichever was computed last."""
    with Bench(binary) as bench:
        run_with(bench, "--date", "2026-03-29")
        run_with(bench, "--date", "2026-03-28")
        assert os.path.realpath(bench.path("out/rubbish/latest")).endswith("2026-03-29")


def strict_tells_failed_checks(binary):
    with Bench(binary) as bench:
        users = "".join(f"u{i},spring,{'control' if i % 9 else 'group_a'},2026-03-09\n" for i in range(300))
        bench.write("assignments.csv", "user_id,offering,group,assigned_at\n" + users)
        command = bench.command()
        assert bench.run(command).code == 0
        assert {row["decision"] for row in table(bench.path("out/rubbish/latest"), "comparisons.csv")} == {"do_not_trust"}
        ran = bench.run([*command, "--strict"])
        clean(ran)
        assert ran.code == 3, ran.code


CASES = [
    a_date_is_the_end_of_its_day, the_night_is_the_date_before_the_cut_off, back_fill_is_night_by_night,
    history_keeps_every_night_once, a_newer_history_is_refused, an_older_night_does_not_move_latest_back,
    strict_tells_failed_checks,
]
