"""The tables of jobs/methods.md that hold our figures against those of others for the same data.

What others say stands in Tests/Oracles/differences.json; ours is asked of the program here. Run by itself it writes the tables.
"""

import csv
import io
import json
import os
import subprocess

import nights
from marked import Section

SECTION = Section("methods.md", "<!-- the same data elsewhere -->\n", "<!-- end of the same data elsewhere -->\n")
PEERS = ["SciPy", "statsmodels", "gbstats", "tea-tasting", "SQL by hand"]


def told():
    with open(os.path.join(nights.ROOT, "Tests", "Oracles", "differences.json"), encoding="utf-8") as file:
        return json.load(file)


def ours(data, *options):
    """The comparisons that `offerlift analyze` makes of the sums, by the data's name."""
    lines = io.StringIO()
    table = csv.writer(lines, lineterminator="\n")
    fields = ["n", "sum_y", "sum_yy", "sum_x", "sum_xx", "sum_xy"]
    table.writerow(["test_group_id", "metric", "kind", "primary", *fields])
    for name, case in data.items():
        for group in ("control", "other"):
            table.writerow([group, name, case["kind"], "false", *(case[group][field] for field in fields)])
    command = [nights.BINARY, "analyze", "-", "--baseline", "control", "--adjust", "none", *options]
    done = subprocess.run(command, input=lines.getvalue(), capture_output=True, text=True, timeout=60)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return {row["metric"]: row for row in csv.DictReader(io.StringIO(done.stdout))}


def ratio_of_groups(counts):
    """The p-value of the sample ratio that may be read every night."""
    table = "test_group_id,metric,kind,n,sum_y\n" + "".join(f"{group},m,proportion,{n},{n // 2}\n" for group, n in zip("ab", counts))
    command = [nights.BINARY, "analyze", "-", "--weights", "a=1,b=1", "--format", "json"]
    done = subprocess.run(command, input=table, capture_output=True, text=True, timeout=60)
    return next(check["p_value"] for check in json.loads(done.stdout)["checks"] if check["check"] == "sample_ratio_sequential")


def p_words(p):
    return "–" if p in (None, "") else "0" if float(p) == 0 else f"{float(p):.2g}" if float(p) >= 1e-4 else "< 0.0001"


def percent(part):
    return f"{100 * part:.1f}"


def interval_words(interval):
    if not interval or interval[0] in (None, ""):
        return "–"
    return " to ".join(f"{100 * float(end):+.1f}".replace("-", "−") for end in interval)


def size(case):
    """`410 of 10,000 against 480 of 10,000 users`."""
    unit, of = {"proportion": ("", "n"), "mean": (" USD", "n"), "ratio": ("", "sum_x")}[case["kind"]]
    words = lambda group: f"{float(group['sum_y']):,.2f}".removesuffix(".00") + f"{unit} of {group[of]:,}"
    return f"{words(case['control'])} against {words(case['other'])}" + (" charges" if of == "sum_x" else " users")


def reasons(rates):
    """Who is right about what, with how often the others are wrong."""
    look, night, lift = rates["one look"], rates["nightly"], rates["lifts"]
    return {
        "share": "All near: SciPy and tea-tasting add Yates' correction, SQL takes each group's own variance, gbstats tests the lift over its delta error.",
        "share, 20 : 1": f"The pooled share. Where groups are alike p < 5 % comes to {percent(look['score'])} % of tests by it, to {percent(look['wald'])} by each group's own variance, to {percent(look['delta'])} by gbstats, exactly counted; Yates' correction errs on the safe side.",
        "share, few": "Exact tests: four are expected in a group. Fisher's (ours) and Barnard's (tea-tasting) both hold what they promise, Barnard's with more power: `exact: boschloo`. z and Wald do not hold.",
        "money, 4 : 1": f"Welch. SciPy's and statsmodels' t test pools variances unless told otherwise: where the smaller group varies twice as much it calls {percent(rates['pooled']['student'])} % where 5 % are promised, Welch's {percent(rates['pooled']['welch'])}.",
        "money, few payers": "The test of the difference, which nothing is divided in. gbstats divides by an error taken at the measured lift: rises weigh less by it, and falls more.",
        "one price each": "Nobody: nothing varies, so nothing tells how much is chance. Ours is empty, and a check says why; a p of 0 is the rounding of equal numbers.",
        "refunds of charges": f"Users, not charges: charges of one user are refunded together. By charge {percent(rates['clustered']['by charge'])} % of tests of equal groups have p < 5 %.",
        "lift": f"Fieller's: of a lift of 67 % on a baseline known to 18 % it holds the truth in {percent(lift['fieller'])} % of tests, gbstats' delta in {percent(lift['delta'])} ({percent(lift['delta too low'])} % of its misses lie too low), tea-tasting's log {percent(lift['log'])}, a baseline taken for known {percent(lift['known'])}. Koopman's is the same for shares.",
        "night": f"Of equal groups of 20 : 1 looked at on 28 nights ours calls {percent(night['ours'])} %, gbstats {percent(night['growthbook'])} ({percent(night['growthbook, enough'])} where it waits for as many conversions as ours), p < 5 % {percent(night['fixed'])}.",
    }


def line(*cells):
    return "| " + " | ".join(cells) + " |\n"


def head(first, last):
    names = [first, "offerlift", *PEERS, last]
    return line(*names) + line(*(["---"] * len(names)))


def tables():
    """All of it, as Markdown."""
    oracle = told()
    data, why = oracle["data"], reasons(oracle["rates"])
    own = ours(data, "--decide-by", "fixed")
    text = "p-values of a single look:\n\n" + head("data", "who is right")
    for name, case in data.items():
        text += line(f"{name}: {size(case)}", p_words(own[name]["p_value"]), *(p_words(case["answers"][peer]["p"]) for peer in PEERS), why[name])
    text += "\nIntervals of the lift, %:\n\n" + head("data", "who is right")
    for name in ["share", "share, 20 : 1", "money, 4 : 1", "money, few payers"]:
        case, mine = data[name], (own[name]["rel_ci_low"], own[name]["rel_ci_high"])
        said = [interval_words(case["answers"][peer]["interval"]) for peer in PEERS]
        text += line(name, interval_words(mine), *said, why["lift"] if name == "share" else "as above")
    nightly = ours(data)
    text += "\nRead every night, p-value and interval of the lift, %:\n\n" + line("data", "offerlift", "gbstats", "who is right") + line(*["---"] * 4)
    for name in ["share", "share, 20 : 1", "money, 4 : 1"]:
        row, other = nightly[name], data[name]["sequential"]
        mine = (row["seq_rel_ci_low"], row["seq_rel_ci_high"])
        text += line(name, f"{p_words(row['seq_p_value'])}; {interval_words(mine)}", f"{p_words(other['p'])}; {interval_words(other['interval'])}",
                     why["night"] if name == "share" else "as above")
    chance, ratio = float(own["share"]["chance_to_win"]), oracle["ratio of groups"]
    text += f"\n`chance_to_win` of the first line is {chance:.4f} here and {oracle['chance to win']:.4f} in gbstats, with a flat prior. "
    text += (f"Groups of {ratio['counts'][0]:,} and {ratio['counts'][1]:,} where halves were meant: p = {p_words(ratio['SciPy'])} in SciPy and gbstats, "
             f"{p_words(ratio['tea-tasting'])} in tea-tasting, {p_words(ratio_of_groups(ratio['counts']))} here: a χ² of 1 % read on 28 nights fails "
             f"{percent(ratio['called'])} % of sound tests.\n")
    versions = ", ".join(f"{name} {version}" for name, version in oracle["versions"].items())
    return text + f"\nVersions: {versions} (DuckDB ran the SQL).\n"


if __name__ == "__main__":
    SECTION.write(tables())
