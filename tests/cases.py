"""The lit test format of the suites in this folder: a grid of cases, one command each.

lit's own format takes a test from a file. Here a folder's lit.local.cfg names the cases
(examples at limits, seeds, processors) and gives the arguments of each; the script `case.sh`
beside it runs ONE of them. What follows is lit's: filters, processes at once, timeouts,
reports.

A script says what came out by its exit status, and in words on its last lines:

  0       the case passes
  77      nothing can be said: the budget is proved too small by one instruction, the
          program has no defined behaviour, no fault can be planted. lit's UNSUPPORTED,
          which counts neither as passed nor as failed
  other   the case fails

A line "metric NAME NUMBER" is a number for the rules over all cases of a suite: see run.py.

A script runs in the repository's root with a folder of its own, $CASE, which is removed
when the case passes, and with SHARED, the folder of its suite, for what cases build once
(tests/common.sh). It is ended, with all its children, after its timeout.
"""

import glob
import os
import re
import resource
import shutil
import signal
import subprocess

import lit.formats
import lit.Test

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DECLINED = 77
MOST_OUTPUT = 20_000
METRIC = re.compile(r"^metric ([a-z-]+) ([0-9.]+)\n?", re.M)


class Case(lit.Test.Test):
    """A case: where its script is, and the script's arguments."""

    def __init__(self, suite, folder, config, name, arguments):
        super().__init__(suite, folder + (name,), config)
        self.script = os.path.join(suite.getSourcePath(folder), "case.sh")
        self.shared = os.path.join(suite.getExecPath(folder))
        self.arguments = [str(argument) for argument in arguments]


class Cases(lit.formats.TestFormat):
    """The cases of one folder: pairs of a name and the arguments of its case.sh.

    Requires: names differ, and are the names of files that could be. `timeout` is in
    seconds of one case; lit's --timeout, if shorter, holds.
    """

    def __init__(self, cases, timeout=300, environment=()):
        self.cases = list(cases)
        self.timeout = timeout
        self.environment = dict(environment)
        names = [name for name, _ in self.cases]
        twice = {name for name in names if names.count(name) > 1}
        if twice:
            raise ValueError("cases of the same name: " + " ".join(sorted(twice)))

    def getTestsInDirectory(self, testSuite, path_in_suite, litConfig, localConfig):
        # A folder below inherits its parent's configuration, but has not its cases.
        if os.path.exists(os.path.join(testSuite.getSourcePath(path_in_suite), "case.sh")):
            for name, arguments in self.cases:
                yield Case(testSuite, path_in_suite, localConfig, name, arguments)

    def execute(self, test, litConfig):
        folder = test.getExecPath()
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        environment = dict(test.config.environment, **self.environment)
        environment.update(CASE=folder, SHARED=test.shared)
        timeout = min(self.timeout, litConfig.maxIndividualTestTime or self.timeout)
        before = processor_time()
        status, output = run(["bash", test.script] + test.arguments, environment, timeout)

        if status is None:
            code, output = lit.Test.TIMEOUT, output + f"\nended after {timeout} seconds"
        elif status == 0:
            code = lit.Test.PASS
        elif status == DECLINED:
            code = lit.Test.UNSUPPORTED
        else:
            code, output = lit.Test.FAIL, output + f"\nexit status {status}, see {folder}"
        if not code.isFailure:
            shutil.rmtree(folder, ignore_errors=True)
        result = lit.Test.Result(code, METRIC.sub("", output)[-MOST_OUTPUT:])
        for name, number in METRIC.findall(output):
            result.addMetric(name, lit.Test.RealMetricValue(float(number)))
        result.addMetric("processor", lit.Test.RealMetricValue(processor_time() - before))
        return result


def run(command, environment, timeout):
    """Exit status and output; the status is None if the time was over. Whatever the
    command has started is ended with it."""
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        output, _ = process.communicate(timeout=timeout)
        status = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        status = None
    return status, output.decode(errors="replace")


def processor_time():
    """Seconds of processor time of all children that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def parameter(lit_config, name, quick, full):
    """The text of a parameter: as given, or what a quick or a full run has."""
    size = lit_config.params.get("size", os.environ.get("SIZE", "quick"))
    if size not in ("quick", "full"):
        lit_config.fatal(f"size is quick or full, not {size!r}")
    default = quick if size == "quick" else full
    return lit_config.params.get(name, os.environ.get(name.upper(), str(default)))


def seeds(lit_config, quick, full):
    """The seeds that the parameters "first" and "count" ask for."""
    first = int(parameter(lit_config, "first", 1, 1))
    return range(first, first + int(parameter(lit_config, "count", quick, full)))


def examples():
    """The names of the examples as scripts/compile_examples.sh has them."""
    folder = os.path.join(ROOT, "examples")
    files = glob.glob(folder + "/*.cu") + glob.glob(folder + "/cub/*.cu")
    names = [os.path.relpath(file, folder) for file in files]
    return sorted(name.replace("/", "-").removesuffix(".cu") for name in names)
