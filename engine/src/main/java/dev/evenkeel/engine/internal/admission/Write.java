package dev.evenkeel.engine.internal.admission;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.json.SentEmpty;
import dev.evenkeel.engine.internal.object.Document;
import dev.evenkeel.engine.internal.object.Metadata;
import dev.evenkeel.engine.internal.object.Reply;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.strategy.ResourceStrategy;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.spi.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One attempt of a write on its way through the pipeline: the request, the present object, and the object as changed by
 * the steps so far. Confined to the thread of the request.
 *
 * @param target the object; its name is empty when a new object has none
 * @param present the stored object that the write expects; null when it expects none
 * @param old the object before the write, in the target's version, which must not be changed; null for a create
 * @param named whether the request names the object: a create that does is an update of an object that is missing
 * @param progress what the steps have done so far
 */
public record Write(
        Operation operation,
        Target target,
        Store.@Nullable Entry present,
        @Nullable JsonObject old,
        Change change,
        WriteOptions options,
        boolean named,
        Progress progress) {
    /** The wanted object, and the one that was committed. */
    static final class Progress {
        private final List<Store.Change> others = new ArrayList<>(0);
        private @Nullable Wanted wanted;
        private @Nullable Target renamed;
        private @Nullable Document committed;
        private Runnable end = () -> {};
    }

    /** The kinds of writes. */
    public enum Operation {
        /** Stores a new object. */
        CREATE,
        /** Changes an object. */
        UPDATE,
        /** Deletes an object, or marks it for deletion. */
        DELETE,
        /** Stores an object from a backup unchanged. */
        RESTORE,
        /** Connects to what an object stands for; writes nothing. */
        CONNECT
    }

    /** Computes the wanted object from the present one. */
    @FunctionalInterface
    public interface Change {
        /**
         * Returns the wanted object, in the target's version.
         *
         * @param live the present object, a copy that may be changed and returned; null when there is none
         * @throws dev.evenkeel.client.ApiException when the request does not fit the present object
         */
        Wanted from(@Nullable JsonObject live);
    }

    /**
     * The wanted object.
     *
     * @param tree the object, which the steps change
     * @param owned whether its managedFields are final already
     * @param gone whether the object is to be deleted at once
     * @param warnings warnings for the client; steps add to them
     * @param empties the lists and maps that the client sent without elements
     */
    public record Wanted(JsonObject tree, boolean owned, boolean gone, List<String> warnings, List<SentEmpty> empties) {
        public Wanted(JsonObject tree, boolean owned, boolean gone, List<String> warnings) {
            this(tree, owned, gone, warnings, List.of());
        }

        /** Returns an object whose managed fields are not computed yet. */
        public static Wanted of(JsonObject tree, List<String> warnings) {
            return new Wanted(tree, false, false, new ArrayList<>(warnings));
        }

        /** Returns an object that already has its managed fields. */
        public static Wanted owned(JsonObject tree, List<String> warnings) {
            return new Wanted(tree, true, false, new ArrayList<>(warnings));
        }

        /** Returns the same, of a client that sent lists and maps without elements. */
        public Wanted with(List<SentEmpty> sent) {
            return new Wanted(tree, owned, gone, warnings, sent);
        }
    }

    /** Begins an attempt. */
    public Write(
            Operation operation,
            Target target,
            Store.@Nullable Entry present,
            @Nullable JsonObject old,
            Change change,
            WriteOptions options,
            boolean named) {
        this(operation, target, present, old, change, options, named, new Progress());
    }

    /** Returns the object; a policy or webhook may have given a new one another name. */
    @Override
    public Target target() {
        Target renamed = progress.renamed;
        return renamed == null ? target : renamed;
    }

    /** Returns true if the operation is one of these. */
    public boolean is(Operation one, Operation other) {
        return operation == one || operation == other;
    }

    /** Computes the wanted object. */
    public void decode() {
        progress.wanted = change.from(old == null ? null : old.copy());
    }

    /** Returns true if the write only removes finalizers from an object that is marked for deletion. */
    boolean releasesOnly() {
        JsonObject before = old;
        if (before == null || !before.has("metadata", "deletionTimestamp")) {
            return false;
        }
        List<String> kept = tree().strings("metadata", "finalizers");
        return before.strings("metadata", "finalizers").containsAll(kept)
                && unreleased(before).equals(unreleased(tree()));
    }

    private static JsonObject unreleased(JsonObject tree) {
        JsonObject metadata = new JsonObject(tree.object("metadata"));
        metadata.remove("finalizers");
        metadata.remove("managedFields");
        return new JsonObject(tree).set("metadata", metadata);
    }

    private Wanted wanted() {
        return Objects.requireNonNull(progress.wanted, "the object is not decoded yet");
    }

    /**
     * Returns the object as the steps have made it so far; for a delete the marked object. Steps change it in place.
     */
    public JsonObject tree() {
        return wanted().tree();
    }

    public JsonObject metadata() {
        return tree().withObject("metadata");
    }

    /** Returns the lists and maps that the client, or who changed its object last, sent without elements. */
    public List<SentEmpty> empties() {
        return wanted().empties();
    }

    /** Returns true if the managedFields of the object are final. */
    public boolean owned() {
        return wanted().owned();
    }

    /** Returns true if the request deletes the object at once. */
    public boolean gone() {
        return wanted().gone();
    }

    /** Returns true if the write deletes the object: at once, or since nothing delays that any longer. */
    public boolean deletes(ResourceStrategy strategy) {
        return gone() || (operation == Operation.UPDATE && terminated(tree(), strategy));
    }

    /** Returns true if nothing delays the removal of a marked object: neither finalizers, nor its kind or grace period. */
    public static boolean terminated(JsonObject tree, ResourceStrategy strategy) {
        JsonObject metadata = tree.withObject("metadata");
        return metadata.has("deletionTimestamp")
                && metadata.strings("finalizers").isEmpty()
                && metadata.integer("deletionGracePeriodSeconds") == 0
                && !strategy.held(tree);
    }

    /** Returns the warnings for the client, to which steps add; none before the object is decoded. */
    public List<String> warnings() {
        return progress.wanted == null ? List.of() : progress.wanted.warnings();
    }

    /**
     * Replaces the object by the one that a hook, policy or webhook returned. It is read like a body: pruned, reset and
     * defaulted. The server's fields are kept; only a new object that its request does not name may get another name.
     *
     * @return true if the object has changed
     */
    boolean replace(JsonObject changed, WriteContext cluster) {
        JsonObject before = tree().copy();
        JsonObject metadata = changed.withObject("metadata");
        String name = metadata.string("name");
        Metadata.SERVERS.forEach(field -> Metadata.keep(metadata, metadata(), field));
        if (operation == Operation.CREATE && !named && !name.isEmpty()) {
            metadata.put("name", name);
            progress.renamed = target().withName(target().namespace(), name);
        }
        changed.put("apiVersion", before.get("apiVersion"));
        changed.put("kind", before.get("kind"));
        List<SentEmpty> empties = new ArrayList<>(0);
        cluster.decoder().normalise(changed, target, List.of(), empties::add);
        ResourceStrategy strategy = cluster.strategies().of(target);
        if (old != null) {
            strategy.reset(changed, old, target.subresource());
        }
        strategy.applyDefaults(changed);
        if (changed.equals(before)) {
            return false;
        }
        progress.wanted = wanted().with(empties);
        tree().clear();
        tree().putAll(changed);
        return true;
    }

    /** Adds a change of another key to the commit. */
    public void alsoChange(Store.Change change) {
        progress.others.add(change);
    }

    /** Adds an action for the end of the attempt, whether or not it was committed. */
    public void atEnd(Runnable action) {
        Runnable before = progress.end;
        progress.end = () -> {
            before.run();
            action.run();
        };
    }

    /** Runs the actions for the end of the attempt. */
    public void end() {
        progress.end.run();
    }

    /** Returns the changes of other keys in the commit. */
    public List<Store.Change> others() {
        return progress.others;
    }

    /** Ends the attempt: it is committed, or would be without the dry run. */
    public void committed(Document document) {
        progress.committed = document;
    }

    /** Returns true if the attempt was committed; false when the stored object is no longer the expected one. */
    public boolean done() {
        return progress.committed != null;
    }

    /** Returns the object of a committed attempt. */
    public Document document() {
        return Objects.requireNonNull(progress.committed, "the attempt was not committed");
    }

    /** Returns the answer of a committed attempt. */
    public Reply reply(int code) {
        return new Reply.Shown(code, document(), warnings());
    }
}
