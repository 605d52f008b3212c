package dev.evenkeel.benchmarks.webpage;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.api.reconciler.Workflow;
import io.javaoperatorsdk.operator.api.reconciler.dependent.Dependent;
import java.util.Map;

/** Has a workflow of three dependents, and reports the generation that they are of. */
@Workflow(
        dependents = {
            @Dependent(type = PageDependent.class),
            @Dependent(type = ServerDependent.class),
            @Dependent(type = AddressDependent.class)
        })
@ControllerConfiguration
public final class WebPageReconciler implements Reconciler<WebPage> {
    @Override
    public UpdateControl<WebPage> reconcile(WebPage page, Context<WebPage> context) {
        WebPage status = new WebPage();
        status.setMetadata(new ObjectMetaBuilder()
                .withNamespace(page.getMetadata().getNamespace())
                .withName(page.getMetadata().getName())
                .build());
        status.setStatus(new WebPageStatus(page.getMetadata().getGeneration()));
        return UpdateControl.patchStatus(status);
    }

    /** Returns the metadata of a dependent. */
    static ObjectMeta metadata(WebPage page) {
        return new ObjectMetaBuilder()
                .withNamespace(page.getMetadata().getNamespace())
                .withName(page.getMetadata().getName())
                .withLabels(labels(page))
                .build();
    }

    static Map<String, String> labels(WebPage page) {
        return Map.of("example.com/page", page.getMetadata().getName());
    }
}
