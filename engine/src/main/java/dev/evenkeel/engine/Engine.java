package dev.evenkeel.engine;

import dev.evenkeel.client.Client;
import dev.evenkeel.engine.internal.EngineSettings;
import dev.evenkeel.engine.internal.ObjectCodec;
import dev.evenkeel.engine.internal.PartitionRuntime;
import dev.evenkeel.engine.internal.StoreFollower;
import dev.evenkeel.engine.internal.admission.AdmissionPlugin;
import dev.evenkeel.engine.internal.admission.RegisteredTypes;
import dev.evenkeel.engine.internal.object.NameGenerator;
import dev.evenkeel.engine.spi.AdmissionCaller;
import dev.evenkeel.engine.spi.Authorizer;
import dev.evenkeel.engine.spi.Store;
import dev.evenkeel.engine.store.MemoryStore;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A resource engine: objects with the semantics of the Kubernetes API, in this process.
 *
 * <pre>{@code
 * try (Engine engine = Engine.create()) {
 *     Client client = engine.client();
 *     client.create(configMap);
 * }
 * }</pre>
 *
 * <p>An engine consists of partitions, each a logical cluster of its own, created on first use. All partitions share a
 * store. Safe for use by many threads.
 *
 * <p>Several engines, each in its own process, may share their data if their stores are {@link Store#shared shared}: each
 * serves reads and writes. For each partition, one of them at a time is the leader, which runs garbage collection, empties
 * deleted namespaces, and accepts or refuses the names of definitions.
 */
public final class Engine implements AutoCloseable {
    /** The name of the default partition, which URLs may omit. */
    public static final String DEFAULT_PARTITION = "default";

    /** The name of the partition with the objects that are one for all partitions. */
    public static final String SYSTEM_PARTITION = "system";

    private static final Pattern PARTITION_NAME = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

    /** A transaction of etcd changes at most 128 keys. */
    private static final int DELETED_AT_ONCE = 100;

    private static final Duration LEASE_DURATION = Duration.ofSeconds(15);
    private static final Duration RENEW_INTERVAL = Duration.ofSeconds(5);

    private final Store store;
    private final EngineSettings settings;
    private final Map<String, PartitionRuntime> partitions = new ConcurrentHashMap<>();
    private final Runnable retyping;
    private final @Nullable StoreFollower follower;
    private final @Nullable ScheduledExecutorService timer;

    private Engine(Builder builder) {
        Store.Context context = new Store.Context(ObjectCodec.INSTANCE, builder.clock, builder.executor);
        Engine origin = builder.origin;
        store = origin == null ? builder.store.open(context) : origin.forkedStore(context);
        settings = new EngineSettings(
                builder.clock,
                builder.random,
                builder.limits,
                builder.maxObjectBytes,
                builder.executor,
                origin == null ? new RegisteredTypes(builder.sources) : origin.settings.registered(),
                builder.controllers,
                builder.authorization,
                List.copyOf(builder.authorizers),
                Set.copyOf(builder.plugins),
                builder.caller(),
                origin == null ? new AtomicReference<>("") : origin.settings.rootCertificate(),
                new EngineSettings.Sharing(
                        store.shared() ? NameGenerator.uuid(builder.random) : "",
                        LEASE_DURATION,
                        RENEW_INTERVAL,
                        builder.settleTimeout,
                        this::catchUp));
        Store.Snapshot beginning = store.snapshot();
        if (origin == null) {
            openPartitions(beginning);
        } else {
            origin.partitions.forEach(
                    (name, partition) -> partitions.put(name, new PartitionRuntime(name, store, settings, partition)));
        }
        partition(DEFAULT_PARTITION);
        retyping = settings.registered().onChange(() -> partitions.values().forEach(PartitionRuntime::retype));
        follower = store.shared()
                ? new StoreFollower(store, beginning.revision(), builder.executor, this::follow, this::resync)
                : null;
        timer = store.shared() && builder.timer ? timer() : null;
    }

    private void openPartitions(Store.Snapshot snapshot) {
        snapshot.collections().stream().map(Engine::partitionOf).distinct().forEach(this::partition);
    }

    /** Returns the object whose deletion ends a partition: no request may delete it. */
    private static Store.Key home(String partition) {
        return new Store.Key(partition + "/namespaces", "", "default");
    }

    private static boolean isPermanent(String partition) {
        return partition.equals(DEFAULT_PARTITION) || partition.equals(SYSTEM_PARTITION);
    }

    private static String partitionOf(String collection) {
        return collection.substring(0, collection.indexOf('/'));
    }

    /** Passes a change to its partition, which another engine may have created. */
    private void follow(Store.Event event) {
        String name = partitionOf(event.key().collection());
        PartitionRuntime known = partitions.get(name);
        if (event.current() == null && known == null) {
            return; // the rest of a partition that was deleted
        }
        if (event.current() == null && known != null && event.key().equals(home(name)) && !isPermanent(name)) {
            if (known.end()) {
                partitions.remove(name, known);
            }
            return;
        }
        runtime(name).changed(event.key(), event.previous(), event.current());
    }

    private void resync(Store.Snapshot snapshot) {
        partitions.forEach((name, partition) -> {
            if (!isPermanent(name) && partition.isOpen() && snapshot.get(home(name)) == null && partition.end()) {
                partitions.remove(name, partition);
            }
        });
        partitions.values().forEach(PartitionRuntime::resync);
        openPartitions(snapshot);
    }

    private void catchUp(long revision) {
        if (follower != null) {
            follower.catchUp(revision);
        }
    }

    private ScheduledExecutorService timer() {
        ScheduledExecutorService scheduled = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("evenkeel-engine-timer").factory());
        var unused = scheduled.scheduleWithFixedDelay(this::tick, 1, 1, TimeUnit.SECONDS);
        return scheduled;
    }

    /** Elects the leaders of the partitions, and repeats what could not be written. */
    void tick() {
        partitions.values().forEach(partition -> settings.executor().execute(partition::tick));
    }

    private Store forkedStore(Store.Context context) {
        return store.fork(context)
                .orElseThrow(() -> new IllegalStateException("the store of the engine cannot be forked: "
                        + store.getClass().getName()));
    }

    /**
     * Starts the builder of an engine that begins with the present state of this one: its objects, its types and what
     * was learnt about them. From then on the two are independent. Forking takes microseconds regardless of the number
     * of objects, which makes it the way to create many equal engines, such as one for each test case.
     *
     * <p>The fork has the settings of this engine, except those that are set on the builder: {@code clock}, {@code
     * random} and {@code executor}. Do not write to this engine while the fork is built.
     *
     * @throws IllegalStateException when {@code build} is called and the store of this engine cannot be forked, as one in memory can
     */
    public Builder fork() {
        Builder builder = new Builder();
        builder.origin = this;
        builder.clock = settings.clock();
        builder.random = settings.random();
        builder.limits = settings.limits();
        builder.maxObjectBytes = settings.maxObjectBytes();
        builder.executor = settings.executor();
        builder.controllers = settings.controllers();
        builder.authorization = settings.authorization();
        builder.authorizers.addAll(settings.authorizers());
        builder.plugins.clear();
        builder.plugins.addAll(settings.plugins());
        builder.webhooks = settings.webhooks();
        return builder;
    }

    /** Creates an engine in memory with the defaults of {@link #builder}. */
    public static Engine create() {
        return builder().build();
    }

    /** Starts building an engine. */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns a client of the default partition with the field manager {@code evenkeel}. */
    public Client client() {
        return partition(DEFAULT_PARTITION).client("evenkeel");
    }

    /**
     * Returns a client of the default partition that acts as a user, with the permissions of the user only. The user is a
     * member of {@link User#AUTHENTICATED} too, unless it is {@link User#ANONYMOUS}.
     */
    public Client as(User user) {
        return partition(DEFAULT_PARTITION).client("evenkeel", user);
    }

    /**
     * Returns a partition, which is created if absent.
     *
     * @throws IllegalArgumentException when the name is not a DNS label
     */
    public Partition partition(String name) {
        if (!isPartitionName(name)) {
            throw new IllegalArgumentException("partition \"" + name
                    + "\": a name is made of lower case letters, digits and '-', at most 63, such as \"team-a\"");
        }
        return runtime(name);
    }

    private PartitionRuntime runtime(String name) {
        PartitionRuntime partition =
                partitions.computeIfAbsent(name, n -> new PartitionRuntime(n, store, settings, null));
        partition.open();
        return partition;
    }

    /** Returns a partition that exists. */
    public Optional<Partition> findPartition(String name) {
        return partitions.containsKey(name) ? Optional.of(runtime(name)) : Optional.empty();
    }

    /** Returns the names of the partitions that exist, sorted. */
    public List<String> partitions() {
        return partitions.keySet().stream().sorted().toList();
    }

    /**
     * Deletes a partition with all its objects, and the history of the store, of which they are a part: watches of any
     * partition that start in the past receive 410. Watches of the deleted partition end, and its clients receive 404. A
     * partition that is created later by the same name has nothing of it.
     *
     * <p>Other engines on a shared store stop to serve the partition when they see the deletion; a write that one of them
     * makes at the same moment may create the partition again. After a failure or the end of the process, call it again.
     *
     * @return true if the partition existed
     * @throws IllegalArgumentException for the partitions {@code default} and {@code system}, which every engine has
     */
    public boolean deletePartition(String name) {
        if (isPermanent(name)) {
            throw new IllegalArgumentException("partition \"" + name + "\" cannot be deleted: every engine has it");
        }
        PartitionRuntime partition = partitions.get(name);
        if (partition == null) {
            return false;
        }
        boolean unused = partition.end();
        while (!deleteObjects(name)) {
            // until there are none
        }
        partitions.remove(name, partition);
        store.compact(store.revision());
        return true;
    }

    /** Deletes some of the objects of a partition; returns true when there are none. */
    private boolean deleteObjects(String partition) {
        Store.Snapshot latest = store.latest();
        List<Store.Change> changes = new ArrayList<>();
        Store.Entry home = latest.get(home(partition));
        if (home != null) {
            changes.add(new Store.Change(home.key(), home.revision(), null));
        } else {
            for (String collection : latest.collections()) {
                if (partitionOf(collection).equals(partition)) {
                    latest.range(collection, "", null, entry -> {
                        changes.add(new Store.Change(entry.key(), entry.revision(), null));
                        return changes.size() < DELETED_AT_ONCE;
                    });
                }
                if (changes.size() == DELETED_AT_ONCE) {
                    break;
                }
            }
        }
        if (!changes.isEmpty()) {
            Store.Outcome unused = store.commit(changes, List.of()); // a conflict is resolved by the next call
        }
        return changes.isEmpty();
    }

    /** Returns true if the name is valid for a partition. */
    public static boolean isPartitionName(String name) {
        return PARTITION_NAME.matcher(name).matches();
    }

    /** Returns the store that all partitions share. */
    public Store store() {
        return store;
    }

    /** Ends all watches and closes the store. */
    @Override
    public void close() {
        retyping.run();
        if (timer != null) {
            timer.shutdownNow();
        }
        if (store.outage().isEmpty()) {
            partitions.values().forEach(PartitionRuntime::close);
        }
        if (follower != null) {
            follower.close();
        }
        store.close();
    }

    /** Builds an engine. */
    public static final class Builder {
        private @Nullable Engine origin;
        private MemoryStore.Window window = MemoryStore.Window.DEFAULT;
        private Store.Factory store = context -> new MemoryStore(window, context.clock(), context.executor());
        private InstantSource clock = InstantSource.system();
        private RandomGenerator random = new ThreadRandom();
        private JsonLimits limits = JsonLimits.DEFAULT;
        private int maxObjectBytes = 1536 * 1024;
        private Executor executor = Thread::startVirtualThread;
        private final List<TypeSource> sources = new ArrayList<>();
        private boolean controllers = true;
        private Authorization authorization = Authorization.ALLOW_ALL;
        private final List<Authorizer> authorizers = new ArrayList<>();
        private final Set<AdmissionPlugin> plugins = EnumSet.copyOf(AdmissionPlugin.defaults());
        private Optional<AdmissionCaller> webhooks = Optional.empty();
        private Duration settleTimeout = Duration.ofSeconds(10);
        private boolean timer = true;
        private final Map<String, UnaryOperator<byte[]>> local = new LinkedHashMap<>();

        private Builder() {}

        /**
         * Sets the store of the objects; default: a {@link MemoryStore} with the {@link #window}. It is opened when the engine is
         * built, and closed with it: {@code store(context -> new FileStore(directory, context))}.
         */
        public Builder store(Store.Factory value) {
            refuseInFork("store");
            store = value;
            return this;
        }

        /**
         * Sets how much history the memory store keeps for watches and exact lists; default: 100,000 events, 5 minutes.
         */
        public Builder window(MemoryStore.Window value) {
            window = value;
            return this;
        }

        /** Sets the clock; default: the system's. */
        public Builder clock(InstantSource value) {
            clock = value;
            return this;
        }

        /**
         * Sets the source of uids and generated names; default: one for each thread. Must be safe for use by many
         * threads.
         */
        public Builder random(RandomGenerator value) {
            random = value;
            return this;
        }

        /** Sets the limits on bodies; default: {@link JsonLimits#DEFAULT}. */
        public Builder limits(JsonLimits value) {
            limits = value;
            return this;
        }

        /**
         * Sets the size of the largest object that is stored, in bytes; default: 1.5 MiB, the limit of etcd. As in
         * Kubernetes, built-in kinds are counted in protobuf, others in JSON.
         */
        public Builder maxObjectBytes(int value) {
            maxObjectBytes = value;
            return this;
        }

        /**
         * Sets the executor that runs cascades and wakes watchers; default: virtual threads. With {@code Runnable::run}
         * a write returns after everything that it entails is done.
         */
        public Builder executor(Executor value) {
            executor = value;
            return this;
        }

        /**
         * Sets whether deletions cascade along owner references and deleted namespaces are emptied; default: true. If
         * false, the engine behaves as an API server alone, whose garbage collector runs elsewhere.
         */
        public Builder controllers(boolean value) {
            controllers = value;
            return this;
        }

        /**
         * Sets what decides who may do what: all but {@link Engine#client}, which is an administrator's; default: {@link
         * Authorization#ALLOW_ALL}.
         */
        public Builder authorization(Authorization value) {
            authorization = value;
            return this;
        }

        /**
         * Adds an authorizer, which decides before roles and bindings do, after those added earlier; needs {@link
         * Authorization#RBAC}.
         */
        public Builder authorizer(Authorizer value) {
            authorizers.add(value);
            return this;
        }

        /** Serves types of the program's own in every partition. */
        public Builder register(TypeSource types) {
            refuseInFork("register");
            sources.add(types);
            return this;
        }

        /**
         * Enables admission plugins by the names that kube-apiserver gives them, such as {@code PodNodeSelector}. Default:
         * those that kube-apiserver enables, as far as the engine has them, except {@code ServiceAccount}, with which a
         * pod cannot be created before its service account.
         *
         * @throws IllegalArgumentException when the engine has no plugin of a name
         */
        public Builder enableAdmission(String... names) {
            plugins.addAll(AdmissionPlugin.named(names));
            return this;
        }

        /**
         * Disables admission plugins by their names.
         *
         * @throws IllegalArgumentException when the engine has no plugin of a name
         */
        public Builder disableAdmission(String... names) {
            plugins.removeAll(AdmissionPlugin.named(names));
            return this;
        }

        /**
         * Calls the admission webhooks of MutatingWebhookConfigurations and ValidatingWebhookConfigurations, for
         * example by {@link HttpAdmissionCaller}; default: none is called, and configurations are plain objects.
         */
        public Builder webhooks(AdmissionCaller value) {
            webhooks = Optional.of(value);
            return this;
        }

        /**
         * Registers a webhook in this process: it is called for every configuration and conversion with this path, whatever the host
         * or service. An exception that it throws counts as a failed call.
         *
         * @param path as in the URL, or in the reference of the service, of the configuration
         * @param webhook returns the answer to a review, both {@code AdmissionReview}s of {@code admission.k8s.io/v1}
         *     or {@code ConversionReview}s of {@code apiextensions.k8s.io/v1}, in JSON
         */
        public Builder webhook(String path, UnaryOperator<byte[]> webhook) {
            local.put(path, webhook);
            return this;
        }

        /** Sets how long the write of a definition waits for the leader; default: 10 seconds. */
        Builder settleTimeout(Duration value) {
            settleTimeout = value;
            return this;
        }

        /** Sets whether a thread calls {@link Engine#tick}, if the store is shared; default: true. */
        Builder timer(boolean value) {
            timer = value;
            return this;
        }

        private Optional<AdmissionCaller> caller() {
            if (local.isEmpty()) {
                return webhooks;
            }
            Map<String, UnaryOperator<byte[]>> paths = Map.copyOf(local);
            Optional<AdmissionCaller> others = webhooks;
            return Optional.of((webhook, review, timeout) -> {
                UnaryOperator<byte[]> here = paths.get(webhook.path());
                if (here != null) {
                    return answer(here, review);
                }
                if (others.isEmpty()) {
                    throw new IOException("no webhook is at " + webhook.path() + " in this process");
                }
                return others.get().call(webhook, review, timeout);
            });
        }

        private static byte[] answer(UnaryOperator<byte[]> webhook, byte[] review) throws IOException {
            try {
                return webhook.apply(review);
            } catch (RuntimeException e) {
                throw new IOException(e.toString(), e);
            }
        }

        private void refuseInFork(String what) {
            if (origin != null) {
                throw new IllegalStateException(
                        what + " cannot be set for a fork; set it on the engine that is forked");
            }
        }

        /** Returns the engine. */
        public Engine build() {
            if (!authorizers.isEmpty() && authorization == Authorization.ALLOW_ALL) {
                throw new IllegalStateException(
                        "an authorizer has no effect when everything is allowed: set authorization(Authorization.RBAC)");
            }
            return new Engine(this);
        }
    }

    /** Draws random numbers from the generator of the calling thread. */
    private static final class ThreadRandom implements RandomGenerator {
        @Override
        public long nextLong() {
            return ThreadLocalRandom.current().nextLong();
        }
    }
}
