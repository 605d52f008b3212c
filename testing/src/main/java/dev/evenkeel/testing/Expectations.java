package dev.evenkeel.testing;

import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.Stash;
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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All expected effects of one run of the code under test: an unexpected effect fails the case, and so does a missing
 * one; the order counts for each verb.
 *
 * <p>Writes that a reactor fails are attempts, and expected too. Objects are compared as they were sent, without fields
 * that only the server sets; where they differ, they are compared again with the defaults of the server, so that an
 * expectation need not repeat them. Of a status write, the status and the key count; of any other write, the status
 * counts only if the write affects it, or the expectation has one.
 *
 * @param <S> the class of the case, for chains
 */
public abstract class Expectations<S extends Expectations<S>> {
    /** An expected event; with any action, that of the event does not count. */
    record ExpectedEvent(TestCluster.RecordedEvent event, boolean anyAction) {
        boolean matches(TestCluster.RecordedEvent seen) {
            return event.equals(anyAction ? seen.withAction(event.action()) : seen);
        }

        @Override
        public String toString() {
            return event.toString();
        }
    }

    record LogLine(String level, String text) {}

    /** An expected value of a counter or gauge, after the run. */
    record Metric(String name, double value, List<String> tags) {}

    record ExpectedError(String words, Predicate<Throwable> condition) {}

    final List<ExpectedWrite> writes = new ArrayList<>();
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

    @SuppressWarnings("unchecked") // each subclass has itself as the argument
    final S self() {
        return (S) this;
    }

    /**
     * The effects of a run, for custom checks.
     *
     * @param cluster the cluster after it
     * @param journal its calls
     * @param outcome its outcome; {@link Result#failed} when it threw
     * @param stash values that the parts have put; empty for a webhook
     */
    public record Run(TestCluster cluster, Journal journal, Result outcome, Stash stash) {}

    private S expect(ExpectedWrite write) {
        writes.add(write);
        return self();
    }

    private S sent(RecordedCall.Verb verb, String part, Given<?> object, Optional<String> fieldManager) {
        return expect(new ExpectedWrite.Sent(verb, part, kind(object), object.key(), object.text(), fieldManager));
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
            String group = slash < 0 ? "" : apiVersion.substring(0, slash);
            String plural = Pluralize.toPlural(kind.toLowerCase(Locale.ROOT));
            boolean namespaced = object.getMetadata().getNamespace() != null;
            return Kind.generic(group, apiVersion.substring(slash + 1), kind, plural, namespaced);
        }
        return Kind.of(object.getClass());
    }

    /** Expects that this object is created. */
    public S expectCreate(Given<?> object) {
        return sent(RecordedCall.Verb.CREATE, "", object, Optional.empty());
    }

    /** Expects that an object is replaced by this one. */
    public S expectUpdate(Given<?> object) {
        return sent(RecordedCall.Verb.UPDATE, "", object, Optional.empty());
    }

    /** Expects that the status of this object is written. */
    public S expectStatusUpdate(Given<?> object) {
        return sent(RecordedCall.Verb.UPDATE, "status", object, Optional.empty());
    }

    /** Expects that this object is applied, with any field manager. */
    public S expectApply(Given<?> object) {
        return sent(RecordedCall.Verb.APPLY, "", object, Optional.empty());
    }

    /** Expects that this object is applied, with the given field manager. */
    public S expectApply(Given<?> object, String fieldManager) {
        return sent(RecordedCall.Verb.APPLY, "", object, Optional.of(fieldManager));
    }

    /** Expects that the status of this object is applied, with any field manager. */
    public S expectStatusApply(Given<?> object) {
        return sent(RecordedCall.Verb.APPLY, "status", object, Optional.empty());
    }

    /** Expects that the status of this object is applied, with the given field manager. */
    public S expectStatusApply(Given<?> object, String fieldManager) {
        return sent(RecordedCall.Verb.APPLY, "status", object, Optional.of(fieldManager));
    }

    private S patch(String subresource, Kind<?> kind, ObjectKey key, UnaryOperator<Patch> patch) {
        return expect(new ExpectedWrite.Patched(subresource, kind, key, patch));
    }

    /** Expects that this object is patched: with the same type of patch and the same content. */
    public S expectPatch(Class<? extends HasMetadata> type, String namespace, String name, Patch patch) {
        return patch("", Kind.of(type), new ObjectKey(namespace, name), sent -> patch);
    }

    /** Expects that this object is patched. */
    public S expectPatch(Given<?> object, Patch patch) {
        return patch("", kind(object), object.key(), sent -> patch);
    }

    /**
     * Expects that the finalizers of this object are set to exactly these: by a merge patch with any resource version
     * and without other fields, as parts and managers add and clear finalizers.
     */
    public S expectFinalizers(Class<? extends HasMetadata> type, String namespace, String name, String... finalizers) {
        return patch("", Kind.of(type), new ObjectKey(namespace, name), finalizers(finalizers));
    }

    /**
     * Expects that the finalizers of this object are set to exactly these; see
     * {@link #expectFinalizers(Class, String, String, String...)}.
     */
    public S expectFinalizers(Given<?> object, String... finalizers) {
        return patch("", kind(object), object.key(), finalizers(finalizers));
    }

    private static UnaryOperator<Patch> finalizers(String... finalizers) {
        List<String> all = List.of(finalizers);
        return sent -> FinalizersPatch.like(sent, all);
    }

    /** Expects that the status of this object is patched. */
    public S expectStatusPatch(Class<? extends HasMetadata> type, String namespace, String name, Patch patch) {
        return patch("status", Kind.of(type), new ObjectKey(namespace, name), sent -> patch);
    }

    /** Expects that the status of this object is patched. */
    public S expectStatusPatch(Given<?> object, Patch patch) {
        return patch("status", kind(object), object.key(), sent -> patch);
    }

    /** Expects that this object is scaled. */
    public S expectScale(Class<? extends HasMetadata> type, String namespace, String name, int replicas) {
        return expect(new ExpectedWrite.Scaled(Kind.of(type), new ObjectKey(namespace, name), replicas));
    }

    /** Expects that this object is scaled. */
    public S expectScale(Given<?> object, int replicas) {
        return expect(new ExpectedWrite.Scaled(kind(object), object.key(), replicas));
    }

    /** Expects that this object is deleted; the namespace is empty for a cluster-scoped one. */
    public S expectDelete(Class<? extends HasMetadata> type, String namespace, String name) {
        return expect(new ExpectedWrite.Deleted(Kind.of(type), new ObjectKey(namespace, name), Optional.empty()));
    }

    /** Expects that this object is deleted, with these options. */
    public S expectDelete(Class<? extends HasMetadata> type, String namespace, String name, DeleteOptions options) {
        return expect(new ExpectedWrite.Deleted(Kind.of(type), new ObjectKey(namespace, name), Optional.of(options)));
    }

    /** Expects that this object is deleted. */
    public S expectDelete(Given<?> object) {
        return expect(new ExpectedWrite.Deleted(kind(object), object.key(), Optional.empty()));
    }

    /** Expects that this object is deleted, with these options. */
    public S expectDelete(Given<?> object, DeleteOptions options) {
        return expect(new ExpectedWrite.Deleted(kind(object), object.key(), Optional.of(options)));
    }

    /** Expects that the selected objects are deleted by one call. */
    public S expectDeleteAll(Class<? extends HasMetadata> type, ListOptions selection) {
        return expectDeleteAll(Kind.of(type), selection);
    }

    /** Expects that the selected objects of a kind, which may be generic, are deleted by one call. */
    public S expectDeleteAll(Kind<?> kind, ListOptions selection) {
        return expect(new ExpectedWrite.DeletedAll(kind, selection));
    }

    /** Expects this event, with any action. */
    public S expectEvent(Given<?> object, String type, String reason, String message) {
        return event(object, type, reason, "", message, true);
    }

    /** Expects this event, with this action; empty for none. */
    public S expectEvent(Given<?> object, String type, String reason, String action, String message) {
        return event(object, type, reason, action, message, false);
    }

    private S event(Given<?> given, String type, String reason, String action, String message, boolean anyAction) {
        return event(kind(given), given.key(), type, reason, action, message, anyAction);
    }

    private S event(
            Kind<?> kind, ObjectKey key, String type, String reason, String action, String message, boolean anyAction) {
        events.add(new ExpectedEvent(
                new TestCluster.RecordedEvent(kind.apiVersion(), kind.kind(), key, type, reason, action, message),
                anyAction));
        return self();
    }

    /** Expects this event of an object, with any action. */
    public S expectEvent(
            Class<? extends HasMetadata> object,
            String namespace,
            String name,
            String type,
            String reason,
            String message) {
        return event(Kind.of(object), new ObjectKey(namespace, name), type, reason, "", message, true);
    }

    /** Expects this event of an object, with this action; empty for none. */
    public S expectEvent(
            Class<? extends HasMetadata> object,
            String namespace,
            String name,
            String type,
            String reason,
            String action,
            String message) {
        return event(Kind.of(object), new ObjectKey(namespace, name), type, reason, action, message, false);
    }

    /** Expects that this dependency is tracked. */
    public S expectTrack(Tracker.Target tracked) {
        tracks.add(tracked);
        return self();
    }

    /** Expects that this object is tracked; the namespace is empty for a cluster-scoped one. */
    public S expectTrack(Class<? extends HasMetadata> type, String namespace, String name) {
        return expectTrack(Tracker.Target.of(Kind.of(type), new ObjectKey(namespace, name)));
    }

    /** Expects that this object is tracked. */
    public S expectTrack(Given<?> object) {
        return expectTrack(Tracker.Target.of(kind(object), object.key()));
    }

    /**
     * Expects a log line of this level ({@code INFO}, {@code WARN} ...) that contains this text; further lines are
     * allowed.
     */
    public S expectLog(String level, String text) {
        logs.add(new LogLine(level, text));
        return self();
    }

    /**
     * Expects this value of a counter or gauge of {@link TestCluster#meters} after the run.
     *
     * @param name the whole name
     * @param tags alternating names and values of all tags of the meter
     */
    public S expectMetric(String name, double value, String... tags) {
        metrics.add(new Metric(name, value, List.of(tags)));
        return self();
    }

    /** Expects that calls are made in this order, across verbs; other calls may be between them. */
    public S expectOrder(Calls... calls) {
        order.addAll(List.of(calls));
        return self();
    }

    /**
     * Expects this result, apart from errors; by default done. Not checked when an error is expected without a result.
     */
    public S expectResult(Result value) {
        result = value;
        return self();
    }

    /** Expects that the run fails, with any exceptions. */
    public S expectError() {
        return expectError(Throwable.class, "");
    }

    /** Expects that the run fails with this class of exception; see {@link #expectError(Class, String)}. */
    public S expectError(Class<? extends Throwable> type) {
        return expectError(type, "");
    }

    /**
     * Expects that the run fails with this class of exception, whose message contains this text. Each problem of the
     * outcome must be expected by one of these calls, and each call must find one.
     */
    public S expectError(Class<? extends Throwable> type, String message) {
        String words = type.getSimpleName() + (message.isEmpty() ? "" : " with \"" + message + "\"");
        Predicate<Throwable> fits =
                e -> type.isInstance(e) && String.valueOf(e.getMessage()).contains(message);
        errors.add(new ExpectedError(words, fits));
        return self();
    }

    /** Sets the expectations for another cluster; effects there without an expectation fail the case. */
    public S cluster(String name, Consumer<Cluster> expectations) {
        Cluster cluster = others.computeIfAbsent(name, any -> new Cluster());
        expectations.accept(cluster);
        if (!cluster.callsAlone() || !cluster.others.isEmpty()) {
            throw new IllegalArgumentException("cluster " + name + ": a cluster has expectations of calls only, with"
                    + " their order, and verify(...); the rest belongs to the case itself");
        }
        return self();
    }

    void furnishOthers(TestCluster cluster) {
        others.forEach((name, expected) -> expected.given.forEach(cluster.other(name)::put));
    }

    /** Returns whether there are no expectations, given objects of other clusters aside. */
    boolean expectNothing() {
        return Stream.of(writes, order, verifications).allMatch(List::isEmpty)
                && normalization.equals(Normalization.written())
                && statusNormalization.equals(Normalization.status())
                && callsAlone()
                && others.values().stream().allMatch(Expectations::expectNothing);
    }

    /** Returns whether there are expectations of calls only: other effects belong to the run, in any cluster. */
    boolean callsAlone() {
        return Stream.of(events, tracks, logs, metrics, errors).allMatch(List::isEmpty) && result == null;
    }

    /** Sets how written objects are compared; by default {@link Normalization#written}. */
    public S comparing(Normalization value) {
        normalization = value;
        return self();
    }

    /** Sets how statuses are compared; by default {@link Normalization#status}. */
    public S comparingStatus(Normalization value) {
        statusNormalization = value;
        return self();
    }

    /** Adds a custom check, called after all other checks. */
    public S verify(Consumer<Run> look) {
        verifications.add(look);
        return self();
    }

    /** The given objects of another cluster, and the calls expected there. */
    public static final class Cluster extends Expectations<Cluster> {
        final List<Given<?>> given = new ArrayList<>();

        Cluster() {}

        /** Adds objects that exist at the start. */
        public Cluster given(Given<?>... objects) {
            given.addAll(List.of(objects));
            return this;
        }
    }
}
