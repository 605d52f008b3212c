// Uses the resource service from Node: writes, reads, watches, and the details of an error. Prints one line for each step.
const grpc = require('@grpc/grpc-js');
const loader = require('@grpc/proto-loader');

const definition = loader.loadSync('evenkeel/resource/v1/resource.proto', {includeDirs: [process.env.PROTO], keepCase: true});
const {ResourceService} = grpc.loadPackageDefinition(definition).evenkeel.resource.v1;
const service = new ResourceService(process.env.TARGET, grpc.credentials.createInsecure());
const headers = new grpc.Metadata();
headers.set('authorization', `Bearer ${process.env.TOKEN}`);

const type = {group_version: 'v1', kind: 'ConfigMap'};
const call = (method, request) =>
  new Promise((resolve, reject) =>
    service[method](request, headers, (error, answer) => (error ? reject(error) : resolve(answer))));

async function main() {
  const watch = service.WatchList({type, label_selector: 'from=node'}, headers);
  const events = [];
  let arrived = () => {};
  watch.on('data', event => {
    events.push(event);
    arrived();
  });
  watch.on('error', () => {});
  const next = async () => {
    while (events.length === 0) {
      await new Promise(resolve => (arrived = resolve));
    }
    return events.shift();
  };
  console.log('snapshot', 'end_of_snapshot' in (await next()));

  const {resource} = await call('Write', {resource: {id: {type, name: 'settings'}, labels: {from: 'node'}}});
  console.log('written', resource.id.name, resource.id.tenancy.namespace);
  const {resource: read} = await call('Read', {id: resource.id});
  console.log('read', read.version === resource.version);
  const seen = await next();
  console.log('seen', seen.upsert.resource.version === resource.version, seen.resume_token.length > 0);

  const stale = {id: resource.id, version: '1', labels: {from: 'node', changed: 'yes'}};
  const refusal = await call('Write', {resource: stale}).then(() => undefined, error => error);
  console.log('refused', grpc.status[refusal.code], refusal.metadata.get('grpc-status-details-bin').length);

  await call('Delete', {id: resource.id, version: resource.version});
  console.log('deleted', (await next()).delete.resource.id.name);
  watch.cancel();
  service.close();
}

main().catch(error => {
  console.error(error);
  process.exit(1);
});
