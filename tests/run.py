#!/usr/bin/python3
"""Runs lit on suites, and judges what only all cases of a suite together can show.

usage: run.py [--results NAME] [--least PERCENT] [lit's options and folders]
       (default: all suites of this folder; NAME is target/test/suites)

lit counts. What is added here, unless --filter chooses cases:

- a suite in which no case has passed has shown nothing, and fails;
- the passes over IR must have changed something in each "prepared" suite;
- of the planted faults, a share of `least` percent must show (default 95, or LEAST of the
  environment).

Prints a line for each suite and, last, "N passed, N failed". Unsupported cases, which say
nothing (see cases.py), are counted apart. The same is in NAME.xml for whoever reads
JUnit's form, and in NAME.json with the output of each case.
"""

import argparse
import collections
import json
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LIT = "/usr/lib/llvm-22/bin/lit"
PASSED = {"PASS", "FLAKYPASS", "XFAIL"}
SAYS_NOTHING = {"UNSUPPORTED"}


class Suite:
    """What came out of the cases of one suite."""

    def __init__(self):
        self.passed = self.failed = self.unsupported = 0
        self.sums = collections.Counter()

    def add(self, case):
        if case["code"] in PASSED:
            self.passed += 1
        elif case["code"] in SAYS_NOTHING:
            self.unsupported += 1
        else:
            self.failed += 1
        for name, number in case.get("metrics", {}).items():
            self.sums[name] += number


def suite_of(name):
    """The suite of a case: "suites :: kernels/gemm.24" is of kernels."""
    suite, path = name.split(" :: ")
    return path.split("/")[0] if suite == "suites" else suite


def objections(name, suite, least):
    """What is wrong with a suite as a whole."""
    if suite.passed == 0:
        yield "no case has passed: nothing is shown"
    if name.startswith("prepared-") and suite.sums["changed"] == 0:
        yield "the passes over IR changed nothing"
    if name == "planted-faults":
        shown, hidden = suite.sums["shown"], suite.sums["hidden"]
        print(f"{shown:.0f} of {shown + hidden:.0f} planted faults show")
        if shown * 100 < least * (shown + hidden):
            yield f"less than {least:.0f} percent of the planted faults show"


def wanted(folders):
    """The suites of which some case must pass: those that are folders on the command line."""
    names = set()
    for folder in folders:
        path = os.path.relpath(os.path.abspath(folder), os.path.join(ROOT, "tests"))
        if path == ".":
            found = os.listdir(os.path.join(ROOT, "tests"))
            names |= {n for n in found if os.path.exists(f"{ROOT}/tests/{n}/case.sh")}
            names.discard("prepared-corpus")  # only on request
        elif "/" not in path and path != "..":
            names.add(path)
    return names


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1], add_help=False)
    parser.add_argument("--results", default=os.path.join(ROOT, "target/test/suites"))
    parser.add_argument("--least", type=float, default=float(os.environ.get("LEAST", "95")))
    own, rest = parser.parse_known_args()
    folders = [word for word in rest if os.path.isdir(word)]
    if not folders:
        folders = [os.path.join(ROOT, "tests")]
        rest += folders
    os.makedirs(os.path.dirname(os.path.abspath(own.results)), exist_ok=True)
    report = own.results + ".json"
    if os.path.exists(report):
        os.remove(report)
    xml = own.results + ".xml"
    status = subprocess.run([LIT, "-o", report, "--xunit-xml-output", xml, *rest]).returncode
    if not os.path.exists(report):
        print("FAIL lit ended without a report")
        print("0 passed, 1 failed")
        return 1

    suites = collections.defaultdict(Suite)
    # A part of a suite says nothing of the whole.
    whole = not any(word.startswith("--filter") for word in rest)
    for name in wanted(folders) if whole else ():
        suites[name].passed += 0
    with open(report) as file:
        for case in json.load(file)["tests"]:
            suites[suite_of(case["name"])].add(case)
    passed = failed = 0
    for name, suite in sorted(suites.items()):
        wrong = list(objections(name, suite, own.least)) if whole else []
        print(
            f"{name}: {suite.passed} passed, {suite.failed} failed,"
            f" {suite.unsupported} say nothing, {suite.sums['processor']:.0f} s of a processor"
        )
        for objection in wrong:
            print(f"FAIL {name}: {objection}")
        passed += suite.passed
        failed += suite.failed + len(wrong)
    # lit itself ended badly, though no case has failed.
    if status and not failed:
        print(f"FAIL lit ended with status {status}")
        failed = 1
    print(f"{passed} passed, {failed} failed")
    return int(failed > 0 or passed == 0)


sys.exit(main())
