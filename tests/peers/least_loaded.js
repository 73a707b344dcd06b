// A scheduler in one page: the node with the largest share of its CPU left, taints respected, victims never.
//
//     sched-oracle validate --scheduler "exec:node tests/peers/least_loaded.js"
const FACTORS = { '': 1, n: 1e-9, u: 1e-6, m: 1e-3, k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15, E: 1e18 };
['K', 'M', 'G', 'T', 'P', 'E'].forEach((prefix, at) => { FACTORS[prefix + 'i'] = 1024 ** (at + 1); });
const pods = new Map(), nodes = new Map(), tried = new Set();

function amount(text) {
  const [, number, unit] = /^([+-]?[0-9.]+)([A-Za-z]*)$/.exec(text);
  return Number(number) * FACTORS[unit];
}
function request(pod, resource) {
  if (resource === 'pods') return 1;
  return pod.spec.containers.reduce((sum, c) => sum + amount(c.resources?.requests?.[resource] ?? '0'), 0);
}
function tolerates(pod, taint) {
  return (pod.spec.tolerations ?? []).some((t) => (!t.effect || t.effect === taint.effect)
    && (t.key ? t.key === taint.key : t.operator === 'Exists')
    && (t.operator === 'Exists' || (t.value ?? '') === (taint.value ?? '')));
}
function free(node, resource) {
  const mates = [...pods.values()].filter((pod) => pod.spec.nodeName === node.metadata.name);
  return amount(node.status.allocatable?.[resource] ?? '0') - mates.reduce((sum, m) => sum + request(m, resource), 0);
}
function fits(pod, node) {
  const hard = (node.spec?.taints ?? []).filter((taint) => taint.effect !== 'PreferNoSchedule');
  if (node.spec?.unschedulable || !hard.every((taint) => tolerates(pod, taint))) return false;
  const selector = Object.entries(pod.spec.nodeSelector ?? {});
  if (!selector.every(([key, value]) => node.metadata.labels?.[key] === value)) return false;
  return ['cpu', 'memory', 'pods'].every((r) => !request(pod, r) || request(pod, r) <= free(node, r));
}
function learn(op, thing) {
  const store = { Pod: pods, Node: nodes }[thing.kind];
  const key = [thing.metadata.namespace, thing.metadata.name].filter(Boolean).join('/');
  if (store) op === 'deleted' ? store.delete(key) : store.set(key, thing);
  tried.clear();
}
function decide() {
  const mine = ([key, pod]) => pod.spec.schedulerName === 'default-scheduler' && !pod.spec.nodeName && !tried.has(key);
  const [key, pod] = [...pods].find(mine) ?? [];
  if (!key) return {};
  tried.add(key);
  const share = (node) => free(node, 'cpu') / amount(node.status.allocatable?.cpu ?? '1');
  const best = [...nodes.values()].filter((node) => fits(pod, node)).sort((a, b) => share(b) - share(a))[0];
  if (!best) return { took: [key], effects: [{ condition: { pod: key, status: 'False', reason: 'Unschedulable' } }] };
  pod.spec.nodeName = best.metadata.name;
  return { took: [key], effects: [{ bind: { pod: key, node: best.metadata.name } }] };
}
require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const asked = JSON.parse(line);
  let answer = {};
  if (asked.op === 'hello' || asked.op === 'reset') {
    [pods, nodes, tried].forEach((store) => store.clear());
    const features = ['node-selectors', 'priorities', 'taints'];
    answer = { protocol: 1, name: 'least-loaded', capabilities: ['reset'], features };
  } else if (['added', 'updated', 'deleted'].includes(asked.op)) learn(asked.op, asked.object);
  else if (asked.op === 'startCycle') answer = decide();
  console.log(JSON.stringify({ id: asked.id, ...answer }));
});
