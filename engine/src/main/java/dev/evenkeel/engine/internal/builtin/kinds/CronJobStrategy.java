package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Cron jobs. */
record CronJobStrategy(KindFacts facts) implements KindStrategy {
    private static final int LONGEST_NAME = 52;

    @Override
    public void validate(Field root) {
        validateSpec(root, new JsonObject());
        Field name = root.at("metadata", "name");
        if (Names.bytes(name.text()) > LONGEST_NAME) {
            name.invalid("must be no more than 52 characters");
        }
    }

    @Override
    public boolean validatesWhole() {
        return false;
    }

    @Override
    public void validateUpdate(Field root, JsonObject old) {
        validateSpec(root, old.object("spec"));
    }

    private static void validateSpec(Field root, JsonObject old) {
        Field spec = root.at("spec");
        schedule(spec, old.string("schedule").contains("TZ"));
        spec.at("startingDeadlineSeconds").notNegative();
        Field zone = spec.at("timeZone");
        if (zone.given() && !Objects.equals(zone.value(), old.get("timeZone"))) {
            CronSchedules.zoneProblems(zone.text()).forEach(zone::invalid);
        }
        Field policy = spec.at("concurrencyPolicy");
        if (policy.require()) {
            policy.oneOf("Allow", "Forbid", "Replace");
        }
        Field job = spec.at("jobTemplate", "spec");
        JobRules.validate(job);
        if (job.at("selector").given()) {
            Selectors.invalid(job.at("selector"), "`selector` will be auto-generated");
        }
        Field manual = job.at("manualSelector");
        if (SecurityContextRules.isTrue(manual)) {
            manual.notSupported(true, List.of("nil", "false"));
        }
        spec.at("successfulJobsHistoryLimit").notNegative();
        spec.at("failedJobsHistoryLimit").notNegative();
    }

    private static void schedule(Field spec, boolean hadZone) {
        Field schedule = spec.at("schedule");
        if (!schedule.require()) {
            return;
        }
        CronSchedules.problem(schedule.text()).ifPresent(schedule::invalid);
        if (schedule.text().contains("TZ") && !hadZone) {
            schedule.invalid("cannot use TZ or CRON_TZ in schedule, use timeZone field instead");
        } else if (schedule.text().contains("TZ") && spec.at("timeZone").given()) {
            schedule.invalid("cannot use both timeZone field and TZ or CRON_TZ in schedule");
        }
    }

    @Override
    public List<String> warnings(JsonObject tree, @Nullable JsonObject old) {
        JsonObject spec = tree.object("spec");
        List<String> warnings = new ArrayList<>();
        if (old == null) {
            warnings.addAll(PodWarnings.name(tree, "Pod names and hostnames"));
        }
        if (old == null || !spec.equals(old.object("spec"))) {
            warnings.addAll(JobStrategy.warnings("spec.jobTemplate.spec", spec.object("jobTemplate", "spec")));
        }
        if (old != null && spec.string("schedule").contains("TZ")) {
            // the path is upstream's
            warnings.add("cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see"
                    + " https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details");
        }
        return warnings;
    }
}
