package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Indexes of the pods of a job, such as {@code 1,3-5}.
 *
 * @param intervals those that could be read, first and last index
 * @param problem why the text is wrong; empty if it is right
 * @param count the number of indexes; 0 if the text is wrong
 */
record JobIndexes(List<long[]> intervals, String problem, long count) {
    static JobIndexes parse(String text, long completions) {
        List<long[]> intervals = new ArrayList<>();
        if (text.isEmpty()) {
            return new JobIndexes(intervals, "", 0);
        }
        String problem = "";
        long count = 0;
        long last = -1;
        for (String part : text.split(",", -1)) {
            String wrong = check(part, completions);
            if (wrong.isEmpty()) {
                long[] interval = read(part);
                if (problem.isEmpty() && !intervals.isEmpty() && last >= interval[0]) {
                    problem = "non-increasing order, previous: " + last + ", current: " + interval[0];
                }
                intervals.add(interval);
                count += interval[1] - interval[0] + 1;
                last = interval[1];
            } else if (problem.isEmpty()) {
                problem = wrong;
            }
        }
        return new JobIndexes(intervals, problem, problem.isEmpty() ? count : 0);
    }

    /** Returns the first index that both have, of intervals in order. */
    OptionalLong common(JobIndexes other) {
        for (long[] interval : intervals) {
            for (long[] another : other.intervals) {
                if (interval[0] <= another[1] && another[0] <= interval[1]) {
                    return OptionalLong.of(Math.max(interval[0], another[0]));
                }
            }
        }
        return OptionalLong.empty();
    }

    private static long[] read(String part) {
        String[] limits = part.split("-", -1);
        long first = Long.parseLong(limits[0]);
        return new long[] {first, limits.length == 1 ? first : Long.parseLong(limits[1])};
    }

    private static String check(String part, long completions) {
        String[] limits = part.split("-", -1);
        if (limits.length > 2) {
            return "the fragment " + Json.text(part)
                    + " violates the requirement that an index interval can have at most two parts separated by '-'";
        }
        for (String limit : limits) {
            if (!limit.matches("\\+?[0-9]{1,18}")) {
                return "cannot convert string to integer for index: " + Json.text(limit);
            }
            if (Long.parseLong(limit) >= completions) {
                return "too large index: " + Json.text(limit);
            }
        }
        long[] interval = read(part);
        return limits.length == 2 && interval[0] >= interval[1]
                ? "non-increasing order, previous: " + interval[0] + ", current: " + interval[1]
                : "";
    }
}
