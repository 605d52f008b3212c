package dev.evenkeel.engine.internal.apply;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.engine.internal.builtin.BuiltinTypes;
import dev.evenkeel.engine.internal.json.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Built-in types in which a value may have several forms. */
class ConformanceTest {
    private static void check(String type, String tree) {
        Conformance.check(
                Json.parse(tree.replace('\'', '"')),
                OwnershipSchema.of(BuiltinTypes.schema("io.k8s.api." + type).orElseThrow()),
                false);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "core.v1.ServicePort | {'targetPort':[1,'x']} | .targetPort: expected any scalar, got &{[1 x]}",
                "core.v1.ServicePort | {'targetPort':{'a':1}} | .targetPort: expected any scalar, got &{map[a:1]}",
                "core.v1.Pod | {'spec':1e20} | .spec: expected map, got &{1e+20}",
                "core.v1.Pod | {'kind':1234567.5} | .kind: expected string, got"
                        + " &value.valueUnstructured{Value:1.2345675e+06}",
            })
    void valuesOfOtherFormsAreViolations(String type, String tree, String violation) {
        assertThatThrownBy(() -> check(type, tree)).hasMessage(violation);
    }

    @Test
    void objectsOfAnyKindMayBeAnything() {
        for (String data : new String[] {"1", "'x'", "true", "[{},1]", "{'a':[null]}"}) {
            assertThatCode(() -> check("apps.v1.ControllerRevision", "{'data':" + data + "}"))
                    .as(data)
                    .doesNotThrowAnyException();
        }
    }
}
