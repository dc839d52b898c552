"""Run the notebooks beside this file and keep their outputs: ``make notebooks``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


def run(path: Path) -> Any:
    """A notebook, run from its top in a process of its own."""
    import nbformat
    from nbclient import NotebookClient

    os.environ.setdefault("PYDEVD_DISABLE_FILE_VALIDATION", "1")  # a warning of the debugger's
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute(cwd=str(path.parent))
    for cell in notebook.cells:  # times and process numbers would differ at every run
        cell.metadata.pop("execution", None)
    notebook.metadata["language_info"] = {"name": "python"}
    return notebook


def main() -> None:
    """Run all of them."""
    import nbformat

    for path in sorted(HERE.glob("*.ipynb")):
        nbformat.write(run(path), path)
        print(f"{path.name}: run")


if __name__ == "__main__":
    main()
