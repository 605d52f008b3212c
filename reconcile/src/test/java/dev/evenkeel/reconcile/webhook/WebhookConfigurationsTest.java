package dev.evenkeel.reconcile.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.Result;
import dev.evenkeel.engine.Engine;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhook;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class WebhookConfigurationsTest {
    private static final String NAME = "maps.example.com";

    private static AdmissionWebhookAdapter.Builder<ConfigMap> adapter() {
        return AdmissionWebhookAdapter.of(ConfigMap.class).reconciler((reconciliation, map) -> Result.done());
    }

    private static WebhookConfigurations configurations() {
        return WebhookConfigurations.of(NAME)
                .service(ObjectKey.of("shop", "hooks"), 8443)
                .webhook(
                        "/mutate-maps", adapter().timeout(Duration.ofSeconds(3)).build())
                .webhook("/validate-maps", adapter().validating(true).build(), "DELETE");
    }

    @Test
    void theServerAcceptsThem() {
        try (Engine engine = Engine.create()) {
            MutatingWebhookConfiguration mutating =
                    engine.client().create(configurations().mutating().orElseThrow());
            MutatingWebhook webhook = mutating.getWebhooks().getFirst();
            assertThat(webhook.getName()).isEqualTo("mutate-maps.maps.example.com");
            assertThat(webhook.getTimeoutSeconds()).isEqualTo(3);
            assertThat(webhook.getSideEffects()).isEqualTo("None");
            assertThat(webhook.getFailurePolicy()).isEqualTo("Fail");
            assertThat(webhook.getRules().getFirst().getOperations()).containsExactly("CREATE", "UPDATE");
            assertThat(webhook.getRules().getFirst().getResources()).containsExactly("configmaps");
            assertThat(webhook.getRules().getFirst().getScope()).isEqualTo("Namespaced");
            assertThat(webhook.getClientConfig().getService().getPath()).isEqualTo("/mutate-maps");
            ValidatingWebhookConfiguration validating =
                    engine.client().create(configurations().validating().orElseThrow());
            assertThat(validating.getWebhooks().getFirst().getName()).isEqualTo("validate-maps.maps.example.com");
            assertThat(validating.getWebhooks().getFirst().getRules().getFirst().getOperations())
                    .containsExactly("DELETE");
        }
        assertThat(configurations().objects()).hasSize(2);
    }

    @Test
    void urlsAreBelowABase() {
        MutatingWebhookConfiguration configuration = WebhookConfigurations.of(NAME)
                .url(URI.create("https://localhost:1234"))
                .caBundle("pem")
                .failurePolicy("Ignore")
                .webhook("/a/b", adapter().build())
                .mutating()
                .orElseThrow();
        MutatingWebhook webhook = configuration.getWebhooks().getFirst();
        assertThat(webhook.getName()).isEqualTo("a-b.maps.example.com");
        assertThat(webhook.getClientConfig().getUrl()).isEqualTo("https://localhost:1234/a/b");
        assertThat(webhook.getClientConfig().getCaBundle()).isEqualTo("cGVt");
        assertThat(webhook.getFailurePolicy()).isEqualTo("Ignore");
    }

    @Test
    void urlsAreBelowTheWholePathOfABase() {
        for (String base : List.of("https://gateway.example.com/hooks", "https://gateway.example.com/hooks/")) {
            MutatingWebhookConfiguration configuration = WebhookConfigurations.of(NAME)
                    .url(URI.create(base))
                    .webhook("/mutate-maps", adapter().build())
                    .mutating()
                    .orElseThrow();
            assertThat(configuration.getWebhooks().getFirst().getClientConfig().getUrl())
                    .isEqualTo("https://gateway.example.com/hooks/mutate-maps");
        }
    }

    @Test
    void conditionsAreThoseOfAllItsWebhooks() {
        try (Engine engine = Engine.create()) {
            WebhookConfigurations configurations = configurations()
                    .matchCondition("no-robots", "!('system:serviceaccounts' in request.userInfo.groups)");
            MutatingWebhookConfiguration mutating =
                    engine.client().create(configurations.mutating().orElseThrow());
            assertThat(mutating.getWebhooks().getFirst().getMatchConditions())
                    .singleElement()
                    .satisfies(condition -> assertThat(condition.getName()).isEqualTo("no-robots"));
            assertThat(configurations.validating().orElseThrow().getWebhooks())
                    .allSatisfy(
                            webhook -> assertThat(webhook.getMatchConditions()).hasSize(1));
            assertThatThrownBy(() -> engine.client()
                            .create(configurations
                                    .matchCondition("broken", "object.spec")
                                    .validating()
                                    .orElseThrow()))
                    .hasMessageContaining("matchConditions[1].expression")
                    .hasMessageContaining("must evaluate to bool");
        }
    }

    @Test
    void missingSettingsAreReported() {
        assertThatThrownBy(() -> WebhookConfigurations.of("maps")).hasMessageContaining("at least two segments");
        assertThatThrownBy(() -> WebhookConfigurations.of(NAME)
                        .webhook("/a", adapter().build())
                        .objects())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("must define either url or service");
        assertThatThrownBy(() -> configurations().webhook("/a", adapter().build(), "CONNECT"))
                .hasMessageContaining("must be CREATE, UPDATE or DELETE");
        assertThatThrownBy(() -> configurations().url(URI.create("http://localhost")))
                .hasMessageContaining("https");
        assertThatThrownBy(() -> configurations().failurePolicy("Perhaps")).hasMessageContaining("Fail or Ignore");
    }
}
