package dev.evenkeel.engine.internal.builtin.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.SharedData;
import dev.evenkeel.engine.internal.builtin.BuiltinTypes;
import dev.evenkeel.engine.internal.builtin.FactTableSource;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.type.ResourceType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class BuiltinColumnsTest {
    @TestFactory
    Stream<DynamicTest> recordedTablesAreReproduced() {
        List<DynamicTest> tests = new ArrayList<>();
        for (Object example : FactTableSource.load("columns.json").array("examples")) {
            String[] resource = Json.string(example, "resource").split("/", -1);
            String plural = resource[resource.length - 1];
            String id = resource.length == 3 ? plural + "." + resource[0] : plural;
            tests.add(DynamicTest.dynamicTest(id + " " + Json.string(example, "object", "metadata", "name"), () -> {
                var object = Json.asObject(Json.at(example, "object"));
                var before = object.copy();
                Instant at = Instant.parse(Json.string(example, "at"));
                KindStrategy strategy = Kinds.of(id, resource[resource.length - 2]);
                assertThat(Json.text(strategy.cells(object, at))).isEqualTo(Json.text(Json.at(example, "cells")));
                assertThat(strategy.conditions(object)).isEqualTo(Json.array(Json.at(example, "conditions")));
                assertThat(object).isEqualTo(before);
            }));
        }
        return tests.stream();
    }

    @Test
    void everyColumnHasARuleAndADescription() {
        for (ResourceType type : BuiltinTypes.all()) {
            for (ResourceType.Version version : type.versions()) {
                var strategy = BuiltinStrategies.of(type, version);
                assertThat(strategy.cells(strategy.blank(), Instant.EPOCH))
                        .as(type.id())
                        .hasSizeGreaterThanOrEqualTo(version.columns().size());
                assertThat(version.columns())
                        .as(type.id())
                        .allMatch(column ->
                                !column.description().isEmpty() || type.id().startsWith("runtimeclasses"));
            }
        }
    }

    @Test
    void recordedColumnDefinitionsAreReproduced() throws IOException {
        Map<String, List<ResourceType.Column>> known = new HashMap<>();
        for (ResourceType type : BuiltinTypes.all()) {
            String group = type.group().isEmpty() ? "/api/" : "/apis/";
            type.versions()
                    .forEach(version ->
                            known.put(group + type.apiVersion(version) + " " + type.plural(), version.columns()));
        }
        int tables = 0;
        try (var files = Files.newDirectoryStream(SharedData.of("transcripts/builtin"), "*.jsonl")) {
            for (Path file : files) {
                for (String line : Files.readAllLines(file)) {
                    if (!line.contains("columnDefinitions")) {
                        continue;
                    }
                    var record = Json.parseObject(line.getBytes(StandardCharsets.UTF_8), JsonLimits.DEFAULT);
                    String path = record.string("request", "path").replaceFirst("\\?.*", "");
                    List<Object> shown = new ArrayList<>();
                    for (Object column : record.array("body", "columnDefinitions")) {
                        shown.add(new ResourceType.Column(
                                Json.string(column, "name"),
                                Json.string(column, "type"),
                                Json.string(column, "format"),
                                Json.string(column, "description"),
                                (int) Json.integer(column, "priority"),
                                ""));
                    }
                    for (var entry : known.entrySet()) {
                        String[] resource = entry.getKey().split(" ", -1);
                        if (path.matches(
                                Pattern.quote(resource[0]) + "(/namespaces/[^/]+)?/" + resource[1] + "(/[^/]+)?")) {
                            tables++;
                            assertThat(entry.getValue().stream()
                                            .map(c -> new ResourceType.Column(
                                                    c.name(), c.type(), c.format(), c.description(), c.priority(), ""))
                                            .toList())
                                    .as(record.string("id"))
                                    .isEqualTo(shown);
                        }
                    }
                }
            }
        }
        assertThat(tables).isGreaterThan(150);
    }
}
