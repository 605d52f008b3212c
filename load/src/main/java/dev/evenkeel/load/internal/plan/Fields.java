package dev.evenkeel.load.internal.plan;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The fields of a mapping of YAML. Errors name the field; fields that were not asked for are errors. */
final class Fields {
    private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m|h)");
    private static final Pattern RATE = Pattern.compile("(\\d+(?:\\.\\d+)?)/s");
    private static final Pattern SHARE = Pattern.compile("(\\d+(?:\\.\\d+)?)%");

    private final String path;
    private final Map<?, ?> map;
    private final Set<String> known = new HashSet<>();

    private Fields(String path, Map<?, ?> map) {
        this.path = path;
        this.map = map;
    }

    /** Returns the fields of a value, which must be a mapping. */
    static Fields of(String path, @Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            return new Fields(path, map);
        }
        throw new IllegalArgumentException((path.isEmpty() ? "the plan" : path) + " must be a mapping: " + value);
    }

    String path(String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    IllegalArgumentException error(String name, String message) {
        return new IllegalArgumentException(path(name) + ": " + message);
    }

    Optional<Object> value(String name) {
        known.add(name);
        return Optional.ofNullable(map.get(name));
    }

    boolean has(String name) {
        return map.get(name) != null;
    }

    private Object required(String name) {
        return value(name).orElseThrow(() -> error(name, "is missing"));
    }

    String text(String name) {
        return text(name, required(name));
    }

    String text(String name, String ifMissing) {
        return value(name).map(value -> text(name, value)).orElse(ifMissing);
    }

    private String text(String name, Object value) {
        if (value instanceof Map || value instanceof List) {
            throw error(name, "must be a text: " + value);
        }
        return value.toString();
    }

    int count(String name, int ifMissing) {
        return value(name).map(value -> count(name, value)).orElse(ifMissing);
    }

    int count(String name) {
        return count(name, required(name));
    }

    private int count(String name, Object value) {
        if (value instanceof Integer number && number >= 0) {
            return number;
        }
        throw error(name, "must be a whole number that is not negative: " + value);
    }

    double number(String name, double ifMissing) {
        return value(name)
                .map(value -> {
                    Matcher share = SHARE.matcher(value.toString());
                    if (share.matches()) {
                        return Double.parseDouble(share.group(1)) / 100;
                    }
                    if (value instanceof Number number) {
                        return number.doubleValue();
                    }
                    throw error(name, "must be a number, or a share such as 0.1%: " + value);
                })
                .orElse(ifMissing);
    }

    boolean flag(String name) {
        return value(name)
                .map(value -> {
                    if (value instanceof Boolean flag) {
                        return flag;
                    }
                    throw error(name, "must be true or false: " + value);
                })
                .orElse(false);
    }

    Duration duration(String name, Duration ifMissing) {
        return has(name) ? duration(name) : ifMissing;
    }

    Duration duration(String name) {
        String text = text(name);
        Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches()) {
            throw error(name, "'" + text + "' is not a duration: use a number and ms, s, m or h, such as 90s");
        }
        long number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            default -> Duration.ofHours(number);
        };
    }

    double perSecond(String name) {
        String text = text(name);
        Matcher matcher = RATE.matcher(text);
        if (!matcher.matches()) {
            throw error(name, "'" + text + "' is not a rate: use a number and /s, such as 50/s");
        }
        return Double.parseDouble(matcher.group(1));
    }

    Fields fields(String name) {
        return of(path(name), required(name));
    }

    List<Object> values(String name) {
        Object value = value(name).orElse(List.of());
        if (value instanceof List<?> list) {
            return List.copyOf(list);
        }
        throw error(name, "must be a list: " + value);
    }

    List<Fields> list(String name) {
        List<Fields> all = new ArrayList<>();
        List<Object> values = values(name);
        for (int i = 0; i < values.size(); i++) {
            all.add(of(path(name) + "[" + i + "]", values.get(i)));
        }
        return all;
    }

    /** Returns all fields as they are. */
    Map<String, Object> tree() {
        Map<String, Object> tree = new LinkedHashMap<>();
        map.forEach((key, value) -> tree.put(String.valueOf(key), value));
        known.addAll(tree.keySet());
        return tree;
    }

    /** Refuses fields that were not asked for. */
    void end() {
        Set<String> unknown = new TreeSet<>();
        map.keySet().forEach(key -> unknown.add(String.valueOf(key)));
        unknown.removeAll(known);
        if (!unknown.isEmpty()) {
            throw error(unknown.iterator().next(), "unknown field; known are " + new TreeSet<>(known));
        }
    }
}
