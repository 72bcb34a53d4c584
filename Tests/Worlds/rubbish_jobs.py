"""Bad job files, bad command lines, inputs that are not there, outputs that cannot be."""

import os

from bench import JOB, T, Bench, clean, fails_untouched, refused


def job_line(bench, word):
    """`line N` of the job file's first line with this word."""
    lines = bench.read("job.yml").decode().splitlines()
    number = next(i for i, line in enumerate(lines, 1) if word in line)
    return (f"line {number}", f"job.yml:{number}")


def wrong_keys(binary):
    """The message names the line and the key that was meant."""
    for old, new, wrong, nearest in [
        ("metrics:", "metricz:", "metricz", "metrics"),
        ("window: 7d, primary", "windw: 7d, primary", "windw", "window"),
        ("format: csv", "fromat: csv", "fromat", "format"),
        ("primary: true", "primry: true", "primry", "primary"),
        ("job: rubbish", "job: rubbish\nconfidense: 0.9", "confidense", "confidence"),
        ("job: rubbish", "job: rubbish\nmax_reject_ration: 0.5", "max_reject_ration", "max_reject_ratio"),
    ]:
        with Bench(binary) as bench:
            bench.publish()
            bench.edit_job(old, new)
            fails_untouched(bench, 78, "job.yml", wrong, nearest, job_line(bench, wrong))


def wrong_values(binary):
    for old, new, word in [
        ("window: 7d, primary", "window: soon, primary", "soon"),
        ("name: revenue_net", "name: revenue_nett", "revenue_net"),
        ("job: rubbish", "job: ../rubbish", "../rubbish"),
        ("job: rubbish", "job: rubbish\ntimezone: Mars/Base", "Mars/Base"),
        ("job: rubbish", "job: rubbish\npopulation: everyone", "everyone"),
        ("job: rubbish", "job: rubbish\nconfidence: 95", "confidence"),
        ("job: rubbish", "job: rubbish\nmax_reject_ratio: -1", "max_reject_ratio"),
        ("format: events", "format: evnets", "events"),
        ("metrics:", "metrics: []\nx_metrics:", "metrics"),
        ("name: paying_conversion", "name: revenue_net", "revenue_net_7d"),
        ("job: rubbish\n", "", "job"),
    ]:
        with Bench(binary) as bench:
            bench.publish()
            bench.edit_job(old, new)
            fails_untouched(bench, 78, "job.yml", word)


def broken_yaml(binary):
    for text in ("job: [rubbish\nmetrics: }", "\t- x", "just words", "", "- a\n- b", "job: rubbish\njob: twice\n" + JOB[13:],
                 "\0\0\0", "&a [*a, *a]", "a: " * 3000):
        with Bench(binary) as bench:
            bench.publish()
            bench.write("job.yml", text)
            fails_untouched(bench, 78, "job.yml")


def yaml_bomb(binary):
    """Nine levels of nine aliases: bounded, whatever it is called."""
    levels = ["surplus:", "  a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    levels += [f"  a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 10)]
    with Bench(binary) as bench:
        bench.write("job.yml", JOB + "\n".join(levels) + "\n")
        ran = bench.run(seconds=30)
        refused(ran, 78, "job.yml")
        assert ran.megabytes < 700, ran.megabytes


def wrong_column(binary):
    with Bench(binary) as bench:
        bench.publish()
        bench.edit_job("user: user_id", "user: userr")
        fails_untouched(bench, (65, 66, 78), "assignments.csv", "userr", "user_id")


def wrong_column_of_orders(binary):
    job = JOB.replace("format: events\n", "format: events-csv\n    columns: {userId: customer, price: totals}\n"
                      "    defaults: {eventType: purchase, currency: USD}\n")
    with Bench(binary, job) as bench:
        bench.write("purchases-1.jsonl.gz", "customer,occurredAt,productId,total\nu1,2026-03-12,p,1\n")
        refused(bench.run(), (65, 66, 78), "purchases-1", "totals", "customer")
        bench.write("purchases-1.jsonl.gz", "customer,productId,totals\nu1,p,1\n")
        refused(bench.run(), (65, 66, 78), "purchases-1", "occurredAt")


def wrong_catalog_column(binary):
    job = JOB + "products: {path: products.csv, format: csv}\n"
    with Bench(binary, job) as bench:
        bench.write("products.csv", "sku,kind\nweekly_799,auto_renewable\n")
        refused(bench.run(), (65, 66, 78), "products.csv", "product_id")
        bench.write("products.csv", "product_id,kind\nweekly_799,sometimes_renewable\n")
        refused(bench.run(), (65, 78), "products.csv", "sometimes_renewable")


def missing_inputs(binary):
    for change in [("path: purchases-*", "path: nothing-*"), ("path: assignments.csv", "path: nothing.csv")]:
        with Bench(binary) as bench:
            bench.publish()
            bench.edit_job(*change)
            fails_untouched(bench, 66, "nothing")
    with Bench(binary) as bench:
        bench.publish()
        bench.add_to_job("products: {path: nothing.csv, format: csv}\n")
        fails_untouched(bench, 66, "nothing.csv")


def nothing_to_compare_with(binary):
    """No baseline among several groups, and one that is none of them."""
    with Bench(binary) as bench:
        bench.publish()
        bench.write("assignments.csv", bench.read("assignments.csv").replace(b",control,", b",No E-Mail,"))
        fails_untouched(bench, 78, "No E-Mail", "group_a", "baseline:")
        bench.add_to_job("baseline: group_b\n")
        fails_untouched(bench, 78, job_line(bench, "group_b"), "group_a")


def names_of_nothing(binary):
    for change in [("path: assignments.csv", 'path: ""'), ("metrics:", "questions:\n  - {ask: Why, checks: [duplicates]}\nmetrics:"),
                   ("metrics:", "warn_levels: {sandboxes: 0.1}\nmetrics:"), ("format: csv", "format: csv\n    attributes: [contry]")]:
        with Bench(binary) as bench:
            bench.publish()
            bench.edit_job(*change)
            fails_untouched(bench, 78, ("path", "duplicate", "sandbox", "contry"))


def optional_input(binary):
    with Bench(binary) as bench:
        bench.edit_job("metrics:", "  - path: nothing-*\n    format: events\n    optional: true\nmetrics:")
        ran = bench.run()
        clean(ran)
        assert ran.code == 0, ran.err


def missing_job(binary):
    with Bench(binary) as bench:
        os.remove(bench.path("job.yml"))
        refused(bench.run(), (66, 78), "job.yml")


def folder_as_input(binary):
    with Bench(binary) as bench:
        bench.publish()
        os.mkdir(bench.path("purchases-2"))
        ran = bench.run()
        clean(ran)
        assert ran.code in (0, 65, 66, 74), ran.code
        assert ran.code == 0 or "purchases-2" in ran.err, ran.err


def output_below_a_file(binary):
    with Bench(binary) as bench:
        before = bench.publish()
        bench.write("plain", "a file")
        refused(bench.run(output=bench.path("plain/reports")), 73, "plain")
        assert bench.read("plain") == b"a file"
        assert bench.snapshot() == before


def output_name_taken(binary):
    with Bench(binary) as bench:
        os.mkdir(bench.path("out"))
        bench.write("out/rubbish", "a file where the job's folder should be")
        refused(bench.run(), 73, "rubbish")


def usage(binary):
    with Bench(binary) as bench:
        job = bench.path("job.yml")
        for arguments in [["run"], ["run", "--nonsense", job], ["frobnicate"], ["run", job, "--as-of", "tomorrow"],
                          ["run", job, "--date", "2026-02-30"], ["run", job, "--threads", "none"],
                          ["run", job, "--threads", "0"], ["run", job, "--as-of", T, "--date", "2026-03-30"],
                          ["run", job, "--from", "2026-03-30", "--to", "2026-03-01"]]:
            ran = bench.run([binary, *arguments])
            clean(ran)
            assert ran.code == 64, f"{arguments[1:] or arguments}: exit {ran.code}: {ran.err[-200:]}"
            assert ran.err.strip(), "no message"
            assert not os.path.exists(bench.path("out")), "something was written"


def help_everywhere(binary):
    with Bench(binary) as bench:
        for arguments in (["--help"], ["run", "--help"], ["check", "--help"], ["analyze", "--help"], ["--version"]):
            ran = bench.run([binary, *arguments])
            clean(ran)
            assert ran.code == 0 and ran.out.strip(), f"{arguments}: exit {ran.code}"


def check_writes_nothing(binary):
    with Bench(binary) as bench:
        before = sorted(os.listdir(bench.folder))
        ran = bench.run([binary, "check", bench.path("job.yml")])
        clean(ran)
        assert ran.code == 0, ran.err
        assert sorted(name for name in os.listdir(bench.folder) if name not in (".stdout", ".stderr")) == before
        bench.edit_job("window: 7d, primary", "windw: 7d, primary")
        bench.edit_job("path: purchases-*", "path: nothing-*")
        ran = bench.run([binary, "check", bench.path("job.yml")])
        clean(ran)
        said = ran.err + ran.out
        assert ran.code in (66, 78), ran.code
        assert "windw" in said and "nothing-*" in said, f"not every problem at once: {said}"


def early_cut_off(binary):
    """A cut-off before everything is a night without users, not an error."""
    with Bench(binary) as bench:
        ran = bench.run(as_of="2001-01-01T00:00:00Z")
        clean(ran)
        assert ran.code == 0, ran.err
        assert bench.reasons() == {"after_cutoff": 500}, bench.reasons()


CASES = [
    wrong_keys, wrong_values, broken_yaml, yaml_bomb, wrong_column, wrong_column_of_orders, wrong_catalog_column,
    missing_inputs, nothing_to_compare_with, names_of_nothing, optional_input, missing_job, folder_as_input, output_below_a_file, output_name_taken,
    usage, help_everywhere, check_writes_nothing, early_cut_off,
]
