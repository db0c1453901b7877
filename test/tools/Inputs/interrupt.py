"""interrupt.py DEVICE: runs a kernel that takes minutes, presses Ctrl-C after a second, and says how it ended."""

import os
import signal
import subprocess
import sys
import time

kernel = os.path.join(os.path.dirname(os.path.abspath(__file__)), "counting.py")
run = subprocess.Popen(["tegula", "run", kernel, "--grid=1", f"--device={sys.argv[1]}", "--arg", "out=zeros:i32[1]",
                        "--arg", f"n={(1 << 30) + 1}"],
                       preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
time.sleep(1)
assert run.poll() is None, "the kernel has ended by itself"
begin = time.monotonic()
run.send_signal(signal.SIGINT)
status = run.wait(60)
print(f"ended by signal {-status} within {5 if time.monotonic() - begin < 5 else 60} seconds")
