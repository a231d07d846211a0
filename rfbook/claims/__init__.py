"""The executable statements of the book, one module per chapter that makes them.

Importing this package registers every claim with :mod:`rfbook.ledger`.
"""

import importlib
import pkgutil

__all__ = sorted(module.name for module in pkgutil.iter_modules(__path__))

for _name in __all__:
    importlib.import_module(f"{__name__}.{_name}")
