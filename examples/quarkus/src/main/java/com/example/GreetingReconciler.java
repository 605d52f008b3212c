package com.example;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;

/** Has a ConfigMap with the text of each greeting. */
@ControllerConfiguration
public class GreetingReconciler implements Reconciler<Greeting> {
    @Override
    public UpdateControl<Greeting> reconcile(Greeting greeting, Context<Greeting> context) {
        ConfigMap map = new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(greeting.getMetadata().getNamespace())
                .withName(greeting.getMetadata().getName())
                .addNewOwnerReference()
                .withApiVersion(greeting.getApiVersion())
                .withKind(greeting.getKind())
                .withName(greeting.getMetadata().getName())
                .withUid(greeting.getMetadata().getUid())
                .endOwnerReference()
                .endMetadata()
                .addToData("text", greeting.getSpec().text)
                .build();
        context.getClient().resource(map).forceConflicts().serverSideApply();
        return UpdateControl.noUpdate();
    }
}
