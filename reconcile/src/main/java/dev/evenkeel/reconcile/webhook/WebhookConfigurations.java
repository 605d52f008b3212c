package dev.evenkeel.reconcile.webhook;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectKey;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MatchCondition;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhook;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfigurationBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.RuleWithOperations;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.RuleWithOperationsBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.WebhookClientConfig;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.WebhookClientConfigBuilder;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The configuration objects that register webhooks with an API server, derived from the webhooks themselves: their
 * kinds, addresses and time limits.
 *
 * <pre>{@code
 * WebhookConfigurations.of("websites.example.com")
 *     .service(ObjectKey.of("shop", "webhooks"), 443)
 *     .webhook("/mutate-websites", adapter, "CREATE", "UPDATE")
 *     .objects();
 * }</pre>
 *
 * <p>A webhook's name is its path and then that of the configuration: {@code mutate-websites.websites.example.com}. The
 * {@code caBundle} may be left to {@link CaBundles}.
 */
public final class WebhookConfigurations {
    private final String name;
    private final List<Entry> entries = new ArrayList<>();
    private Optional<URI> url = Optional.empty();
    private Optional<ObjectKey> service = Optional.empty();
    private int port = 443;
    private Optional<String> caBundle = Optional.empty();
    private String failurePolicy = "Fail";
    private Optional<LabelSelector> namespaces = Optional.empty();
    private final List<MatchCondition> conditions = new ArrayList<>();

    private record Entry(String path, AdmissionWebhookAdapter<?> webhook, List<String> operations) {}

    private WebhookConfigurations(String name) {
        this.name = name;
    }

    /**
     * Returns empty configurations.
     *
     * @param name of the objects: a domain of at least two segments, such as {@code websites.example.com}
     */
    public static WebhookConfigurations of(String name) {
        if (!name.contains(".")) {
            throw new IllegalArgumentException(
                    "name: \"" + name + "\" must be a domain of at least two segments, such as websites.example.com");
        }
        return new WebhookConfigurations(name);
    }

    /** Sets the base URL of the webhooks, such as {@code https://webhooks.example.com:8443}. */
    public WebhookConfigurations url(URI value) {
        if (!"https".equals(value.getScheme())) {
            throw new IllegalArgumentException(
                    "url: " + value + " must begin with https: API servers call no other address");
        }
        url = Optional.of(value);
        return this;
    }

    /** Sets the service of the webhooks. */
    public WebhookConfigurations service(ObjectKey value, int atPort) {
        service = Optional.of(value);
        port = atPort;
        return this;
    }

    /** Sets the authorities to trust, in PEM; default: none, as when {@link CaBundles} adds them. */
    public WebhookConfigurations caBundle(String pem) {
        caBundle = Optional.of(pem);
        return this;
    }

    /** Sets the treatment of a write when a webhook is unavailable, {@code Fail} or {@code Ignore}; default: Fail. */
    public WebhookConfigurations failurePolicy(String value) {
        if (!value.equals("Fail") && !value.equals("Ignore")) {
            throw new IllegalArgumentException("failurePolicy: \"" + value + "\" must be Fail or Ignore");
        }
        failurePolicy = value;
        return this;
    }

    /** Selects the namespaces of the objects by labels; default: all. */
    public WebhookConfigurations namespaces(LabelSelector value) {
        namespaces = Optional.of(value);
        return this;
    }

    /**
     * Adds a condition that writes must also fulfil; default: all writes.
     *
     * @param condition its name, such as {@code no-robots}
     * @param expression in CEL, over {@code object}, {@code oldObject} and {@code request}
     */
    public WebhookConfigurations matchCondition(String condition, String expression) {
        conditions.add(new MatchCondition(expression, condition));
        return this;
    }

    /**
     * Adds a webhook.
     *
     * @param path its path
     * @param operations its operations: {@code CREATE}, {@code UPDATE}, {@code DELETE}; none for the first two
     */
    public WebhookConfigurations webhook(String path, AdmissionWebhookAdapter<?> webhook, String... operations) {
        for (String operation : operations) {
            if (!List.of("CREATE", "UPDATE", "DELETE").contains(operation)) {
                throw new IllegalArgumentException(
                        "operations: \"" + operation + "\" must be CREATE, UPDATE or DELETE");
            }
        }
        entries.add(
                new Entry(path, webhook, operations.length == 0 ? List.of("CREATE", "UPDATE") : List.of(operations)));
        return this;
    }

    /** Returns the configuration of the mutating webhooks; empty when there are none. */
    public Optional<MutatingWebhookConfiguration> mutating() {
        return configuration(false);
    }

    /** Returns the configuration of the validating webhooks; empty when there are none. */
    public Optional<ValidatingWebhookConfiguration> validating() {
        return configuration(true).map(configuration -> {
            configuration.setKind("ValidatingWebhookConfiguration");
            return ModelCodec.convert(configuration, ValidatingWebhookConfiguration.class);
        });
    }

    /** Returns a configuration in the form of mutating webhooks, which has all fields of the other. */
    private Optional<MutatingWebhookConfiguration> configuration(boolean validating) {
        List<MutatingWebhook> webhooks = entries.stream()
                .filter(entry -> entry.webhook().validating() == validating)
                .map(this::webhook)
                .toList();
        return webhooks.isEmpty()
                ? Optional.empty()
                : Optional.of(new MutatingWebhookConfigurationBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .withWebhooks(webhooks)
                        .build());
    }

    /** Returns all configurations. */
    public List<HasMetadata> objects() {
        return Stream.<Optional<? extends HasMetadata>>of(mutating(), validating())
                .<HasMetadata>flatMap(Optional::stream)
                .toList();
    }

    private MutatingWebhook webhook(Entry entry) {
        MutatingWebhookBuilder webhook = new MutatingWebhookBuilder()
                .withName(entry.path().substring(1).replace('/', '-') + "." + name)
                .withAdmissionReviewVersions("v1")
                .withClientConfig(client(entry))
                .withRules(rule(entry))
                .withSideEffects("None")
                .withFailurePolicy(failurePolicy)
                .withMatchConditions(conditions)
                .withTimeoutSeconds((int) entry.webhook().timeout().toSeconds());
        namespaces.ifPresent(webhook::withNamespaceSelector);
        return webhook.build();
    }

    private static RuleWithOperations rule(Entry entry) {
        Kind<?> kind = entry.webhook().kind();
        return new RuleWithOperationsBuilder()
                .withApiGroups(kind.group())
                .withApiVersions(kind.version())
                .withResources(kind.plural())
                .withScope(kind.namespaced() ? "Namespaced" : "Cluster")
                .withOperations(entry.operations())
                .build();
    }

    private WebhookClientConfig client(Entry entry) {
        WebhookClientConfigBuilder client = new WebhookClientConfigBuilder();
        caBundle.ifPresent(
                pem -> client.withCaBundle(Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.UTF_8))));
        if (url.isPresent() == service.isPresent()) {
            throw new IllegalStateException("WebhookConfigurations \"" + name
                    + "\" must define either url or service: the address of the webhooks");
        }
        url.ifPresent(base -> client.withUrl(base.toString().replaceFirst("/+$", "") + entry.path()));
        service.ifPresent(key -> client.withNewService(key.name(), key.namespace(), entry.path(), port));
        return client.build();
    }
}
