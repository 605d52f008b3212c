package dev.evenkeel.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.InvalidException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.engine.type.FieldError;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.List;
import java.util.Map;
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
    void hooks_change_and_refuse_objects_as_model_objects() {
        Registration registration = Registration.of(BAR)
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
}
