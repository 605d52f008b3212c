package dev.evenkeel.testing;

import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.controller.Outcome;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.Tracker;
import dev.evenkeel.testing.call.Calls;
import dev.evenkeel.testing.call.Journal;
import dev.evenkeel.testing.call.RecordedCall;
import dev.evenkeel.testing.diff.Normalization;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.Pluralize;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Everything that one run of the code under test should do: what is not expected must not happen, and what is expected
 * must, in this order for each verb.
 *
 * <p>Writes that a reactor fails are attempts, and expected too. Objects are compared as they were sent, without what only
 * the server sets; where they differ, they are compared again with the defaults that the server gives, so that an
 * expectation need not repeat them. Of a status write, the status and the key count; of any other write, the status that
 * is sent counts only if it is written by it, or the expectation has one.
 *
 * @param <S> the class of the case, for chains
 */
public abstract class Expectations<S extends Expectations<S>> {
    /**
     * A write that should be.
     *
     * @param patch that should be sent, in place of the one that was
     * @param fieldManager of an apply; empty for any
     */
    record Write(
            RecordedCall.Verb verb,
            String subresource,
            Kind<?> kind,
            ObjectKey key,
            Optional<Encoded> object,
            Optional<UnaryOperator<Patch>> patch,
            Optional<ListOptions> selection,
            Optional<DeleteOptions> deletion,
            Optional<Integer> replicas,
            Optional<String> fieldManager) {
        Write withFieldManager(String value) {
            return new Write(
                    verb, subresource, kind, key, object, patch, selection, deletion, replicas, Optional.of(value));
        }

        /** In words, as calls say it. */
        String question() {
            return verb + " " + kind.id() + (subresource.isEmpty() ? "" : "/" + subresource)
                    + (key.name().isEmpty() ? key.namespace().isEmpty() ? "" : " in " + key.namespace() : " " + key);
        }
    }

    /**
     * An event that should be.
     *
     * @param anyAction whether the action does not count
     */
    record ExpectedEvent(World.RecordedEvent event, boolean anyAction) {
        boolean matches(World.RecordedEvent seen) {
            return event.equals(anyAction ? seen.withAction(event.action()) : seen);
        }

        @Override
        public String toString() {
            return event.toString();
        }
    }

    /** A line of the log that should be. */
    record LogLine(String level, String text) {}

    /** A counter or gauge that should be, after the run. */
    record Metric(String name, double value, List<String> tags) {}

    /** An error that should be. */
    record ExpectedError(String words, Predicate<Throwable> condition) {}

    final List<Write> writes = new ArrayList<>();
    final List<ExpectedEvent> events = new ArrayList<>();
    final List<Tracker.Target> tracks = new ArrayList<>();
    final List<LogLine> logs = new ArrayList<>();
    final List<Metric> metrics = new ArrayList<>();
    final List<Calls> order = new ArrayList<>();
    final Map<String, Cluster> others = new LinkedHashMap<>();
    final List<ExpectedError> errors = new ArrayList<>();
    final List<Consumer<Run>> verifications = new ArrayList<>();

    @Nullable
    Result result;

    Normalization normalization = Normalization.written();
    Normalization statusNormalization = Normalization.status();

    Expectations() {}

    abstract S self();

    /**
     * What a run did, for a look of one's own.
     *
     * @param world the world after it
     * @param journal its calls
     * @param outcome how it ended; {@link Outcome#failed} when it threw
     */
    public record Run(World world, Journal journal, Outcome outcome) {}

    private S write(
            RecordedCall.Verb verb,
            String subresource,
            Kind<?> kind,
            ObjectKey key,
            Optional<Encoded> object,
            Optional<UnaryOperator<Patch>> patch) {
        writes.add(new Write(
                verb,
                subresource,
                kind,
                key,
                object,
                patch,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty()));
        return self();
    }

    private S write(RecordedCall.Verb verb, String subresource, HasMetadata object) {
        // as it is now, whatever becomes of it
        Encoded text = Encoded.of(ModelCodec.encode(object).clone());
        return write(verb, subresource, kind(object), ObjectKey.of(object), Optional.of(text), Optional.empty());
    }

    private S write(RecordedCall.Verb verb, String subresource, Given<?> object) {
        return write(verb, subresource, kind(object), object.key(), Optional.of(object.text()), Optional.empty());
    }

    /** Sets the field manager of the write that was expected last. */
    private S as(String fieldManager) {
        writes.addLast(writes.removeLast().withFieldManager(fieldManager));
        return self();
    }

    static Kind<?> kind(Given<?> object) {
        Class<? extends HasMetadata> type = object.type();
        return type == GenericKubernetesResource.class ? kind(object.object()) : Kind.of(type);
    }

    static Kind<?> kind(HasMetadata object) {
        if (object instanceof GenericKubernetesResource) {
            String apiVersion = object.getApiVersion();
            int slash = apiVersion.indexOf('/');
            String kind = object.getKind();
            return Kind.generic(
                    slash < 0 ? "" : apiVersion.substring(0, slash),
                    apiVersion.substring(slash + 1),
                    kind,
                    Pluralize.toPlural(kind.toLowerCase(Locale.ROOT)),
                    object.getMetadata().getNamespace() != null);
        }
        return Kind.of(object.getClass());
    }

    /** It creates this. */
    public S expectCreate(HasMetadata object) {
        return write(RecordedCall.Verb.CREATE, "", object);
    }

    /** It creates this. */
    public S expectCreate(Given<?> object) {
        return write(RecordedCall.Verb.CREATE, "", object);
    }

    /** It replaces an object with this. */
    public S expectUpdate(HasMetadata object) {
        return write(RecordedCall.Verb.UPDATE, "", object);
    }

    /** It replaces an object with this. */
    public S expectUpdate(Given<?> object) {
        return write(RecordedCall.Verb.UPDATE, "", object);
    }

    /** It writes the status of this. */
    public S expectStatusUpdate(HasMetadata object) {
        return write(RecordedCall.Verb.UPDATE, "status", object);
    }

    /** It writes the status of this. */
    public S expectStatusUpdate(Given<?> object) {
        return write(RecordedCall.Verb.UPDATE, "status", object);
    }

    /** Expects that it applies this, with any field manager. */
    public S expectApply(HasMetadata object) {
        return write(RecordedCall.Verb.APPLY, "", object);
    }

    /** Expects that it applies this, with the given field manager. */
    public S expectApply(HasMetadata object, String fieldManager) {
        expectApply(object);
        return as(fieldManager);
    }

    /** Expects that it applies this, with any field manager. */
    public S expectApply(Given<?> object) {
        return write(RecordedCall.Verb.APPLY, "", object);
    }

    /** Expects that it applies this, with the given field manager. */
    public S expectApply(Given<?> object, String fieldManager) {
        expectApply(object);
        return as(fieldManager);
    }

    /** Expects that it applies the status of this, with any field manager. */
    public S expectStatusApply(HasMetadata object) {
        return write(RecordedCall.Verb.APPLY, "status", object);
    }

    /** Expects that it applies the status of this, with the given field manager. */
    public S expectStatusApply(HasMetadata object, String fieldManager) {
        expectStatusApply(object);
        return as(fieldManager);
    }

    /** Expects that it applies the status of this, with any field manager. */
    public S expectStatusApply(Given<?> object) {
        return write(RecordedCall.Verb.APPLY, "status", object);
    }

    /** Expects that it applies the status of this, with the given field manager. */
    public S expectStatusApply(Given<?> object, String fieldManager) {
        expectStatusApply(object);
        return as(fieldManager);
    }

    private S patch(String subresource, Kind<?> kind, ObjectKey key, UnaryOperator<Patch> patch) {
        return write(RecordedCall.Verb.PATCH, subresource, kind, key, Optional.empty(), Optional.of(patch));
    }

    /** It patches this object: the same kind of patch, with the same content. */
    public S expectPatch(Class<? extends HasMetadata> type, String namespace, String name, Patch patch) {
        return patch("", Kind.of(type), new ObjectKey(namespace, name), sent -> patch);
    }

    /** It patches this object. */
    public S expectPatch(Given<?> object, Patch patch) {
        return patch("", kind(object), object.key(), sent -> patch);
    }

    /**
     * It makes these the finalizers of this object, all of them: by a merge patch that is bound to the version that was read,
     * whichever that is, and has nothing else. So parts and managers add and clear finalizers.
     */
    public S expectFinalizers(Class<? extends HasMetadata> type, String namespace, String name, String... finalizers) {
        return patch("", Kind.of(type), new ObjectKey(namespace, name), finalizers(finalizers));
    }

    /** It makes these the finalizers of this object, all of them; see above. */
    public S expectFinalizers(Given<?> object, String... finalizers) {
        return patch("", kind(object), object.key(), finalizers(finalizers));
    }

    private static UnaryOperator<Patch> finalizers(String... finalizers) {
        List<String> all = List.of(finalizers);
        return sent -> FinalizersPatch.like(sent, all);
    }

    /** It patches the status of this object. */
    public S expectStatusPatch(Class<? extends HasMetadata> type, String namespace, String name, Patch patch) {
        return patch("status", Kind.of(type), new ObjectKey(namespace, name), sent -> patch);
    }

    /** It patches the status of this object. */
    public S expectStatusPatch(Given<?> object, Patch patch) {
        return patch("status", kind(object), object.key(), sent -> patch);
    }

    /** It scales this object. */
    public S expectScale(Class<? extends HasMetadata> type, String namespace, String name, int replicas) {
        writes.add(new Write(
                RecordedCall.Verb.UPDATE,
                "scale",
                Kind.of(type),
                new ObjectKey(namespace, name),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(replicas),
                Optional.empty()));
        return self();
    }

    /** It deletes this object; the namespace is empty for one that is in none. */
    public S expectDelete(Class<? extends HasMetadata> type, String namespace, String name) {
        return delete(Kind.of(type), new ObjectKey(namespace, name), Optional.empty());
    }

    /** It deletes this object. */
    public S expectDelete(HasMetadata object) {
        return delete(kind(object), ObjectKey.of(object), Optional.empty());
    }

    /** It deletes this object. */
    public S expectDelete(Given<?> object) {
        return delete(kind(object), object.key(), Optional.empty());
    }

    /** It deletes this object, with these options. */
    public S expectDelete(Given<?> object, DeleteOptions options) {
        return delete(kind(object), object.key(), Optional.of(options));
    }

    private S delete(Kind<?> kind, ObjectKey key, Optional<DeleteOptions> options) {
        writes.add(new Write(
                RecordedCall.Verb.DELETE,
                "",
                kind,
                key,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                options,
                Optional.empty(),
                Optional.empty()));
        return self();
    }

    /** It deletes all these objects at once. */
    public S expectDeleteAll(Class<? extends HasMetadata> type, ListOptions selection) {
        writes.add(new Write(
                RecordedCall.Verb.DELETE_COLLECTION,
                "",
                Kind.of(type),
                new ObjectKey(selection.namespace(), ""),
                Optional.empty(),
                Optional.empty(),
                Optional.of(selection),
                Optional.empty(),
                Optional.empty(),
                Optional.empty()));
        return self();
    }

    /** Expects this event, with any action. */
    public S expectEvent(HasMetadata object, String type, String reason, String message) {
        return event(object, type, reason, "", message, true);
    }

    /** Expects this event, with any action. */
    public S expectEvent(Given<?> object, String type, String reason, String message) {
        return expectEvent(object.object(), type, reason, message);
    }

    /** Expects this event, with this action; empty for none. */
    public S expectEvent(HasMetadata object, String type, String reason, String action, String message) {
        return event(object, type, reason, action, message, false);
    }

    private S event(HasMetadata object, String type, String reason, String action, String message, boolean anyAction) {
        events.add(new ExpectedEvent(
                new World.RecordedEvent(
                        object.getApiVersion(), object.getKind(), ObjectKey.of(object), type, reason, action, message),
                anyAction));
        return self();
    }

    /** It tracks this. */
    public S expectTrack(Tracker.Target tracked) {
        tracks.add(tracked);
        return self();
    }

    /** It tracks this object. */
    public S expectTrack(Given<?> object) {
        return expectTrack(Tracker.Target.of(kind(object), object.key()));
    }

    /** It logs a line of this level ({@code INFO}, {@code WARN} ...) that contains this text; others may be logged too. */
    public S expectLog(String level, String text) {
        logs.add(new LogLine(level, text));
        return self();
    }

    /**
     * Expects this value of a counter or gauge of {@link World#meters} after it.
     *
     * @param name the whole name
     * @param tags names and values in turn, of all tags that the meter has
     */
    public S expectMetric(String name, double value, String... tags) {
        metrics.add(new Metric(name, value, List.of(tags)));
        return self();
    }

    /** Its calls come in this order, across verbs; others may be between them. */
    public S expectOrder(Calls... calls) {
        order.addAll(List.of(calls));
        return self();
    }

    /** It ends with this, errors aside; default: that it is done. Not looked at when an error is expected and this is not said. */
    public S expectResult(Result value) {
        result = value;
        return self();
    }

    /** Expects that it fails, with whatever exceptions. */
    public S expectError() {
        return expectError(Throwable.class, "");
    }

    /** Expects that it fails with this class of exception; see {@link #expectError(Class, String)}. */
    public S expectError(Class<? extends Throwable> type) {
        return expectError(type, "");
    }

    /**
     * Expects that it fails with this class of exception, whose message contains this text. Each problem of the outcome
     * must be expected by one of these calls, and each call must find one.
     */
    public S expectError(Class<? extends Throwable> type, String message) {
        errors.add(new ExpectedError(
                type.getSimpleName() + (message.isEmpty() ? "" : " with \"" + message + "\""),
                thrown -> type.isInstance(thrown)
                        && (message.isEmpty()
                                || String.valueOf(thrown.getMessage()).contains(message))));
        return self();
    }

    /** What happens in another cluster; what is not said must not happen there. */
    public S cluster(String name, Consumer<Cluster> expectations) {
        Cluster cluster = others.computeIfAbsent(name, any -> new Cluster());
        expectations.accept(cluster);
        if (!cluster.callsAlone() || !cluster.others.isEmpty()) {
            throw new IllegalArgumentException("cluster " + name + ": only calls are expected of a cluster, with"
                    + " their order, and verify(...); the rest belongs to the case itself");
        }
        return self();
    }

    /** Makes what is given in other clusters. */
    void furnishOthers(World world) {
        others.forEach((name, cluster) -> cluster.given.forEach(world.other(name)::put));
    }

    /** Whether nothing is said of what should happen, given objects of other clusters aside. */
    boolean expectNothing() {
        return writes.isEmpty()
                && order.isEmpty()
                && verifications.isEmpty()
                && normalization.equals(Normalization.written())
                && statusNormalization.equals(Normalization.status())
                && callsAlone()
                && others.values().stream().allMatch(Expectations::expectNothing);
    }

    /** Whether nothing is said but of calls: the rest belongs to the run, wherever it writes. */
    boolean callsAlone() {
        return events.isEmpty()
                && tracks.isEmpty()
                && logs.isEmpty()
                && metrics.isEmpty()
                && result == null
                && errors.isEmpty();
    }

    /** How written objects are compared; default: {@link Normalization#written}. */
    public S comparing(Normalization value) {
        normalization = value;
        return self();
    }

    /** How statuses are compared; default: {@link Normalization#status}. */
    public S comparingStatus(Normalization value) {
        statusNormalization = value;
        return self();
    }

    /** Looks at what came of it, after all else was looked at. */
    public S verify(Consumer<Run> look) {
        verifications.add(look);
        return self();
    }

    /** What is given in another cluster, and which calls are expected there. */
    public static final class Cluster extends Expectations<Cluster> {
        final List<Given<?>> given = new ArrayList<>();

        Cluster() {}

        @Override
        Cluster self() {
            return this;
        }

        /** These objects are there. */
        public Cluster given(Given<?>... objects) {
            given.addAll(List.of(objects));
            return this;
        }

        /** These objects are there. */
        public Cluster given(HasMetadata... objects) {
            for (HasMetadata object : objects) {
                given.add(Given.of(object));
            }
            return this;
        }
    }
}
