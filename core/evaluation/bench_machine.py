"""What figures were taken on and with."""

from __future__ import annotations

import os
import platform
import resource
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

PACKAGES = ("lancedb", "onnxruntime", "numpy", "pyarrow", "tokenizers", "streamlit")
_CPUINFO = Path("/proc/cpuinfo")
_STATUS = Path("/proc/self/status")
_BYTES_A_UNIT = 1 if sys.platform == "darwin" else 1024


def machine_facts(more_packages: Sequence[str] = ()) -> dict[str, str]:
    """Processor, system, Python and the versions of the packages that did the work."""
    facts = {
        "cpus": str(os.cpu_count() or 0),
        "processor": _processor(),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
    }
    return facts | {name: _version(name) for name in (*PACKAGES, *more_packages)}


def peak_memory_mb() -> float:
    """The most memory this process has held at once, in MiB."""
    told = _told_by_system("VmHWM:")
    if told is not None:  # elsewhere the figure includes what the parent held when it forked
        return told
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(peak * _BYTES_A_UNIT / 2**20, 1)


def resident_memory_mb() -> float:
    """What this process holds now, in MiB; where the system does not tell, the most it held."""
    told = _told_by_system("VmRSS:")
    return peak_memory_mb() if told is None else told


def folder_mb(folder: Path) -> float:
    """Size of all files under a folder, in MiB."""
    return round(sum(f.stat().st_size for f in folder.rglob("*") if f.is_file()) / 2**20, 1)


def _told_by_system(what: str) -> float | None:
    if _STATUS.is_file():
        for line in _STATUS.read_text(encoding="ascii", errors="replace").splitlines():
            if line.startswith(what):
                return round(int(line.split()[1]) / 2**10, 1)
    return None


def _processor() -> str:
    if _CPUINFO.is_file():
        for line in _CPUINFO.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.machine()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "absent"
