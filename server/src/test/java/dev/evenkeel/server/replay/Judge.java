package dev.evenkeel.server.replay;

import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.SharedData;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonException;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** Compares an answer with the recorded one; of both only what the recordings' README makes a contract. */
final class Judge {
    private static final JsonLimits ANY = new JsonLimits(1 << 28, 2000, 1 << 27, 2000, 50);

    private final Exchange exchange;
    private final Normal normal;

    Judge(Exchange exchange) {
        this.exchange = exchange;
        this.normal = new Normal(generateName(exchange));
    }

    /** All differences; empty when the answers are equal. */
    List<Difference> differences(Answer answer) {
        List<Difference> found = new ArrayList<>();
        if (exchange.status() == 0) {
            // the recorded server crashed: any refusal is better
            if (answer.status() != 0 && answer.status() / 100 != 4) {
                found.add(Difference.of("status", "4xx", (long) answer.status()));
            }
            return found;
        }
        if (exchange.status() != answer.status()) {
            found.add(Difference.of("status", (long) exchange.status(), (long) answer.status()));
        }
        if (exchange.unstable()) {
            shape(answer, found);
            return found;
        }
        headers(answer, found);
        body(answer, found);
        return found;
    }

    private void shape(Answer answer, List<Difference> found) {
        if (exchange.body() instanceof Map<?, ?> expected
                && document(answer).orElse(null) instanceof Map<?, ?> actual) {
            found.addAll(Difference.between("kind", expected.get("kind"), actual.get("kind")));
            found.addAll(Difference.between("apiVersion", expected.get("apiVersion"), actual.get("apiVersion")));
            found.addAll(Difference.between(
                    "keys",
                    expected.keySet().stream().map(Object::toString).sorted().toList(),
                    actual.keySet().stream().map(Object::toString).sorted().toList()));
        }
    }

    private void headers(Answer answer, List<Difference> found) {
        exchange.headers().forEach((name, expected) -> {
            List<String> values = answer.headers().getOrDefault(name, List.of());
            Object actual = switch (name) {
                case "Warning" -> values.stream().map(normal::text).toList();
                case "ETag" -> values.isEmpty() ? null : "<etag>";
                default -> values.isEmpty() ? null : normal.text(String.join(", ", values));
            };
            Object wanted = expected;
            if (name.equals("Warning") && exchange.unordered()) {
                wanted = Json.asArray(expected).stream()
                        .map(String::valueOf)
                        .sorted()
                        .toList();
                actual = Json.asArray(actual).stream()
                        .map(String::valueOf)
                        .sorted()
                        .toList();
            }
            found.addAll(Difference.between("headers." + name, wanted, actual));
        });
        if (!exchange.headers().containsKey("Warning") && answer.headers().containsKey("Warning")) {
            found.add(Difference.of("headers.Warning", null, answer.headers().get("Warning")));
        }
    }

    private void body(Answer answer, List<Difference> found) {
        if (exchange.bodyIgnored()) {
            return;
        }
        if (exchange.watch() && exchange.status() == 200) {
            List<@Nullable Object> expected = exchange.decodedEvents().orElseGet(exchange::events);
            found.addAll(Difference.between(
                    "events",
                    Owners.sorted(loose(expected)),
                    Owners.sorted(loose(normal.tree(events(exchange, answer))))));
            return;
        }
        if (exchange.decoded().isPresent()) {
            Object actual = document(answer).orElse(answer.text());
            found.addAll(Difference.between(
                    "body",
                    ordered(Owners.sorted(loose(normal.tree(exchange.decoded().get())))),
                    ordered(Owners.sorted(loose(filtered(Objects.requireNonNull(normal.tree(actual))))))));
            return;
        }
        if (exchange.bodyText().isPresent()) {
            String expected = exchange.bodyText().get();
            boolean yaml =
                    String.valueOf(exchange.headers().get("Content-Type")).startsWith("application/yaml");
            if (yaml) {
                found.addAll(Difference.between(
                        "body", ordered(normal.tree(yaml(expected))), ordered(normal.tree(yaml(answer.text())))));
            } else {
                found.addAll(Difference.between("body", expected, normal.text(answer.text())));
            }
            return;
        }
        if (exchange.body() == null) {
            found.addAll(Difference.between("body", "", answer.text()));
            return;
        }
        Optional<Object> actual = json(answer.text());
        if (actual.isEmpty()) {
            found.add(Difference.of("body", exchange.body(), answer.text()));
        } else {
            Object tree = Objects.requireNonNull(normal.tree(actual.get()));
            found.addAll(Owners.misplaced(actual.get()));
            found.addAll(Difference.between(
                    "body",
                    ordered(Owners.sorted(normal.tree(exchange.body()))),
                    ordered(Owners.sorted(filtered(tree)))));
        }
    }

    private @Nullable Object ordered(@Nullable Object tree) {
        return exchange.unordered() ? Normal.sorted(tree) : tree;
    }

    /** Only the named items, if the record names some. */
    private Object filtered(Object tree) {
        if (exchange.filterItems().isEmpty() || !(tree instanceof Map<?, ?> map)) {
            return tree;
        }
        JsonObject kept = new JsonObject();
        map.forEach((key, value) -> {
            boolean filter = Set.of("items", "groups", "resources", "paths").contains((String) key);
            if (filter && value instanceof List<?> list) {
                kept.put((String) key, list.stream().filter(this::named).toList());
            } else if (filter && value instanceof Map<?, ?> entries) {
                JsonObject some = new JsonObject();
                entries.forEach((name, entry) -> {
                    if (exchange.filterItems().contains(name)) {
                        some.put((String) name, entry);
                    }
                });
                kept.put((String) key, some);
            } else {
                kept.put((String) key, value);
            }
        });
        return kept;
    }

    private boolean named(@Nullable Object item) {
        if (item instanceof String path) {
            return exchange.filterItems().contains(path);
        }
        String name = Json.string(item, "metadata", "name");
        return exchange.filterItems().contains(name.isEmpty() ? Json.string(item, "name") : name);
    }

    /** Protobuf cannot express all that JSON can. */
    private @Nullable Object loose(@Nullable Object tree) {
        return exchange.decoded().isPresent() || exchange.decodedEvents().isPresent()
                ? ProtobufAnswer.compact(tree)
                : tree;
    }

    /** The documents of a watch in the recorded encoding. */
    static List<@Nullable Object> events(Exchange exchange, Answer answer) {
        return exchange.decodedEvents().isPresent() ? Protobuf.DECODER.events(answer.body()) : events(answer.text());
    }

    /** The document of an answer in either encoding. */
    static Optional<Object> document(Answer answer) {
        return answer.header("Content-Type").orElse("").startsWith("application/vnd.kubernetes.protobuf")
                ? Protobuf.DECODER.document(answer.body())
                : json(answer.text());
    }

    /** Loads the fact tables at the first answer in protobuf. */
    private static final class Protobuf {
        static final ProtobufAnswer DECODER = new ProtobufAnswer(SharedData.of("kubernetes-1.36/types.json"));
    }

    private static List<@Nullable Object> events(String stream) {
        List<@Nullable Object> events = new ArrayList<>();
        stream.lines()
                .filter(line -> !line.isBlank())
                .forEach(line -> events.add(json(line).orElse(line)));
        return events;
    }

    static Optional<Object> json(String text) {
        try {
            return Optional.ofNullable(Json.parse(text.getBytes(StandardCharsets.UTF_8), ANY));
        } catch (JsonException e) {
            return Optional.empty();
        }
    }

    static @Nullable Object yaml(String text) {
        try {
            return longs(new Load(LoadSettings.builder().build()).loadFromString(text));
        } catch (YamlEngineException e) {
            return "no YAML: " + text;
        }
    }

    private static @Nullable Object longs(@Nullable Object tree) {
        return switch (tree) {
            case null -> null;
            case Map<?, ?> map -> {
                JsonObject copy = new JsonObject();
                map.forEach((key, value) -> copy.put(String.valueOf(key), longs(value)));
                yield copy;
            }
            case List<?> list -> {
                List<@Nullable Object> copy = new ArrayList<>();
                list.forEach(item -> copy.add(longs(item)));
                yield copy;
            }
            case Integer number -> number.longValue();
            default -> tree;
        };
    }

    private static Optional<String> generateName(Exchange exchange) {
        Object body = exchange.tree().at("request", "body");
        String name = Json.string(body, "metadata", "generateName");
        return name.isEmpty() ? Optional.empty() : Optional.of(name);
    }
}
