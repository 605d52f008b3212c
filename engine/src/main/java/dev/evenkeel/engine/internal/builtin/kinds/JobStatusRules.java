package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.builtin.InternalForm;
import dev.evenkeel.engine.internal.builtin.Times;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Rules of the status of a job that changes, in upstream's order. Most of them apply only when one of the fields they are
 * about changes, so that jobs of older versions can still be updated.
 */
final class JobStatusRules {
    private final Field root;
    private final Field status;
    private final Field conditions;
    private final JsonObject tree;
    private final JsonObject old;
    private final boolean complete;
    private final boolean failed;
    private final boolean finished;
    private final boolean finishedChanged;

    JobStatusRules(Field root, JsonObject old) {
        this.root = root;
        this.old = old;
        tree = root.object();
        status = root.at("status");
        conditions = status.at("conditions");
        complete = is(tree, "Complete");
        failed = is(tree, "Failed");
        finished = complete || failed;
        finishedChanged = finished != (is(old, "Complete") || is(old, "Failed"));
    }

    private static boolean is(JsonObject job, String condition) {
        return Trees.isCondition(job, condition, "True");
    }

    private boolean flipped(String condition) {
        return is(tree, condition) != is(old, condition);
    }

    private boolean changed(String... fields) {
        return List.of(fields).stream()
                .anyMatch(field -> !Objects.equals(tree.at("status", field), old.at("status", field)));
    }

    void validate() {
        for (String count : List.of("active", "succeeded", "failed", "ready", "terminating")) {
            status.at(count).notNegative();
        }
        uncounted();
        ends();
        times();
        targets();
        pods();
        indexes();
        moreCounts();
        criteria();
        transitions();
    }

    private void uncounted() {
        Set<String> seen = new HashSet<>();
        for (String list : List.of("succeeded", "failed")) {
            for (Field uid : status.at("uncountedTerminatedPods", list).items()) {
                if (uid.text().isEmpty()) {
                    uid.invalid("must not be empty");
                } else {
                    uid.distinct(seen);
                }
            }
        }
    }

    private void ends() {
        if (complete && failed && (flipped("Complete") || flipped("Failed"))) {
            conditions.wrong("cannot set Complete=True and Failed=true conditions");
        }
        if (complete && is(tree, "FailureTarget") && (flipped("Complete") || flipped("FailureTarget"))) {
            conditions.wrong("cannot set Complete=True and FailureTarget=true conditions");
        }
    }

    private void times() {
        Field completion = status.at("completionTime");
        boolean moved = flipped("Complete") || changed("completionTime");
        if (moved && completion.given() && !complete) {
            completion.invalid("cannot set completionTime when there is no Complete=True condition");
        }
        if (moved && !completion.given() && complete) {
            completion.missing("completionTime is required for Complete jobs");
        }
        String start = status.at("startTime").text();
        if (changed("startTime", "completionTime")
                && !start.isEmpty()
                && completion.given()
                && Times.parse(completion.text()).isBefore(Times.parse(start))) {
            completion.invalid("must be equal to or after `startTime`");
        }
    }

    private void targets() {
        if (flipped("Failed") && failed && !is(tree, "FailureTarget")) {
            conditions.wrong("cannot set Failed=True condition without the FailureTarget=true condition");
        }
        if (flipped("Complete") && complete && !is(tree, "SuccessCriteriaMet")) {
            conditions.wrong("cannot set Complete=True condition without the SuccessCriteriaMet=true condition");
        }
    }

    private void pods() {
        Field active = status.at("active");
        if (finished && active.number() > 0 && (finishedChanged || changed("active"))) {
            active.invalid("active>0 is invalid for finished job");
        }
        boolean idle = tree.bool("spec", "suspend") && Objects.equals(tree.at("spec", "completions"), 0L);
        Field start = status.at("startTime");
        if (finished && !start.given() && !idle && (finishedChanged || changed("startTime"))) {
            start.missing("startTime is required for finished job");
        }
        Field uncounted = status.at("uncountedTerminatedPods");
        boolean some = !uncounted.at("succeeded").array().isEmpty()
                || !uncounted.at("failed").array().isEmpty();
        if (finished && some && (finishedChanged || changed("uncountedTerminatedPods"))) {
            uncounted.invalidText(
                    InternalForm.text("batch.v1.UncountedTerminatedPods", uncounted.value()),
                    "uncountedTerminatedPods needs to be empty for finished job");
        }
    }

    private void indexes() {
        Field completions = root.at("spec", "completions");
        Field completed = status.at("completedIndexes");
        Field lost = status.at("failedIndexes");
        boolean perIndex = root.at("spec", "backoffLimitPerIndex").given();
        JobIndexes done = JobIndexes.parse(completed.text(), completions.number());
        JobIndexes failures = JobIndexes.parse(lost.text(), completions.number());
        if (changed("completedIndexes")
                && completions.given()
                && !done.problem().isEmpty()) {
            completed.invalid("error parsing completedIndexes: " + done.problem());
        }
        if (changed("failedIndexes")
                && completions.given()
                && perIndex
                && !failures.problem().isEmpty()) {
            lost.invalid("error parsing failedIndexes: " + failures.problem());
        }
        boolean indexed = root.at("spec", "completionMode").text().equals("Indexed");
        if (changed("completedIndexes") && !completed.text().isEmpty() && !indexed) {
            completed.invalid("cannot set non-empty completedIndexes when non-indexed completion mode");
        }
        if (changed("failedIndexes") && !perIndex && lost.given()) {
            lost.invalid("cannot set non-null failedIndexes when backoffLimitPerIndex is null");
        }
        if (changed("failedIndexes", "completedIndexes") && completions.given()) {
            done.common(failures)
                    .ifPresent(index -> lost.invalid("failedIndexes and completedIndexes overlap at index: " + index));
        }
    }

    private void moreCounts() {
        Field terminating = status.at("terminating");
        if (finished && terminating.number() > 0 && (finishedChanged || changed("terminating"))) {
            terminating.invalid("terminating>0 is invalid for finished job");
        }
        Field ready = status.at("ready");
        if (ready.given() && ready.number() > status.at("active").number() && changed("ready", "active")) {
            ready.invalid("cannot set more ready pods than active");
        }
    }

    private void criteria() {
        boolean met = is(tree, "SuccessCriteriaMet");
        if (met && failed) {
            conditions.wrong("cannot set SuccessCriteriaMet=True and Failed=true conditions");
        }
        if (met && is(tree, "FailureTarget")) {
            conditions.wrong("cannot set SuccessCriteriaMet=True and FailureTarget=true conditions");
        }
        if (tree.has("spec", "successPolicy") && !met && complete) {
            conditions.wrong("cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True");
        }
    }

    private void transitions() {
        for (String end : List.of("Failed", "Complete", "FailureTarget")) {
            if (is(old, end) && !is(tree, end)) {
                conditions.wrong("cannot disable the terminal " + end + "=True condition");
            }
        }
        decrease("failed", true);
        boolean elastic = Objects.equals(tree.at("spec", "completions"), tree.at("spec", "parallelism"));
        decrease("succeeded", !elastic);
        Field completion = status.at("completionTime");
        if (completion.given() && old.has("status", "completionTime") && changed("completionTime")) {
            completion.invalid("completionTime cannot be mutated");
        }
        if (old.has("status", "startTime") && changed("startTime") && !tree.bool("spec", "suspend")) {
            status.at("startTime").missing("startTime cannot be removed for unsuspended job");
        }
        boolean met = is(tree, "SuccessCriteriaMet");
        boolean wasMet = is(old, "SuccessCriteriaMet");
        if (wasMet && !met) {
            conditions.wrong("cannot disable the SuccessCriteriaMet=True condition");
        }
        if (is(old, "Complete") && !wasMet && met) {
            conditions.wrong("cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions");
        }
    }

    private void decrease(String counter, boolean refused) {
        Field count = status.at(counter);
        if (refused && count.number() < old.integer("status", counter)) {
            count.invalid(count.number(), "cannot decrease the " + counter + " counter");
        }
    }
}
