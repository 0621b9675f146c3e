"""Make the golden files again: `python -m tests.golden.make [--check] [--only python] [NAME ...]`, from the root of the checkout.

Without --check the files are written; with it, they are left alone and the largest relative difference of each from what
is made now is told. Sampled values have fixed seeds, but other versions of the software may draw otherwise: they are told
apart, and judge nothing. `needs` says what has to be installed; `make golden` installs the Python part of it.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from importlib import import_module

from tests.golden import needs
from tests.golden.tools import HERE, Golden, differences, is_drawn, largest

MAKERS = {
    "two_sample": "make_two_sample:make",
    "mack_skillings": "make_blocked:mack_skillings",
    "skillings_mack": "make_blocked:skillings_mack",
    "friedman": "make_blocked:friedman",
    "van_elteren": "make_blocked:van_elteren",
    "stratified": "make_blocked:stratified",
    "exact_null": "make_blocked:exact_null",
    "nemenyi_q": "make_ranges:make",
    "multiplicity": "make_multiplicity:make",
    "bootstrap": "make_bootstrap:make",
    "profiles": "make_profiles:make",
    "rliable": "make_rliable:make",
    "sequential": "make_sequential:make",
}
OF_PYTHON = {
    "two_sample": "make_two_sample:make_without_r",
    "stratified": MAKERS["stratified"],
    "exact_null": MAKERS["exact_null"],
    "nemenyi_q": MAKERS["nemenyi_q"],
    "profiles": MAKERS["profiles"],
    "rliable": MAKERS["rliable"],
}
"""Generators that need no R; the values that R gave to two_sample.json stay as they are committed."""
TOLERANCE = 1e-9


def golden_of(maker: str) -> Golden:
    """Run a generator, named as module:function."""
    module, function = maker.split(":")
    return getattr(import_module(f"tests.golden.{module}"), function)()


def check(name: str, maker: str) -> bool:
    """Tell how far the committed file is from what is made now; return whether that is within the tolerance."""
    golden = json.loads((HERE / f"{name}.json").read_text(encoding="utf-8"))
    pairs = list(differences(golden["cases"], asdict(golden_of(maker))["cases"]))
    where, worst = largest(pair for pair in pairs if not is_drawn(pair[0]))
    print(f"{name}: {len(pairs)} numbers, largest relative difference {worst:.1e}{where}", flush=True)
    where, drawn = largest(pair for pair in pairs if is_drawn(pair[0]))
    if drawn:
        print(f"  of sampled values {drawn:.1e}{where}", flush=True)
    return worst <= TOLERANCE


def main() -> int:
    """Write or check the files that were named, or all."""
    parser = argparse.ArgumentParser(description="Make the golden files again.")
    parser.add_argument("--check", action="store_true", help="write nothing; tell the largest differences")
    parser.add_argument("--only", choices=["python"], help="the files, and the values, that need no R")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(MAKERS))
    arguments = parser.parse_args()
    makers = OF_PYTHON if arguments.only else MAKERS
    names = arguments.names or list(makers)
    if unknown := set(names) - set(MAKERS):
        parser.error(f"no such golden file: {', '.join(sorted(unknown))}")
    if of_r := set(names) - set(makers):
        parser.error(f"made by R: {', '.join(sorted(of_r))}; without R there are {', '.join(makers)}")
    needs.stop(needs.missing_python(), None if arguments.only else needs.missing_r(), needs.missing_packages())
    if arguments.check:
        agreed = [check(name, makers[name]) for name in names]
        return 0 if all(agreed) else 1
    for name in names:
        (HERE / f"{name}.json").write_text(golden_of(makers[name]).text(), encoding="utf-8")
        print(f"wrote {name}.json", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
