package dev.evenkeel.engine.internal.builtin;

import dev.evenkeel.engine.internal.json.Ages;
import dev.evenkeel.engine.internal.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Cells of jobs and cron jobs. */
final class JobColumns {
    private JobColumns() {}

    static List<@Nullable Object> job(Map<String, @Nullable Object> o, Instant now) {
        long succeeded = Json.integer(o, "status", "succeeded");
        Object completions = Json.at(o, "spec", "completions");
        long parallelism = Json.integer(o, "spec", "parallelism");
        String done = completions != null
                ? succeeded + "/" + completions
                : parallelism > 1 ? succeeded + "/1 of " + parallelism : succeeded + "/1";
        return BuiltinColumns.row(
                BuiltinColumns.name(o),
                status(o),
                done,
                duration(o, now),
                BuiltinColumns.age(o, now),
                BuiltinColumns.containers(o, "name"),
                BuiltinColumns.containers(o, "image"),
                BuiltinColumns.selector(o, "spec", "selector"));
    }

    private static String status(Map<String, @Nullable Object> o) {
        if (holds(o, "Complete")) {
            return "Complete";
        }
        if (holds(o, "Failed")) {
            return "Failed";
        }
        if (Trees.has(o, "metadata", "deletionTimestamp")) {
            return "Terminating";
        }
        if (holds(o, "Suspended")) {
            return "Suspended";
        }
        if (holds(o, "FailureTarget")) {
            return "FailureTarget";
        }
        return holds(o, "SuccessCriteriaMet") ? "SuccessCriteriaMet" : "Running";
    }

    private static boolean holds(Map<String, @Nullable Object> o, String type) {
        for (Object condition : Trees.list(o, "status", "conditions")) {
            if (Json.string(condition, "type").equals(type)
                    && Json.string(condition, "status").equals("True")) {
                return true;
            }
        }
        return false;
    }

    private static String duration(Map<String, @Nullable Object> o, Instant now) {
        String start = Json.string(o, "status", "startTime");
        if (start.isEmpty()) {
            return "";
        }
        String end = Json.string(o, "status", "completionTime");
        return Ages.of(Duration.between(Times.parse(start), end.isEmpty() ? now : Times.parse(end)));
    }

    static List<@Nullable Object> cronJob(Map<String, @Nullable Object> o, Instant now) {
        Map<String, @Nullable Object> template = Trees.object(o, "spec", "jobTemplate");
        return BuiltinColumns.row(
                BuiltinColumns.name(o),
                Json.string(o, "spec", "schedule"),
                BuiltinColumns.none(Json.string(o, "spec", "timeZone")),
                Trees.isTrue(o, "spec", "suspend") ? "True" : "False",
                (long) Trees.list(o, "status", "active").size(),
                Trees.has(o, "status", "lastScheduleTime")
                        ? Times.since(o, now, "status", "lastScheduleTime")
                        : "<none>",
                BuiltinColumns.age(o, now),
                BuiltinColumns.containers(template, "name"),
                BuiltinColumns.containers(template, "image"),
                BuiltinColumns.selector(template, "spec", "selector"));
    }
}
