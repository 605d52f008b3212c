package dev.evenkeel.testing;

import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Patch;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.Stash;
import dev.evenkeel.controller.Tracker;
import dev.evenkeel.testing.Expectations.ExpectedError;
import dev.evenkeel.testing.Expectations.ExpectedEvent;
import dev.evenkeel.testing.call.Calls;
import dev.evenkeel.testing.call.Journal;
import dev.evenkeel.testing.call.RecordedCall;
import dev.evenkeel.testing.diff.Difference;
import dev.evenkeel.testing.diff.Normalization;
import dev.evenkeel.testing.diff.Paste;
import dev.evenkeel.testing.diff.Rendering;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.opentest4j.AssertionFailedError;

/**
 * The comparison of a run with its expectations.
 *
 * <p>All problems are reported, not only the first: a different object with a diff, an unexpected effect with a line to
 * paste; followed by the calls, since these show why something is missing.
 */
final class CaseResult {
    private final Rendering rendering;
    private final List<String> problems = new ArrayList<>();
    private final List<String> pastes = new ArrayList<>();

    CaseResult(Rendering rendering) {
        this.rendering = rendering;
    }

    record Observed(
            TestCluster cluster,
            TestCluster.Mark before,
            List<Tracker.Target> tracks,
            List<String> logs,
            Result outcome,
            @Nullable Throwable thrown,
            Stash stash) {
        Journal journal() {
            return cluster.journal().since(before.calls());
        }

        List<Throwable> failures() {
            Stream<Throwable> reported = outcome.problems().stream().map(Result.Problem::error);
            return thrown != null ? List.of(thrown) : reported.toList();
        }
    }

    void problem(String text) {
        problems.add(text.stripTrailing());
    }

    void pass(TestCluster cluster) {
        pass(cluster, new TestCluster.Mark(0, 0, Map.of()));
    }

    void pass(TestCluster cluster, TestCluster.Mark since) {
        if (problems.isEmpty()) {
            return;
        }
        List<String> parts = new ArrayList<>(problems);
        if (problems.size() > 1) {
            parts.addFirst(problems.size() + " things are not as expected");
        }
        parts.add("The calls:\n" + cluster.journal().since(since.calls()).print());
        cluster.others.forEach((name, other) -> {
            Journal there = other.journal().since(since.callsOf(name));
            if (!there.calls().isEmpty()) {
                parts.add("The calls in cluster " + name + ":\n" + there.print());
            }
        });
        if (!pastes.isEmpty()) {
            parts.add("If what was seen is right, expect it:\n" + String.join("\n", pastes));
        }
        throw new AssertionFailedError(String.join("\n\n", parts));
    }

    void judge(Expectations<?> expected, Observed seen) {
        outcome(expected.errors, expected.result, seen);
        writes(expected, new Place(seen.cluster(), ""), seen.before().calls());
        expected.others.forEach((name, other) -> {
            TestCluster cluster = seen.cluster().other(name);
            int from = seen.before().callsOf(name);
            writes(other, new Place(cluster, name), from);
            judge(other, new Expectations.Run(cluster, cluster.journal().since(from), seen.outcome(), seen.stash()));
        });
        seen.cluster().others.forEach((name, cluster) -> {
            if (!expected.others.containsKey(name)) {
                cluster.writes(seen.before().callsOf(name)).forEach(call -> unexpected(call, new Place(cluster, name)));
            }
        });
        List<TestCluster.RecordedEvent> events =
                seen.cluster().events(seen.before().events());
        lists("event", expected.events, events, ExpectedEvent::matches, ExpectationSource::event);
        lists("track", expected.tracks, seen.tracks(), Tracker.Target::equals, ExpectationSource::track);
        expected.logs.forEach(line -> {
            List<String> logs = seen.logs();
            if (logs.stream().noneMatch(log -> log.startsWith(line.level() + " ") && log.contains(line.text()))) {
                String there = logs.isEmpty() ? "nothing" : "\n  " + String.join("\n  ", logs);
                problem("Expected in the log, but missing: " + line.level() + " with \"" + line.text()
                        + "\"; there was " + there);
            }
        });
        expected.metrics.forEach(metric -> metric(metric, seen.cluster()));
        judge(expected, new Expectations.Run(seen.cluster(), seen.journal(), seen.outcome(), seen.stash()));
    }

    private void judge(Expectations<?> expected, Expectations.Run run) {
        if (!expected.order.isEmpty()) {
            try {
                run.journal().assertOrder(expected.order.toArray(Calls[]::new));
            } catch (AssertionFailedError e) {
                problem(String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
            }
        }
        for (var look : expected.verifications) {
            try {
                look.accept(run);
            } catch (AssertionError e) {
                problem("verify: " + e.getMessage());
            }
        }
    }

    private void outcome(List<ExpectedError> errors, @Nullable Result result, Observed seen) {
        List<Throwable> failures = seen.failures();
        String words = errors.stream().map(ExpectedError::words).collect(Collectors.joining(" or "));
        for (Throwable thrown : failures) {
            if (errors.stream().noneMatch(error -> error.condition().test(thrown))) {
                String should = errors.isEmpty() ? "not fail, but did: " : "fail with " + words + ", but did with: ";
                problem("It should " + should + trace(thrown));
                pastes.add(ExpectationSource.error(thrown));
            }
        }
        for (ExpectedError error : errors) {
            if (failures.isEmpty()) {
                problem("It should fail, with " + error.words() + ", but did not: " + seen.outcome());
            } else if (errors.size() > 1 && failures.stream().noneMatch(error.condition())) {
                problem("It should fail, with " + error.words() + ", but did with: " + failures);
            }
        }
        if (result == null && !(errors.isEmpty() && failures.isEmpty())) {
            return;
        }
        Result wanted = result == null ? Result.done() : withoutProblems(result, false);
        Result found = withoutProblems(seen.outcome(), !seen.outcome().succeeded());
        if (!wanted.equals(found)) {
            problem("It should end as: " + wanted + "\nand did as:           " + found);
            pastes.add(ExpectationSource.outcome(found));
        }
    }

    /** Returns an outcome without its problems, which are checked separately, and what follows from them. */
    private static Result withoutProblems(Result outcome, boolean failed) {
        boolean stops = outcome.stops() && !failed;
        boolean retries = outcome.retries() && !failed;
        return new Result(stops, outcome.delay(), retries, outcome.priority(), outcome.skipsStatus(), List.of());
    }

    private static String trace(Throwable thrown) {
        return thrown
                + Stream.of(thrown.getStackTrace())
                        .limit(6)
                        .takeWhile(frame -> !frame.getClassName().startsWith("dev.evenkeel.testing."))
                        .map(frame -> "\n    at " + frame)
                        .collect(Collectors.joining());
    }

    private record Ledger(RecordedCall.Verb verb, String subresource) {
        String title() {
            return verb + (subresource.isEmpty() ? "" : " of the " + subresource);
        }
    }

    /** A cluster, and its name unless it is that of the case. */
    private record Place(TestCluster cluster, String name) {
        String in() {
            return name.isEmpty() ? "" : " in cluster " + name;
        }
    }

    private void writes(Expectations<?> expected, Place at, int from) {
        Map<Ledger, List<ExpectedWrite>> wanted =
                grouped(expected.writes, write -> new Ledger(write.verb(), write.subresource()));
        Map<Ledger, List<RecordedCall>> found =
                grouped(at.cluster().writes(from), call -> new Ledger(call.verb(), call.subresource()));
        wanted.forEach((ledger, all) -> {
            List<RecordedCall> calls = found.getOrDefault(ledger, List.of());
            for (int i = 0; i < all.size(); i++) {
                String place = ledger.title() + (all.size() > 1 ? " " + (i + 1) + " of " + all.size() : "") + at.in();
                if (i < calls.size()) {
                    compare(expected, at, place, all.get(i), calls.get(i));
                } else {
                    problem("Expected but not seen: " + all.get(i).question() + at.in());
                }
            }
        });
        found.forEach((ledger, calls) -> {
            int known = wanted.getOrDefault(ledger, List.of()).size();
            for (RecordedCall call : calls.subList(Math.min(known, calls.size()), calls.size())) {
                unexpected(call, at);
            }
        });
    }

    private static <E> Map<Ledger, List<E>> grouped(List<E> all, Function<E, Ledger> ledger) {
        return all.stream().collect(Collectors.groupingBy(ledger, LinkedHashMap::new, Collectors.toList()));
    }

    private void unexpected(RecordedCall call, Place at) {
        problem("Unexpected: " + call.question() + at.in() + content(call));
        paste(call, at);
    }

    private static String content(RecordedCall call) {
        return switch (call.body()) {
            case RecordedCall.Body.Change(Patch patch) -> "\n  " + patch.text();
            case RecordedCall.Body.Scale(int replicas) -> " to " + replicas;
            default -> "";
        };
    }

    private void paste(RecordedCall call, Place at) {
        ExpectationSource.write(call, at.cluster())
                .map(text -> at.name().isEmpty() ? text : ExpectationSource.cluster(at.name(), text))
                .ifPresent(pastes::add);
    }

    private void compare(Expectations<?> expected, Place at, String place, ExpectedWrite write, RecordedCall call) {
        if (!same(write.kind(), call.kind()) || !write.key().equals(write.key(call))) {
            problem("The " + place + " should be: " + write.question() + "\nand is:        " + call.question());
            return;
        }
        String title = "The " + place + ", " + write.question() + ",";
        switch (write) {
            case ExpectedWrite.Sent sent -> {
                byte[] wanted = sent.object().json();
                byte[] found = ExpectationSource.sent(call).orElseGet(() -> new byte[] {'{', '}'});
                if (!Arrays.equals(wanted, found)) {
                    differs(title, difference(at.cluster(), sent, wanted, found, expected), () -> paste(call, at));
                }
                String manager = call.writeOptions().fieldManager();
                if (!sent.fieldManager().orElse(manager).equals(manager)) {
                    problem(title + " should have the field manager \""
                            + sent.fieldManager().get() + "\": \"" + manager + "\"");
                    paste(call, at);
                }
            }
            case ExpectedWrite.Patched patched -> {
                Patch sent = call.body() instanceof RecordedCall.Body.Change(Patch patch) ? patch : null;
                Patch wanted = patched.patch().apply(sent == null ? Patch.merge("{}") : sent);
                if (sent == null
                        || wanted.type() != sent.type()
                        || !Difference.between(wanted.text(), sent.text(), Normalization.exact())
                                .isEmpty()) {
                    String found = sent == null ? "no patch" : sent.type() + " " + sent.text();
                    problem(title + " differs:\n- " + wanted.type() + " " + wanted.text() + "\n+ " + found);
                }
            }
            case ExpectedWrite.Scaled scaled -> {
                if (!call.body().equals(new RecordedCall.Body.Scale(scaled.replicas()))) {
                    problem("The " + place + " should be to " + scaled.replicas() + ":" + content(call));
                }
            }
            case ExpectedWrite.Deleted deleted -> {
                if (!deleted.options().orElse(call.deleteOptions()).equals(call.deleteOptions())) {
                    problem("The " + place + " should have: "
                            + deleted.options().get() + "\nand has:         " + call.deleteOptions());
                }
            }
            case ExpectedWrite.DeletedAll(Kind<?> unused, ListOptions all) -> {
                ListOptions seen = call.selection();
                if (!all.labels().equals(seen.labels()) || !all.fields().equals(seen.fields())) {
                    problem("The " + place + " should select: " + all + "\nand selects:       " + seen);
                }
            }
        }
    }

    private static Difference difference(
            TestCluster cluster, ExpectedWrite.Sent write, byte[] wanted, byte[] found, Expectations<?> expected) {
        Normalization by = write.subresource().equals("status") ? expected.statusNormalization : expected.normalization;
        Difference difference = between(wanted, found, by);
        if (!difference.isEmpty() && write.subresource().isEmpty() && cluster.ignoresStatus(wanted, write.kind())) {
            by = by.ignoring("status");
            difference = between(wanted, found, by);
        }
        if (difference.isEmpty() || !write.subresource().isEmpty() || write.verb() == RecordedCall.Verb.APPLY) {
            return difference;
        }
        // objects that differ by defaults alone are equal
        return between(cluster.completed(wanted, write.kind()), cluster.completed(found, write.kind()), by);
    }

    /** Compares two objects as completed by the server. */
    void compare(String what, byte[] wanted, byte[] found, Normalization normalization, Runnable paste) {
        differs(what, between(wanted, found, normalization), paste);
    }

    private void differs(String what, Difference difference, Runnable paste) {
        if (!difference.isEmpty()) {
            problem(what + " differs (- expected, + seen):\n" + rendering.text(difference));
            paste.run();
        }
    }

    /** Suggests an expectation of this object, in case it is right. */
    void paste(String expectation, byte[] json, Class<? extends HasMetadata> type) {
        pastes.add("." + expectation + "(" + Paste.of(Encoded.of(json).decode(type)) + ")");
    }

    private static Difference between(byte[] wanted, byte[] found, Normalization normalization) {
        return Difference.between(Encoded.of(wanted), Encoded.of(found), normalization);
    }

    private static boolean same(Kind<?> one, Kind<?> other) {
        return one.kind().equals(other.kind()) && one.group().equals(other.group());
    }

    <W, F> void lists(String what, List<W> wanted, List<F> seen, BiPredicate<W, F> matches, Function<F, String> paste) {
        for (int i = 0; i < Math.max(wanted.size(), seen.size()); i++) {
            if (i >= seen.size()) {
                problem("Expected but not seen, " + what + ": " + wanted.get(i));
            } else if (i >= wanted.size()) {
                problem("Unexpected " + what + ": " + seen.get(i));
                pastes.add(paste.apply(seen.get(i)));
            } else if (!matches.test(wanted.get(i), seen.get(i))) {
                problem("The " + what + " " + (i + 1) + " differs:\n- " + wanted.get(i) + "\n+ " + seen.get(i));
                pastes.add(paste.apply(seen.get(i)));
            }
        }
    }

    private void metric(Expectations.Metric metric, TestCluster cluster) {
        Tags tags = Tags.of(metric.tags().toArray(String[]::new));
        String what = metric.name() + " " + metric.tags();
        List<String> others = new ArrayList<>();
        for (Meter meter : cluster.meters().getMeters()) {
            Meter.Id id = meter.getId();
            if (id.getName().equals(metric.name()) && Tags.of(id.getTags()).equals(tags)) {
                double value = meter.measure().iterator().next().getValue();
                if (value != metric.value()) {
                    problem("The metric " + what + " should be " + metric.value() + ", and is " + value);
                }
                return;
            }
            others.add(id.getName() + id.getTags());
        }
        problem("Expected a metric, but there is none: " + what + "; there are " + others);
    }
}
