"""Reads settings.ini (nbdev 2); metadata lives there and only there."""
from configparser import ConfigParser
from pathlib import Path

from setuptools import find_packages, setup

here = Path(__file__).parent
cfg = ConfigParser(delimiters=["="], interpolation=None)
cfg.read(here / "settings.ini", encoding="utf-8")
c = cfg["DEFAULT"]

setup(
    name=c["lib_name"],
    version=c["version"],
    description=c["description"],
    long_description=(here / "README.md").read_text(encoding="utf-8"),
    long_description_content_type="text/markdown",
    author=c["author"],
    author_email=c["author_email"],
    license="Apache-2.0",
    keywords=c["keywords"],
    python_requires=">=" + c["min_python"],
    install_requires=c.get("requirements", "").split(),
    extras_require={"figures": ["matplotlib>=3.8"], "dev": c.get("dev_requirements", "").split()},
    packages=find_packages(include=["rfbook", "rfbook.*"]),
    package_data={"rfbook": ["py.typed"]},
    entry_points={"console_scripts": [c["console_scripts"].replace("=", " = ", 1)], "nbdev": ["rfbook = rfbook._modidx:d"]},
    zip_safe=False,
)
