package dev.evenkeel.testing.internal.convergence;

import dev.evenkeel.simulation.VirtualClock;
import dev.evenkeel.simulation.internal.ObjectRef;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The checks of a run: what must hold after each write, at rest, and after the deletion. The first finding is kept. */
final class RunChecks<E> {
    private final CheckSpec<E> spec;
    private final Optional<RunResult> reference;
    private final VirtualClock clock;
    private final KnownObjects objects;
    private final OtherActors others;
    private final Steps steps;
    /** The system outside of the cluster. */
    final E outside;

    final List<ClusterState> states = new ArrayList<>();
    private final Map<ObjectRef, String> failing = new TreeMap<>();
    final Set<ObjectRef> inTheWay = new TreeSet<>();
    private final Set<String> kinds = new HashSet<>();
    private @Nullable Finding finding;

    RunChecks(
            CheckSpec<E> spec,
            Optional<RunResult> reference,
            VirtualClock clock,
            KnownObjects objects,
            OtherActors others,
            Steps steps) {
        this.spec = spec;
        this.reference = reference;
        this.clock = clock;
        this.objects = objects;
        this.others = others;
        this.steps = steps;
        this.outside = spec.outside().apply(clock);
    }

    boolean failed() {
        return finding != null;
    }

    Optional<Finding> finding() {
        return Optional.ofNullable(finding);
    }

    void fail(Finding found) {
        if (finding == null) {
            finding = found;
            steps.add(() -> "WRONG: " + found.problem());
        }
    }

    // reconciliations

    void failing(ObjectRef object, String problem) {
        failing.put(object, problem);
    }

    void succeeded(ObjectRef object) {
        failing.remove(object);
    }

    /** Called when a process has crashed or was overtaken: the next one reports for its objects. */
    void processEnded() {
        failing.clear();
    }

    // after each write

    /** Records that a controller has written to objects of this kind. */
    void written(String kind) {
        kinds.add(kind);
    }

    void afterWrite(int number, ObjectRef object, String write) {
        if (objects.foreign.contains(object)) {
            fail(Finding.of("it writes to a foreign object: " + object, "write " + number + " is " + write));
        }
        for (CheckSpec.Always always : spec.always()) {
            if (!always.holds().test(others.client)) {
                fail(Finding.of("does not always hold: " + always.what(), "from write " + number + " on"));
            }
        }
    }

    // at rest

    /**
     * Compares the state with that of the run without faults.
     *
     * @param edits number of changes that users have made
     */
    void atRest(int edits, boolean deleting) {
        steps.add(() -> "at rest");
        if (failed()) {
            return;
        }
        ClusterState state = ClusterState.of(others.all(kinds(), object -> true), state(outside), spec.ignored());
        if (reference.isEmpty()) {
            states.add(state);
        }
        others.lost().ifPresent(this::fail);
        checkFailing();
        if (!failed() && !deleting) {
            reference.ifPresent(calm -> compare(
                    "at rest the state differs from the run without faults",
                    calm.states().get(edits),
                    state));
        }
    }

    private void compare(String problem, ClusterState expected, ClusterState actual) {
        if (!actual.equals(expected)) {
            fail(new Finding(problem, ClusterState.differences(expected, actual)));
        }
    }

    private Set<String> kinds() {
        Set<String> all = new TreeSet<>(kinds);
        objects.given.forEach(object -> all.add(object.kind()));
        return all;
    }

    private String state(E of) {
        return String.valueOf(spec.state().apply(of));
    }

    private void checkFailing() {
        Map<ObjectRef, String> wrong = new TreeMap<>(failing);
        if (!objects.foreign.isEmpty()) {
            // a reconciler that finds a foreign object in its way can only report it
            inTheWay.addAll(failing.keySet());
            wrong.keySet().removeAll(reference.map(RunResult::failing).orElse(inTheWay));
        }
        if (!wrong.isEmpty()) {
            fail(new Finding(
                    reference.isEmpty() ? "it fails without faults" : "it still fails after the faults have ended",
                    wrong.entrySet().stream()
                            .map(one -> one.getKey() + ": " + one.getValue())
                            .toList()));
        }
    }

    // after the deletion

    /** Checks that all reconciled objects and what was created for them are deleted, and nothing else. */
    void afterDeletion() {
        steps.add(() -> "at rest");
        if (!failed()) {
            checkFailing();
        }
        if (!failed()) {
            others.lostHold().ifPresent(this::fail);
        }
    }

    void nothingLeft() {
        if (!failed()) {
            checkGone();
        }
        if (!failed()) {
            checkLeft();
        }
    }

    private void checkGone() {
        List<String> lines = new ArrayList<>();
        for (ClusterState.Found found : others.all(kinds(), object -> !objects.givenOnly(object))) {
            ObjectRef object = found.ref();
            if (objects.primaries.contains(object)) {
                lines.add(object + " was deleted, and still exists: held by "
                        + found.header().finalizers());
            } else if (!spec.outlives().contains(object.kind())) {
                lines.add(object + " is left: " + reason(found));
            }
        }
        for (ObjectRef object : objects.given) {
            if (objects.givenOnly(object) && others.find(object).isEmpty()) {
                lines.add(object + " existed before, and is gone");
            }
        }
        String left = state(outside);
        String nothing = state(spec.outside().apply(clock));
        if (!left.equals(nothing)) {
            lines.add(ClusterState.OUTSIDE + " there is " + left + ", and should be " + nothing);
        }
        if (!lines.isEmpty()) {
            fail(new Finding("something is left after the deletion", lines));
        }
    }

    private static String reason(ClusterState.Found found) {
        if (found.header().deleted()) {
            return "held by " + found.header().finalizers();
        }
        List<String> owners = found.header().owners().stream()
                .map(owner -> owner.kind() + " " + owner.name())
                .toList();
        return owners.isEmpty()
                ? "it has no owner, so the garbage collector does not delete it"
                : "its owners are " + owners;
    }

    /**
     * Objects that existed before, and are not reconciled, are as without the faults: nothing created for them is left.
     */
    private void checkLeft() {
        ClusterState left = ClusterState.of(
                others.all(
                        kinds(),
                        object -> objects.givenOnly(object) && !spec.outlives().contains(object.kind())),
                "",
                spec.ignored());
        if (reference.isEmpty()) {
            states.add(left);
        } else {
            compare(
                    "after the deletion existing objects differ from the run without faults",
                    reference.get().states().getLast(),
                    left);
        }
    }
}
