package dev.evenkeel.benchmarks.webpage;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.CRUDKubernetesDependentResource;

/** The Deployment of the servers. */
public final class ServerDependent extends CRUDKubernetesDependentResource<Deployment, WebPage> {
    @Override
    protected Deployment desired(WebPage page, Context<WebPage> context) {
        return new DeploymentBuilder()
                .withMetadata(WebPageReconciler.metadata(page))
                .withNewSpec()
                .withReplicas(page.getSpec().replicas())
                .withNewSelector()
                .withMatchLabels(WebPageReconciler.labels(page))
                .endSelector()
                .withNewTemplate()
                .withNewMetadata()
                .withLabels(WebPageReconciler.labels(page))
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("web")
                .withImage("nginx")
                .addNewPort()
                .withContainerPort(8080)
                .withProtocol("TCP")
                .endPort()
                .addNewVolumeMount()
                .withName("page")
                .withMountPath("/usr/share/nginx/html")
                .endVolumeMount()
                .endContainer()
                .addNewVolume()
                .withName("page")
                .withNewConfigMap()
                .withName(page.getMetadata().getName())
                .endConfigMap()
                .endVolume()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
    }
}
