package dev.evenkeel.benchmarks.webpage;

import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.CRUDKubernetesDependentResource;

/** The Service in front of the servers. */
public final class AddressDependent extends CRUDKubernetesDependentResource<Service, WebPage> {
    @Override
    protected Service desired(WebPage page, Context<WebPage> context) {
        return new ServiceBuilder()
                .withMetadata(WebPageReconciler.metadata(page))
                .withNewSpec()
                .withSelector(WebPageReconciler.labels(page))
                .addNewPort()
                .withName("http")
                .withPort(80)
                .withProtocol("TCP")
                .withNewTargetPort(8080)
                .endPort()
                .endSpec()
                .build();
    }
}
