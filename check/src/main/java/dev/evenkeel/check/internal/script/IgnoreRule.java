package dev.evenkeel.check.internal.script;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Fields, or whole objects, that may differ between runs.
 *
 * @param object matches the resource, and the namespace and name after a blank
 * @param path matches the path of the field; empty for the whole object
 */
record IgnoreRule(Pattern object, String path, Pattern fields) {
    /**
     * Parses a rule: a resource, then optionally an object, such as {@code default/blog}, then optionally the path of a field,
     * such as {@code data.password}. A star stands for any text.
     */
    static IgnoreRule parse(String text) {
        String[] words = text.strip().split("\\s+", -1);
        if (words.length > 3 || words[0].isEmpty()) {
            throw new IllegalArgumentException("not a rule: \"" + text + "\"; examples: \"configmaps data.password\","
                    + " \"events\", \"secrets default/* data.*\" or \"* metadata.annotations.example.com/seen\"");
        }
        boolean named = words.length == 3 || (words.length == 2 && words[1].contains("/") && !isPath(words[1]));
        String key = named ? words[1] : "*";
        String path = words.length == 3 ? words[2] : words.length == 2 && !named ? words[1] : "";
        return new IgnoreRule(glob(words[0] + " " + key), path, glob(path));
    }

    private static boolean isPath(String word) {
        return word.matches("(metadata|spec|data|status|stringData|binaryData)[.\\[].*");
    }

    private static Pattern glob(String text) {
        return Pattern.compile(
                Arrays.stream(text.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*")));
    }

    /** Returns the objects without what this rule ignores. */
    Map<String, Map<String, String>> without(Map<String, Map<String, String>> objects) {
        Map<String, Map<String, String>> kept = new TreeMap<>();
        objects.forEach((name, values) -> {
            if (!object.matcher(name).matches()) {
                kept.put(name, values);
            } else if (!path.isEmpty()) {
                Map<String, String> some = new TreeMap<>(values);
                some.keySet().removeIf(field -> matches(field));
                kept.put(name, some);
            }
        });
        return kept;
    }

    /** A path stands for all fields below it, too. */
    private boolean matches(String field) {
        return fields.matcher(field).matches()
                || fields.matcher(field.replaceAll("\\[[^\\]]*\\]", "")).matches()
                || field.startsWith(path + ".")
                || field.startsWith(path + "[");
    }
}
