"""Look up what the locks install in a database of advisories: status 0 where nothing is known, 1 where something is.

Where the database cannot be reached, that is said, and the status is 2: nothing was checked then. ``make audit`` calls
it, with pip-audit in an environment of its own.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

UNCHECKED = 2


def advisories(lock: str) -> list[str] | None:
    """List what is known against the packages of a lock; None where nothing could be looked up."""
    command = (sys.executable, "-m", "pip_audit", "--disable-pip", "--require-hashes", "--progress-spinner", "off")
    done = subprocess.run(
        [*command, "--format", "json", "-r", lock], capture_output=True, text=True, check=False
    )  # 1 also where something was found
    if not done.stdout.strip():
        print(done.stderr.strip()[-500:], file=sys.stderr)
        return None
    packages = json.loads(done.stdout)["dependencies"]
    return [f"{lock}: {one['name']} {one['version']}: {found['id']}" for one in packages for found in one["vulns"]]


def main(locks: list[str]) -> int:
    """Look all locks up, and say what was found."""
    status = 0
    for lock in locks:
        found = advisories(lock)
        if found is None:
            print(f"{lock}: NOT CHECKED: the database of advisories cannot be reached from here")
            return UNCHECKED
        print(*found, f"{lock}: {len(found)} advisories", sep="\n")
        status = max(status, int(bool(found)))
    return status


if __name__ == "__main__":
    sys.exit(main([str(Path(name)) for name in sys.argv[1:]]))
