package dev.evenkeel.server.replay;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Replaces values that differ between runs by a placeholder, by the rules of the recordings' README.
 *
 * @param generated the generateName of the request, whose five random characters may be in any text of the answer
 */
record Normal(Optional<String> generated) {
    private static final Pattern UUID =
            Pattern.compile("[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}");
    private static final Pattern TIME =
            Pattern.compile("(\\d{4}-\\d\\d-\\d\\d)T\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)");
    private static final Pattern TOKEN = Pattern.compile("eyJ[\\w-]+\\.[\\w-]+\\.[\\w-]+");
    private static final Pattern HASH = Pattern.compile("hash=[0-9A-Za-z]+");
    private static final Pattern CURRENT = Pattern.compile("current: \\d+");
    private static final Pattern TOO_OLD = Pattern.compile("too old resource version: \\d+ \\(\\d+\\)");
    private static final Pattern IN_RECORD = Pattern.compile("ResourceVersion in record \\(\\d+\\)");
    private static final Pattern QUOTED = Pattern.compile("(resourceVersion\\\\*\":\\\\*\")[1-9]\\d*");
    private static final Pattern DIGITS = Pattern.compile("\\d+");
    private static final Pattern AGE = Pattern.compile("(\\d+(s|m|h|d|y))+");
    private static final Pattern IP = Pattern.compile("10\\.0\\.0\\.\\d+");
    private static final int LONGEST_PREFIX = 58;

    /** The tree with placeholders. */
    @Nullable
    Object tree(@Nullable Object value) {
        return tree("", value);
    }

    private @Nullable Object tree(String key, @Nullable Object value) {
        return switch (value) {
            case null -> null;
            case Map<?, ?> map -> object(map);
            case List<?> list -> {
                List<@Nullable Object> items = new ArrayList<>(list.size());
                list.forEach(item -> items.add(tree(key, item)));
                yield items;
            }
            case String text -> scalar(key, text);
            case Long number when key.equals("nodePort") && number != 0 -> "<port>";
            default -> value;
        };
    }

    private JsonObject object(Map<?, ?> map) {
        JsonObject normal = new JsonObject(map.size());
        map.forEach((key, value) -> normal.put(text((String) key), tree((String) key, value)));
        if (normal.get("generateName") instanceof String prefix && normal.get("name") instanceof String name) {
            String kept = prefix.substring(0, Math.min(prefix.length(), LONGEST_PREFIX));
            if (name.startsWith(kept) && name.length() == kept.length() + 5) {
                normal.put("name", kept + "<suffix>");
            }
        }
        return normal;
    }

    private String scalar(String key, String text) {
        return switch (key) {
            case "resourceVersion" -> !text.equals("0") && DIGITS.matcher(text).matches() ? "<rv>" : text(text);
            case "generateName" -> text;
            // where the server listens
            case "serverAddress" -> "<server>";
            case "continue" -> text.isEmpty() ? text : "<continue>";
            case "clusterIP", "clusterIPs" -> IP.matcher(text).matches() ? "<ip>" : text;
            case "cells" ->
                AGE.matcher(text).matches() ? "<age>" : IP.matcher(text).matches() ? "<ip>" : text(text);
            default -> text(text);
        };
    }

    /** The text with placeholders. */
    String text(String text) {
        String normal = UUID.matcher(text).replaceAll("<uid>");
        LocalDate today = LocalDate.now(ZoneOffset.UTC);
        normal = TIME.matcher(normal).replaceAll(time -> {
            LocalDate day = LocalDate.parse(time.group(1));
            boolean near = !day.isBefore(today.minusDays(1)) && !day.isAfter(today.plusDays(1));
            return near ? "<time>" : time.group();
        });
        normal = TOKEN.matcher(normal).replaceAll("<token>");
        normal = HASH.matcher(normal).replaceAll("hash=<hash>");
        normal = CURRENT.matcher(normal).replaceAll("current: <rv>");
        normal = TOO_OLD.matcher(normal).replaceAll("too old resource version: <rv> (<rv>)");
        normal = QUOTED.matcher(normal).replaceAll("$1<rv>");
        normal = IN_RECORD.matcher(normal).replaceAll("ResourceVersion in record (<rv>)");
        if (generated.isPresent()) {
            String prefix =
                    generated.get().substring(0, Math.min(generated.get().length(), LONGEST_PREFIX));
            normal = normal.replaceAll(Pattern.quote(prefix) + "[a-z0-9]{5}\\b", prefix + "<suffix>");
        }
        return normal;
    }

    /** Sorts what a record calls unordered: causes, the parts of the message, entries of managedFields. */
    static @Nullable Object sorted(@Nullable Object value) {
        return switch (value) {
            case null -> null;
            case Map<?, ?> map -> {
                JsonObject sorted = new JsonObject();
                map.forEach((key, item) -> {
                    Object inner = sorted(item);
                    if ((key.equals("causes") || key.equals("managedFields")) && inner instanceof List<?> list) {
                        inner = list.stream()
                                .sorted(java.util.Comparator.comparing(Json::text))
                                .toList();
                    } else if (key.equals("message") && inner instanceof String text) {
                        inner = parts(text);
                    }
                    sorted.put((String) key, inner);
                });
                yield sorted;
            }
            case List<?> list -> {
                List<@Nullable Object> items = new ArrayList<>();
                list.forEach(item -> items.add(sorted(item)));
                yield items;
            }
            default -> value;
        };
    }

    private static String parts(String message) {
        return java.util.Arrays.stream(message.split("[\\[\\], \n]+"))
                .sorted()
                .collect(java.util.stream.Collectors.joining(" "));
    }
}
