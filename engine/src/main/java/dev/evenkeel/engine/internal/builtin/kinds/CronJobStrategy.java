package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Cron jobs. */
record CronJobStrategy(KindFacts facts) implements KindStrategy {
    private static final List<String> NAMES =
            List.of("@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly");
    private static final Pattern FIELD = Pattern.compile("[0-9A-Za-z*,/?-]*");

    @Override
    public void validate(Field root) {
        Field spec = root.at("spec");
        spec.at("schedule").require(CronJobStrategy::checkSchedule);
        spec.at("startingDeadlineSeconds").notNegative();
        spec.at("concurrencyPolicy").oneOf("Allow", "Forbid", "Replace");
        JobStrategy.validateSpec(spec.at("jobTemplate", "spec"));
        spec.at("successfulJobsHistoryLimit").notNegative();
        spec.at("failedJobsHistoryLimit").notNegative();
        Field name = root.at("metadata", "name");
        if (name.text().length() > 52) {
            name.invalid("must be no more than 52 characters");
        }
    }

    /**
     * Checks a schedule: five fields, or a name such as {@code @hourly}. Values inside the fields are checked loosely.
     */
    private static List<String> checkSchedule(String schedule) {
        if (schedule.startsWith("@")) {
            boolean known = NAMES.contains(schedule) || schedule.startsWith("@every ");
            return known ? List.of() : List.of("unrecognized descriptor: " + schedule);
        }
        List<String> fields = List.of(schedule.strip().split("\\s+", -1));
        if (fields.size() != 5) {
            return List.of(
                    "expected exactly 5 fields, found " + fields.size() + ": [" + String.join(" ", fields) + "]");
        }
        return fields.stream()
                .filter(field -> !FIELD.matcher(field).matches())
                .map(field -> "failed to parse int from " + field)
                .limit(1)
                .toList();
    }

    @Override
    public List<String> warnings(JsonObject tree, @Nullable JsonObject old) {
        return old != null && tree.object("spec").equals(old.object("spec"))
                ? List.of()
                : PodWarnings.of(
                        "spec.jobTemplate.spec.template.", tree.object("spec", "jobTemplate", "spec", "template"));
    }
}
