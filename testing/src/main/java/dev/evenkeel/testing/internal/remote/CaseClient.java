package dev.evenkeel.testing.internal.remote;

import dev.evenkeel.client.AlreadyExistsException;
import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.Deletion;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Listing;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.Watch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.opentest4j.TestAbortedException;

/**
 * The client of a case in a shared server, which seems empty but for the objects of the case.
 *
 * <ol>
 *   <li>Each namespace of the case is one of its own in the server; see {@link Translation}. {@code default} and those
 *       of the system exist.
 *   <li>Cluster-scoped objects keep their names, except namespaces. Those that the case did not create are not visible;
 *       a name that exists in the server already ends the case as skipped.
 *   <li>Objects that a cluster creates in each namespace are not visible.
 *   <li>A delete returns when the objects owned by the deleted one are gone, as in process.
 *   <li>{@link #close} removes all, whatever finalizers hold it.
 * </ol>
 */
public final class CaseClient implements Client, AutoCloseable {
    private static final Kind<Namespace> NAMESPACES = Kind.of(Namespace.class);
    private static final Set<String> INITIAL = Set.of("default", "kube-node-lease", "kube-public", "kube-system");
    private static final Set<String> GENERATED = Set.of("ConfigMap kube-root-ca.crt", "ServiceAccount default");
    private static final Patch NO_FINALIZERS = Patch.merge("{\"metadata\":{\"finalizers\":null}}");

    private record Named(Kind<Encoded> kind, String name) {}

    private final Client server;
    private final Translation names = new Translation();
    private final Set<String> namespaces = ConcurrentHashMap.newKeySet();
    private final Set<Kind<Encoded>> kinds = ConcurrentHashMap.newKeySet();
    private final Set<Named> clusterScoped = ConcurrentHashMap.newKeySet();
    private String seen = "";
    private long changes;
    private @Nullable TestAbortedException aborted;

    /** Creates a client with names of its own. */
    public CaseClient(RemoteServer server) {
        this.server = server.client();
    }

    /** Returns why the case cannot run on this server, once that is known: also when the code under test caught it. */
    public Optional<TestAbortedException> aborted() {
        return Optional.ofNullable(aborted);
    }

    /** Ends the case as skipped, with this reason. */
    public TestAbortedException aborted(String reason) {
        TestAbortedException thrown = new TestAbortedException(reason);
        aborted = thrown;
        return thrown;
    }

    /** Creates a namespace of the case, unless it exists. */
    public void namespace(String name) {
        if (namespaces.add(name)) {
            try {
                server.create(
                        NAMESPACES,
                        new NamespaceBuilder()
                                .withNewMetadata()
                                .withName(names.namespace(name))
                                .endMetadata()
                                .build(),
                        WriteOptions.DEFAULT);
            } catch (AlreadyExistsException e) {
                // created by the case itself
            }
        }
    }

    private void known(Kind<?> kind, String namespace) {
        kinds.add(kind.encoded());
        if (INITIAL.contains(namespace)) {
            namespace(namespace);
        }
    }

    private ObjectKey out(Kind<?> kind, ObjectKey key) {
        known(kind, key.namespace());
        return names.out(kind, key);
    }

    private boolean visible(Kind<?> kind, ObjectKey ofServer) {
        if (kind.namespaced() || Translation.isNamespace(kind)) {
            String place = kind.namespaced() ? ofServer.namespace() : ofServer.name();
            return place.startsWith(names.prefix()) && !GENERATED.contains(kind.kind() + " " + ofServer.name());
        }
        return clusterScoped.contains(new Named(kind.encoded(), ofServer.name()))
                || kind.kind().equals("CustomResourceDefinition");
    }

    private static ObjectKey key(HasMetadata object) {
        return object instanceof Encoded encoded ? encoded.header().key() : ObjectKey.of(object);
    }

    /**
     * Stores an object with its status, and marked for deletion if it is; the case knows it by its own uid.
     *
     * @param json object with a uid
     */
    public Encoded place(Kind<?> kind, byte[] json) {
        JsonObject tree = Json.parseObject(json, JsonLimits.DEFAULT);
        JsonObject metadata = tree.withObject("metadata");
        ObjectKey key = Encoded.of(json).header().key();
        String what = kind.kind() + " " + key;
        for (String field : List.of("resourceVersion", "creationTimestamp", "generation")) {
            Object value = metadata.get(field);
            if (value != null && !(field.equals("generation") && value.equals(1L))) {
                throw aborted(
                        what + " is given with metadata." + field + ", which only a server in this process takes over");
            }
        }
        boolean deleted = metadata.remove("deletionTimestamp") != null;
        if (deleted && Translation.isNamespace(kind)) {
            throw aborted(what + " is given as deleted, and a server in another process would empty it");
        }
        if (deleted && metadata.strings("finalizers").isEmpty()) {
            throw aborted(
                    what + " is given as deleted without finalizers, so a server in another process would not keep it");
        }
        for (Encoded.Header.Owner owner : Encoded.of(json).header().owners()) {
            if (!names.knows(owner.uid())) {
                throw aborted(what + " is owned by " + owner.kind() + " " + owner.name()
                        + ", which is not in the cluster, so a garbage collector would delete it");
            }
        }
        metadata.remove("deletionGracePeriodSeconds");
        metadata.remove("generation");
        Object uid = metadata.remove("uid");
        Object status = tree.get("status");
        Kind<Encoded> encoded = kind.encoded();
        Encoded wanted = Encoded.of(Json.write(tree));
        Optional<Encoded> present = find(encoded, key);
        Encoded stored = present.isEmpty()
                ? create(encoded, wanted, WriteOptions.DEFAULT)
                : update(present.get(), tree, encoded);
        names.uid(String.valueOf(uid), names.uidsOut(stored.header().uid()));
        if (status != null) {
            JsonObject whole = Json.parseObject(find(encoded, key).orElseThrow().json(), JsonLimits.DEFAULT);
            whole.put("status", status);
            try {
                updateStatus(encoded, Encoded.of(Json.write(whole)), WriteOptions.DEFAULT);
            } catch (NotFoundException e) {
                // the kind has no such subresource: the status was written with the object
            }
        }
        if (deleted) {
            delete(encoded, key, DeleteOptions.DEFAULT);
        }
        return find(encoded, key).orElseThrow();
    }

    private Encoded update(Encoded present, JsonObject tree, Kind<Encoded> kind) {
        tree.withObject("metadata").put("resourceVersion", present.header().resourceVersion());
        return update(kind, Encoded.of(Json.write(tree)), WriteOptions.DEFAULT);
    }

    /** Returns a number that differs after a change of objects of the kinds that the case uses. */
    public long revision() {
        TreeMap<String, String> versions = new TreeMap<>();
        for (Kind<Encoded> kind : kinds) {
            list(kind, ListOptions.ALL)
                    .items()
                    .forEach(object -> versions.put(
                            kind.id() + " " + object.header().key(),
                            object.header().uid() + " " + object.header().resourceVersion()));
        }
        if (!seen.equals(versions.toString())) {
            seen = versions.toString();
            changes++;
        }
        return changes;
    }

    @Override
    public <T extends HasMetadata> Optional<T> find(Kind<T> kind, ObjectKey key) {
        ObjectKey place = out(kind, key);
        return visible(kind, place)
                ? names.call(() -> server.find(kind.encoded(), place)).map(object -> names.in(kind, object))
                : Optional.empty();
    }

    @Override
    public <T extends HasMetadata> Listing<T> list(Kind<T> kind, ListOptions options) {
        known(kind, options.namespace());
        Listing<Encoded> all = names.call(() -> server.list(kind.encoded(), out(options)));
        List<T> own = all.items().stream()
                .filter(object -> visible(kind, key(object)))
                .map(object -> names.in(kind, object))
                .toList();
        return new Listing<>(own, all.resourceVersion(), all.continueToken());
    }

    private ListOptions out(ListOptions options) {
        return new ListOptions(
                names.namespace(options.namespace()),
                options.labels(),
                options.fields(),
                options.limit(),
                options.continueToken(),
                options.resourceVersion(),
                options.sendInitialEvents(),
                options.timeout());
    }

    @Override
    public <T extends HasMetadata> Watch<T> watch(Kind<T> kind, ListOptions options) {
        known(kind, options.namespace());
        Watch<Encoded> all = names.call(() -> server.watch(kind.encoded(), out(options)));
        return new Watch<>() {
            @Override
            public Optional<Event<T>> next() throws InterruptedException {
                while (true) {
                    Optional<Event<Encoded>> event = all.next();
                    if (event.isEmpty()) {
                        return Optional.empty();
                    }
                    Event<Encoded> seen = event.get();
                    if (seen.type() == Type.BOOKMARK || visible(kind, key(seen.object()))) {
                        return Optional.of(
                                new Event<>(seen.type(), names.in(kind, seen.object()), seen.resourceVersion()));
                    }
                }
            }

            @Override
            public void close() {
                all.close();
            }
        };
    }

    private <T extends HasMetadata> T write(Kind<T> kind, T object, BiFunction<Kind<Encoded>, Encoded, Encoded> call) {
        known(kind, key(object).namespace());
        return names.in(kind, names.call(() -> call.apply(kind.encoded(), names.out(object))));
    }

    /** Makes a cluster-scoped object visible that the case is about to create. */
    private void claim(Kind<?> kind, ObjectKey key) {
        if (kind.namespaced() || Translation.isNamespace(kind)) {
            if (Translation.isNamespace(kind)) {
                namespaces.add(key.name());
            }
            return;
        }
        if (key.name().isEmpty()) {
            throw aborted("a cluster-scoped " + kind.kind()
                    + " with a generated name cannot be distinguished from those of the cluster");
        }
        Named name = new Named(kind.encoded(), key.name());
        if (!clusterScoped.contains(name)) {
            if (server.find(kind.encoded(), key).isPresent()) {
                throw aborted(kind.kind() + " " + key + " is cluster-scoped, and exists in this cluster already");
            }
            clusterScoped.add(name);
        }
    }

    @Override
    public <T extends HasMetadata> T create(Kind<T> kind, T object, WriteOptions options) {
        claim(kind, key(object));
        return write(kind, object, (encoded, text) -> server.create(encoded, text, options));
    }

    @Override
    public <T extends HasMetadata> T update(Kind<T> kind, T object, WriteOptions options) {
        return write(kind, object, (encoded, text) -> server.update(encoded, text, options));
    }

    @Override
    public <T extends HasMetadata> T updateStatus(Kind<T> kind, T object, WriteOptions options) {
        return write(kind, object, (encoded, text) -> server.updateStatus(encoded, text, options));
    }

    @Override
    public <T extends HasMetadata> T patch(Kind<T> kind, ObjectKey key, Patch patch, WriteOptions options) {
        if (patch.type() == Patch.Type.APPLY) {
            claim(kind, key);
        }
        return names.in(
                kind, names.call(() -> server.patch(kind.encoded(), out(kind, key), names.out(patch), options)));
    }

    @Override
    public <T extends HasMetadata> T patchStatus(Kind<T> kind, ObjectKey key, Patch patch, WriteOptions options) {
        return names.in(
                kind, names.call(() -> server.patchStatus(kind.encoded(), out(kind, key), names.out(patch), options)));
    }

    @Override
    public <T extends HasMetadata> T apply(Kind<T> kind, T object, WriteOptions options) {
        claim(kind, key(object));
        return write(kind, object, (encoded, text) -> server.apply(encoded, text, options));
    }

    @Override
    public <T extends HasMetadata> T applyStatus(Kind<T> kind, T object, WriteOptions options) {
        return write(kind, object, (encoded, text) -> server.applyStatus(encoded, text, options));
    }

    @Override
    public Replicas scale(Kind<?> kind, ObjectKey key) {
        return names.call(() -> server.scale(kind, out(kind, key)));
    }

    @Override
    public Replicas scale(Kind<?> kind, ObjectKey key, int replicas, WriteOptions options) {
        return names.call(() -> server.scale(kind, out(kind, key), replicas, options));
    }

    @Override
    public void createSubresource(
            Kind<?> kind, ObjectKey key, String subresource, HasMetadata document, WriteOptions options) {
        names.call(() -> {
            server.createSubresource(kind, out(kind, key), subresource, names.out(document), options);
            return "";
        });
    }

    private DeleteOptions out(DeleteOptions options) {
        return options.uid().map(uid -> options.uid(names.uidsOut(uid))).orElse(options);
    }

    @Override
    public <T extends HasMetadata> Deletion<T> delete(Kind<T> kind, ObjectKey key, DeleteOptions options) {
        ObjectKey place = out(kind, key);
        Deletion<Encoded> deleted = names.call(() -> server.delete(kind.encoded(), place, out(options)));
        if (deleted.remaining().isEmpty() && !deleted.uid().isEmpty() && !options.dryRun()) {
            RemoteServer.await(
                    "the objects owned by " + kind.kind() + " " + key + " are gone", () -> !owns(deleted.uid()));
        }
        return new Deletion<>(names.in(deleted.uid()), deleted.remaining().map(object -> names.in(kind, object)));
    }

    private boolean owns(String uid) {
        String ofCase = names.in(uid);
        return kinds.stream()
                .flatMap(kind -> list(kind, ListOptions.ALL).items().stream())
                .anyMatch(object -> !object.header().deleted()
                        && !object.header().owners().isEmpty()
                        && object.header().owners().stream()
                                .allMatch(owner -> owner.uid().equals(ofCase)));
    }

    @Override
    public <T extends HasMetadata> List<T> deleteAll(Kind<T> kind, ListOptions selection, DeleteOptions options) {
        known(kind, selection.namespace());
        List<String> places = kind.namespaced() && selection.namespace().isEmpty()
                ? List.copyOf(namespaces)
                : List.of(selection.namespace());
        List<T> deleted = new ArrayList<>();
        for (String place : places) {
            ListOptions there = new ListOptions(
                    place,
                    selection.labels(),
                    selection.fields(),
                    selection.limit(),
                    selection.continueToken(),
                    selection.resourceVersion(),
                    false,
                    selection.timeout());
            if (kind.namespaced()) {
                names.call(() -> server.deleteAll(kind.encoded(), out(there), out(options)))
                        .forEach(object -> deleted.add(names.in(kind, object)));
            } else {
                list(kind, there).items().forEach(object -> {
                    delete(kind, key(object), options);
                    deleted.add(object);
                });
            }
        }
        return deleted;
    }

    /** Deletes everything that the case created. */
    @Override
    public void close() {
        for (Kind<Encoded> kind : kinds) {
            for (Encoded object : list(kind, ListOptions.ALL).items()) {
                if (!object.header().finalizers().isEmpty() && !Translation.isNamespace(kind)) {
                    quietly(() -> server.patch(
                            kind, names.out(kind, object.header().key()), NO_FINALIZERS, WriteOptions.DEFAULT));
                }
            }
        }
        clusterScoped.forEach(named ->
                quietly(() -> server.delete(named.kind(), ObjectKey.cluster(named.name()), DeleteOptions.DEFAULT)));
        namespaces.forEach(name -> quietly(
                () -> server.delete(NAMESPACES, ObjectKey.cluster(names.namespace(name)), DeleteOptions.DEFAULT)));
    }

    /** Makes a call whose object may be gone already. */
    private static void quietly(Runnable call) {
        try {
            call.run();
        } catch (NotFoundException e) {
            // gone
        } catch (ApiException e) {
            System.err.println("not cleaned up: " + e.getMessage());
        }
    }
}
