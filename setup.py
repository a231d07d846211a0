"""Package metadata: settings.ini (which nbdev reads too) holds it, this file hands it over."""
import shutil
from configparser import ConfigParser
from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py

here = Path(__file__).parent
cfg = ConfigParser(delimiters=["="], interpolation=None)
cfg.read(here / "settings.ini", encoding="utf-8")
c = cfg["DEFAULT"]


class BuildWithData(build_py):
    """Put the committed results and the papers' tables into the wheel, for chapters run outside the repository."""

    def find_package_modules(self, package, package_dir):
        # nbdev's index of names, which a bare nbdev_export leaves behind
        return [found for found in super().find_package_modules(package, package_dir) if found[1] != "_modidx"]

    def run(self):
        super().run()
        if not self.editable_mode:
            shutil.copytree(here / "data", Path(self.build_lib) / "rfbook" / "_data", dirs_exist_ok=True)


setup(
    cmdclass={"build_py": BuildWithData},
    version=c["version"],
    description=c["description"],
    long_description=(here / "README.md").read_text(encoding="utf-8"),
    long_description_content_type="text/markdown",
    author=c["author"],
    keywords=c["keywords"].split(),
    install_requires=c["requirements"].split(),
    extras_require={
        "figures": ["matplotlib>=3.8"],
        "dask": ["dask>=2024.8", "distributed>=2024.8"],
        "notebooks": c["notebooks_requirements"].split(),
    },
    packages=find_packages(include=["rfbook", "rfbook.*"]),
    package_data={"rfbook": ["py.typed"]},
    entry_points={"console_scripts": [c["console_scripts"].replace("=", " = ", 1)]},
    classifiers=[
        "Development Status :: 3 - Alpha",
        "Intended Audience :: Education",
        "Intended Audience :: Science/Research",
        "Operating System :: OS Independent",
        "Programming Language :: Python :: 3",
        "Programming Language :: Python :: 3 :: Only",
        "Programming Language :: Python :: 3.11",
        "Programming Language :: Python :: 3.12",
        "Programming Language :: Python :: 3.13",
        "Programming Language :: Python :: 3.14",
        "Topic :: Scientific/Engineering :: Artificial Intelligence",
        "Topic :: Scientific/Engineering :: Mathematics",
        "Typing :: Typed",
    ],
    zip_safe=False,
)
