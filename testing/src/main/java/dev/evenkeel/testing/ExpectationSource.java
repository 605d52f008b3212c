package dev.evenkeel.testing;

import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.Tracker;
import dev.evenkeel.testing.call.RecordedCall;
import dev.evenkeel.testing.call.RecordedCall.Body;
import dev.evenkeel.testing.call.RecordedCall.Verb;
import dev.evenkeel.testing.diff.Paste;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.lang.reflect.Modifier;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Renders observed effects as Java source that expects them: one call for the chain of a case. A case into which all of
 * it is pasted, in the reported order, passes.
 */
final class ExpectationSource {
    private ExpectationSource() {}

    /**
     * Returns source that expects a write; empty for writes that are better specified by hand, such as deletions of
     * collections.
     */
    static Optional<String> write(RecordedCall call, TestCluster cluster) {
        String status = call.subresource().equals("status") ? "Status" : "";
        if (!call.subresource().isEmpty() && status.isEmpty()) {
            return call.body() instanceof Body.Scale(int replicas)
                    ? Optional.of(".expectScale(" + object(call, cluster) + ", " + replicas + ")")
                    : Optional.empty();
        }
        return switch (call.verb()) {
            case CREATE -> whole(call, cluster, status + "Create");
            case UPDATE -> whole(call, cluster, status + "Update");
            case APPLY -> whole(call, cluster, status + "Apply");
            case DELETE -> Optional.of(".expectDelete(" + object(call, cluster) + ")");
            case PATCH ->
                call.body() instanceof Body.Change(Patch patch)
                        ? Optional.of(patched(status, patch, object(call, cluster)))
                        : Optional.empty();
            default -> Optional.empty();
        };
    }

    /** Returns the source for an expectation in another cluster. */
    static String cluster(String name, String expectation) {
        return ".cluster(" + Source.literal(name) + ", cluster -> cluster" + expectation + ")";
    }

    private static String patched(String status, Patch patch, String object) {
        return Optional.of(patch)
                .filter(one -> status.isEmpty())
                .flatMap(FinalizersPatch::finalizers)
                .map(finalizers -> ".expectFinalizers(" + object
                        + finalizers.stream()
                                .map(one -> ", " + Source.literal(one))
                                .collect(Collectors.joining())
                        + ")")
                .orElseGet(() -> ".expect" + status + "Patch(" + object + ", " + patch(patch) + ")");
    }

    private static Optional<String> whole(RecordedCall call, TestCluster cluster, String what) {
        return sent(call)
                .map(json -> ".expect" + what + "(" + Paste.of(Encoded.of(json).decode(type(call, cluster)))
                        + (call.verb() == Verb.APPLY
                                        && !call.writeOptions().fieldManager().isEmpty()
                                ? ", " + Source.literal(call.writeOptions().fieldManager())
                                : "")
                        + ")");
    }

    /** Returns the object that a call sends, as JSON. */
    static Optional<byte[]> sent(RecordedCall call) {
        return switch (call.body()) {
            case Body.Whole whole -> Optional.of(whole.object().json());
            case Body.Replacement replacement ->
                Optional.of(replacement.object().json());
            default -> Optional.empty();
        };
    }

    /** Returns the class that is known for the kind of an object sent as text. */
    private static Class<? extends HasMetadata> type(RecordedCall call, TestCluster cluster) {
        Class<? extends HasMetadata> type = call.kind().javaType();
        return type == Encoded.class
                ? cluster.type(call.kind().apiVersion(), call.kind().kind())
                : type;
    }

    private static String object(RecordedCall call, TestCluster cluster) {
        return Source.name(type(call, cluster)) + ".class, " + key(call.key());
    }

    private static String key(ObjectKey key) {
        return Source.literal(key.namespace()) + ", " + Source.literal(key.name());
    }

    private static String patch(Patch patch) {
        String kind = patch.type().name().toLowerCase(Locale.ROOT);
        return "Patch." + kind + "(" + Source.literal(patch.text()) + ")";
    }

    static String event(TestCluster.RecordedEvent event) {
        String namespace = event.key().namespace();
        String object = "Given.yaml("
                + Source.literal("{apiVersion: " + event.apiVersion() + ", kind: " + event.kind() + ", metadata: {"
                        + (namespace.isEmpty() ? "" : "namespace: '" + namespace + "', ") + "name: '"
                        + event.key().name() + "'}}")
                + ")";
        return ".expectEvent(" + object + ", "
                + Source.literal(event.type()) + ", " + Source.literal(event.reason()) + ", "
                + (event.action().isEmpty() ? "" : Source.literal(event.action()) + ", ")
                + Source.literal(event.message()) + ")";
    }

    static String track(Tracker.Target tracked) {
        return ".expectTrack(new Tracker.Target(" + Source.literal(tracked.group()) + ", "
                + Source.literal(tracked.kind())
                + ", " + Source.literal(tracked.namespace()) + ", " + Source.literal(tracked.name()) + ", "
                + tracked.selector()
                        .map(selector ->
                                "Optional.of(LabelSelector.parse(" + Source.literal(selector.toString()) + "))")
                        .orElse("Optional.empty()")
                + "))";
    }

    static String error(Throwable thrown) {
        Class<?> type = thrown.getClass();
        while (type.isAnonymousClass() || !Modifier.isPublic(type.getModifiers())) {
            type = type.getSuperclass();
        }
        return ".expectError(" + Source.name(type) + ".class)";
    }

    static String outcome(Result outcome) {
        StringBuilder text = new StringBuilder("Result.");
        if (outcome.stops()) {
            text.append(outcome.retries() ? "halted().plus(Result.retry())" : "halted()");
        } else {
            text.append(outcome.retries() ? "retry()" : "done()");
        }
        outcome.delay()
                .ifPresent(delay -> text.append(".within(Duration.parse(")
                        .append(Source.literal(delay.toString()))
                        .append("))"));
        outcome.priority()
                .ifPresent(
                        priority -> text.append(".priority(").append(priority).append(')'));
        text.append(outcome.skipsStatus() ? ".skipStatus()" : "");
        return ".expectResult(" + text + ")";
    }
}
