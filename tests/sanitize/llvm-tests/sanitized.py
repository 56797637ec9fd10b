"""lit's format for shell tests, with sanitizers: every report is a failure of its test.

Reports go to files, so that no test can take one for the error that it expects (`not llc`
would be content with a crash), and so that none is lost between FileCheck and /dev/null.
"""

import glob
import os
import shutil
import zlib

import lit.formats
import lit.Test

ADDRESS = "detect_leaks=1:detect_stack_use_after_return=1:strict_string_checks=1:exitcode=99"
UNDEFINED = "print_stacktrace=1"


class Sanitized(lit.formats.ShTest):
    """One of `every` tests, chosen by name, so that the same file is always in or out."""

    def __init__(self, every):
        super().__init__(execute_external=False)
        self.every = every

    def getTestsForPath(self, testSuite, path_in_suite, litConfig, localConfig):
        for test in super().getTestsForPath(testSuite, path_in_suite, litConfig, localConfig):
            if zlib.crc32("/".join(path_in_suite).encode()) % self.every == 0:
                yield test

    def execute(self, test, litConfig):
        reports = test.getExecPath() + ".reports"
        shutil.rmtree(reports, ignore_errors=True)
        os.makedirs(reports)
        where = ":log_path=" + os.path.join(reports, "report")
        test.config.environment["ASAN_OPTIONS"] = ADDRESS + where
        test.config.environment["UBSAN_OPTIONS"] = UNDEFINED + where
        result = super().execute(test, litConfig)
        found = sorted(glob.glob(reports + "/report*"))
        if not found:
            return result
        with open(found[0], errors="replace") as file:
            return lit.Test.Result(lit.Test.FAIL, found[0] + "\n" + file.read(8000))
