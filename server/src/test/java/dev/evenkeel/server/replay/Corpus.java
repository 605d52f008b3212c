package dev.evenkeel.server.replay;

import dev.evenkeel.engine.Recordings;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Posts the definitions and objects of one project, and judges the answers against the recorded verdicts.
 *
 * <p>Definitions stay; every object is deleted before the next record.
 */
public final class Corpus {
    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final Pattern NAMESPACE = Pattern.compile("/namespaces/([^/?]+)/");
    private static final Normal NORMAL = new Normal(Optional.empty());

    private final Wire wire;
    private final Path project;
    private final List<Exchange> records;
    private final Map<String, String> collections = new HashMap<>();

    /** The corpus of a project, such as {@code crds/strimzi}. */
    public Corpus(Wire wire, Path project) {
        this.wire = wire;
        this.project = project;
        this.records = Exchange.of(Recordings.lines(project.resolve("verdicts.jsonl")));
        for (Exchange record : records) {
            if (record.method().equals("POST")) {
                collections.putIfAbsent(file(record), record.path());
            }
        }
    }

    /**
     * The result of one record.
     *
     * @param verdict differences of status and causes alone
     * @param rest other differences: message, body, warnings
     */
    public record Result(Verdict verdict, List<Difference> rest) {}

    /** Runs all records; the results are in their order. */
    public List<Result> run() {
        Set<String> namespaces = new TreeSet<>();
        records.forEach(record -> {
            Matcher matcher = NAMESPACE.matcher(record.path());
            if (matcher.find()) {
                namespaces.add(matcher.group(1));
            }
        });
        namespaces.forEach(name -> post(
                "/api/v1/namespaces",
                "application/json",
                ("{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"" + name + "\"}}")
                        .getBytes(StandardCharsets.UTF_8)));
        List<Result> results = new ArrayList<>();
        for (Exchange record : records) {
            results.add(record.path().startsWith(DEFINITIONS) ? definition(record) : object(record));
        }
        return results;
    }

    private Result definition(Exchange record) {
        Answer answer = send(record);
        for (int i = 0;
                i < 200 && record.method().equals("GET") && !answer.text().contains("Established");
                i++) {
            answer = send(record);
        }
        return result(record, answer);
    }

    private Result object(Exchange record) {
        List<String> made = new ArrayList<>();
        String setup = record.tree().string("setup");
        if (!setup.isEmpty()) {
            String collection = Objects.requireNonNull(collections.get(setup), setup);
            made(collection, post(collection, "application/yaml", bytes(setup)), made);
        }
        Answer answer = send(record);
        if (record.method().equals("POST")) {
            made(record.path(), answer, made);
        }
        Result result = result(record, answer);
        made.forEach(path -> wire.send("DELETE", path, Map.of("User-Agent", "corpus"), Optional.empty()));
        return result;
    }

    private static void made(String collection, Answer answer, List<String> made) {
        if (answer.status() == 201) {
            String name = Json.string(Judge.json(answer.text()).orElse(null), "metadata", "name");
            made.add(collection.replaceFirst("\\?.*", "") + "/" + name);
        }
    }

    private Answer send(Exchange record) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("User-Agent", "corpus");
        String accept = record.tree().string("request", "accept");
        if (!accept.isEmpty()) {
            headers.put("Accept", accept);
        }
        if (record.method().equals("GET")) {
            return wire.send("GET", record.path(), headers, Optional.empty());
        }
        headers.put("Content-Type", record.tree().string("request", "contentType"));
        return wire.send(record.method(), record.path(), headers, Optional.of(bytes(file(record))));
    }

    private Answer post(String path, String type, byte[] body) {
        return wire.send("POST", path, Map.of("User-Agent", "corpus", "Content-Type", type), Optional.of(body));
    }

    private Result result(Exchange record, Answer answer) {
        boolean unordered = Boolean.TRUE.equals(record.tree().get("unordered"));
        boolean definition = record.path().startsWith(DEFINITIONS);
        Object expected = normal(record.body(), definition, unordered);
        Object actual = normal(Judge.json(answer.text()).orElse(answer.text()), definition, unordered);
        List<Difference> decisive = new ArrayList<>();
        if (record.status() != answer.status()) {
            decisive.add(Difference.of("status", (long) record.status(), (long) answer.status()));
            decisive.add(Difference.of("message", Json.string(expected, "message"), Json.string(actual, "message")));
        }
        if (record.status() >= 300) {
            decisive.addAll(Difference.between(
                    "causes", Json.at(expected, "details", "causes"), Json.at(actual, "details", "causes")));
        }
        List<Difference> rest = new ArrayList<>(Difference.between("body", expected, actual));
        rest.addAll(Difference.between(
                "warnings", record.tree().get("warnings"), answer.headers().getOrDefault("Warning", List.of())));
        String what = record.tree().string("why");
        Verdict verdict = new Verdict(
                project.getFileName() + "/" + file(record),
                what,
                record.method() + " " + record.path(),
                List.copyOf(decisive));
        return new Result(verdict, List.copyOf(rest));
    }

    private static @Nullable Object normal(@Nullable Object body, boolean definition, boolean unordered) {
        Object normal = NORMAL.tree(body);
        normal = relabelled("", normal, definition);
        return unordered ? Normal.sorted(normal) : normal;
    }

    private static @Nullable Object relabelled(String key, @Nullable Object value, boolean definition) {
        return switch (value) {
            case Map<?, ?> map -> {
                JsonObject copy = new JsonObject();
                map.forEach((name, item) -> {
                    String field = (String) name;
                    Object kept = relabelled(field, item, definition);
                    if (definition && field.equals("fieldsV1")) {
                        kept = "<fields>";
                    } else if (definition && field.equals("schema") && map.containsKey("storage")) {
                        kept = "<schema>";
                    } else if (definition && field.equals("conditions") && kept instanceof List<?> list) {
                        kept = list.stream()
                                .sorted(Comparator.comparing(item2 -> Json.string(item2, "type")))
                                .toList();
                    }
                    copy.put(field, kept);
                });
                yield copy;
            }
            case List<?> list -> {
                List<@Nullable Object> copy = new ArrayList<>();
                list.forEach(item -> copy.add(relabelled(key, item, definition)));
                yield copy;
            }
            case String text when text.equals("<resourceVersion>") -> "<rv>";
            case null, default -> value;
        };
    }

    private static String file(Exchange record) {
        return record.tree().string("file");
    }

    private byte[] bytes(String file) {
        return text(project.resolve(file)).getBytes(StandardCharsets.UTF_8);
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
