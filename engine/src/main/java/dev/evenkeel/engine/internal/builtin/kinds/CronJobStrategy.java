package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import java.time.Instant;

/** Cron jobs. */
record CronJobStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void applyDefaults(JsonObject tree) {
        JsonObject spec = tree.withObject("spec");
        spec.setIfEmpty("concurrencyPolicy", "Allow");
        spec.putIfAbsent("suspend", false);
        spec.putIfAbsent("successfulJobsHistoryLimit", 3L);
        spec.putIfAbsent("failedJobsHistoryLimit", 1L);
        spec.findObject("jobTemplate", "spec", "template").ifPresent(PodDefaults::template);
    }

    @Override
    public void validate(JsonObject tree, FieldErrors errors) {
        String schedule = tree.string("spec", "schedule");
        if (schedule.isEmpty()) {
            errors.required("spec.schedule");
        } else {
            String wrong = CronSchedules.wrong(schedule);
            if (!wrong.isEmpty()) {
                errors.invalid("spec.schedule", schedule, wrong);
            }
        }
        errors.notNegative("spec.startingDeadlineSeconds", tree.at("spec", "startingDeadlineSeconds"));
        errors.oneOf("spec.concurrencyPolicy", tree.string("spec", "concurrencyPolicy"), "Allow", "Forbid", "Replace");
        JobStrategy.validateSpec(tree.object("spec", "jobTemplate", "spec"), "spec.jobTemplate.spec", errors);
        errors.notNegative("spec.successfulJobsHistoryLimit", tree.at("spec", "successfulJobsHistoryLimit"));
        errors.notNegative("spec.failedJobsHistoryLimit", tree.at("spec", "failedJobsHistoryLimit"));
        String name = tree.string("metadata", "name");
        if (name.length() > 52) {
            errors.invalid("metadata.name", name, "must be no more than 52 characters");
        }
    }

    @Override
    public Object cell(String column, JsonObject tree, Instant now) {
        return tree.bool("spec", "suspend") ? "True" : "False";
    }
}
