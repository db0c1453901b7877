"""Ranks in one process: threads, and a store with the methods of torch.distributed's."""

import importlib.util
import pathlib
import threading
import time

from tegula import distributed


def kernel_file(name):
    """The module of a bundled kernel."""
    spec = importlib.util.spec_from_file_location(name, pathlib.Path(__file__).resolve().parents[3] / "kernels" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class MemoryStore:
    """As torch.distributed.HashStore."""

    def __init__(self):
        self.values = {}
        self.changed = threading.Condition()

    def set(self, key, value):
        with self.changed:
            self.values[key] = value if isinstance(value, bytes) else value.encode()
            self.changed.notify_all()

    def get(self, key):
        with self.changed:
            return self.values[key]

    def wait(self, keys, timeout):
        with self.changed:
            if not self.changed.wait_for(lambda: all(key in self.values for key in keys), timeout.total_seconds()):
                raise RuntimeError(f"wait timeout after {timeout}, keys: {keys}")


def run_ranks(world, work, timeout=20.0, missing=()):
    """Runs `work(agreement)` on a thread for each rank that is not `missing`; gives each rank's result or exception. Fails where
    a rank has not ended long after its time is up."""
    store, results = MemoryStore(), [None] * world

    def one(rank):
        try:
            results[rank] = work(distributed.StoreAgreement(store, rank, world, timeout))
        except Exception as failure:
            results[rank] = failure

    threads = [threading.Thread(target=one, args=(rank,), daemon=True) for rank in range(world) if rank not in missing]
    end = time.monotonic() + timeout + 30
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(0, end - time.monotonic()))
    assert not any(thread.is_alive() for thread in threads), "a rank hangs"
    return results
