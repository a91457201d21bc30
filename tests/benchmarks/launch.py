"""Runs a command and writes what it cost to a file: `launch.py FILE COMMAND...`, used by `costs.py`.

The system counts the memory of the process that starts a command as the command's own, until it is replaced. This one
is small, so that small commands have their own peak.
"""

import json
import os
import sys
import time

started = time.perf_counter()
child = os.posix_spawnp(sys.argv[2], sys.argv[2:], os.environ)
_, status, usage = os.wait4(child, 0)
wall = time.perf_counter() - started
with open(sys.argv[1], "w") as file:
    json.dump([os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss], file)
