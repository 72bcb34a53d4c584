"""What run.sh can be asked for."""

import argparse

from case import FORMATS, Case

WHAT = "Measures `offerlift run` and its peers on the same files, in turns, and prints tables of ratios."


def read_options() -> argparse.Namespace:
    """What run.sh was asked for; `run` is passed on."""
    parser = argparse.ArgumentParser(prog="Benchmarks/run.sh", description=WHAT)
    parser.add_argument("--binary", required=True, help="the offerlift to measure (default: this checkout, built)")
    parser.add_argument("--repeat", type=int, default=5, help="turns after the warm-up (default: 5)")
    parser.add_argument("--peers", default="all", help="all, none, or of: igzip,duckdb,polars,pandas (default: all)")
    parser.add_argument("--scale", type=float, default=1.0, help="times the rows and users: 0.1, 1, 4 (default: 1)")
    parser.add_argument("--users", type=int, help="share the rows among so many users")
    parser.add_argument("--metrics", type=int, help="of the job: 5, 50 (default: the seven of nightly.job.yml)")
    parser.add_argument("--threads", type=int, default=2, help="of offerlift and its peers (default: 2)")
    parser.add_argument("--format", choices=FORMATS, default="events", help="of the purchase log (default: events)")
    parser.add_argument("--one-file", action="store_true", help="the purchase log in one gzip file, not in 16")
    parser.add_argument("--nights", type=int, default=1, help="back-fill so many nights, the log's end the last")
    parser.add_argument("--scalings", action="store_true", help="then each of these, one at a time")
    parser.add_argument("--containers", action="store_true", help="then the log in every container")
    parser.add_argument("--waits", action="store_true", help="then what people wait for: late files, next nights, 1,000 tests")
    parser.add_argument("--quick", action="store_true", help="everything once, at a fiftieth: do the scripts work?")
    parser.add_argument("run", nargs="*", help="after --: passed on to offerlift run")
    return parser.parse_args()


def base_case(options: argparse.Namespace) -> Case:
    """The case that the options describe."""
    return Case(
        format=options.format,
        scale=0.02 if options.quick else options.scale,
        users=options.users,
        metrics=options.metrics,
        threads=options.threads,
        one_file=options.one_file,
        nights=options.nights,
        options=tuple(options.run),
    )
