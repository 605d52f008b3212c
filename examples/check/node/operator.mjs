// An operator with the informers of @kubernetes/client-node. A Board has a Secret with a key, a ConfigMap with its text,
// and a status that repeats the text. Its argument seeds a defect: stale-read, lost-step or missed-deletion.
import { pathToFileURL } from 'node:url';

const modules = process.env.EVENKEEL_NODE_MODULES;
const k8s = await import(
    modules ? pathToFileURL(`${modules}/@kubernetes/client-node/dist/index.js`).href : '@kubernetes/client-node');

const defect = process.argv[2] ?? '';
const group = 'example.com';
const version = 'v1';
const plural = 'boards';
const finalizer = 'example.com/board';

const config = new k8s.KubeConfig();
config.loadFromDefault();
const core = config.makeApiClient(k8s.CoreV1Api);
const custom = config.makeApiClient(k8s.CustomObjectsApi);

const boards = k8s.makeInformer(config, `/apis/${group}/${version}/${plural}`,
    () => custom.listClusterCustomObject({ group, version, plural }));
const maps = k8s.makeInformer(config, '/api/v1/configmaps', () => core.listConfigMapForAllNamespaces());

/** Returns the result of a call, or undefined if it is refused with one of these statuses. */
async function unless(statuses, call) {
    try {
        return await call;
    } catch (error) {
        if (statuses.includes(error.code)) {
            return undefined;
        }
        throw error;
    }
}

function metadata(board, name) {
    return {
        namespace: board.metadata.namespace,
        name,
        labels: { board: board.metadata.name },
        ownerReferences: defect === 'missed-deletion' ? undefined : [{
            apiVersion: board.apiVersion, kind: board.kind, name: board.metadata.name, uid: board.metadata.uid,
        }],
    };
}

async function cleanUp(namespace, name) {
    await unless([404], core.deleteNamespacedSecret({ namespace, name }));
    await unless([404], core.deleteNamespacedConfigMap({ namespace, name }));
}

async function reconcile(namespace, name) {
    const board = boards.get(name, namespace);
    if (board === undefined) {
        return;
    }
    const finalizers = board.metadata.finalizers ?? [];
    if (board.metadata.deletionTimestamp !== undefined) {
        await cleanUp(namespace, name);
        if (finalizers.includes(finalizer)) {
            const body = structuredClone(board);
            body.metadata.finalizers = finalizers.filter(one => one !== finalizer);
            await unless([404], custom.replaceNamespacedCustomObject({ group, version, plural, namespace, name, body }));
        }
        return;
    }
    if (defect !== 'missed-deletion' && !finalizers.includes(finalizer)) {
        const body = structuredClone(board);
        body.metadata.finalizers = [...finalizers, finalizer];
        await custom.replaceNamespacedCustomObject({ group, version, plural, namespace, name, body });
        return;
    }
    const key = await unless([409], core.createNamespacedSecret({
        namespace, body: { metadata: metadata(board, name), stringData: { key: `key of ${name}` } },
    }));
    // the defect: where there is a Secret, the ConfigMap is taken for granted
    if (key !== undefined || defect !== 'lost-step') {
        await writeText(board);
    }
    if (board.status?.text !== board.spec.text) {
        const body = structuredClone(board);
        body.status = { text: board.spec.text };
        await custom.replaceNamespacedCustomObjectStatus({ group, version, plural, namespace, name, body });
    }
}

async function writeText(board) {
    const { namespace, name } = board.metadata;
    const data = { text: board.spec.text };
    if (defect === 'stale-read') {
        // the defect: the cache decides whether there is a ConfigMap, and its name is new each time
        const found = maps.list(namespace).find(map => map.metadata.labels?.board === name);
        if (found === undefined) {
            await core.createNamespacedConfigMap({
                namespace, body: { metadata: { ...metadata(board), generateName: `${name}-` }, data },
            });
        } else if (found.data?.text !== data.text) {
            await replace(found, board, data);
        }
        return;
    }
    const found = maps.get(name, namespace);
    if (found === undefined) {
        await core.createNamespacedConfigMap({ namespace, body: { metadata: metadata(board, name), data } });
    } else if (found.data?.text !== data.text) {
        await replace(found, board, data);
    }
}

async function replace(found, board, data) {
    const { name, namespace, resourceVersion } = found.metadata;
    await core.replaceNamespacedConfigMap({
        namespace, name, body: { metadata: { ...metadata(board, name), resourceVersion }, data },
    });
}

// one reconciliation at a time; a failed one is repeated, later each time
const queue = new Map();
let working = false;

function enqueue(namespace, name, failures = 0) {
    queue.set(`${namespace}/${name}`, { namespace, name, failures });
    work();
}

async function work() {
    if (working) {
        return;
    }
    working = true;
    while (queue.size > 0) {
        const [key, { namespace, name, failures }] = queue.entries().next().value;
        queue.delete(key);
        try {
            await reconcile(namespace, name);
        } catch (error) {
            console.error(`${key}: ${error.message}`);
            setTimeout(() => enqueue(namespace, name, failures + 1), Math.min(5000, 100 * 2 ** failures));
        }
    }
    working = false;
}

for (const event of ['add', 'update', 'delete']) {
    boards.on(event, board => enqueue(board.metadata.namespace, board.metadata.name));
    maps.on(event, map => {
        if (map.metadata.labels?.board !== undefined) {
            enqueue(map.metadata.namespace, map.metadata.labels.board);
        }
    });
}
if (defect === 'missed-deletion') {
    // the defect: a deletion that happens while the operator is away is never seen
    boards.on('delete', board => cleanUp(board.metadata.namespace, board.metadata.name));
}
for (const informer of [maps, boards]) {
    informer.on('error', () => setTimeout(() => informer.start(), 200));
    await informer.start();
}
