"""A driver that stands in for a GPU: what is loaded and launched is noted, and a launch takes
the time that the test says."""

import types

from triton import testing
from triton.backends.compiler import GPUTarget


class Driver:
    """As much of a driver as Triton needs to compile for a launch."""

    def __init__(self, sm=90):
        self.sm = sm

    def get_current_target(self):
        return GPUTarget("cuda", self.sm, 32)

    def get_current_device(self):
        return 0

    def get_current_stream(self, device):
        return 0


class Clocked(Driver):
    """Also launches: by the machine code that is loaded, `times` says how long it runs.

    An event is this clock's time when it is recorded, so that Triton's own `do_bench` measures.
    `launched` has the machine code of each launch.
    """

    def __init__(self, times, sm=80):
        super().__init__(sm)
        self.times, self.clock, self.launched = times, 0.0, []
        self.utils = types.SimpleNamespace(
            get_device_properties=lambda device: {"max_shared_mem": 160 << 10},
            # A module, a function, its registers, its spills, and how many threads it may have.
            load_binary=lambda name, cubin, shared, device: (cubin, cubin, 32, 0, 1024),
            unload_module=lambda module: None,
        )

    def launcher_cls(self, source, metadata):
        def launch(x, y, z, stream, function, *more):
            self.launched.append(function)
            self.clock += self.times[function]

        return launch

    def get_benchmarker(self):
        return testing.do_bench

    def get_device_interface(self):
        return types.SimpleNamespace(
            synchronize=lambda: None, Event=lambda enable_timing: Event(self)
        )

    def get_empty_cache_for_benchmark(self):
        return None

    def clear_cache(self, cache):
        pass


class Event:
    """When it was recorded, in milliseconds."""

    def __init__(self, driver):
        self.driver = driver

    def record(self):
        self.at = self.driver.clock

    def elapsed_time(self, end):
        return end.at - self.at
