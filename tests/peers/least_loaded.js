// A scheduler in one page: the node with the largest share of its CPU left, taints respected, victims never.
const FACTORS = { '': 1, n: 1e-9, u: 1e-6, m: 1e-3, k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15, E: 1e18 };
['K', 'M', 'G', 'T', 'P', 'E'].forEach((prefix, at) => { FACTORS[prefix + 'i'] = 1024 ** (at + 1); });
const pods = new Map(), nodes = new Map(), tried = new Set();
const placed = new Map(), tickets = new Map(); // where pods were bound, by uid
let last;
const place = (pod) => pod.spec.nodeName || placed.get(pod.metadata.uid); // it counts from the moment of the decision

const exact = (text) => parseFloat(text) * FACTORS[text.replace(/^[-+.0-9]*/, '')];
const amount = (text, resource) => Math.ceil(Number((exact(text) * (resource === 'cpu' ? 1000 : 1)).toPrecision(15)));
const request = (pod, resource) => (resource === 'pods' ? 1
  : pod.spec.containers.reduce((sum, c) => sum + amount(c.resources?.requests?.[resource] ?? '0', resource), 0));
const tolerates = (pod, taint) => (pod.spec.tolerations ?? []).some((t) => (!t.effect || t.effect === taint.effect)
  && (!t.key || t.key === taint.key) && (t.operator === 'Exists' || (t.value ?? '') === (taint.value ?? '')));
const forget = (uid) => { placed.delete(uid); tried.clear(); }; // it was not bound after all
function free(node, resource) {
  const mates = [...pods.values()].filter((pod) => place(pod) === node.metadata.name);
  const there = amount(node.status.allocatable?.[resource] ?? '0', resource);
  return mates.reduce((left, mate) => left - request(mate, resource), there);
}
function fits(pod, node) {
  const hard = (node.spec?.taints ?? []).filter((taint) => taint.effect !== 'PreferNoSchedule');
  if (node.spec?.unschedulable || !hard.every((taint) => tolerates(pod, taint))) return false;
  const selector = Object.entries(pod.spec.nodeSelector ?? {});
  if (!selector.every(([key, value]) => node.metadata.labels?.[key] === value)) return false;
  const asks = request(pod, 'cpu') || request(pod, 'memory'); // who asks for one of them needs room for both
  return (asks ? ['cpu', 'memory', 'pods'] : ['pods']).every((r) => request(pod, r) <= free(node, r));
}
function learn(op, told) {
  const thing = { ...told, spec: { containers: [], ...told.spec }, status: { ...told.status } };
  const store = { Pod: pods, Node: nodes }[thing.kind];
  const key = [thing.metadata.namespace, thing.metadata.name].filter(Boolean).join('/');
  if (store) op === 'deleted' ? store.delete(key) : store.set(key, thing);
  tried.clear();
}
function decide() {
  const mine = ([key, pod]) => pod.spec.schedulerName === 'default-scheduler' && !place(pod) && !tried.has(key);
  const [key, pod] = [...pods].find(mine) ?? [];
  if (!key) return {};
  tried.add(key);
  const share = (node) => free(node, 'cpu') / amount(node.status.allocatable?.cpu ?? '1', 'cpu');
  const best = [...nodes.values()].filter((node) => fits(pod, node)).sort((a, b) => share(b) - share(a))[0];
  last = pod.metadata.uid;
  if (!best) return { took: [key], effects: [{ condition: { pod: key, status: 'False', reason: 'Unschedulable' } }] };
  placed.set(last, best.metadata.name);
  return { took: [key], effects: [{ bind: { pod: key, node: best.metadata.name } }] };
}
require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const asked = JSON.parse(line);
  let answer = {};
  if (asked.op === 'hello' || asked.op === 'reset') {
    [pods, nodes, tried, placed, tickets].forEach((store) => store.clear());
    const features = ['node-selectors', 'priorities', 'taints'];
    answer = { protocol: 1, name: 'least-loaded', capabilities: ['reset'], features };
  } else if (['added', 'updated', 'deleted'].includes(asked.op)) learn(asked.op, asked.object);
  else if (asked.op === 'startCycle') answer = decide();
  else if (asked.outcomes?.[0]?.pending !== undefined) tickets.set(asked.outcomes[0].pending, last);
  else if (asked.outcomes?.[0]?.error || asked.error) forget(tickets.get(asked.ticket) ?? last);
  console.log(JSON.stringify({ id: asked.id, ...answer }));
});
