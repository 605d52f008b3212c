package dev.evenkeel.engine;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class RecordingsTest {
    @Test
    void haveAllRecords() {
        assertThat(Recordings.NAMES.stream()
                        .mapToInt(name -> Recordings.lines(name).size())
                        .sum())
                .isEqualTo(1275);
    }

    @Test
    void containNoDefinitionOfAnotherProject() {
        Set<String> groups = new TreeSet<>();
        for (String name : Recordings.NAMES) {
            for (String line : Recordings.lines(name)) {
                JsonObject record = Json.parseObject(line.getBytes(UTF_8), JsonLimits.DEFAULT);
                JsonObject served = record.object("body");
                if (record.integer("status") < 300 && served.string("kind").equals("CustomResourceDefinition")) {
                    groups.add(served.string("spec", "group"));
                }
            }
        }
        assertThat(groups).isNotEmpty().allMatch(group -> group.endsWith(".example.com"));
    }
}
