"""Why a pod is where it is, or nowhere: what speaks against each node, who would go for it, what would help.

explanation = explain(cluster, pod, configuration)
for line in lines(explanation): ...
"""

from oracle.explain.document import document
from oracle.explain.explanation import explain
from oracle.explain.text import lines

__all__ = ["document", "explain", "lines"]
