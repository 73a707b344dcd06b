"""The rules that the vocabulary states.  `model.api` knows nothing of rules; here they are registered for it."""

from model.rules import declare

declare("O-001", "int64 and int32 wrap, and integer division truncates toward zero", "model.api.integers")
declare("O-003", "A crash is an outcome: the scheduler is over", "model.api.protocol.Crash")
declare("O-004", "There is one logical clock, and time is an event", "model.api.clock")
declare("O-005", "Objects are equal when their documents are; absent and empty differ", "model.api.objects")
declare("L-022", "A deletion carries the object as last known", "model.api.protocol.Deleted")
declare("L-023", "Events are handled one at a time, in order", "model.api.protocol.Scheduler")
declare("O-010", "A pod's full name is name_namespace", "model.api.objects.Pod.full_name")
declare("O-011", "An object's key is namespace/name, or its name alone", "model.api.objects.KubernetesObject.key")
declare(
    "O-020",
    "Of an object the scheduler reads these fields; the others matter to deep equality only",
    "model.api.objects",
)
declare("O-021", "A pod's creation time means nothing to the scheduler", "model.api.objects.ObjectMeta")
declare(
    "O-022",
    "A quantity is a sign, digits with or without a point, and a decimal or binary suffix or an exponent",
    "model.api.quantity.parse_quantity",
)
declare(
    "O-023",
    "What cannot be read as a quantity is malformed, or its suffix is, or its number: three texts",
    "model.api.quantity.QuantityError",
)
declare("O-024", "Small quantities are kept as int64 mantissa and scale, others exactly", "model.api.quantity.Quantity")
declare("O-025", "An exact quantity is rounded away from zero to nano; binary ones are capped", "model.api.quantity")
declare("O-026", "Value and milli-value round up", "model.api.quantity.Quantity.value")
declare("O-027", "Overflow wraps for some powers of ten and gives 0 for others", "model.api.quantity")
declare("O-028", "Quantities compare as exact numbers", "model.api.quantity.Quantity.number")
declare("O-029", "Quantities are deeply equal when written alike", "model.api.quantity.Quantity")
declare("O-031", "Negative exact quantities truncate, plus one where inexact", "model.api.quantity")
declare("O-040", "A resource vector: CPU, memory, ephemeral storage, pods, scalars", "model.api.resources.Resources")
declare(
    "O-041",
    "Amounts are added name by name; a scalar of 0 still gets its key, and unknown names are ignored",
    "model.api.resources.add",
)
declare(
    "O-042",
    "The larger of both amounts, name by name; pods are ignored, and a scalar appears only above 0",
    "model.api.resources.at_least",
)
declare(
    "O-043",
    "Scalars are extended resources, hugepages-*, attachable-volumes-* and names with kubernetes.io/ in them",
    "model.api.resources.is_scalar",
)
declare(
    "O-044",
    "An incoming pod asks for the sum of its containers, but of each resource at least for what an init container does",
    "model.api.resources.pod_request",
)
declare("O-045", "A pod on a node counts by its regular containers only", "model.api.resources.container_sum")
declare(
    "O-046",
    "Scoring assumes 100 milli-CPU and 200 MiB where a container says nothing",
    "model.api.resources.nonzero_request",
)
declare(
    "O-047", "A pod's non-zero request is the sum over its regular containers", "model.api.resources.nonzero_request"
)
declare("O-050", "A pod's priority is spec.priority, else 0", "model.api.objects.Pod.priority")
declare("O-053", "Best effort: no CPU or memory above 0 is requested or limited", "model.api.resources.is_best_effort")
declare("O-054", "The wanted host ports are those of the regular containers", "model.api.ports.host_ports")
declare("O-055", "The nominated node is status.nominatedNodeName", "model.api.objects.PodStatus")
declare(
    "O-057",
    "A pod has affinity constraints when it has pod affinity or anti-affinity, even an empty one",
    "model.api.selectors.has_affinity_constraints",
)
declare("O-060", "Absent labels match like none", "model.api.objects.ObjectMeta")
declare(
    "O-061",
    "A qualified name is a name of at most 63 bytes, after an optional DNS prefix of at most 253 and a slash",
    "model.api.names.name_problems",
)
declare("O-062", "A label value is empty or a name of at most 63 bytes", "model.api.names.value_problems")
declare(
    "O-063",
    "A requirement needs a qualified key, as many values as its operator takes, and valid label values",
    "model.api.selectors.checked",
)
declare(
    "O-064",
    "In, Exists, Gt and Lt want the label to be there; NotIn and DoesNotExist match without it",
    "model.api.selectors.requirement_matches",
)
declare(
    "O-065",
    "Gt and Lt compare base-10 int64, and do not match a label that is none",
    "model.api.integers.parse_integer",
)
declare(
    "O-066",
    "A selector without requirements matches everything; the one that matches nothing is not empty",
    "model.api.selectors.Selector",
)
declare("O-067", "No LabelSelector selects nothing, an empty one everything", "model.api.selectors.from_label_selector")
declare("O-068", "One invalid entry of a map makes its selector match everything", "model.api.selectors.from_map")
declare(
    "O-069",
    "Node selector terms are alternatives; an empty term matches nothing",
    "model.api.selectors.any_node_term_matches",
)
declare(
    "O-070",
    "Match expressions know In, NotIn, Exists, DoesNotExist, Gt and Lt",
    "model.api.selectors.node_requirements",
)
declare(
    "O-071",
    "Match fields know In and NotIn with exactly one value; an unknown field reads as empty",
    "model.api.selectors.fields_match",
)
declare("O-072", "No allowed topologies allow all, an empty term none", "model.api.selectors.topology_matches")
declare("O-073", "A term looks at its namespaces, else at its owner's", "model.api.selectors.term_namespaces")
declare("O-074", "A pod matches a term by namespace and labels", "model.api.selectors.term_matches")
declare("O-075", "Nodes share a topology when both carry the label with one value", "model.api.selectors.same_topology")
declare(
    "O-076", "The required terms of a pod's affinity and anti-affinity", "model.api.selectors.required_affinity_terms"
)
declare(
    "O-080",
    "A toleration tolerates a taint of its key and effect, where empty means any, and with Equal of its value",
    "model.api.tolerations.tolerates",
)
declare(
    "O-081",
    "A taint is tolerated when any toleration does so, a list when each of its relevant taints is",
    "model.api.tolerations.tolerates_all",
)
