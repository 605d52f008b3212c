package dev.evenkeel.engine.internal.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.internal.json.Json;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class BuiltinColumnsTest {
    @TestFactory
    Stream<DynamicTest> whatWasRecordedIsShownTheSame() {
        List<DynamicTest> tests = new ArrayList<>();
        for (Object example : Json.asArray(FactTableSource.load("columns.json").get("examples"))) {
            String[] resource = Json.string(example, "resource").split("/", -1);
            String plural = resource[resource.length - 1];
            String id = resource.length == 3 ? plural + "." + resource[0] : plural;
            tests.add(DynamicTest.dynamicTest(id + " " + Json.string(example, "object", "metadata", "name"), () -> {
                var object = Json.asObject(Json.at(example, "object"));
                var before = Json.copyObject(object);
                Instant at = Instant.parse(Json.string(example, "at"));
                assertThat(Json.text(BuiltinColumns.cells(id, object, at)))
                        .isEqualTo(Json.text(Json.at(example, "cells")));
                assertThat(BuiltinColumns.conditions(id, object)).isEqualTo(Trees.list(example, "conditions"));
                assertThat(object).isEqualTo(before);
            }));
        }
        return tests.stream();
    }
}
