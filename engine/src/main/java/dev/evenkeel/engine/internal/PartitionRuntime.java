package dev.evenkeel.engine.internal;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.client.Patch;
import dev.evenkeel.engine.Authorization;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.access.FlowConfiguration;
import dev.evenkeel.engine.internal.access.Permissions;
import dev.evenkeel.engine.internal.admission.AdmissionPlugin;
import dev.evenkeel.engine.internal.admission.ContentAccess;
import dev.evenkeel.engine.internal.admission.ConversionWebhooks;
import dev.evenkeel.engine.internal.admission.Decoder;
import dev.evenkeel.engine.internal.admission.Namespaces;
import dev.evenkeel.engine.internal.admission.PolicyAdmission;
import dev.evenkeel.engine.internal.admission.RegisteredType;
import dev.evenkeel.engine.internal.admission.RegisteredTypes;
import dev.evenkeel.engine.internal.admission.ScaleTable;
import dev.evenkeel.engine.internal.admission.ServiceIpAddresses;
import dev.evenkeel.engine.internal.admission.SharedAddresses;
import dev.evenkeel.engine.internal.admission.WriteContext;
import dev.evenkeel.engine.internal.admission.WriteStep;
import dev.evenkeel.engine.internal.builtin.BuiltinTypes;
import dev.evenkeel.engine.internal.builtin.kinds.BuiltinStrategies;
import dev.evenkeel.engine.internal.builtin.kinds.ServiceAddresses;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.internal.object.Document;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.object.Reply;
import dev.evenkeel.engine.internal.object.StoredObject;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.plugin.Plugins;
import dev.evenkeel.engine.internal.read.ListQuery;
import dev.evenkeel.engine.internal.read.Page;
import dev.evenkeel.engine.internal.read.ReadVerb;
import dev.evenkeel.engine.internal.read.WatchQuery;
import dev.evenkeel.engine.internal.read.WatchStream;
import dev.evenkeel.engine.internal.read.WatchVerb;
import dev.evenkeel.engine.internal.service.AccessControl;
import dev.evenkeel.engine.internal.service.Definitions;
import dev.evenkeel.engine.internal.service.FlowSchemas;
import dev.evenkeel.engine.internal.service.GarbageCollector;
import dev.evenkeel.engine.internal.service.InitialObjects;
import dev.evenkeel.engine.internal.service.LeaseElection;
import dev.evenkeel.engine.internal.service.LocalApis;
import dev.evenkeel.engine.internal.service.NamespaceObjects;
import dev.evenkeel.engine.internal.service.NamespaceService;
import dev.evenkeel.engine.internal.service.PolicyTypeChecks;
import dev.evenkeel.engine.internal.service.PrivateObjects;
import dev.evenkeel.engine.internal.service.QuotaController;
import dev.evenkeel.engine.internal.service.RbacIndex;
import dev.evenkeel.engine.internal.service.RemoteApis;
import dev.evenkeel.engine.internal.service.RoleAggregation;
import dev.evenkeel.engine.internal.service.SerialQueue;
import dev.evenkeel.engine.internal.service.ServerConditions;
import dev.evenkeel.engine.internal.service.UseProtection;
import dev.evenkeel.engine.internal.strategy.Conversion;
import dev.evenkeel.engine.internal.strategy.CustomStrategy;
import dev.evenkeel.engine.internal.strategy.ResourceStrategy;
import dev.evenkeel.engine.internal.strategy.Review;
import dev.evenkeel.engine.internal.strategy.Strategies;
import dev.evenkeel.engine.internal.type.Requester;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.internal.type.Tokens;
import dev.evenkeel.engine.internal.type.Types;
import dev.evenkeel.engine.internal.write.ApplyVerb;
import dev.evenkeel.engine.internal.write.CreateVerb;
import dev.evenkeel.engine.internal.write.DeleteOptions;
import dev.evenkeel.engine.internal.write.DeleteVerb;
import dev.evenkeel.engine.internal.write.FieldOwners;
import dev.evenkeel.engine.internal.write.Leadership;
import dev.evenkeel.engine.internal.write.PatchVerb;
import dev.evenkeel.engine.internal.write.Pipeline;
import dev.evenkeel.engine.internal.write.RestoreVerb;
import dev.evenkeel.engine.internal.write.ReviewVerb;
import dev.evenkeel.engine.internal.write.ScaleVerb;
import dev.evenkeel.engine.internal.write.Subresources;
import dev.evenkeel.engine.internal.write.UpdateVerb;
import dev.evenkeel.engine.internal.write.Verbs;
import dev.evenkeel.engine.spi.Store;
import dev.evenkeel.engine.spi.StoreException;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A partition: the verbs, the services that act on their own, and their shared state. */
public final class PartitionRuntime implements ResourceApi {
    private final String name;
    private final WriteContext cluster;
    private final SerialQueue queue;
    private final Definitions definitions;
    private final boolean controllers;
    private final boolean shared;
    private final EngineSettings.Sharing sharing;
    private final Executor executor;
    private final Optional<LeaseElection> election;
    private final GarbageCollector collector;
    private final NamespaceService namespaces;
    private final FieldOwners owners;
    private final ServiceAddresses addresses;
    private final String servicesCollection;
    private final RegisteredTypes registered;
    private final Conversion conversion;
    private final Map<ResourceType.Version, ResourceStrategy> customs = new ConcurrentHashMap<>();
    private final Pipeline pipeline;
    private final Verbs verbs;
    private final PatchVerb patching;
    private final ApplyVerb applying;
    private final ScaleVerb scaling;
    private final ReadVerb reading;
    private final WatchVerb watching;
    private final ReentrantLock opening = new ReentrantLock();
    private final Subresources subresources;
    private final ReviewVerb reviews;
    private final Permissions permissions;
    private final boolean rbac;
    private final AtomicReference<String> certificate;
    private final RbacIndex index;
    private final FlowSchemas flows;
    private final RoleAggregation aggregation;
    private final ServerConditions conditions;
    private final RemoteApis remoteApis;
    private final NamespaceObjects objects;
    private final LocalApis localApis;
    private final QuotaController quotas;
    private final UseProtection protection;
    private final PolicyTypeChecks typeChecks;
    private final boolean accounts;
    /** The services of access control, from the moment that the partition is complete. */
    private volatile List<WriteContext.Services> access = List.of();

    private volatile Derived derived;
    private volatile boolean opened;
    private final AtomicBoolean ended = new AtomicBoolean();

    /** Values derived from one state of the types. */
    private record Derived(Types types, Map<Object, Object> values) {}

    /** Creates a partition that must be {@link #open opened}, or a fork of another one whose objects are in the store. */
    public PartitionRuntime(String name, Store store, EngineSettings settings, @Nullable PartitionRuntime origin) {
        this(name, store, settings, origin, UnaryOperator.identity());
    }

    /** Creates a partition whose writes run other steps. */
    public PartitionRuntime(
            String name,
            Store store,
            EngineSettings settings,
            @Nullable PartitionRuntime origin,
            UnaryOperator<List<WriteStep>> steps) {
        this.name = name;
        controllers = settings.controllers();
        shared = store.shared();
        sharing = settings.sharing();
        executor = settings.executor();
        queue = new SerialQueue(settings.executor());
        registered = settings.registered();
        addresses = origin == null ? new ServiceAddresses() : origin.addresses.fork();
        servicesCollection = name + "/services";
        if (origin != null) {
            // also those that were not used yet, so that forks share them
            origin.definitions.types().all().stream()
                    .filter(type -> type.origin() != ResourceType.Origin.BUILT_IN)
                    .forEach(type -> type.versions().forEach(version -> origin.custom(type, version)));
            customs.putAll(origin.customs);
        }
        Strategies strategies = (type, version) -> type.origin() == ResourceType.Origin.BUILT_IN
                ? BuiltinStrategies.of(type, version)
                : custom(type, version);
        conversion = new ConversionWebhooks(strategies, settings.webhooks(), settings.random(), settings.limits());
        cluster = new WriteContext(
                name,
                store,
                this::types,
                strategies,
                new ResourceStrategy.Context(
                        settings.clock(),
                        Requester.IN_PROCESS.user(),
                        addresses.forWrite(unused -> {}, false, unused -> false),
                        this::namespaceLabels,
                        warning -> {}),
                shared
                        ? write -> new SharedAddresses(store, name, write)
                        : write -> addresses.forWrite(
                                write::atEnd,
                                write.options().dryRun(),
                                address -> ServiceIpAddresses.isReserved(store.snapshot(), name, address)),
                new Decoder(strategies, settings.limits()),
                settings.clock(),
                settings.random(),
                settings.limits(),
                settings.maxObjectBytes(),
                shared ? (key, previous, current) -> {} : this::changed);
        index = new RbacIndex(cluster);
        flows = new FlowSchemas(cluster);
        rbac = settings.authorization() == Authorization.RBAC;
        certificate = settings.rootCertificate();
        permissions = rbac ? new AccessControl(settings.authorizers(), index) : Permissions.ALL;
        owners = origin == null ? new FieldOwners(strategies) : origin.owners.fork(strategies);
        PolicyAdmission policies = PolicyAdmission.of(cluster, permissions, settings.webhooks(), settings.plugins());
        Set<AdmissionPlugin> enabled = settings.plugins();
        Plugins plugins = new Plugins(cluster, permissions, enabled, this::ensureDefaultAccount);
        boolean limited = enabled.contains(AdmissionPlugin.RESOURCE_QUOTA);
        pipeline = new Pipeline(steps.apply(
                Pipeline.steps(cluster, owners, registered, policies, permissions, plugins, limited, rbac)));
        UpdateVerb updating = new UpdateVerb(cluster, pipeline);
        CreateVerb creating = new CreateVerb(cluster, pipeline);
        election = shared
                ? Optional.of(new LeaseElection(
                        cluster,
                        creating,
                        updating,
                        sharing.identity(),
                        sharing.leaseDuration(),
                        sharing.renewInterval(),
                        this::lead))
                : Optional.empty();
        Leadership leadership = election.<Leadership>map(held -> held).orElse(Leadership.ALONE);
        verbs = new Verbs(cluster, creating, updating, new DeleteVerb(cluster, pipeline), leadership);
        patching = new PatchVerb(cluster, updating);
        applying = new ApplyVerb(cluster, updating, owners);
        scaling = new ScaleVerb(cluster, updating, applying);
        ContentAccess contents = new ContentAccess(cluster, permissions);
        reading = new ReadVerb(cluster, contents);
        watching = new WatchVerb(cluster, contents);
        subresources = new Subresources(verbs, plugins, policies);
        reviews = new ReviewVerb(cluster, owners, permissions);
        definitions = origin == null
                ? new Definitions(fixed(), queue, verbs, this::retain)
                : new Definitions(origin.definitions, queue, verbs, this::retain);
        collector = new GarbageCollector(queue, verbs);
        remoteApis = new RemoteApis(cluster);
        namespaces = new NamespaceService(queue, verbs, remoteApis);
        aggregation = new RoleAggregation(queue, verbs, applying);
        conditions = new ServerConditions(queue, verbs, applying, executor, remoteApis);
        localApis = new LocalApis(queue, verbs);
        objects = new NamespaceObjects(queue, verbs, settings.rootCertificate()::get);
        accounts = rbac || settings.plugins().contains(AdmissionPlugin.SERVICE_ACCOUNT);
        quotas = new QuotaController(queue, verbs);
        protection = new UseProtection(queue, verbs);
        typeChecks = new PolicyTypeChecks(queue, verbs, applying);
        derived = new Derived(definitions.types(), new ConcurrentHashMap<>());
        opened = origin != null;
        if (origin != null && origin.shared) {
            takeAddresses();
        }
        if (origin != null) {
            controlAccess();
        }
    }

    /**
     * Begins to serve a partition that is not a fork: what the store has from earlier, and the initial objects. Returns
     * once that is done, by whichever thread; at once within the thread that does it.
     */
    public void open() {
        if (opened || opening.isHeldByCurrentThread()) {
            return;
        }
        opening.lock();
        try {
            if (!opened) {
                resume(cluster.store().snapshot());
                bootstrap();
                controlAccess();
                tick();
                opened = true;
            }
        } finally {
            opening.unlock();
        }
    }

    /** Begins to serve roles and bindings, and what follows from them, once the initial objects are there. */
    private void controlAccess() {
        resumeAccess();
        List<WriteContext.Services> services = new ArrayList<>();
        if (rbac) {
            services.add(index);
            services.add(localApis);
        }
        if (rbac && controllers) {
            services.add(aggregation);
        }
        if (accounts && controllers) {
            services.add(objects);
        }
        access = List.copyOf(services);
    }

    private void resumeAccess() {
        if (rbac) {
            localApis.resume();
        }
        if (rbac && controllers) {
            aggregation.resume();
        }
        if (accounts && controllers) {
            objects.resume();
        }
    }

    /** Creates the default service account of a namespace, if that is the task of this engine. */
    private void ensureDefaultAccount(String namespace) {
        if (accounts && controllers) {
            objects.ensureAccount(namespace);
        }
    }

    @Override
    public void publish(String rootCertificate) {
        certificate.set(rootCertificate);
        if (accounts && controllers && opened) {
            queue.add(objects::resume);
        }
    }

    /** Serves what the store has from earlier: the types of its definitions, and the deletions that are not complete. */
    private void resume(Store.Snapshot snapshot) {
        List<String> collections = snapshot.collections().stream()
                .filter(collection -> collection.startsWith(name + "/"))
                .toList();
        if (collections.isEmpty()) {
            return;
        }
        definitions.resume();
        takeAddresses();
        if (controllers) {
            collector.resume(snapshot, collections);
            namespaces.resume();
            quotas.resume();
            protection.resume();
            typeChecks.resume();
        }
    }

    private void takeAddresses() {
        if (!shared) {
            cluster.each(servicesCollection, "", entry -> changedService(entry.key(), null, entry));
        }
    }

    private void changedService(Store.Key key, Store.@Nullable Entry previous, Store.@Nullable Entry current) {
        if (!shared && key.collection().equals(servicesCollection)) {
            addresses.changed(key, spec(previous), spec(current));
        }
    }

    private static JsonObject spec(Store.@Nullable Entry entry) {
        return entry == null ? new JsonObject() : StoredObject.tree(entry).object("spec");
    }

    /** Creates the initial objects of every partition; later, if the store cannot be reached now. */
    private void bootstrap() {
        InitialObjects initial = new InitialObjects(verbs, rbac);
        try {
            initial.ensure();
        } catch (ApiException e) {
            if (!shared || !(e.getCause() instanceof StoreException)) {
                throw e;
            }
            queue.add(initial::ensure);
        }
    }

    /** Lets the services act from now on, on everything that is left to do. */
    private void lead() {
        queue.add(() -> resume(cluster.store().snapshot()));
        queue.add(this::resumeAccess);
    }

    /** Elects the leader among the engines on the store, and repeats what could not be written. */
    public void tick() {
        if (ended.get()) {
            return;
        }
        election.ifPresent(LeaseElection::tick);
        if (cluster.store().outage().isEmpty()) {
            queue.retry();
        }
        namespaces.recheck();
    }

    /** Ends what this engine does on its own in the partition, so that another engine continues it. */
    public void close() {
        election.ifPresent(LeaseElection::close);
    }

    /**
     * Ends the partition, since it is deleted: all watches end, and requests are refused from now on. Returns false if that
     * was done before.
     */
    public boolean end() {
        if (ended.getAndSet(true)) {
            return false;
        }
        election.ifPresent(LeaseElection::abandon);
        watching.end();
        return true;
    }

    /** Returns true once the initial objects are there, until the partition is deleted. */
    public boolean isOpen() {
        return opened && !ended.get();
    }

    /** Reads the whole partition again: changes may have been missed. */
    public void resync() {
        queue.add(() -> {
            collector.reset();
            index.reset();
            flows.reset();
            remoteApis.reset();
            resume(cluster.store().snapshot());
        });
    }

    private ResourceStrategy custom(ResourceType type, ResourceType.Version version) {
        ResourceStrategy known = customs.get(version);
        return known == null ? customs.computeIfAbsent(version, v -> strategy(type, v)) : known;
    }

    private ResourceStrategy strategy(ResourceType type, ResourceType.Version version) {
        return registered
                .find(type)
                .map(found -> found.strategy(version))
                .orElseGet(() -> new CustomStrategy(type, version, conversion));
    }

    /** Serves the present types of the program. */
    public void retype() {
        definitions.fix(fixed());
    }

    /** Forgets what was derived from other types. */
    private void retain(Types types) {
        customs.keySet()
                .retainAll(types.all().stream()
                        .flatMap(type -> type.versions().stream())
                        .collect(Collectors.toSet()));
        owners.retain(types);
        watching.typesChanged(types);
    }

    /** Reacts to a change of an object, by this engine or another one. */
    public void changed(Store.Key key, Store.@Nullable Entry previous, Store.@Nullable Entry current) {
        if (ended.get()) {
            removeStray(key, current);
            return;
        }
        queue.retry();
        changedService(key, previous, current);
        definitions.changed(key, previous, current);
        remoteApis.changed(key, previous, current);
        conditions.changed(key, previous, current);
        flows.changed(key, previous, current);
        if (controllers) {
            collector.changed(key, previous, current);
            namespaces.changed(key, previous, current);
            quotas.changed(key, previous, current);
            protection.changed(key, previous, current);
            typeChecks.changed(key, previous, current);
        }
        for (WriteContext.Services service : access) {
            service.changed(key, previous, current);
        }
        if (rbac && index.isIndexed(key)) {
            watching.permissionsChanged();
        }
        if (shared && LeaseElection.isLease(key)) {
            executor.execute(this::tick);
        }
    }

    /** Deletes an object that was written while the partition was deleted. */
    private void removeStray(Store.Key key, Store.@Nullable Entry current) {
        if (current != null && key.collection().startsWith(name + "/")) {
            var unused = cluster.store().commit(List.of(new Store.Change(key, current.revision(), null)), List.of());
        }
    }

    private List<ResourceType> fixed() {
        return Stream.concat(BuiltinTypes.all().stream(), registered.types().stream())
                .toList();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Types types() {
        return definitions.types();
    }

    @Override
    public Optional<RegisteredType> registered(ResourceType type) {
        return registered.find(type);
    }

    @Override
    public Optional<Target> resource(String group, String version, String plural) {
        Optional<Target> known = types().resource(group, version, plural);
        if (known.isPresent() || !shared) {
            return known;
        }
        sharing.catchUp().accept(cluster.latest().revision());
        return types().resource(group, version, plural);
    }

    @Override
    public Optional<Store.Outage> outage() {
        return cluster.store().outage();
    }

    /**
     * Runs a write. On a store that other engines write to, it may have been refused because of a state that is out of
     * date; then it runs again on the latest one. The write of a definition returns once this engine serves the result.
     */
    private Reply write(Target target, boolean dryRun, Supplier<Reply> write) {
        if (!shared) {
            return write.get();
        }
        Reply reply = writeShared(write);
        if (target.type().id().equals(Definitions.ID) && !dryRun) {
            sharing.catchUp().accept(cluster.store().revision());
            String definition = reply instanceof Reply.Shown shown
                    ? shown.document().tree().string("metadata", "name")
                    : target.name();
            definitions.awaitSettled(definition, sharing.settleTimeout());
        }
        return reply;
    }

    private Reply writeShared(Supplier<Reply> write) {
        long before = cluster.store().revision();
        try {
            return write.get();
        } catch (ApiException e) {
            if (e.getCause() instanceof StoreException
                    || cluster.latestForWrite().revision() == before) {
                throw e;
            }
            return write.get();
        }
    }

    @Override
    public Permissions permissions() {
        return permissions;
    }

    @Override
    public FlowConfiguration flows() {
        return flows.configuration();
    }

    @Override
    public Map<String, RemoteApis.Api> remoteApis() {
        return remoteApis.all();
    }

    @Override
    public Optional<URI> address(RemoteApis.Api api) {
        return conditions.address(api.namespace(), api.service(), api.port());
    }

    @Override
    public void probeApis(ServerConditions.Probe probe) {
        conditions.probe(probe);
    }

    @Override
    public void recheck() {
        if (!remoteApis.all().isEmpty()) {
            conditions.recheck();
        }
        namespaces.recheck();
    }

    @Override
    public PrivateObjects privateObjects() {
        return new PrivateObjects(cluster);
    }

    /** Refuses a verb that the kind does not have, such as all but create for kinds that are never stored. */
    private void serve(Target target, String verb) {
        if (ended.get()) {
            throw Refusal.notFound(target.type(), target.name());
        }
        if (target.subresource().isEmpty() && !target.type().rules().verbs().contains(verb)) {
            throw Refusal.noSuchMethod();
        }
    }

    @Override
    public Document get(Target target, String resourceVersion, User user) {
        serve(target, "get");
        return target.subresource().equals("scale") ? scaling.get(target) : reading.get(target, resourceVersion, user);
    }

    @Override
    public Page list(Target target, ListQuery query, User user) {
        serve(target, "list");
        return reading.list(target, query, user, "list");
    }

    @Override
    public WatchStream watch(Target target, WatchQuery query, User user, Runnable onReady) {
        serve(target, "watch");
        return watching.watch(target, query, user, onReady);
    }

    private JsonObject namespaceLabels(String namespace) {
        return cluster.object(Namespaces.ID, "", namespace)
                .map(tree -> tree.object("metadata", "labels"))
                .orElseGet(JsonObject::new);
    }

    @Override
    public PolicyAdmission.Admitted<JsonObject> connect(Target target, JsonObject connection, WriteOptions options) {
        return subresources.connect(target, connection, options);
    }

    @Override
    public Reply create(Target target, Body body, WriteOptions options) {
        serve(target, "create");
        return write(target, options.dryRun(), () -> {
            if (!target.subresource().isEmpty()) {
                return subresources.create(target, body, options);
            }
            if (target.type().id().equals("bindings")) {
                return subresources.bind(target, body, options);
            }
            Optional<Review> review = cluster.strategies().of(target).review();
            return review.isPresent()
                    ? reviews.create(review.get(), target, body, options)
                    : verbs.creating().create(target, body, options);
        });
    }

    @Override
    public Reply update(Target target, Body body, WriteOptions options) {
        serve(target, "update");
        return write(
                target,
                options.dryRun(),
                () -> target.subresource().equals("scale")
                        ? scaling.update(target, body, options)
                        : verbs.updating().update(target, body, options));
    }

    @Override
    public Reply patch(Target target, Patch.Type patchType, Body body, WriteOptions options) {
        serve(target, "patch");
        if (patchType == Patch.Type.STRATEGIC && target.type().origin() != ResourceType.Origin.BUILT_IN) {
            throw Refusal.noStrategicPatch();
        }
        return write(target, options.dryRun(), () -> {
            if (target.subresource().equals("scale")) {
                return scaling.patch(target, patchType, body, options);
            }
            return patchType == Patch.Type.APPLY
                    ? applying.apply(target, body, options)
                    : patching.patch(target, patchType, body, options);
        });
    }

    @Override
    public Reply change(
            Target target, WriteOptions options, Function<? super @Nullable JsonObject, JsonObject> wanted) {
        serve(target, "update");
        return write(target, options.dryRun(), () -> verbs.updating().write(target, options, wanted));
    }

    @Override
    public List<Target> dependents(String uid) {
        if (controllers) {
            return collector.dependents(uid).stream()
                    .flatMap(key -> verbs.target(key).stream())
                    .toList();
        }
        List<Target> found = new ArrayList<>();
        for (ResourceType type : types().all()) {
            cluster.each(cluster.collection(type), "", entry -> {
                if (entry.value().ownerUids().contains(uid)) {
                    verbs.target(entry.key()).ifPresent(found::add);
                }
            });
        }
        return found;
    }

    @Override
    public Reply delete(Target target, DeleteOptions options, Requester requester) {
        serve(target, "delete");
        return write(target, options.dryRun(), () -> verbs.deleting().delete(target, options, requester));
    }

    @Override
    public Page deleteCollection(Target target, ListQuery query, DeleteOptions options, Requester requester) {
        serve(target, "deletecollection");
        Page page = reading.list(target, query, requester.user(), "deletecollection");
        for (Document document : page.items()) {
            JsonObject tree = document.tree();
            try {
                delete(
                        target.withName(tree.string("metadata", "namespace"), tree.string("metadata", "name")),
                        options,
                        requester);
            } catch (NotFoundException e) {
                // Another thread was faster.
            }
        }
        return page;
    }

    @Override
    public Document restore(Target target, Body body, String fieldManager) {
        serve(target, "get");
        return new RestoreVerb(cluster, pipeline).restore(target, body, fieldManager);
    }

    @Override
    public JsonObject partial(Target target, JsonObject metadata) {
        return cluster.strategies().of(target).partial(metadata);
    }

    @Override
    public List<ResourceType.Column> columns(Target target) {
        return target.subresource().equals("scale")
                ? ScaleTable.columns(target)
                : target.version().columns();
    }

    @Override
    public Row row(Target target, JsonObject object) {
        Instant now = cluster.clock().instant();
        if (target.subresource().equals("scale")) {
            return new Row(ScaleTable.cells(object, target, now), List.of());
        }
        ResourceStrategy strategy = cluster.strategies().of(target);
        return new Row(strategy.cells(object, now), strategy.conditions(object));
    }

    @Override
    public Optional<Comparator<JsonObject>> rowOrder(ResourceType type, ResourceType.Version version) {
        return cluster.strategies().of(type, version).rowOrder();
    }

    @Override
    public Client client(String fieldManager) {
        return new EngineClient(this, cluster.clock(), fieldManager, Requester.IN_PROCESS);
    }

    @Override
    public Client client(String fieldManager, User user) {
        User sender = user.groups().contains(User.UNAUTHENTICATED) ? user : user.authenticated();
        return new EngineClient(this, cluster.clock(), fieldManager, new Requester(sender, Tokens.NONE));
    }

    @Override
    @SuppressWarnings({"unchecked", "ReferenceEquality"})
    public <T> T derived(Object key, Supplier<T> maker) {
        Types now = definitions.types();
        Derived known = derived;
        if (known.types() != now) {
            known = new Derived(now, new ConcurrentHashMap<>());
            derived = known;
        }
        Object value = known.values().get(key);
        if (value == null) {
            value = maker.get();
            known.values().put(key, value);
        }
        return (T) value;
    }
}
