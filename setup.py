"""Builds the compiled module of the package with CMake; pyproject.toml has the rest."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent


def project_version() -> str:
    """The version of the project in CMakeLists.txt, its only source."""
    found = re.search(r"project\(Saltus VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())
    if not found:
        raise RuntimeError("setup.py: CMakeLists.txt has no line project(Saltus VERSION ...)")
    return found[1]


class CMakeBuild(build_ext):
    """Configures for the Python that runs, builds the module, and puts it where setuptools expects it.

    As the preset `release`, it compiles for the processor that builds. The environment variable CMAKE_ARGS adds
    arguments, such as CMAKE_ARGS=-DSALTUS_NATIVE=OFF for a wheel that other processors run.
    """

    def build_extension(self, extension: Extension) -> None:
        folder = Path(self.build_temp).resolve()
        options = {
            "CMAKE_BUILD_TYPE": "Release",
            "SALTUS_NATIVE": "ON",
            "SALTUS_TESTS": "OFF",
            "SALTUS_CLI": "OFF",
            "SALTUS_PYTHON": "ON",
            "SALTUS_PYTHON_EXECUTABLE": sys.executable,
        }
        arguments = [f"-D{name}={value}" for name, value in options.items()]
        arguments += shlex.split(os.environ.get("CMAKE_ARGS", ""))
        generator = ["-G", "Ninja"] if shutil.which("ninja") else []
        subprocess.run(["cmake", "-S", ROOT, "-B", folder, *generator, *arguments], check=True)
        jobs = str(os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", os.cpu_count() or 1))
        subprocess.run(["cmake", "--build", folder, "--target", "saltus_module", "--parallel", jobs], check=True)
        destination = Path(self.get_ext_fullpath(extension.name)).resolve()
        destination.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(folder / "python" / "saltus" / destination.name, destination)


setup(
    version=project_version(),
    ext_modules=[Extension("saltus._saltus", sources=[])],
    cmdclass={"build_ext": CMakeBuild},
)
