"""Faults of the predicates: nodes that are taken or refused wrongly."""

from oracle.mutants import Mutant

PREDICATES = (
    Mutant(
        "port-conflict",
        "Only the first host port of a pod is compared with those in use",
        "impl.predicates.general:PodFitsHostPorts._taken",
        "for wanted in self.question.kind.ports)",
        "for wanted in tuple(self.question.kind.ports)[:1])",
        ("P-051",),
    ),
    Mutant(
        "taint-effect",
        "A taint with the effect NoExecute keeps no pod out",
        "impl.predicates.node_state",
        'pod_tolerates_node_taints = _tolerates("NoSchedule", "NoExecute")',
        'pod_tolerates_node_taints = _tolerates("NoSchedule")',
        ("P-056",),
    ),
    Mutant(
        "B28",
        "Mended: a pod's own affinity terms see nominated pods too",
        "impl.predicates.pod_affinity:MatchInterPodAffinity.added",
        "if pod.spec.node_name:",
        "if True:",
        ("P-037",),
    ),
    Mutant(
        "B70",
        "Mended: the host ports of init containers count",
        "impl.pod_kind:PodKind.ports",
        "host_ports(self.sample)",
        "port for containers in (self.sample.spec.containers, self.sample.spec.init_containers) for port in "
        "host_ports(__import__('attrs').evolve(self.sample, spec=__import__('attrs').evolve(self.sample.spec, "
        "containers=containers)))",
        ("P-051",),
    ),
    Mutant(
        "B71",
        "A node is refused only if one pod matches all anti-affinity terms",
        "impl.predicates.pod_affinity:MatchInterPodAffinity.__init__",
        "Search((t.matcher,))",
        "Search(tuple(term.matcher for term in self._anti_terms))",
        ("P-034",),
    ),
    Mutant(
        "B73-key",
        "Mended: the first pod of a group needs a node with the topology key",
        "impl.predicates.pod_affinity:MatchInterPodAffinity.codes",
        "if self._wanted_tally and not self._is_first():\n            satisfied = np.ones(len(codes), np.bool_)\n"
        "            for key in self._keys:\n"
        "                satisfied &= self._has_pair(key, self._wanted_tally.per_value(key), rows)",
        "if self._wanted_tally:\n            satisfied = np.ones(len(codes), np.bool_)\n"
        "            for key in self._keys:\n"
        "                satisfied &= (self.table.labels.column(key).codes[rows] > 0) if self._is_first() else "
        "self._has_pair(key, self._wanted_tally.per_value(key), rows)",
        ("P-091",),
    ),
    Mutant(
        "B73-any",
        "A pod that matches its own affinity may go anywhere, even where others of its group run already",
        "impl.predicates.pod_affinity:MatchInterPodAffinity._is_first",
        "return self._matches_itself and not any(self._pairs_in_all(key) for key in self._keys)",
        "return self._matches_itself",
        ("P-091",),
    ),
    Mutant(
        "B76-continue",
        "A claim whose volume nobody knows counts for no limit",
        "impl.predicates.volume_counts:_claimed_id",
        "if volume else (namespace, name)",
        "if volume else None",
        ("P-067",),
    ),
    Mutant(
        "B76-error",
        "A claim without a volume is an error",
        "impl.predicates.volume_counts:_claimed_id",
        "return type_.id_of(volume.spec) if volume else (namespace, name)",
        "if not volume:\n        raise VolumeLookupError(f'PersistentVolumeClaim is not bound: \"{name}\"')\n"
        "    return type_.id_of(volume.spec)",
        ("P-067",),
    ),
    Mutant(
        "B77",
        "A volume that the node has attached already counts again",
        "impl.predicates.volume_counts:MaxVolumeCount.at",
        "len(new - existing)",
        "len(new)",
        ("P-068",),
    ),
    Mutant(
        "B79",
        "A configuration that does not name it goes without CheckNodeUnschedulable",
        "impl.chosen_predicates:chosen_predicates",
        '= ("CheckNodeUnschedulable", "PodToleratesNodeTaints")',
        '= ("PodToleratesNodeTaints",)',
        ("P-003",),
    ),
    Mutant(
        "B80",
        "The hostname label passes for the node's name",
        "impl.predicates.general:match_node_selector",
        "names = [*table.name_of,",
        'names = [*(node.labels.get("kubernetes.io/hostname") if node else None for node in table.nodes),',
        ("P-053",),
    ),
    Mutant(
        "B82",
        "Selectors that cannot be built are passed over",
        "impl.predicates.pod_affinity_slow:cannot_precompute",
        "return bool(",
        "return False and bool(",
        ("P-038",),
    ),
    Mutant(
        "B83",
        "A pod whose node does not exist ends the process",
        "impl.predicates.general:host_name",
        "table.row_of.get(name)",
        "table.row_of[name]",
        ("P-050",),
    ),
)
