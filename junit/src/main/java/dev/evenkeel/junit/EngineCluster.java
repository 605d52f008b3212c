package dev.evenkeel.junit;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Manifests;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.engine.Authorization;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.HttpAdmissionCaller;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.junit.internal.Activity;
import dev.evenkeel.junit.internal.GeneratedDefinitions;
import dev.evenkeel.junit.internal.LocalHttpClientFactory;
import dev.evenkeel.junit.internal.Loopback;
import dev.evenkeel.junit.internal.Manifest;
import dev.evenkeel.junit.internal.OkHttpRequests;
import dev.evenkeel.junit.internal.RecordingApi;
import dev.evenkeel.junit.internal.RequestInterceptor;
import dev.evenkeel.junit.internal.RequestTap;
import dev.evenkeel.server.Server;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * A Kubernetes API for tests, within their process: its semantics are those of an API server (validation, generations,
 * owners, finalizers, watches, server-side apply). No pod runs in it.
 *
 * <p>fabric8's client needs no connection. Programs that need one get a kubeconfig: the cluster then listens on
 * loopback, with TLS and a token, until it is closed.
 *
 * <pre>{@code
 * try (EngineCluster cluster = EngineCluster.builder().manifests("crds/").start()) {
 *     KubernetesClient client = cluster.kubernetesClient();
 * }
 * }</pre>
 *
 * <p>Thread-safe.
 */
public final class EngineCluster implements AutoCloseable {
    private static final String MANAGER = "evenkeel";

    /** The longest time to wait for quiet. */
    static final Duration MOST_WAIT = Duration.ofSeconds(20);

    private final Activity activity = new Activity();
    private final Engine engine;
    private final TestClock clock;
    private final RecordingApi api;
    private final List<RequestFault> faults = new CopyOnWriteArrayList<>();
    private final Map<String, KubernetesClient> clients = new LinkedHashMap<>();
    private @Nullable Workloads workloads;
    private @Nullable Server server;
    private @Nullable Path kubeconfig;

    private EngineCluster(Engine.Builder builder) {
        clock = new TestClock();
        engine = builder.clock(clock).executor(activity).build();
        api = new RecordingApi(engine, activity, new RequestInterceptor() {
            @Override
            public Optional<Status> before(String verb, String resource) {
                return fault(verb, resource);
            }

            @Override
            public boolean active() {
                return !faults.isEmpty();
            }
        });
    }

    /** Starts a cluster without definitions or objects of the test's own. */
    public static EngineCluster start() {
        return builder().start();
    }

    /** Starts building a cluster. */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns the engine. */
    public Engine engine() {
        return engine;
    }

    /** Returns the client of Evenkeel, as an administrator. */
    public Client client() {
        return engine.client();
    }

    /** Returns fabric8's client, as an administrator; closed with the cluster. */
    public KubernetesClient kubernetesClient() {
        return kubernetesClient("");
    }

    /**
     * Returns fabric8's client as a user, with the permissions of the user only; closed with the cluster.
     *
     * @param user the name of the user, such as {@code system:serviceaccount:default:operator}; empty for an administrator
     */
    public KubernetesClient kubernetesClient(String user) {
        synchronized (clients) {
            return clients.computeIfAbsent(user, this::newClient);
        }
    }

    private KubernetesClient newClient(String user) {
        Config config = config();
        if (!user.isEmpty()) {
            config.setImpersonateUsername(user);
        }
        return newClient(config, RequestTap.NONE);
    }

    private static Config config() {
        Config config = Config.empty();
        config.setMasterUrl("https://in-process.evenkeel.invalid/");
        config.setNamespace("default");
        return config;
    }

    /** Returns a client whose requests a tap sees; it tries again at once. The caller closes it. */
    KubernetesClient newClient(RequestTap tap) {
        Config config = config();
        config.setWatchReconnectInterval(1);
        config.setRequestRetryBackoffInterval(1);
        return newClient(config, tap);
    }

    /**
     * The builder of all clients, loaded on first use, with the conversion of objects, which all clusters share:
     * introspecting the classes of the model took a third of the time of a test. So a class that one test registers for a
     * kind of its own is known to others.
     */
    private static final class Clients {
        private static final KubernetesClientBuilder BUILDER =
                new KubernetesClientBuilder().withKubernetesSerialization(new KubernetesSerialization());

        static synchronized KubernetesClient build(Config config, HttpClient.Factory http, Activity threads) {
            KubernetesClient client = BUILDER.withConfig(config)
                    .withHttpClientFactory(http)
                    .withTaskExecutor(threads)
                    .build();
            var unused = BUILDER.withHttpClientFactory(null); // which refers to the cluster
            return client;
        }
    }

    private KubernetesClient newClient(Config config, RequestTap tap) {
        return Clients.build(config, new LocalHttpClientFactory(api, tap), activity);
    }

    /**
     * Returns the part that lets a client send its requests to this cluster without a connection, whatever the address in
     * its settings. They are an administrator's, or a user's whom the client impersonates.
     *
     * <pre>{@code
     * new KubernetesClientBuilder().withHttpClientFactory(cluster.transport(HttpClient.Factory.class))
     * new OkHttpClient.Builder().addInterceptor(cluster.transport(okhttp3.Interceptor.class))
     * }</pre>
     *
     * @param type fabric8's {@code HttpClient.Factory}, or {@code okhttp3.Interceptor} for the official Java client,
     *     whose watches and informers work
     * @throws IllegalArgumentException when there is none of this type
     */
    public <T> T transport(Class<T> type) {
        if (type.equals(HttpClient.Factory.class)) {
            return type.cast(new LocalHttpClientFactory(api, RequestTap.NONE));
        }
        if (type.getName().equals("okhttp3.Interceptor")) {
            return type.cast(new OkHttpRequests(api));
        }
        throw new IllegalArgumentException("no client is known to have transports of type " + type.getName()
                + ": use io.fabric8.kubernetes.client.http.HttpClient.Factory or okhttp3.Interceptor");
    }

    /** Returns the clock. */
    public TestClock clock() {
        return clock;
    }

    /**
     * Returns the latest requests of fabric8's clients and of clients with the kubeconfig, such as
     * {@code POST /api/v1/namespaces 201}; a thousand at most.
     */
    public List<String> requests() {
        return api.requests();
    }

    /**
     * Adds a fault that requests of fabric8's clients will meet, except those of clients with the kubeconfig. Without a call
     * of {@code fail} or {@code delay} it has no effect.
     *
     * @param verb the verb, as in rules of RBAC, such as {@code create}; {@code *} for any
     * @param resource the plural of the resource, such as {@code configmaps} or {@code pods/status}; {@code *} for any
     */
    public RequestFault on(String verb, String resource) {
        RequestFault fault = new RequestFault(verb, resource, clock, activity);
        faults.add(fault);
        return fault;
    }

    private Optional<Status> fault(String verb, String resource) {
        return faults.stream()
                .flatMap(fault -> fault.before(verb, resource).stream())
                .findFirst();
    }

    /** Returns what gives workloads a status. */
    public synchronized Workloads workloads() {
        Workloads present = workloads;
        if (present == null) {
            present = new Workloads(kubernetesClient(), clock);
            workloads = present;
        }
        return present;
    }

    /**
     * Waits until the cluster is quiet: no request of fabric8's clients is being answered, every event was delivered to
     * its watchers, the handlers of their informers have returned, and owned objects are collected. Work of other
     * threads between two requests is not seen: see {@link JosdkOperator#settle}.
     *
     * @throws IllegalStateException after 20 seconds
     */
    public void awaitQuiet() {
        activity.awaitQuiet(MOST_WAIT);
    }

    /**
     * Waits until the cluster is quiet, and stays so for a time: for clients that have a kubeconfig. Their requests are
     * seen, but not when they wait for something, nor whether they have received an event. So the time must be longer than
     * such a client takes from an event to its next request.
     *
     * @param silence the real time without a request
     * @throws IllegalStateException after 20 seconds and the silence
     */
    public void awaitQuiet(Duration silence) {
        long deadline = System.nanoTime() + MOST_WAIT.plus(silence).toNanos();
        long started = activity.awaitQuiet(MOST_WAIT);
        while (activity.awaitStart(started, silence)) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException("the cluster was never quiet for " + silence + " in " + MOST_WAIT);
            }
            started = activity.awaitQuiet(MOST_WAIT);
        }
    }

    Activity activity() {
        return activity;
    }

    /**
     * Returns a kubeconfig as YAML, for other clients and other processes. The cluster listens on a port of loopback from
     * then on.
     *
     * @throws IllegalStateException when the libraries of the server are not on the class path
     */
    public String kubeConfigYaml() {
        return server().kubeconfig();
    }

    /** Returns a file with the kubeconfig; see {@link #kubeConfigYaml()}. Deleted when the cluster closes. */
    public synchronized Path kubeconfig() {
        Path file = kubeconfig;
        if (file == null) {
            String text = kubeConfigYaml();
            try {
                file = Files.createTempFile("evenkeel", ".kubeconfig");
                Files.writeString(file, text);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            kubeconfig = file;
        }
        return file;
    }

    private synchronized Server server() {
        Server running = server;
        if (running == null) {
            try {
                running = Loopback.start(engine, activity, api::record);
            } catch (NoClassDefFoundError e) {
                throw new IllegalStateException(
                        "a kubeconfig needs a server: add the dependency dev.evenkeel:evenkeel-server in test scope;"
                                + " if it is there, another version of a library of it is on the class path: missing is "
                                + e.getMessage(),
                        e);
            }
            server = running;
        }
        return running;
    }

    /**
     * Creates the objects of YAML resources, files or directories. Definitions first; the others with their status.
     *
     * @throws IllegalArgumentException when there is none of that name, it is not valid, or a kind is not known
     */
    public void load(String... manifests) {
        store(Arrays.stream(manifests)
                .flatMap(name -> Manifest.read(loader(), name).stream())
                .toList());
    }

    private static ClassLoader loader() {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        return context == null ? EngineCluster.class.getClassLoader() : context;
    }

    private void store(List<GenericKubernetesResource> objects) {
        List<GenericKubernetesResource> sorted = new ArrayList<>(objects);
        // a stable sort: definitions, namespaces, the others
        sorted.sort((a, b) -> Integer.compare(rank(a), rank(b)));
        ResourceApi partition = ResourceApi.of(engine.partition(Engine.DEFAULT_PARTITION));
        for (GenericKubernetesResource object : sorted) {
            Target target = partition
                    .types()
                    .kind(object.getApiVersion(), object.getKind())
                    .orElseThrow(() -> new IllegalArgumentException("kind " + object.getKind() + " of "
                            + object.getApiVersion() + " is not known: give its definition as a manifest, too"));
            String namespace = object.getMetadata().getNamespace();
            if (target.type().namespaced() && (namespace == null || namespace.isEmpty())) {
                object.getMetadata().setNamespace("default");
            }
            Target place = target.withName(
                    target.type().namespaced() ? object.getMetadata().getNamespace() : "", "");
            Body body = Body.json(ModelCodec.encode(object));
            if (rank(object) < 2 || !object.getAdditionalProperties().containsKey("status")) {
                var unused = partition.create(place, body, WriteOptions.of(MANAGER));
            } else {
                var unused = partition.restore(place, body, MANAGER);
            }
        }
    }

    private static int rank(HasMetadata object) {
        return switch (object.getKind()) {
            case "CustomResourceDefinition" -> 0;
            case "Namespace" -> 1;
            default -> 2;
        };
    }

    /** Closes clients, ends watches, and forgets all objects. */
    @Override
    public void close() {
        synchronized (clients) {
            clients.values().forEach(KubernetesClient::close);
        }
        synchronized (this) {
            if (server != null) {
                server.close();
            }
            if (kubeconfig != null) {
                try {
                    Files.deleteIfExists(kubeconfig);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
        api.close();
        engine.close();
    }

    /** Builds clusters: it prepares a state once, with which each of them begins. */
    public static final class Builder {
        private final Set<String> manifests = new LinkedHashSet<>();
        private final Set<Class<? extends HasMetadata>> types = new LinkedHashSet<>();
        private final List<HasMetadata> objects = new ArrayList<>();
        private boolean controllers = true;
        private boolean webhooks;
        private boolean authorization;
        private @Nullable EngineCluster prepared;

        private Builder() {}

        /** Adds resources of the class path, files or directories with definitions and objects in YAML. */
        public Builder manifests(String... names) {
            manifests.addAll(List.of(names));
            return this;
        }

        /** Adds definitions made from classes by fabric8's generator, which must be on the class path. */
        @SafeVarargs
        public final Builder types(Class<? extends HasMetadata>... classes) {
            for (Class<? extends HasMetadata> type : classes) {
                types.add(type);
            }
            return this;
        }

        /** Adds objects, with their status. */
        Builder objects(List<HasMetadata> more) {
            objects.addAll(more);
            return this;
        }

        /** Sets whether owners are collected and namespaces emptied, as by a controller manager; default: true. */
        public Builder controllers(boolean value) {
            controllers = value;
            return this;
        }

        /**
         * Sets whether admission and conversion webhooks at URLs of this machine are called; default: false, their
         * configurations have no effect.
         */
        public Builder webhooks(boolean value) {
            webhooks = value;
            return this;
        }

        /** Sets whether users need roles for what they do; default: false, all may do everything. */
        public Builder authorization(boolean value) {
            authorization = value;
            return this;
        }

        /** Starts a cluster. The first call prepares the state, further ones take microseconds. */
        public synchronized EngineCluster start() {
            EngineCluster origin = prepared;
            if (origin == null) {
                Engine.Builder engine = Engine.builder().controllers(controllers);
                if (webhooks) {
                    engine.webhooks(HttpAdmissionCaller.loopback());
                }
                if (authorization) {
                    engine.authorization(Authorization.RBAC);
                }
                origin = new EngineCluster(engine);
                try {
                    origin.store(Manifest.generated(loader()));
                    if (!types.isEmpty()) {
                        origin.store(GeneratedDefinitions.of(types));
                    }
                    origin.load(manifests.toArray(String[]::new));
                    origin.store(objects.stream()
                            .flatMap(object -> Manifests.parse(Serialization.asYaml(object)).stream())
                            .toList());
                } catch (RuntimeException | Error e) {
                    origin.close();
                    throw e;
                }
                prepared = origin;
            }
            return new EngineCluster(origin.engine.fork());
        }
    }
}
