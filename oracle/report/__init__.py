"""Reports about what a search found, for people: a folder for each finding, an index for the search.

folder = write_finding(finding, directory)
index = write_index(search, directory)
"""

from oracle.report.ci import github_annotations, write_junit
from oracle.report.folder import read_finding, write_finding
from oracle.report.index import read_search, rebuild, write_index
from oracle.report.quirks import explaining_quirk

__all__ = [
    "explaining_quirk",
    "github_annotations",
    "read_finding",
    "read_search",
    "rebuild",
    "write_finding",
    "write_index",
    "write_junit",
]
