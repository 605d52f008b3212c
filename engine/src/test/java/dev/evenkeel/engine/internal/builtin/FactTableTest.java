package dev.evenkeel.engine.internal.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class FactTableTest {
    /** Run with {@code -Devenkeel.regenerate=true} to rewrite the tables. */
    @Test
    void theCommittedTablesAreUpToDate() throws IOException {
        check("types.txt", FactTableSource.types());
        check("resources.txt", FactTableSource.resources());
    }

    private static void check(String name, String expected) throws IOException {
        if (Boolean.getBoolean("evenkeel.regenerate")) {
            Path dir = Files.createDirectories(Path.of("src/main/resources/dev/evenkeel/engine/internal/builtin"));
            Files.write(dir.resolve(name), expected.getBytes(StandardCharsets.ISO_8859_1));
        } else {
            assertThat(FactTable.read(name)).isEqualTo(expected);
        }
    }

    @Test
    void everyTypeCanBeParsedAndItsReferencesExist() {
        int fields = 0;
        for (String name : FactTable.INSTANCE.names()) {
            for (FieldFacts field : FactTable.INSTANCE.type(name).fields().values()) {
                fields++;
                ValueFacts value = field.value();
                while (value.element() != null) {
                    value = value.elementFacts();
                }
                if (value.form() == ValueForm.STRUCT) {
                    assertThat(FactTable.INSTANCE.find(value.reference()))
                            .as(name)
                            .isNotNull();
                }
            }
        }
        assertThat(FactTable.INSTANCE.names()).hasSize(810);
        assertThat(fields).isEqualTo(3321);
    }

    @Test
    void aFieldHasAllItsFacts() {
        FieldFacts ports = FactTable.INSTANCE
                .type("io.k8s.api.core.v1.ServiceSpec")
                .fields()
                .get("ports");
        assertThat(ports).isNotNull();
        assertThat(ports.listType()).isEqualTo("map");
        assertThat(ports.listKeys()).isEqualTo(List.of("port", "protocol"));
        assertThat(ports.patchStrategy()).isEqualTo("merge");
        assertThat(ports.patchMergeKey()).isEqualTo("port");
        assertThat(ports.value().form()).isEqualTo(ValueForm.LIST);
        assertThat(ports.value().elementFacts().reference()).isEqualTo("io.k8s.api.core.v1.ServicePort");
        assertThat(ports.path()).isEqualTo(List.of(1));
    }
}
