package dev.evenkeel.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.evenkeel.access.internal.CertificateKeys;
import dev.evenkeel.client.internal.tls.CertificateAuthority;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfigurationBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@EvenkeelTest(webhooks = true)
class WebhooksTest {
    private static final Pattern UID = Pattern.compile("\"uid\" *: *\"([^\"]+)\"");

    KubernetesClient client;

    private final CertificateAuthority authority =
            CertificateAuthority.create("webhooks", Instant.now(), Duration.ofDays(1));
    private HttpsServer webhook;

    /** A webhook that refuses everything. */
    @BeforeEach
    void serve() throws Exception {
        SSLContext tls = SSLContext.getInstance("TLS");
        tls.init(
                new KeyManager[] {
                    new CertificateKeys(
                            authority.issue("webhook", List.of("127.0.0.1"), Instant.now(), Duration.ofDays(1)))
                },
                null,
                null);
        webhook = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        webhook.setHttpsConfigurator(new HttpsConfigurator(tls));
        webhook.createContext("/", exchange -> {
            Matcher uid = UID.matcher(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            byte[] review =
                    ("{\"apiVersion\":\"admission.k8s.io/v1\",\"kind\":\"AdmissionReview\",\"response\":{\"uid\":\""
                                    + (uid.find() ? uid.group(1) : "")
                                    + "\",\"allowed\":false,\"status\":{\"message\":\"not today\"}}}")
                            .getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, review.length);
            exchange.getResponseBody().write(review);
            exchange.close();
        });
        webhook.start();
    }

    @AfterEach
    void stop() {
        webhook.stop(0);
    }

    @Test
    void aWebhookOfThisMachineIsCalled() {
        create(client, configuration());

        assertThatThrownBy(() -> create(client, map()))
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("admission webhook \"maps.example.com\" denied the request: not today");
    }

    @Test
    void configurationsHaveNoEffectByDefault() {
        try (EngineCluster other = EngineCluster.start()) {
            create(other.kubernetesClient(), configuration());

            create(other.kubernetesClient(), map());
        }
    }

    private static void create(KubernetesClient client, HasMetadata object) {
        assertThat(client.resource(object).create().getMetadata().getUid()).isNotEmpty();
    }

    private static ConfigMap map() {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName("a")
                .endMetadata()
                .build();
    }

    private ValidatingWebhookConfiguration configuration() {
        return new ValidatingWebhookConfigurationBuilder()
                .withNewMetadata()
                .withName("maps.example.com")
                .endMetadata()
                .addNewWebhook()
                .withName("maps.example.com")
                .withAdmissionReviewVersions("v1")
                .withSideEffects("None")
                .withNewClientConfig()
                .withUrl("https://127.0.0.1:" + webhook.getAddress().getPort() + "/")
                .withCaBundle(Base64.getEncoder()
                        .encodeToString(authority.certificatePem().getBytes(StandardCharsets.US_ASCII)))
                .endClientConfig()
                .addNewRule()
                .withApiGroups("")
                .withApiVersions("v1")
                .withOperations("CREATE")
                .withResources("configmaps")
                .endRule()
                .endWebhook()
                .build();
    }
}
