package dev.evenkeel.examples.stream;

import static dev.evenkeel.examples.stream.ConnectorStatus.CONDITIONS;
import static dev.evenkeel.examples.stream.ConnectorStatus.INPUTS_READY;
import static dev.evenkeel.examples.stream.ConnectorStatus.RUNNING;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.Stash;
import dev.evenkeel.reconcile.ResourceReconciler;
import dev.evenkeel.reconcile.child.ChildReconciler;
import dev.evenkeel.reconcile.condition.ConditionManager;
import dev.evenkeel.reconcile.flow.SyncReconciler;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.EnvFromSource;
import io.fabric8.kubernetes.api.model.EnvFromSourceBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Runs the program of each {@link Connector} as a Deployment, with the password of its account and its settings.
 *
 * <p>A new password restarts the program: its inputs are tracked, and part of the template by their checksum. While an
 * input is missing, the running program continues.
 */
public final class ConnectorReconciler {
    private static final String FIELD_MANAGER = "connector-controller";
    private static final String CONNECTOR = "stream.evenkeel.dev/connector";

    private record Inputs(Secret credentials, Optional<ConfigMap> settings) {
        List<EnvFromSource> environment() {
            List<EnvFromSource> sources = new ArrayList<>();
            sources.add(new EnvFromSourceBuilder()
                    .withNewSecretRef(credentials.getMetadata().getName(), false)
                    .build());
            settings.ifPresent(map -> sources.add(new EnvFromSourceBuilder()
                    .withNewConfigMapRef(map.getMetadata().getName(), false)
                    .build()));
            return sources;
        }

        String checksum() {
            Optional<Map<String, String>> secret = Optional.ofNullable(credentials.getData());
            Optional<Map<String, String>> plain = settings.map(ConfigMap::getData);
            return Checksum.of(new TreeMap<>(secret.orElse(Map.of())) + " " + new TreeMap<>(plain.orElse(Map.of())));
        }
    }

    private static final Stash.Key<Inputs> INPUTS = Stash.Key.of("inputs", Inputs.class);

    private ConnectorReconciler() {}

    /** Returns the controller. */
    public static Controller<Connector> controller() {
        return root().controller();
    }

    static ResourceReconciler<Connector> root() {
        return ResourceReconciler.of(Connector.class)
                .conditions(CONDITIONS)
                .reconciler(inputs(), program())
                .build();
    }

    /** Reads the inputs of the program, which are tracked. */
    private static Part<Connector> inputs() {
        return SyncReconciler.of(Connector.class)
                .name("Inputs")
                .needs(
                        new Part.Requirement.Tracks<>(Kind.of(Account.class)),
                        new Part.Requirement.Tracks<>(Kind.of(Secret.class)),
                        new Part.Requirement.Tracks<>(Kind.of(ConfigMap.class)))
                .sync(ConnectorReconciler::read)
                .build();
    }

    private static Result read(Reconciliation<Connector> reconciliation, Connector connector) {
        ConnectorSpec spec = connector.getSpec();
        Optional<Account> account = find(reconciliation, Account.class, spec.account());
        if (account.isEmpty()) {
            return missing(reconciliation, connector, "AccountMissing", "there is no Account \"%s\"", spec.account());
        }
        String secret = account.get().getStatus().getSecret();
        if (secret.isEmpty()) {
            String message = "Account \"%s\" has no password yet";
            return missing(reconciliation, connector, "CredentialsMissing", message, spec.account());
        }
        Optional<Secret> credentials = find(reconciliation, Secret.class, secret);
        if (credentials.isEmpty()) {
            return missing(reconciliation, connector, "CredentialsMissing", "there is no Secret \"%s\"", secret);
        }
        String from = spec.configFrom();
        Optional<ConfigMap> settings = from == null ? Optional.empty() : find(reconciliation, ConfigMap.class, from);
        if (from != null && settings.isEmpty()) {
            return missing(reconciliation, connector, "SettingsMissing", "there is no ConfigMap \"%s\"", from);
        }
        reconciliation.stash().put(INPUTS, new Inputs(credentials.get(), settings));
        CONDITIONS.manage(reconciliation, connector).markTrue(INPUTS_READY, "InputsReady");
        return Result.done();
    }

    private static <I extends HasMetadata> Optional<I> find(
            Reconciliation<?> reconciliation, Class<I> type, String name) {
        ObjectKey key = ObjectKey.of(reconciliation.key().namespace(), name);
        return reconciliation.tracker().find(type, key);
    }

    private static Result missing(
            Reconciliation<Connector> reconciliation, Connector connector, String reason, String message, String name) {
        CONDITIONS.manage(reconciliation, connector).markFalse(INPUTS_READY, reason, message, name);
        return Result.halted();
    }

    private static Part<Connector> program() {
        return ChildReconciler.of(Connector.class, Deployment.class)
                .name("Program")
                .desired((reconciliation, connector) ->
                        Optional.of(deployment(connector, reconciliation.stash().require(INPUTS))))
                .fieldManager(FIELD_MANAGER)
                .reflect((reconciliation, connector, result) -> {
                    int wanted = connector.getSpec().replicas();
                    Optional<DeploymentStatus> status = result.child().map(Deployment::getStatus);
                    int ready = status.map(DeploymentStatus::getReadyReplicas).orElse(0);
                    connector.getStatus().setReplicas(ready);
                    ConditionManager conditions = CONDITIONS.manage(reconciliation, connector);
                    if (result.error().isPresent()) {
                        conditions.markFalse(RUNNING, result.reason(), result.message());
                    } else if (ready < wanted) {
                        conditions.markFalse(RUNNING, "Starting", "%d of %d are ready", ready, wanted);
                    } else {
                        conditions.markTrue(RUNNING, "Running");
                    }
                })
                .build();
    }

    private static Deployment deployment(Connector connector, Inputs inputs) {
        Map<String, String> labels = Map.of(CONNECTOR, connector.getMetadata().getName());
        return new DeploymentBuilder()
                .withNewMetadata()
                .withNamespace(connector.getMetadata().getNamespace())
                .withName(connector.getMetadata().getName())
                .withLabels(labels)
                .endMetadata()
                .withNewSpec()
                .withReplicas(connector.getSpec().replicas())
                .withNewSelector()
                .withMatchLabels(labels)
                .endSelector()
                .withNewTemplate()
                .withNewMetadata()
                .withLabels(labels)
                // another password changes the template, so that the program is restarted
                .addToAnnotations(Checksum.ANNOTATION, inputs.checksum())
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("connector")
                .withImage(connector.getSpec().image())
                .withEnvFrom(inputs.environment())
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
    }
}
