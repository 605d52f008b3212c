package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Cron jobs. */
record CronJobStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void applyDefaults(Map<String, @Nullable Object> tree) {
        Map<String, @Nullable Object> spec = Trees.grow(tree, "spec");
        Trees.fillText(spec, "concurrencyPolicy", "Allow");
        Trees.fill(spec, "suspend", false);
        Trees.fill(spec, "successfulJobsHistoryLimit", 3L);
        Trees.fill(spec, "failedJobsHistoryLimit", 1L);
        Trees.with(spec, PodDefaults::template, "jobTemplate", "spec", "template");
    }

    @Override
    public void validate(Map<String, @Nullable Object> tree, FieldErrors errors) {
        String schedule = Json.string(tree, "spec", "schedule");
        if (schedule.isEmpty()) {
            errors.required("spec.schedule");
        } else {
            String wrong = CronSchedules.wrong(schedule);
            if (!wrong.isEmpty()) {
                errors.invalid("spec.schedule", schedule, wrong);
            }
        }
        errors.notNegative("spec.startingDeadlineSeconds", Json.at(tree, "spec", "startingDeadlineSeconds"));
        errors.oneOf(
                "spec.concurrencyPolicy", Json.string(tree, "spec", "concurrencyPolicy"), "Allow", "Forbid", "Replace");
        JobStrategy.validateSpec(Trees.object(tree, "spec", "jobTemplate", "spec"), "spec.jobTemplate.spec", errors);
        errors.notNegative("spec.successfulJobsHistoryLimit", Json.at(tree, "spec", "successfulJobsHistoryLimit"));
        errors.notNegative("spec.failedJobsHistoryLimit", Json.at(tree, "spec", "failedJobsHistoryLimit"));
        String name = Json.string(tree, "metadata", "name");
        if (name.length() > 52) {
            errors.invalid("metadata.name", name, "must be no more than 52 characters");
        }
    }

    @Override
    public Object cell(String column, Map<String, @Nullable Object> tree, Instant now) {
        return Trees.isTrue(tree, "spec", "suspend") ? "True" : "False";
    }
}
