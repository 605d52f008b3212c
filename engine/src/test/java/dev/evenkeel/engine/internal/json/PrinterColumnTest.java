package dev.evenkeel.engine.internal.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.SharedData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PrinterColumnTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:01:00Z");

    private static @Nullable Object cell(String path, String type, String object) {
        Object tree = Json.parse(object.replace('\'', '"').getBytes(UTF_8), JsonLimits.DEFAULT);
        return new PrinterColumn(JsonPath.parse(path), type).cell(tree, NOW);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "string | 'x' | \"x\"",
                "string | 3 | \"3\"",
                "string | 1.5 | \"1.5\"",
                "string | 1e7 | \"1e+07\"",
                "string | true | \"true\"",
                "string | null | \"<no value>\"",
                "string | ['b','a'] | \"[\\\"b\\\",\\\"a\\\"]\"",
                "string | {'b':1,'a':2} | \"{\\\"a\\\":2,\\\"b\\\":1}\"",
                "string | {'a':'<b>'} | \"{\\\"a\\\":\\\"\\\\u003cb\\\\u003e\\\"}\"",
                "integer | 3 | 3",
                "integer | 3.9 | 3",
                "integer | '3' | null",
                "number | 3 | 3",
                "number | 1.5 | 1.5",
                "number | true | null",
                "boolean | false | false",
                "boolean | 'false' | null",
                "date | '2026-01-01T00:00:04Z' | \"56s\"",
                "date | '2026-01-01T01:00:04.5+01:00' | \"55s\"",
                "date | '2026-01-01T00:00Z' | \"<invalid>\"",
                "date | '2026-01-01t00:00:04z' | \"<invalid>\"",
                "date | 'yesterday' | \"<invalid>\"",
                "date | '2027-01-01T00:00:00Z' | \"<invalid>\"",
                "date | '' | \"<unknown>\"",
                "date | 3 | null",
                "other | 3 | null",
            })
    void cells(String type, String value, String cell) {
        assertThat(Json.text(cell(".v", type, "{'v':" + value + "}"))).isEqualTo(cell);
    }

    @Test
    void missingValuesAreNull() {
        assertThat(cell(".v", "string", "{}")).isNull();
        assertThat(cell(".v[0]", "string", "{'v':[]}")).isNull();
        assertThat(cell(".v[?(@.a=='b')]", "string", "{'v':3}")).isNull();
    }

    @Test
    void aColumnWithoutPathIsEmpty() {
        assertThat(PrinterColumn.of(".a[", "string").cell(JsonObject.of("a", "b"), NOW))
                .isNull();
        assertThat(PrinterColumn.of(".a", "string").cell(JsonObject.of("a", "b"), NOW))
                .isEqualTo("b");
    }

    @Test
    void ofSeveralValuesTheFirstIsShown() {
        assertThat(cell(".v[*]", "string", "{'v':['a','b']}")).isEqualTo("a");
    }

    /** Tables which kube-apiserver 1.36.2 made of custom resources. */
    @Test
    void reproducesTheRecordedTables() throws IOException {
        int compared = 0;
        Map<String, Map<String, Object>> definitions = definitions();
        Path corpus = SharedData.of("crds");
        for (String project :
                List.of("gateway-api", "strimzi", "cert-manager", "cloudnative-pg", "prometheus-operator")) {
            Map<String, Object> created = new HashMap<>();
            for (String line : Files.readAllLines(corpus.resolve(project).resolve("verdicts.jsonl"))) {
                Object record = Json.parse(line.getBytes(UTF_8), JsonLimits.DEFAULT);
                String[] path = Json.string(record, "request", "path")
                        .replaceFirst("\\?.*", "")
                        .split("/");
                boolean post = Json.string(record, "request", "method").equals("POST");
                Object body = Json.at(record, "body");
                String file = Json.string(record, post ? "file" : "setup");
                if (post && Json.integer(record, "status") == 201 && path.length > 3) {
                    created.put(file + path[3], Objects.requireNonNull(body));
                }
                Map<String, Object> versions = path.length > 3 ? definitions.get(path[2] + "/" + plural(path)) : null;
                Object object = path.length > 3 ? created.get(file + path[3]) : null;
                if (!Json.string(body, "kind").equals("Table") || versions == null || object == null) {
                    continue;
                }
                List<@Nullable Object> cells =
                        Json.asArray(Json.at(Json.asArray(Json.at(body, "rows")).getFirst(), "cells"));
                int next = 1;
                for (Object column : columns(versions.get(path[3]))) {
                    String type = Json.string(column, "type");
                    Object recorded = cells.get(next++);
                    Object cell =
                            new PrinterColumn(JsonPath.parse(Json.string(column, "jsonPath")), type).cell(object, NOW);
                    if (!"<age>".equals(recorded) && !type.equals("date")) {
                        assertThat(Json.text(cell))
                                .as("%s %s", file, Json.string(column, "name"))
                                .isEqualTo(Json.text(recorded));
                        compared++;
                    }
                }
            }
        }
        assertThat(compared).isGreaterThan(20);
    }

    private static String plural(String[] path) {
        return path.length > 4 && path[4].equals("namespaces") ? path[6] : path[4];
    }

    private static List<@Nullable Object> columns(@Nullable Object version) {
        Object columns = Json.at(version, "additionalPrinterColumns");
        return columns == null ? List.of() : Json.asArray(columns);
    }

    private static Map<String, Map<String, Object>> definitions() throws IOException {
        Map<String, Map<String, Object>> definitions = new HashMap<>();
        try (Stream<Path> files = Files.walk(SharedData.of("crds"))) {
            for (Path file : files.filter(path -> path.toString().matches(".*/crds/[^/]*/crds/.*\\.yaml"))
                    .toList()) {
                for (Object definition : Yaml.parseAll(Files.readAllBytes(file), JsonLimits.DEFAULT)) {
                    Map<String, Object> versions = new HashMap<>();
                    for (Object version : Json.asArray(Json.at(definition, "spec", "versions"))) {
                        versions.put(Json.string(version, "name"), Objects.requireNonNull(version));
                    }
                    definitions.put(
                            Json.string(definition, "spec", "group") + "/"
                                    + Json.string(definition, "spec", "names", "plural"),
                            versions);
                }
            }
        }
        return definitions;
    }

    /** Each recursive step multiplies the values by their depth. */
    @Test
    void aPathThatFindsTooManyValuesShowsNone() {
        String deep = "{'a':".repeat(200) + "1" + "}".repeat(200);
        assertThat(cell("..a", "string", deep)).isNotNull();
        assertThat(cell("..a..a..a..a", "string", deep)).isNull();
        assertThat(cell(".l[?(@..a..a..a..a)]", "string", "{'l':[" + deep + "]}"))
                .isNull();
    }
}
