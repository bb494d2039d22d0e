"""Look up what the locks install in a database of advisories: status 0 where nothing is known, 1 where something is.

Where the database cannot be reached, or does not know a package, one line says so, and the status is 2: not all was
checked then. ``make audit`` calls it, with pip-audit in an environment of its own.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

UNCHECKED = 2
NAMED = 5


def looked_up(lock: str) -> list[dict[str, object]] | str:
    """List what is known of each package of a lock, or say why nothing is."""
    command = (sys.executable, "-m", "pip_audit", "--disable-pip", "--require-hashes", "--progress-spinner", "off")
    done = subprocess.run(
        [*command, "--format", "json", "-r", lock], capture_output=True, text=True, check=False
    )  # 1 also where something was found
    try:
        packages: list[dict[str, object]] = json.loads(done.stdout)["dependencies"]
    except (ValueError, KeyError):
        return (done.stderr.strip().splitlines() or ["no answer"])[-1][:200]
    return packages


def main(locks: list[str]) -> int:
    """Look all locks up, and say what was found."""
    status = 0
    for lock in locks:
        packages = looked_up(lock)
        if isinstance(packages, str):
            print(f"{lock}: NOT CHECKED: the database of advisories cannot be reached from here ({packages})")
            return UNCHECKED
        unknown = [str(one["name"]) for one in packages if "vulns" not in one]
        found = [f"{one['name']} {one['version']}: {known['id']}" for one in packages for known in one.get("vulns", ())]
        print(*(f"{lock}: {one}\n" for one in found), sep="", end="")
        if unknown:
            named = ", ".join(unknown[:NAMED]) + (", …" if len(unknown) > NAMED else "")
            of = f"{len(unknown)} of {len(packages)} packages"
            print(f"{lock}: NOT CHECKED: {of} are not in the database that is reached from here ({named})")
            return UNCHECKED
        print(f"{lock}: {len(found)} advisories")
        status = max(status, int(bool(found)))
    return status


if __name__ == "__main__":
    sys.exit(main([str(Path(name)) for name in sys.argv[1:]]))
