package dev.evenkeel.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.InvalidException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Status;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.json.Json;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class RegistrationTest {
    private static final Kind<GenericKubernetesResource> BAR = Kind.generic("x.io", "v1", "Bar", "bars", true);

    private static GenericKubernetesResource bar(int size) {
        GenericKubernetesResource bar = new GenericKubernetesResource();
        bar.setApiVersion("x.io/v1");
        bar.setKind("Bar");
        bar.setMetadata(
                new ObjectMetaBuilder().withNamespace("default").withName("b").build());
        bar.setAdditionalProperty("size", size);
        return bar;
    }

    @Test
    void hooksChangeAndRefuseObjectsAsModelObjects() {
        Registration<?> registration = Registration.of(BAR)
                .mutate(bar -> {
                    bar.getMetadata().setLabels(Map.of("seen", "yes"));
                    return bar;
                })
                .validate((bar, old) -> (int) bar.get("size") > 9
                        ? List.of(FieldError.invalid("size", bar.get("size"), "must be at most 9"))
                        : List.of())
                .build();
        try (Engine engine = Requests.direct().register(registration).build()) {
            Client client = engine.client();
            assertThat(client.create(BAR, bar(3), WriteOptions.DEFAULT)
                            .getMetadata()
                            .getLabels())
                    .containsEntry("seen", "yes");
            GenericKubernetesResource live = client.get(BAR, ObjectKey.of("default", "b"));
            live.setAdditionalProperty("size", 10);
            assertThatThrownBy(() -> client.update(BAR, live, WriteOptions.DEFAULT))
                    .isInstanceOf(InvalidException.class)
                    .hasMessageContaining("size: Invalid value: 10: must be at most 9");
            assertThat(client.list(BAR, ListOptions.in("default")).items()).hasSize(1);
        }
    }

    private static final String SCHEMA = "{\"type\":\"object\",\"required\":[\"size\"],"
            + "\"properties\":{\"size\":{\"type\":\"integer\",\"minimum\":1}}}";

    @Test
    void anObjectThatBreaksItsSchemaIsRefusedForThatWhateverItsHooksReturn() {
        Registration<?> registration = Registration.of(BAR)
                .schema(SCHEMA)
                .mutate(bar -> {
                    bar.setAdditionalProperty("size", (int) bar.get("size") + 0);
                    return bar;
                })
                .validate((bar, old) -> {
                    throw new IllegalStateException("no hook sees an object that breaks its schema");
                })
                .build();
        try (Engine engine = Requests.direct().register(registration).build()) {
            Client client = engine.client();
            assertThatThrownBy(() -> client.create(BAR, bar(0), WriteOptions.DEFAULT))
                    .isInstanceOf(InvalidException.class)
                    .hasMessageContaining("size in body should be greater than or equal to 1");
            GenericKubernetesResource empty = bar(0);
            empty.getAdditionalProperties().clear();
            assertThatThrownBy(() -> client.create(BAR, empty, WriteOptions.DEFAULT))
                    .isInstanceOf(InvalidException.class)
                    .hasMessageContaining("size: Required value");
        }
    }

    @Test
    void anUnexpectedExceptionOfAHookIsAnInternalErrorThatNamesHookAndType() {
        IllegalStateException thrown = new IllegalStateException("boom");
        assertThat(refusal(bar -> bar, (bar, old) -> {
                    throw thrown;
                }))
                .hasMessage("Internal error occurred: the validate hook of bars.x.io failed: "
                        + "java.lang.IllegalStateException: boom")
                .hasCause(thrown)
                .extracting(ApiException::code, ApiException::reason)
                .containsExactly(500, "InternalError");
        assertThat(refusal(
                        bar -> {
                            throw thrown;
                        },
                        (bar, old) -> List.of()))
                .hasMessageContaining("the mutate hook of bars.x.io failed");
    }

    @Test
    void anApiExceptionOfAHookIsTheAnswer() {
        ApiException quota = ApiException.of(Status.of(403, "Forbidden", "quota"));
        assertThat(refusal(bar -> bar, (bar, old) -> {
                    throw quota;
                }))
                .isSameAs(quota);
    }

    @Test
    void fieldsSetByAMutatingHookBelongToTheWriter() {
        Registration<?> registration = Registration.of(BAR)
                .mutate(bar -> {
                    bar.setAdditionalProperty("color", "red");
                    return bar;
                })
                .build();
        try (Engine engine = Requests.direct().register(registration).build()) {
            Requests api = new Requests(ResourceApi.of(engine.partition("default")));
            assertThat(Json.text(api.create(
                                    "x.io/v1/bars",
                                    "default",
                                    "{'apiVersion':'x.io/v1','kind':'Bar','metadata':{'name':'b'},'size':3}")
                            .at("metadata", "managedFields")))
                    .contains("f:color");
        }
    }

    private static ApiException refusal(
            UnaryOperator<GenericKubernetesResource> mutate,
            BiFunction<GenericKubernetesResource, Optional<GenericKubernetesResource>, List<FieldError>> validate) {
        Registration<?> registration =
                Registration.of(BAR).mutate(mutate).validate(validate).build();
        try (Engine engine = Requests.direct().register(registration).build()) {
            Client client = engine.client();
            return catchThrowableOfType(ApiException.class, () -> client.create(BAR, bar(3), WriteOptions.DEFAULT));
        }
    }
}
