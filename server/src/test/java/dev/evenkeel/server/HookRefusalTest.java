package dev.evenkeel.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.Status;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.Registration;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.server.replay.Answer;
import dev.evenkeel.server.replay.Wire;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Refusals of the hooks of registered types: the same in process and over HTTP. */
class HookRefusalTest {
    private static final Kind<GenericKubernetesResource> BARS = Kind.generic("x.io", "v1", "Bar", "bars", true);
    private static final String SCHEMA = "{\"type\":\"object\",\"required\":[\"size\"],"
            + "\"properties\":{\"size\":{\"type\":\"integer\",\"minimum\":1},\"mode\":{\"type\":\"string\"}}}";
    private static final List<String> VALIDATED = new CopyOnWriteArrayList<>();

    private static final Engine ENGINE = Engine.builder()
            .register(Registration.of(BARS)
                    .schema(SCHEMA)
                    .mutate(bar -> {
                        act("mutate", bar);
                        return bar;
                    })
                    .validate((bar, old) -> {
                        VALIDATED.add(bar.getAdditionalProperties().get("size") + "");
                        act("validate", bar);
                        return (int) bar.get("size") > 9
                                ? List.of(FieldError.invalid("size", bar.get("size"), "must be at most 9"))
                                : List.of();
                    })
                    .build())
            .build();

    private static final TestServer SERVER = TestServer.start(ENGINE);
    private static final Wire WIRE = new Wire(SERVER.base(), SERVER.token());

    @AfterAll
    static void stop() {
        WIRE.close();
        SERVER.close();
    }

    private static void act(String hook, GenericKubernetesResource bar) {
        switch (hook + " " + bar.getAdditionalProperties().get("mode")) {
            case "mutate throws", "validate rejects" -> throw new IllegalStateException("boom");
            case "mutate overflows", "validate deepens" -> throw new StackOverflowError();
            case "validate asserts" -> throw new AssertionError("never");
            case "validate quota" -> throw ApiException.of(Status.of(403, "Forbidden", "quota"));
            default -> {}
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "throws   | 3  | 500 | the mutate hook of bars.x.io failed: java.lang.IllegalStateException: boom",
                "rejects  | 3  | 500 | the validate hook of bars.x.io failed: java.lang.IllegalStateException: boom",
                "overflows| 3  | 500 | the mutate hook of bars.x.io failed: java.lang.StackOverflowError",
                "deepens  | 3  | 500 | the validate hook of bars.x.io failed: java.lang.StackOverflowError",
                "asserts  | 3  | 500 | the validate hook of bars.x.io failed: java.lang.AssertionError: never",
                "quota    | 3  | 403 | quota",
                "fine     | 10 | 422 | size: Invalid value: 10: must be at most 9",
                "rejects  | 0  | 422 | should be greater than or equal to 1",
                "throws   | 0  | 422 | should be greater than or equal to 1"
            })
    void isTheSameInProcessAndOverHttp(String mode, int size, int code, String message) {
        byte[] json =
                ("{\"apiVersion\":\"x.io/v1\",\"kind\":\"Bar\",\"metadata\":{\"namespace\":\"default\",\"name\":\"b\"},"
                                + "\"size\":" + size + ",\"mode\":\"" + mode + "\"}")
                        .getBytes(StandardCharsets.UTF_8);
        ApiException here = catchThrowableOfType(
                ApiException.class,
                () -> ENGINE.client().create(BARS.encoded(), Encoded.of(json), WriteOptions.DEFAULT));
        Answer there = WIRE.send(
                "POST",
                "/apis/x.io/v1/namespaces/default/bars",
                Map.of("Content-Type", "application/json"),
                Optional.of(json));
        JsonObject status = Fixture.tree(there.text());
        assertThat(here.code()).isEqualTo(code).isEqualTo(there.status());
        assertThat(here.status().message()).contains(message).isEqualTo(status.string("message"));
        assertThat(here.reason()).isEqualTo(status.string("reason"));
        assertThat(VALIDATED).doesNotContain("0"); // breaks the schema
    }
}
