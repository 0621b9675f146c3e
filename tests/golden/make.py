"""Make the golden files again: `python -m tests.golden.make [--check] [NAME ...]`, from the root of the checkout.

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
TOLERANCE = 1e-9


def made(name: str) -> Golden:
    """Run the generator of one file."""
    module, function = MAKERS[name].split(":")
    return getattr(import_module(f"tests.golden.{module}"), function)()


def check(name: str) -> bool:
    """Tell how far the committed file is from what is made now; return whether that is within the tolerance."""
    golden = json.loads((HERE / f"{name}.json").read_text(encoding="utf-8"))
    found = list(differences(golden["cases"], asdict(made(name))["cases"]))
    where, worst = largest(pair for pair in found if not is_drawn(pair[0]))
    print(f"{name}: {len(found)} numbers, largest relative difference {worst:.1e}{where}", flush=True)
    where, drawn = largest(pair for pair in found if is_drawn(pair[0]))
    if drawn:
        print(f"  of sampled values {drawn:.1e}{where}", flush=True)
    return worst <= TOLERANCE


def main() -> int:
    """Write or check the files that were named, or all."""
    parser = argparse.ArgumentParser(description="Make the golden files again.")
    parser.add_argument("--check", action="store_true", help="write nothing; tell the largest differences")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(MAKERS))
    arguments = parser.parse_args()
    names = arguments.names or list(MAKERS)
    if unknown := set(names) - set(MAKERS):
        parser.error(f"no such golden file: {', '.join(sorted(unknown))}")
    needs.stop(needs.missing_python(), needs.missing_r(), needs.missing_packages())
    if arguments.check:
        agreed = [check(name) for name in names]
        return 0 if all(agreed) else 1
    for name in names:
        (HERE / f"{name}.json").write_text(made(name).text(), encoding="utf-8")
        print(f"wrote {name}.json", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
