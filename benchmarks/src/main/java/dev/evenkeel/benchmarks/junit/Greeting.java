package dev.evenkeel.benchmarks.junit;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import java.util.Objects;

/** An operator of JOSDK: for each ConfigMap a Secret with the same value. The same in all tests. */
@ControllerConfiguration
final class Greeting implements Reconciler<ConfigMap> {
    /** Creates an operator. Neither it nor its reconciler applies, which the mock server does not support. */
    static Operator operator(KubernetesClient client) {
        Operator operator = new Operator(options -> options.withKubernetesClient(client)
                .withCloseClientOnStop(false)
                .checkingCRDAndValidateLocalModel(false)
                .withUseSSAToPatchPrimaryResource(false));
        var _ = operator.register(new Greeting(), options -> options.settingNamespace("test"));
        operator.start();
        return operator;
    }

    static ConfigMap map(int number) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("test")
                .withName("greeting")
                .endMetadata()
                .addToData("value", "value-" + number)
                .build();
    }

    static boolean isRight(Secret secret, int number) {
        return secret != null && Objects.equals(secret.getMetadata().getLabels().get("value"), "value-" + number);
    }

    @Override
    public UpdateControl<ConfigMap> reconcile(ConfigMap map, Context<ConfigMap> context) {
        Secret secret = new SecretBuilder()
                .withNewMetadata()
                .withNamespace("test")
                .withName(map.getMetadata().getName())
                .addToLabels("value", map.getData().get("value"))
                .addNewOwnerReference()
                .withApiVersion("v1")
                .withKind("ConfigMap")
                .withName(map.getMetadata().getName())
                .withUid(map.getMetadata().getUid())
                .endOwnerReference()
                .endMetadata()
                .build();
        var resource = context.getClient().resource(secret);
        Secret present = resource.get();
        if (present == null) {
            var _ = resource.create();
        } else {
            var _ = resource.update();
        }
        return UpdateControl.noUpdate();
    }
}
