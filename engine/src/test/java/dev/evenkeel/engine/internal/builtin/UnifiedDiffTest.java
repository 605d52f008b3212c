package dev.evenkeel.engine.internal.builtin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Texts about objects in errors: the internal form of a type, differences, and the order of encoded members. */
class UnifiedDiffTest {
    private static JsonObject tree(String json) {
        return Json.parseObject(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8), JsonLimits.DEFAULT);
    }

    private static List<String> numbers(int count) {
        return new ArrayList<>(
                IntStream.range(0, count).mapToObj(String::valueOf).toList());
    }

    @Test
    void equalTextsHaveNoDifference() {
        assertThat(UnifiedDiff.of(numbers(3), numbers(3))).isEmpty();
    }

    @Test
    void changesHaveContext() {
        List<String> after = numbers(20);
        after.set(9, "x");
        assertThat(UnifiedDiff.of(numbers(20), after)).contains("@@ -7,7 +7,7 @@\n 6\n 7\n 8\n-9\n+x\n 10\n 11\n 12\n");
    }

    @Test
    void distantChangesAreSeparate() {
        List<String> after = numbers(40);
        after.set(2, "x");
        after.remove(30);
        assertThat(UnifiedDiff.of(numbers(40), after)).containsSubsequence("@@ -1,6 +1,6 @@", "@@ -28,7 +28,6 @@");
    }

    @Test
    void internalFormsHaveAllFieldsInTheirOrder() {
        assertThat(InternalForm.text("core.v1.Probe", tree("{'periodSeconds':3,'exec':{'command':['a']}}")))
                .isEqualTo("{\"Exec\":{\"Command\":[\"a\"]},\"HTTPGet\":null,\"TCPSocket\":null,\"GRPC\":null,"
                        + "\"InitialDelaySeconds\":0,\"TimeoutSeconds\":0,\"PeriodSeconds\":3,\"SuccessThreshold\":0,"
                        + "\"FailureThreshold\":0,\"TerminationGracePeriodSeconds\":null}");
    }

    @Test
    void onlyWhatAPatchTouchedIsSorted() {
        JsonObject live = tree("{'spec':{'rules':[],'ingressClassName':'i'},'kind':'Ingress'}");
        JsonObject result = tree("{'spec':{'rules':[],'ingressClassName':'i'},'kind':'Ingress','bogus':1}");
        assertThat(EncodedOrder.patched("io.k8s.api.networking.v1.Ingress", result, live)
                        .toString())
                .isEqualTo(tree("{'bogus':1,'kind':'Ingress','spec':{'ingressClassName':'i','rules':[]}}")
                        .toString());
    }
}
