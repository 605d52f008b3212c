package dev.evenkeel.testing.call;

import static dev.evenkeel.testing.call.Calls.on;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Client;
import dev.evenkeel.engine.Engine;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import org.junit.jupiter.api.Test;

class StackedReactiveClientTest extends ReactiveClientContract {
    @Override
    Client behind(Client engine) {
        return ReactiveClient.of(engine);
    }

    @Test
    void theOneBehindHasTheCallersTooAndDoesNotSeeWhatTheOneInFrontLooksUp() {
        try (Engine engine = Engine.create()) {
            ReactiveClient behind = ReactiveClient.of(engine.client());
            ReactiveClient front = ReactiveClient.of(behind);
            var map = new ConfigMapBuilder()
                    .withNewMetadata()
                    .withNamespace("default")
                    .withName("child")
                    .endMetadata()
                    .build();
            front.as("part").update(front.as("part").create(map));
            front.react(on(RecordedCall.Verb.DELETE).isIgnored());
            front.delete(map);
            assertThat(behind.journal().calls().stream().map(call -> call.caller() + ": " + call.question()))
                    .containsExactly("part: create configmaps default/child", "part: update configmaps default/child");
        }
    }
}
