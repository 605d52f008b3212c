// Scenarios with the official JavaScript client. Prints a line for each: its name, and "ok" or what went wrong.
import assert from 'node:assert/strict';
import {setTimeout as sleep} from 'node:timers/promises';

const [modules, kubeconfig] = process.argv.slice(2);
const k8s = await import(`${modules}/@kubernetes/client-node/dist/index.js`);
const config = new k8s.KubeConfig();
config.loadFromFile(kubeconfig);
const core = config.makeApiClient(k8s.CoreV1Api);
const apps = config.makeApiClient(k8s.AppsV1Api);
const custom = config.makeApiClient(k8s.CustomObjectsApi);
const objects = k8s.KubernetesObjectApi.makeApiClient(config);

const configMap = (name, data = {}) => ({metadata: {name, labels: {app: name[0]}}, data});
const deployment = name => ({
  metadata: {name},
  spec: {
    replicas: 2,
    selector: {matchLabels: {app: name}},
    template: {metadata: {labels: {app: name}}, spec: {containers: [{name: 'c', image: 'i:1'}]}},
  },
});
const type = strategy => k8s.setHeaderOptions('Content-Type', strategy);

async function refused(code, promise) {
  try {
    await promise;
  } catch (e) {
    assert.equal(e.code, code, e.message);
    return typeof e.body === 'string' ? JSON.parse(e.body) : e.body;
  }
  assert.fail(`not refused with ${code}`);
}

async function until(condition) {
  for (let i = 0; i < 400; i++) {
    if (await condition()) {
      return;
    }
    await sleep(25);
  }
  assert.fail('waited in vain');
}

const scenarios = {
  async 'creates, reads, replaces and deletes'(namespace) {
    await core.createNamespacedConfigMap({namespace, body: configMap('a', {k: '1'})});
    const body = await core.readNamespacedConfigMap({name: 'a', namespace});
    body.data.k = '2';
    assert.deepEqual((await core.replaceNamespacedConfigMap({name: 'a', namespace, body})).data, {k: '2'});
    const status = await refused(409, core.replaceNamespacedConfigMap({name: 'a', namespace, body}));
    assert.match(status.message, /the object has been modified/);
    assert.equal((await core.deleteNamespacedConfigMap({name: 'a', namespace})).status, 'Success');
    await refused(404, core.readNamespacedConfigMap({name: 'a', namespace}));
  },

  async 'lists with pages and selectors'(namespace) {
    for (let i = 0; i < 5; i++) {
      await core.createNamespacedConfigMap({namespace, body: configMap(`m${i}`)});
    }
    const names = [];
    let _continue;
    do {
      const page = await core.listNamespacedConfigMap({namespace, limit: 2, labelSelector: 'app=m', _continue});
      names.push(...page.items.map(each => each.metadata.name));
      _continue = page.metadata._continue;
    } while (_continue);
    assert.deepEqual(names, ['m0', 'm1', 'm2', 'm3', 'm4']);
    const one = await core.listNamespacedConfigMap({namespace, fieldSelector: 'metadata.name=m3'});
    assert.equal(one.items.length, 1);
  },

  async 'watches and resumes'(namespace) {
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    const start = (await core.listNamespacedConfigMap({namespace})).metadata.resourceVersion;
    await core.createNamespacedConfigMap({namespace, body: configMap('a', {k: '1'})});
    await core.patchNamespacedConfigMap(
      {name: 'a', namespace, body: {data: {k: '2'}}}, type(k8s.PatchStrategy.MergePatch));
    await core.deleteNamespacedConfigMap({name: 'a', namespace});
    const seen = async (resourceVersion, last) => {
      const events = [];
      await new Promise((resolve, reject) => new k8s.Watch(config).watch(
        path, {resourceVersion, timeoutSeconds: 5},
        (phase, object) => {
          events.push([phase, object.metadata.resourceVersion]);
          if (phase === last) {
            resolve();
          }
        },
        error => error ? reject(error) : resolve()));
      return events;
    };
    const all = await seen(start, 'DELETED');
    assert.deepEqual(all.map(each => each[0]), ['ADDED', 'MODIFIED', 'DELETED']);
    assert.deepEqual((await seen(all[0][1], 'DELETED')).map(each => each[0]), ['MODIFIED', 'DELETED']);
  },

  async 'patches of each type'(namespace) {
    await apps.createNamespacedDeployment({namespace, body: deployment('d')});
    const patch = (body, strategy) => apps.patchNamespacedDeployment({name: 'd', namespace, body}, type(strategy));
    const containers = [{name: 'side', image: 's'}];
    const strategic = await patch(
      {spec: {template: {spec: {containers}}}}, k8s.PatchStrategy.StrategicMergePatch);
    assert.deepEqual(strategic.spec.template.spec.containers.map(each => each.name), ['side', 'c']);
    const merged = await patch({spec: {template: {spec: {containers}}}}, k8s.PatchStrategy.MergePatch);
    assert.deepEqual(merged.spec.template.spec.containers.map(each => each.name), ['side']);
    const replaced = await patch(
      [{op: 'replace', path: '/spec/replicas', value: 7}], k8s.PatchStrategy.JsonPatch);
    assert.equal(replaced.spec.replicas, 7);
    await refused(422, patch([{op: 'test', path: '/spec/replicas', value: 1}], k8s.PatchStrategy.JsonPatch));
  },

  async 'applies and conflicts'(namespace) {
    const apply = (fieldManager, k, force) => core.patchNamespacedConfigMap(
      {name: 'a', namespace, fieldManager, force,
        body: {apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'a'}, data: {k}}},
      type(k8s.PatchStrategy.ServerSideApply));
    await apply('one', '1');
    const conflict = await refused(409, apply('two', '2'));
    assert.equal(conflict.details.causes[0].field, '.data.k');
    assert.equal((await apply('two', '2', true)).data.k, '2');
  },

  async 'status and scale'(namespace) {
    await apps.createNamespacedDeployment({namespace, body: deployment('d')});
    const scale = await apps.readNamespacedDeploymentScale({name: 'd', namespace});
    scale.spec.replicas = 5;
    assert.equal((await apps.replaceNamespacedDeploymentScale({name: 'd', namespace, body: scale})).spec.replicas, 5);
    const changed = await apps.patchNamespacedDeploymentStatus(
      {name: 'd', namespace, body: {spec: {replicas: 1}, status: {replicas: 6}}},
      type(k8s.PatchStrategy.MergePatch));
    assert.deepEqual([changed.spec.replicas, changed.status.replicas], [5, 6]);
  },

  async 'deletes with options'(namespace) {
    const owner = await core.createNamespacedConfigMap({namespace, body: configMap('owner')});
    await refused(409, core.deleteNamespacedConfigMap(
      {name: 'owner', namespace, body: {preconditions: {uid: 'other'}}}));
    const child = configMap('child');
    child.metadata.ownerReferences = [
      {apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.metadata.uid}];
    await core.createNamespacedConfigMap({namespace, body: child});
    await core.deleteNamespacedConfigMap({name: 'child', namespace, dryRun: 'All'});
    await core.readNamespacedConfigMap({name: 'child', namespace});
    await core.deleteNamespacedConfigMap({name: 'owner', namespace, propagationPolicy: 'Background'});
    await until(() => core.readNamespacedConfigMap({name: 'child', namespace}).then(() => false, e => e.code === 404));
    await core.createNamespacedConfigMap({namespace, body: configMap('x')});
    await core.deleteCollectionNamespacedConfigMap({namespace, labelSelector: 'app=x'});
    await refused(404, core.readNamespacedConfigMap({name: 'x', namespace}));
  },

  async 'defines and uses custom resources'(namespace) {
    const group = `${namespace}.example.com`;
    const definitions = config.makeApiClient(k8s.ApiextensionsV1Api);
    const name = `widgets.${group}`;
    await definitions.createCustomResourceDefinition({body: {
      metadata: {name},
      spec: {
        group, scope: 'Namespaced', names: {plural: 'widgets', singular: 'widget', kind: 'Widget'},
        versions: [{name: 'v1', served: true, storage: true, subresources: {status: {}}, schema: {openAPIV3Schema: {
          type: 'object', properties: {
            spec: {type: 'object', properties: {size: {type: 'integer', minimum: 1}}},
            status: {type: 'object', properties: {size: {type: 'integer'}}}}}}}],
      }}});
    await until(async () => ((await definitions.readCustomResourceDefinition({name})).status?.conditions ?? [])
      .some(each => each.type === 'Established' && each.status === 'True'));
    const where = {group, version: 'v1', namespace, plural: 'widgets'};
    const body = {apiVersion: `${group}/v1`, kind: 'Widget', metadata: {name: 'w'}, spec: {size: 1}};
    await custom.createNamespacedCustomObject({...where, body});
    const merge = type(k8s.PatchStrategy.MergePatch);
    const patched = await custom.patchNamespacedCustomObject({...where, name: 'w', body: {spec: {size: 2}}}, merge);
    assert.equal(patched.spec.size, 2);
    const status = await custom.patchNamespacedCustomObjectStatus(
      {...where, name: 'w', body: {status: {size: 2}}}, merge);
    assert.equal(status.status.size, 2);
    const invalid = await refused(422, custom.patchNamespacedCustomObject(
      {...where, name: 'w', body: {spec: {size: 0}}}, merge));
    assert.match(invalid.message, /spec.size in body should be greater than or equal to 1/);
    assert.equal((await custom.listNamespacedCustomObject(where)).items.length, 1);
    await custom.deleteNamespacedCustomObject({...where, name: 'w'});
  },

  async 'reads and writes objects of any kind'(namespace) {
    const made = await objects.create({apiVersion: 'apps/v1', kind: 'Deployment', ...deployment('d'),
      metadata: {name: 'd', namespace}});
    assert.equal(made.spec.revisionHistoryLimit, 10);
    const list = await objects.list('apps/v1', 'Deployment', namespace);
    assert.equal(list.items.length, 1);
    await objects.delete({apiVersion: 'apps/v1', kind: 'Deployment', metadata: {name: 'd', namespace}});
  },

  async 'informer'(namespace) {
    const informer = k8s.makeInformer(config, `/api/v1/namespaces/${namespace}/configmaps`,
      () => core.listNamespacedConfigMap({namespace}));
    const seen = [];
    for (const verb of ['add', 'update', 'delete']) {
      informer.on(verb, object => seen.push(`${verb} ${object.metadata.name}`));
    }
    await core.createNamespacedConfigMap({namespace, body: configMap('a')});
    await informer.start();
    await until(() => seen.length === 1);
    await core.createNamespacedConfigMap({namespace, body: configMap('b')});
    await until(() => seen.length === 2);
    await core.deleteNamespacedConfigMap({name: 'a', namespace});
    await until(() => seen.length === 3);
    await informer.stop();
    assert.deepEqual(seen, ['add a', 'add b', 'delete a']);
  },

  async 'leases'(namespace) {
    const coordination = config.makeApiClient(k8s.CoordinationV1Api);
    await coordination.createNamespacedLease({namespace, body: {
      metadata: {name: 'leader'},
      spec: {holderIdentity: 'me', leaseDurationSeconds: 15, renewTime: new k8s.V1MicroTime()}}});
    const lease = await coordination.readNamespacedLease({name: 'leader', namespace});
    lease.spec.holderIdentity = 'other';
    const taken = await coordination.replaceNamespacedLease({name: 'leader', namespace, body: lease});
    assert.equal(taken.spec.holderIdentity, 'other');
    await refused(409, coordination.replaceNamespacedLease({name: 'leader', namespace, body: lease}));
  },

  async 'events'(namespace) {
    await core.createNamespacedEvent({namespace, body: {
      metadata: {name: 'e'}, involvedObject: {kind: 'ConfigMap', name: 'a', namespace}, reason: 'Tested',
      message: 'm', type: 'Normal', firstTimestamp: new Date(), lastTimestamp: new Date(), count: 1}});
    const found = await core.listNamespacedEvent({namespace, fieldSelector: 'involvedObject.name=a,reason=Tested'});
    assert.equal(found.items.length, 1);
  },

  async 'reviews access'(namespace) {
    const review = await config.makeApiClient(k8s.AuthorizationV1Api).createSelfSubjectAccessReview(
      {body: {spec: {resourceAttributes: {namespace, verb: 'get', resource: 'pods'}}}});
    assert.equal(review.status.allowed, true);
  },

  async 'requests and reviews tokens'(namespace) {
    await core.createNamespacedServiceAccount({namespace, body: {metadata: {name: 'sa'}}});
    const request = await core.createNamespacedServiceAccountToken(
      {name: 'sa', namespace, body: {spec: {audiences: [], expirationSeconds: 600}}});
    const review = await config.makeApiClient(k8s.AuthenticationV1Api).createTokenReview(
      {body: {spec: {token: request.status.token}}});
    assert.equal(review.status.user.username, `system:serviceaccount:${namespace}:sa`);
  },

  async 'errors have a status'(namespace) {
    const invalid = await refused(422, core.createNamespacedConfigMap({namespace, body: configMap('Not Valid')}));
    assert.equal(invalid.reason, 'Invalid');
    assert.equal(invalid.details.causes[0].field, 'metadata.name');
    await core.createNamespacedConfigMap({namespace, body: configMap('a')});
    const exists = await refused(409, core.createNamespacedConfigMap({namespace, body: configMap('a')}));
    assert.equal(exists.reason, 'AlreadyExists');
  },
};

let number = 0;
for (const [name, run] of Object.entries(scenarios)) {
  const namespace = `node-${number++}`;
  try {
    await core.createNamespace({body: {metadata: {name: namespace}}});
    await run(namespace);
    console.log(`${name}: ok`);
  } catch (e) {
    console.log(`${name}: ${e.stack.replaceAll('\n', ' | ')}`);
  }
}
process.exit(0);
