package dev.evenkeel.testing.internal.convergence;

import dev.evenkeel.client.Encoded;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.simulation.internal.ObjectRef;
import dev.evenkeel.testing.internal.convergence.RunResult.Finding;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The checks of a run: what must hold after each write, at rest, and after the deletion. The first finding is kept. */
final class RunChecks<E> {
    private final CheckRun<E> run;
    private final Optional<RunResult> reference;
    final ExternalSystem<E> outside;

    final List<ClusterState> states = new ArrayList<>();
    final Map<Integer, Set<String>> keptTimes = new HashMap<>();
    final Map<ObjectRef, ClusterState> survivors = new HashMap<>();
    private Optional<ClusterState> former = Optional.empty();
    /** The problem of each object whose last reconciliation failed; the next process reports for its own objects. */
    final Map<ObjectRef, String> failing = new TreeMap<>();

    final Set<ObjectRef> inTheWay = new TreeSet<>();
    final Set<String> kinds = new HashSet<>();

    Optional<Finding> finding = Optional.empty();

    RunChecks(CheckRun<E> run, Optional<RunResult> reference) {
        this.run = run;
        this.reference = reference;
        this.outside = run.spec.outside().apply(run.steady);
    }

    /** Returns whether this is a run without faults. */
    boolean undisturbed() {
        return reference.isEmpty();
    }

    boolean failed() {
        return finding.isPresent();
    }

    void fail(Finding found) {
        if (finding.isEmpty()) {
            finding = Optional.of(found);
            run.step(() -> "WRONG: " + found.problem());
        }
    }

    void afterWrite(int number, ObjectRef object, String write) {
        if (run.objects.foreign.contains(object)) {
            fail(Finding.of("it writes to a foreign object: " + object, "write " + number + " is " + write));
        }
        for (CheckSpec.Always always : run.spec.always()) {
            if (!always.holds().test(run.others.client)) {
                fail(Finding.of("does not always hold: " + always.what(), "from write " + number + " on"));
            }
        }
    }

    /** Checks that the times of transitions change only with the statuses, in runs without faults. */
    void transitions(ObjectRef object, Encoded was, Encoded is) {
        List<String> rewritten = undisturbed() ? TransitionTimes.rewritten(was, is) : List.of();
        if (!rewritten.isEmpty()) {
            List<String> lines =
                    rewritten.stream().map(line -> object + ": " + line).toList();
            fail(new Finding("a transition time changes without a transition", lines));
        }
    }

    /** Compares the state with that of the run without faults, after the same number of changes of users. */
    void atRest(int edits, boolean deleting) {
        run.step(() -> "at rest");
        if (failed()) {
            return;
        }
        ClusterState state = ClusterState.of(run.others.all(kinds()), outside.text(), run.spec.ignored());
        Set<String> kept = former.map(state::keptTimes).orElse(Set.of());
        former = Optional.of(state);
        if (reference.isEmpty()) {
            states.add(state);
            keptTimes.put(edits, kept);
        }
        run.others.lost().ifPresent(this::fail);
        checkFailing();
        if (reference.isPresent() && !deleting) {
            ClusterState calm = reference.get().states().get(edits);
            compare("at rest the state differs from the run without faults", calm, state);
            if (run.restartsOnly()) {
                checkTimes(reference.get().keptTimes().getOrDefault(edits, Set.of()), kept, state);
            }
        }
    }

    private void checkTimes(Set<String> expected, Set<String> kept, ClusterState state) {
        List<String> lines = expected.stream()
                .filter(time -> state.times().containsKey(time) && !kept.contains(time))
                .map(time -> time + " is another one now")
                .toList();
        if (!failed() && !lines.isEmpty()) {
            fail(new Finding("times differ from before, but do not without faults", lines));
        }
    }

    private void compare(String problem, ClusterState expected, ClusterState actual) {
        if (!failed() && !run.notAllEdited && !actual.objects().equals(expected.objects())) {
            AskedFor asked = AskedFor.in(run.others.specs(run.objects.primaries));
            fail(new Finding(problem, ClusterState.differences(expected, actual, asked)));
        }
    }

    /** Returns whether the others can be compared when this one of several is deleted. */
    boolean comparesSurvivors(ObjectRef deleted) {
        return !run.others.holds(deleted)
                && (reference.isEmpty() || reference.get().survivors().containsKey(deleted));
    }

    /** Checks what is left after the deletion of one of several objects. */
    void survivors(ObjectRef deleted) {
        run.step(() -> "at rest");
        if (failed()) {
            return;
        }
        List<ClusterState.Found> others = run.others.all(kinds()).stream()
                .filter(object -> !object.ref().equals(deleted))
                .toList();
        ClusterState state = ClusterState.of(others, outside.text(), run.spec.ignored());
        survivors.put(deleted, state);
        ClusterState calm = reference.isPresent() ? reference.get().survivors().get(deleted) : null;
        if (calm != null) {
            compare("after the deletion of " + deleted + " the others differ from the run without faults", calm, state);
        }
    }

    private Set<String> kinds() {
        Set<String> all = new TreeSet<>(kinds);
        run.objects.given.forEach(object -> all.add(object.kind()));
        return all;
    }

    private void checkFailing() {
        Map<ObjectRef, String> wrong = new TreeMap<>(failing);
        if (!run.objects.foreign.isEmpty()) {
            // a reconciler that finds a foreign object in its way can only report it
            inTheWay.addAll(failing.keySet());
            wrong.keySet().removeAll(reference.map(RunResult::failing).orElse(inTheWay));
        }
        if (!wrong.isEmpty()) {
            List<String> lines = new ArrayList<>();
            wrong.forEach((object, problem) -> lines.add(object + ": " + problem));
            String how = reference.isEmpty() ? "it fails without faults" : "it still fails after the faults have ended";
            fail(new Finding(how, lines));
        }
    }

    /** Checks that all reconciled objects and what was created for them are deleted, and nothing else. */
    void afterDeletion() {
        run.step(() -> "at rest");
        if (!failed()) {
            checkFailing();
            run.others.lostHold().ifPresent(this::fail);
        }
    }

    void nothingLeft() {
        if (failed()) {
            return;
        }
        List<ClusterState.Found> found = run.others.all(kinds());
        checkGone(found);
        if (!failed()) {
            checkLeft(found);
        }
    }

    private void checkGone(List<ClusterState.Found> all) {
        List<String> lines = new ArrayList<>();
        Set<ObjectRef> gone = new LinkedHashSet<>(run.objects.given);
        gone.removeAll(run.objects.primaries);
        for (ClusterState.Found found : all) {
            ObjectRef object = found.ref();
            if (gone.remove(object)) {
                continue;
            }
            JsonObject metadata = found.tree().object("metadata");
            if (run.objects.primaries.contains(object)) {
                lines.add(object + " was deleted, and still exists: held by " + metadata.array("finalizers"));
            } else if (!run.spec.outlives().contains(object.kind())) {
                lines.add(object + " is left: " + reason(metadata));
            }
        }
        gone.forEach(object -> lines.add(object + " existed before, and is gone"));
        String left = outside.text();
        String nothing = run.spec.outside().apply(run.steady).text();
        if (!left.equals(nothing)) {
            lines.add(ClusterState.OUTSIDE + " there is " + left + ", and should be " + nothing);
        }
        if (!lines.isEmpty()) {
            fail(new Finding("something is left after the deletion", lines));
        }
    }

    private static String reason(JsonObject metadata) {
        if (metadata.containsKey("deletionTimestamp")) {
            return "held by " + metadata.array("finalizers");
        }
        List<String> owners = metadata.array("ownerReferences").stream()
                .map(owner -> Json.string(owner, "kind") + " " + Json.string(owner, "name"))
                .toList();
        return owners.isEmpty()
                ? "it has no owner, so the garbage collector does not delete it"
                : "its owners are " + owners;
    }

    /** Checks that other existing objects are as without the faults: nothing created for them is left. */
    private void checkLeft(List<ClusterState.Found> all) {
        Set<String> staying = run.spec.outlives();
        List<ClusterState.Found> existing = all.stream()
                .filter(found -> run.objects.givenOnly(found.ref())
                        && !staying.contains(found.ref().kind()))
                .toList();
        ClusterState left = ClusterState.of(existing, "", run.spec.ignored());
        if (reference.isEmpty()) {
            states.add(left);
            return;
        }
        ClusterState calm = reference.get().states().getLast();
        compare("after the deletion existing objects differ from the run without faults", calm, left);
    }
}
