package dev.evenkeel.testing;

import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.Patch;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.Tracker;
import dev.evenkeel.testing.call.RecordedCall;
import dev.evenkeel.testing.call.RecordedCall.Body;
import dev.evenkeel.testing.call.RecordedCall.Verb;
import dev.evenkeel.testing.diff.Paste;
import dev.evenkeel.testing.internal.Source;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Renders observed effects as Java source that expects them: one call for the chain of a case. A case into which all of
 * it is pasted, in the reported order, passes.
 */
final class ExpectationSource {
    private ExpectationSource() {}

    /** Returns source that expects a write; empty for those better specified by hand, such as of collections. */
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

    static String cluster(String name, String expectation) {
        return ".cluster(" + Source.literal(name) + ", cluster -> cluster" + expectation + ")";
    }

    private static String patched(String status, Patch patch, String object) {
        Optional<List<String>> finalizers = status.isEmpty() ? FinalizersPatch.finalizers(patch) : Optional.empty();
        if (finalizers.isEmpty()) {
            String type = patch.type().name().toLowerCase(Locale.ROOT);
            String change = "Patch." + type + "(" + Source.literal(patch.text()) + ")";
            return ".expect" + status + "Patch(" + object + ", " + change + ")";
        }
        Stream<String> names = finalizers.get().stream().map(Source::literal);
        return Stream.concat(Stream.of(object), names).collect(Collectors.joining(", ", ".expectFinalizers(", ")"));
    }

    private static Optional<String> whole(RecordedCall call, TestCluster cluster, String what) {
        String manager = call.writeOptions().fieldManager();
        String more = call.verb() == Verb.APPLY && !manager.isEmpty() ? ", " + Source.literal(manager) : "";
        return sent(call)
                .map(json -> Paste.of(Encoded.of(json).decode(type(call, cluster))))
                .map(object -> ".expect" + what + "(" + object + more + ")");
    }

    static Optional<byte[]> sent(RecordedCall call) {
        return switch (call.body()) {
            case Body.Whole(Encoded object) -> Optional.of(object.json());
            case Body.Replacement(Encoded object, var unused, var none) -> Optional.of(object.json());
            default -> Optional.empty();
        };
    }

    /** Returns the class that is known for the kind of an object sent as text. */
    private static Class<? extends HasMetadata> type(RecordedCall call, TestCluster cluster) {
        Kind<?> kind = call.kind();
        return kind.javaType() == Encoded.class ? cluster.type(kind.apiVersion(), kind.kind()) : kind.javaType();
    }

    private static String object(RecordedCall call, TestCluster cluster) {
        String type = Source.name(type(call, cluster)) + ".class";
        return literals(type, call.key().namespace(), call.key().name());
    }

    /** Returns arguments: the first as it is, and the others as literals. */
    private static String literals(String first, String... others) {
        return first + Stream.of(others).map(one -> ", " + Source.literal(one)).collect(Collectors.joining());
    }

    static String event(TestCluster.RecordedEvent event) {
        String place = event.key().namespace();
        String key = (place.isEmpty() ? "" : "namespace: '" + place + "', ") + "name: '"
                + event.key().name() + "'";
        String yaml = "{apiVersion: " + event.apiVersion() + ", kind: " + event.kind() + ", metadata: {" + key + "}}";
        String object = literals("Given.yaml(" + Source.literal(yaml) + ")", event.type(), event.reason());
        String all = event.action().isEmpty() ? object : literals(object, event.action());
        return ".expectEvent(" + literals(all, event.message()) + ")";
    }

    static String track(Tracker.Target tracked) {
        String object = literals(Source.literal(tracked.group()), tracked.kind(), tracked.namespace(), tracked.name());
        String selector = tracked.selector()
                .map(one -> "Optional.of(LabelSelector.parse(" + Source.literal(one.toString()) + "))")
                .orElse("Optional.empty()");
        return ".expectTrack(new Tracker.Target(" + object + ", " + selector + "))";
    }

    static String error(Throwable thrown) {
        Class<?> type = thrown.getClass();
        while (type.isAnonymousClass() || !Modifier.isPublic(type.getModifiers())) {
            type = type.getSuperclass();
        }
        return ".expectError(" + Source.name(type) + ".class)";
    }

    static String outcome(Result outcome) {
        String retry = outcome.retries() ? ".plus(Result.retry())" : "";
        String text = outcome.stops() ? "halted()" + retry : outcome.retries() ? "retry()" : "done()";
        String delay = outcome.delay()
                .map(time -> ".within(Duration.parse(" + Source.literal(time.toString()) + "))")
                .orElse("");
        String priority = outcome.priority().isPresent()
                ? ".priority(" + outcome.priority().getAsInt() + ")"
                : "";
        return ".expectResult(Result." + text + delay + priority + (outcome.skipsStatus() ? ".skipStatus()" : "") + ")";
    }
}
