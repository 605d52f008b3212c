package dev.evenkeel.engine.internal.builtin;

import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.SharedData;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes the compact tables from the shared fact tables; see {@link FactTable} and {@link ResourceTable} for the form. */
public final class FactTableSource {
    private static final List<String> ALL_VERBS =
            List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");

    private FactTableSource() {}

    public static JsonObject load(String file) {
        try {
            return Json.parseObject(Files.readAllBytes(SharedData.of("kubernetes-1.36/" + file)), JsonLimits.DEFAULT);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String resources() {
        JsonObject source = load("resources.json");
        StringBuilder out = new StringBuilder();
        for (Object group : source.array("groups")) {
            String served = words(Json.at(group, "servedByDefault"));
            if (!served.isEmpty()) {
                line(out, List.of("G", Json.string(group, "group"), served));
            }
        }
        for (Object resource : source.array("resources")) {
            List<String> cells = new ArrayList<>();
            cells.add("R");
            for (String key : List.of("group", "version", "resource", "kind", "listKind", "singular")) {
                cells.add(Json.string(resource, key));
            }
            cells.add(words(Json.at(resource, "shortNames")));
            cells.add(words(Json.at(resource, "categories")));
            cells.add(flags(resource));
            cells.add(ALL_VERBS.equals(Json.at(resource, "verbs")) ? "*" : words(Json.at(resource, "verbs")));
            cells.add(Json.string(resource, "type"));
            cells.add(Json.string(resource, "storageVersionHash"));
            cells.add(words(Json.at(resource, "resetFields")));
            cells.add(words(Json.at(resource, "statusResetFields")));
            cells.add(words(Json.at(resource, "fieldSelectors")));
            for (Object sub : Json.asArray(Json.at(resource, "subresources"))) {
                cells.add(String.join(
                        " ",
                        Json.string(sub, "name"),
                        Json.string(sub, "group"),
                        Json.string(sub, "version"),
                        Json.string(sub, "kind"),
                        words(Json.at(sub, "verbs"))));
            }
            line(out, cells);
        }
        load("columns.json").object("columns").forEach((name, columns) -> {
            List<String> cells = new ArrayList<>(List.of("C", name));
            for (Object column : Json.asArray(columns)) {
                cells.add(Json.asArray(column).stream().map(String::valueOf).collect(Collectors.joining("|")));
            }
            line(out, cells);
        });
        return out.toString();
    }

    private static String flags(@Nullable Object resource) {
        StringBuilder flags = new StringBuilder();
        Map.of(
                        "namespaced",
                        "n",
                        "servedByDefault",
                        "d",
                        "hasStatus",
                        "s",
                        "hasGeneration",
                        "g",
                        "allowCreateOnUpdate",
                        "c",
                        "allowUnconditionalUpdate",
                        "u")
                .entrySet()
                .stream()
                .filter(flag -> Boolean.TRUE.equals(Json.at(resource, flag.getKey())))
                .map(Map.Entry::getValue)
                .sorted()
                .forEach(flags::append);
        if (Json.string(resource, "deleteReturns").equals("object")) {
            flags.append('o');
        }
        if (Boolean.TRUE.equals(Json.at(resource, "pendingAfterDelete"))) {
            flags.append('p');
        }
        return flags.toString();
    }

    static String types() {
        StringBuilder out = new StringBuilder();
        load("types.json").object("types").forEach((name, type) -> {
            List<String> cells = new ArrayList<>();
            cells.add(brief(name));
            if (!Json.string(type, "t").isEmpty()) {
                cells.add("f" + Json.string(type, "t"));
            }
            if (Json.string(type, "mt").equals("atomic")) {
                cells.add("a");
            }
            if (Boolean.FALSE.equals(Json.at(type, "spec"))) {
                cells.add("h");
            }
            String kinds = kinds(type);
            if (!kinds.isEmpty()) {
                cells.add("g" + kinds);
            }
            json(cells, "u", type, "un");
            json(cells, "w", type, "wire");
            line(out, cells);
            Json.asObject(Json.at(type, "fields")).forEach((field, facts) -> field(out, field, facts));
        });
        return out.toString();
    }

    private static String kinds(@Nullable Object type) {
        List<String> kinds = new ArrayList<>();
        if (Boolean.TRUE.equals(Json.at(type, "allGroups"))) {
            kinds.add("*");
        }
        if (Json.at(type, "gvk") instanceof List<?> list) {
            for (Object gvk : list) {
                kinds.add(Json.asArray(gvk).stream().map(String::valueOf).collect(Collectors.joining("/")));
            }
        }
        return String.join(" ", kinds);
    }

    private static void field(StringBuilder out, String name, @Nullable Object facts) {
        List<String> cells = new ArrayList<>(List.of("", name, value(facts)));
        if (Boolean.TRUE.equals(Json.at(facts, "req"))) {
            cells.add("!");
        }
        if (Boolean.TRUE.equals(Json.at(facts, "p"))) {
            cells.add("*");
        }
        json(cells, "z", facts, "z");
        json(cells, "d", facts, "def");
        if (!Json.string(facts, "lt").isEmpty()) {
            String keys = words(Json.at(facts, "keys"));
            cells.add("l" + Json.string(facts, "lt") + (keys.isEmpty() ? "" : " " + keys));
        }
        text(cells, "m", Json.string(facts, "mt"));
        text(cells, "p", Json.string(facts, "ps"));
        text(cells, "k", Json.string(facts, "pk"));
        switch (Json.at(facts, "n")) {
            case Long number -> cells.add("#" + number);
            case List<?> path ->
                cells.add("#"
                        + path.stream().map(n -> n == null ? "0" : n.toString()).collect(Collectors.joining(",")));
            case null, default -> {}
        }
        String protobuf = Json.string(facts, "pt");
        if (!protobuf.equals(protobuf(facts))) {
            text(cells, "t", protobuf);
        }
        line(out, cells);
    }

    private static String value(@Nullable Object facts) {
        String type = Json.string(facts, "t");
        String code = switch (type) {
            case "string" -> Json.string(facts, "f").equals("byte") ? "bytes" : "s";
            case "integer" -> Json.string(facts, "f").equals("int32") ? "i32" : "i64";
            case "number" -> "d";
            case "boolean" -> "b";
            case "ref" -> "=" + brief(Json.string(facts, "ref"));
            case "array" -> "[" + value(Json.at(facts, "items"));
            case "map" -> "%" + value(Json.at(facts, "vals"));
            default -> type;
        };
        return Json.at(facts, "enum") instanceof List<?> values
                ? code + "|" + values.stream().map(String::valueOf).collect(Collectors.joining("|"))
                : code;
    }

    private static String protobuf(@Nullable Object facts) {
        return switch (Json.string(facts, "t")) {
            case "string" -> Json.string(facts, "f").equals("byte") ? "bytes" : "string";
            case "integer" -> Json.string(facts, "f");
            case "number" -> "double";
            case "boolean" -> "bool";
            case "array" -> "rep " + protobuf(Json.at(facts, "items"));
            case "map" ->
                "map string "
                        + (Json.string(facts, "vals", "t").equals("array") ? "msg" : protobuf(Json.at(facts, "vals")));
            default -> "msg";
        };
    }

    private static String brief(String name) {
        String common = "io.k8s.api.";
        return name.startsWith(common) ? name.substring(common.length()) : name;
    }

    private static void json(List<String> cells, String mark, @Nullable Object from, String key) {
        if (Json.asObject(from).containsKey(key)) {
            cells.add(mark + Json.text(Json.at(from, key)));
        }
    }

    private static void text(List<String> cells, String mark, String value) {
        if (!value.isEmpty()) {
            cells.add(mark + value);
        }
    }

    private static String words(@Nullable Object list) {
        return list instanceof List<?> words
                ? words.stream().map(String::valueOf).collect(Collectors.joining(" "))
                : "";
    }

    private static void line(StringBuilder out, List<String> cells) {
        out.append(String.join("\t", cells)).append('\n');
    }
}
