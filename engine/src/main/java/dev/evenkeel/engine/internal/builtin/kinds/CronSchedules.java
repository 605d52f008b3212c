package dev.evenkeel.engine.internal.builtin.kinds;

import java.util.List;

/** The syntax of cron schedules: five fields, or a name such as {@code @hourly}. */
final class CronSchedules {
    private static final List<String> NAMES =
            List.of("@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly");

    private CronSchedules() {}

    /** Returns the error of a schedule; empty when it is valid. Values inside the fields are checked loosely. */
    static String wrong(String schedule) {
        if (schedule.startsWith("@")) {
            return NAMES.contains(schedule) || schedule.startsWith("@every ")
                    ? ""
                    : "unrecognized descriptor: " + schedule;
        }
        List<String> fields = List.of(schedule.strip().split("\\s+", -1));
        if (fields.size() != 5) {
            return "expected exactly 5 fields, found " + fields.size() + ": [" + String.join(" ", fields) + "]";
        }
        for (String field : fields) {
            boolean plain = field.chars()
                    .allMatch(c -> (c >= '0' && c <= '9')
                            || (c >= 'A' && c <= 'Z')
                            || (c >= 'a' && c <= 'z')
                            || "*,-/?".indexOf(c) >= 0);
            if (!plain) {
                return "failed to parse int from " + field;
            }
        }
        return "";
    }
}
