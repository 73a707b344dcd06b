"""MatchInterPodAffinity: a pair (label, value) exists while its tally is positive.  [P-030..P-037, P-090..P-097]"""

import numpy as np
from attrs import define, field

from impl.lanes import Codes, Flags, Ints, Lane, Rows
from impl.outcomes import (
    EXISTING_ANTI_AFFINITY_NOT_MATCH,
    FITS,
    POD_AFFINITY_NOT_MATCH,
    POD_AFFINITY_RULES_NOT_MATCH,
    POD_ANTI_AFFINITY_RULES_NOT_MATCH,
)
from impl.pair_index import Search
from impl.pod_kind import PodKind
from impl.predicates.check import Check, Question
from impl.tally import Tally
from impl.terms import Term
from impl.trial import Trial
from model.api.objects import Pod


@define
class _Pairs:
    """How a trial changes the counts of its own node's pairs, by label key.

    `existing`, `wanted`, `unwanted`: maps E, A and N.  `back`: UIDs of pods that were removed and added again.
    """

    existing: dict[str, int] = field(factory=dict)
    wanted: int = 0
    unwanted: dict[str, int] = field(factory=dict)
    back: set[str] = field(factory=set)

    def copy(self) -> "_Pairs":
        return _Pairs(dict(self.existing), self.wanted, dict(self.unwanted), set(self.back))


class MatchInterPodAffinity(Check):
    local = False
    watching = True

    def __init__(self, question: Question) -> None:
        super().__init__(question)
        kind = question.kind
        self._index = question.table.pairs
        self._anti: list[tuple[Term, Tally]] = []
        """The terms of placed pods that this pod matches."""
        self._looked_at = 0
        self._terms = kind.affinity_terms
        self._anti_terms = kind.anti_affinity_terms
        self._wanted = Search(tuple(term.matcher for term in self._terms))
        self._any_unwanted = Search(tuple(term.matcher for term in self._anti_terms), any_of=True)
        self._wanted_tally = self._index.tally(self._wanted) if self._terms else None
        self._unwanted_tallies = [(t.topology_key, self._index.tally(Search((t.matcher,)))) for t in self._anti_terms]
        self._keys = list(dict.fromkeys(term.topology_key for term in self._terms))
        self._matches_itself = all(term.matcher.selects(kind) for term in self._terms)
        affinity = (POD_AFFINITY_NOT_MATCH,)
        self._existing_code = self.outcomes.code(*affinity, EXISTING_ANTI_AFFINITY_NOT_MATCH)
        self._wanted_code = self.outcomes.code(*affinity, POD_AFFINITY_RULES_NOT_MATCH)
        self._unwanted_code = self.outcomes.code(*affinity, POD_ANTI_AFFINITY_RULES_NOT_MATCH)

    def existing_anti(self) -> list[tuple[Term, Tally]]:
        """The terms of placed pods that the pod matches and somebody still carries.  [P-032]"""
        terms = self._index.anti
        if len(terms) > self._looked_at:
            for term in list(terms)[self._looked_at :]:
                if term.matcher.selects(self.question.kind):
                    self._anti.append((term, terms[term]))
            self._looked_at = len(terms)
        return [(term, tally) for term, tally in self._anti if tally.total]

    @property
    def is_idle(self) -> bool:
        """Every node fits at present."""
        return not self._terms and not self._anti_terms and not (self._index.anti and self.existing_anti())

    # --- a column at a time ---

    def codes(self, rows: Rows) -> Lane:
        codes: Codes = np.zeros(len(self.table.name_of), np.int32)[rows]
        for key, tally in self._unwanted_tallies:
            codes[self._has_pair(key, tally.per_value(key), rows)] = self._unwanted_code
        if self._wanted_tally and not self._is_first():
            satisfied = np.ones(len(codes), np.bool_)
            for key in self._keys:
                satisfied &= self._has_pair(key, self._wanted_tally.per_value(key), rows)
            codes[~satisfied] = self._wanted_code
        existing: dict[str, Ints] = {}
        for term, tally in self.existing_anti():
            counts, key = tally.per_value(term.topology_key), term.topology_key
            existing[key] = existing[key] + counts if key in existing else counts
        for key, counts in existing.items():
            codes[self._has_pair(key, counts, rows)] = self._existing_code
        return codes

    def _has_pair(self, key: str, counts: Ints, rows: Rows) -> Flags:
        flags: Flags = (counts > 0)[self.table.labels.column(key).codes[rows]]
        return flags

    def _is_first(self) -> bool:
        """Nobody matches, and the pod matches itself.  [P-091]"""
        return self._matches_itself and not any(self._pairs_in_all(key) for key in self._keys)

    def _pairs_in_all(self, key: str) -> int:
        assert self._wanted_tally is not None
        return int(self._wanted_tally.per_value(key).sum())

    # --- a node with pods gone or added ---

    def at(self, trial: Trial) -> int:
        pairs: _Pairs = trial.notes.get(self) or _Pairs()
        existing = dict(pairs.existing)
        for term, tally in self.existing_anti():
            key = term.topology_key
            existing[key] = existing.get(key, 0) + self._here(tally, key, trial)
        if any(count > 0 and self._value(key, trial) for key, count in existing.items()):
            return self._existing_code
        if self._wanted_tally:
            tally = self._wanted_tally
            satisfied = all(
                self._value(key, trial) and self._here(tally, key, trial) + pairs.wanted > 0 for key in self._keys
            )
            if not satisfied and not self._is_first_in(trial, pairs):
                return self._wanted_code
        unwanted = dict(pairs.unwanted)
        for key, tally in self._unwanted_tallies:
            unwanted[key] = unwanted.get(key, 0) + self._here(tally, key, trial)
        if any(count > 0 and self._value(key, trial) for key, count in unwanted.items()):
            return self._unwanted_code
        return FITS

    def _value(self, key: str, trial: Trial) -> int:
        """The code of the node's value, 0 without the label."""
        return int(self.table.labels.column(key).codes[trial.row])

    def _here(self, tally: Tally, key: str, trial: Trial) -> int:
        return int(tally.per_value(key)[self._value(key, trial)])

    def _is_first_in(self, trial: Trial, pairs: _Pairs) -> bool:
        return self._matches_itself and not any(
            self._pairs_in_all(key) + pairs.wanted * bool(self._value(key, trial)) > 0 for key in self._keys
        )

    def start(self, trial: Trial) -> None:
        trial.notes[self] = _Pairs()

    def removed(self, trial: Trial, pod: Pod, kind: PodKind) -> None:
        """[P-036]"""
        if pod.full_name != self.question.pod.full_name:
            pairs: _Pairs = trial.notes[self]
            self._count(pairs, kind, -1, all_terms=pod.uid in pairs.back)
            pairs.back.discard(pod.uid)

    def added(self, trial: Trial, pod: Pod, kind: PodKind) -> None:
        """A pod without a node is seen by its own terms only; one added again counts for every term.  [P-037, P-022]

        One with a term whose selector cannot be built is not seen at all.
        """
        if pod.full_name == self.question.pod.full_name or kind.broken_anti_affinity:
            return
        pairs: _Pairs = trial.notes[self]
        if pod.spec.node_name:
            pairs.back.add(pod.uid)
            self._count(pairs, kind, 1, all_terms=True)
        else:
            self._count_existing(pairs, kind, 1)

    def _count(self, pairs: _Pairs, kind: PodKind, sign: int, all_terms: bool) -> None:
        self._count_existing(pairs, kind, sign)
        if self._terms and self._wanted.selects(kind):
            pairs.wanted += sign
        any_term = all_terms and self._any_unwanted.selects(kind)
        for term in self._anti_terms:
            if any_term or (not all_terms and term.matcher.selects(kind)):
                pairs.unwanted[term.topology_key] = pairs.unwanted.get(term.topology_key, 0) + sign

    def _count_existing(self, pairs: _Pairs, kind: PodKind, sign: int) -> None:
        for term in kind.anti_affinity_terms:
            if term.matcher.selects(self.question.kind):
                pairs.existing[term.topology_key] = pairs.existing.get(term.topology_key, 0) + sign
