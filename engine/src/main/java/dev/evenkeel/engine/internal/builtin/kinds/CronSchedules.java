package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.syntax.GoDuration;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Checks schedules of cron jobs: five fields, or a name such as {@code @hourly} or {@code @every 5m}. Each function returns
 * the first error, in the words of the library that upstream uses.
 */
final class CronSchedules {
    private static final List<String> NAMES =
            List.of("@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly");
    private static final Pattern ZONE_PART = Pattern.compile("[A-Za-z.\\-_0-9+]{1,14}");
    private static final List<Bounds> FIELDS = List.of(
            new Bounds(0, 59, List.of()),
            new Bounds(0, 23, List.of()),
            new Bounds(1, 31, List.of()),
            new Bounds(
                    1, 12, List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")),
            new Bounds(0, 6, List.of("sun", "mon", "tue", "wed", "thu", "fri", "sat")));

    /** The values of a field; the first name stands for the lowest. */
    private record Bounds(long min, long max, List<String> names) {}

    private static final class Wrong extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Wrong(String message) {
            super(message, null, false, false);
        }
    }

    private CronSchedules() {}

    static Optional<String> problem(String schedule) {
        try {
            check(schedule);
            return Optional.empty();
        } catch (Wrong e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private static void check(String text) {
        String schedule = text;
        if (text.startsWith("TZ=") || text.startsWith("CRON_TZ=")) {
            int space = Math.max(0, text.indexOf(' '));
            String zone = text.substring(text.indexOf('=') + 1, Math.max(text.indexOf('=') + 1, space));
            location(zone).ifPresent(problem -> {
                throw new Wrong("provided bad location " + zone + ": " + problem);
            });
            schedule = text.substring(space).strip();
        }
        if (schedule.startsWith("@")) {
            descriptor(schedule);
            return;
        }
        List<String> fields =
                schedule.isBlank() ? List.of() : List.of(schedule.strip().split("\\s+", -1));
        if (fields.size() != FIELDS.size()) {
            throw new Wrong(
                    "expected exactly 5 fields, found " + fields.size() + ": [" + String.join(" ", fields) + "]");
        }
        for (int i = 0; i < fields.size(); i++) {
            for (String range : fields.get(i).split(",", 0)) {
                if (!range.isEmpty()) {
                    range(range, FIELDS.get(i));
                }
            }
        }
    }

    private static void descriptor(String name) {
        if (name.startsWith("@every ")) {
            try {
                every(name.substring("@every ".length()));
            } catch (IllegalArgumentException e) {
                throw new Wrong("failed to parse duration " + name + ": time: " + e.getMessage());
            }
        } else if (!NAMES.contains(name)) {
            throw new Wrong("unrecognized descriptor: " + name);
        }
    }

    private static void every(String duration) {
        if (GoDuration.nanos(duration).abs().compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
            throw GoDuration.invalid(duration);
        }
    }

    private static void range(String range, Bounds bounds) {
        String[] withStep = range.split("/", -1);
        String[] ends = withStep[0].split("-", -1);
        boolean all = ends[0].equals("*") || ends[0].equals("?");
        long start = all ? bounds.min() : value(ends[0], bounds);
        if (!all && ends.length > 2) {
            throw new Wrong("too many hyphens: " + range);
        }
        long end = all ? bounds.max() : ends.length == 2 ? value(ends[1], bounds) : start;
        if (withStep.length > 2) {
            throw new Wrong("too many slashes: " + range);
        }
        long step = withStep.length == 2 ? number(withStep[1]) : 1;
        if (withStep.length == 2 && ends.length == 1) {
            end = bounds.max();
        }
        if (start < bounds.min()) {
            throw new Wrong("beginning of range (" + start + ") below minimum (" + bounds.min() + "): " + range);
        }
        if (end > bounds.max()) {
            throw new Wrong("end of range (" + end + ") above maximum (" + bounds.max() + "): " + range);
        }
        if (start > end) {
            throw new Wrong("beginning of range (" + start + ") beyond end of range (" + end + "): " + range);
        }
        if (step == 0) {
            throw new Wrong("step of range should be a positive number: " + range);
        }
    }

    private static long value(String text, Bounds bounds) {
        int named = bounds.names().indexOf(text.toLowerCase(Locale.ROOT));
        return named >= 0 ? bounds.min() + named : number(text);
    }

    private static long number(String text) {
        String failed = "failed to parse int from " + text + ": strconv.Atoi: parsing " + Json.text(text) + ": ";
        if (!text.matches("[-+]?[0-9]+")) {
            throw new Wrong(failed + "invalid syntax");
        }
        try {
            long number = Long.parseLong(text);
            if (number < 0) {
                throw new Wrong("negative number (" + number + ") not allowed: " + text);
            }
            return number;
        } catch (NumberFormatException e) {
            throw new Wrong(failed + "value out of range");
        }
    }

    /** Returns the errors of the name of a time zone. */
    static List<String> zoneProblems(String zone) {
        if (zone.isEmpty()) {
            return List.of("timeZone must be nil or non-empty string");
        }
        for (String part : zone.split("/", -1)) {
            if (part.equals(".")
                    || part.equals("..")
                    || part.startsWith("-")
                    || !ZONE_PART.matcher(part).matches()) {
                return List.of("unknown time zone " + zone);
            }
        }
        List<String> problems = new ArrayList<>();
        if (zone.equalsIgnoreCase("Local")) {
            problems.add("timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones");
        }
        location(zone).ifPresent(problems::add);
        return problems;
    }

    /** Returns why Go does not find a time zone. */
    private static Optional<String> location(String zone) {
        if (zone.contains("..") || zone.startsWith("/") || zone.startsWith("\\")) {
            return Optional.of("time: invalid location name");
        }
        return isZone(zone) ? Optional.empty() : Optional.of("unknown time zone " + zone);
    }

    private static boolean isZone(String zone) {
        try {
            return zone.isEmpty()
                    || zone.equals("Local")
                    || ZoneId.getAvailableZoneIds().contains(ZoneId.of(zone).getId());
        } catch (DateTimeException e) {
            return List.of("EST", "HST", "MST").contains(zone);
        }
    }
}
