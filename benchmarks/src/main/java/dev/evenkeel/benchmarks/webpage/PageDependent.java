package dev.evenkeel.benchmarks.webpage;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.CRUDKubernetesDependentResource;

/** The ConfigMap with the page. */
public final class PageDependent extends CRUDKubernetesDependentResource<ConfigMap, WebPage> {
    @Override
    protected ConfigMap desired(WebPage page, Context<WebPage> context) {
        return new ConfigMapBuilder()
                .withMetadata(WebPageReconciler.metadata(page))
                .addToData("index.html", page.getSpec().html())
                .build();
    }
}
