package dev.evenkeel.engine.internal.patch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Patch;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.Recordings;
import dev.evenkeel.engine.internal.builtin.BuiltinTypes;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.type.Schema;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Replays the patches recorded from kube-apiserver 1.36.2 on the objects recorded before them. Only this step of a write
 * is compared: what defaulting adds is allowed, refusals of later steps are not looked at.
 */
class PatchTranscriptTest {
    private static final Map<String, String> DEFINITIONS = Map.of(
            "configmaps", "io.k8s.api.core.v1.ConfigMap",
            "services", "io.k8s.api.core.v1.Service",
            "deployments", "io.k8s.api.apps.v1.Deployment");

    @TestFactory
    Stream<DynamicTest> recorded() {
        Map<String, Object> objects = new HashMap<>();
        List<DynamicTest> tests = new ArrayList<>();
        for (String line : Recordings.lines("patch")) {
            Object record = Json.parse(line.getBytes(StandardCharsets.UTF_8), JsonLimits.DEFAULT);
            String path = Json.string(record, "request", "path").replaceFirst("\\?.*", "");
            String object = path.replaceFirst("(/[^/]+/[^/]+)/(status|scale)$", "$1");
            boolean main = object.equals(path) || path.endsWith("/status");
            Object before = objects.get(object);
            if (main
                    && before != null
                    && Json.string(record, "request", "method").equals("PATCH")) {
                Patch.Type.of(Json.string(record, "request", "headers", "Content-Type"))
                        .ifPresent(type -> tests.add(DynamicTest.dynamicTest(
                                Json.string(record, "id") + " " + Json.string(record, "what"),
                                () -> check(type, path, before, record))));
            }
            Object after = Json.at(record, "body");
            if (main && !Json.string(after, "kind").equals("Status") && after != null) {
                boolean post = Json.string(record, "request", "method").equals("POST");
                if (!path.contains("scale")
                        && !Json.string(record, "request", "path").contains("dryRun")) {
                    objects.put(post ? object + "/" + Json.string(after, "metadata", "name") : object, after);
                }
            }
        }
        assertThat(tests.size()).isGreaterThan(80);
        return tests.stream();
    }

    private static void check(Patch.Type type, String path, Object before, @Nullable Object record) {
        String plural = path.split("/")[path.startsWith("/api/") ? 5 : 6];
        Schema schema = DEFINITIONS.containsKey(plural)
                ? BuiltinTypes.schema(Objects.requireNonNull(DEFINITIONS.get(plural)))
                        .orElseThrow()
                : Schema.ANY;
        Object body = Json.at(record, "request", "body");
        byte[] patch = body == null
                ? Json.string(record, "request", "bodyText").getBytes(StandardCharsets.UTF_8)
                : Json.write(body);
        long status = Json.integer(record, "status");
        String message = Json.string(record, "body", "message");
        List<String> strictErrors = new ArrayList<>();
        Object patched;
        try {
            patched = Patches.apply(
                            type, Json.asObject(before).copy(), patch, schema, JsonLimits.DEFAULT, strictErrors::add)
                    .tree();
        } catch (ApiException e) {
            if (status != 415) {
                assertThat(e.code()).isEqualTo((int) status);
                assertThat(e.getMessage()).isEqualTo(message);
                assertThat(e.reason()).isEqualTo(Json.string(record, "body", "reason"));
            }
            return;
        }
        assertThat(List.of(200L, 400L, 409L, 415L, 422L)).contains(status);
        assertThat(message)
                .doesNotStartWith("error decoding patch")
                .doesNotStartWith("the server rejected our request");
        if (!strictErrors.isEmpty()) {
            String recorded = Json.text(record).replace("\\", "");
            assertThat(strictErrors).allSatisfy(error -> assertThat(recorded).contains(error));
        }
        if (status == 200
                && !Json.string(record, "what").contains("unknown field")
                && !Json.string(record, "what").contains("status through the main path")
                && !path.endsWith("/status")) {
            for (String part : List.of("data", "spec")) {
                conforms(part, Json.at(before, part), Json.at(patched, part), Json.at(record, "body", part));
            }
            for (String part : List.of("labels", "annotations", "finalizers", "ownerReferences")) {
                Object ours = Json.at(patched, "metadata", part);
                assertThat(List.of().equals(ours) ? null : ours)
                        .as(part)
                        .isEqualTo(Json.at(record, "body", "metadata", part));
            }
        }
    }

    /** Whatever was patched was recorded; what else was recorded was not there before, so it is a default. */
    private static void conforms(String path, @Nullable Object before, @Nullable Object ours, @Nullable Object theirs) {
        if (ours instanceof Map<?, ?> map && theirs instanceof Map<?, ?> recorded) {
            map.forEach((key, value) -> {
                if (value != null && !key.toString().startsWith("$")) {
                    assertThat(recorded.containsKey(key)).as("%s.%s", path, key).isTrue();
                    conforms(path + "." + key, Json.at(before, key.toString()), value, recorded.get(key));
                }
            });
            recorded.forEach((key, value) -> {
                if (!map.containsKey(key) && before instanceof Map<?, ?> old && old.containsKey(key)) {
                    // strategy.rollingUpdate and the like come back by defaulting
                    assertThat(path + "." + key).as("came back").isEqualTo("never");
                }
            });
        } else if (ours instanceof List<?> list && theirs instanceof List<?> recorded) {
            assertThat(list).as(path).hasSameSizeAs(recorded);
            for (int i = 0; i < list.size(); i++) {
                conforms(path + "[" + i + "]", null, list.get(i), recorded.get(i));
            }
        } else if (!(ours instanceof Map<?, ?> empty && empty.isEmpty() && theirs == null)
                && !(ours instanceof List<?> none && none.isEmpty() && theirs == null)) {
            assertThat(ours).as(path).isEqualTo(theirs);
        }
    }
}
