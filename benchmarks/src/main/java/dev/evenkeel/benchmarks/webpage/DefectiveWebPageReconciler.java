package dev.evenkeel.benchmarks.webpage;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.util.List;
import java.util.Optional;

/**
 * The reconciler with one of three defects, for {@code evenkeel check}: {@code stale-read}, {@code lost-step} or {@code
 * missed-deletion}.
 */
@ControllerConfiguration
public final class DefectiveWebPageReconciler implements Reconciler<WebPage> {
    private final String defect;

    DefectiveWebPageReconciler(String defect) {
        this.defect = defect;
    }

    @Override
    public List<EventSource<?, WebPage>> prepareEventSources(EventSourceContext<WebPage> context) {
        if (defect.equals("missed-deletion")) {
            // the defect: a deletion that happens while the operator is away is never seen
            var _ = context.getClient()
                    .resources(WebPage.class)
                    .inAnyNamespace()
                    .inform(new CleaningUp(context.getClient()));
            return List.of();
        }
        return List.of(new InformerEventSource<>(
                InformerEventSourceConfiguration.from(ConfigMap.class, WebPage.class)
                        .build(),
                context));
    }

    @Override
    public UpdateControl<WebPage> reconcile(WebPage page, Context<WebPage> context) {
        boolean created = defect.equals("missed-deletion") ? applied(page, context) : writePage(page, context);
        // the defect: where there is a ConfigMap, the Service is taken for granted
        if (created || !defect.equals("lost-step")) {
            var _ = context.getClient()
                    .resource(new ServiceBuilder()
                            .withMetadata(metadata(page)
                                    .withName(page.getMetadata().getName())
                                    .build())
                            .withNewSpec()
                            .withSelector(WebPageReconciler.labels(page))
                            .addNewPort()
                            .withName("http")
                            .withPort(80)
                            .endPort()
                            .endSpec()
                            .build())
                    .forceConflicts()
                    .serverSideApply();
        }
        WebPage status = new WebPage();
        status.setMetadata(new ObjectMetaBuilder()
                .withNamespace(page.getMetadata().getNamespace())
                .withName(page.getMetadata().getName())
                .build());
        status.setStatus(new WebPageStatus(page.getMetadata().getGeneration()));
        return UpdateControl.patchStatus(status);
    }

    private boolean applied(WebPage page, Context<WebPage> context) {
        var _ = context.getClient()
                .resource(map(
                        page,
                        metadata(page).withName(page.getMetadata().getName()).build()))
                .forceConflicts()
                .serverSideApply();
        return true;
    }

    /** Writes the ConfigMap; returns true if it was created. */
    private boolean writePage(WebPage page, Context<WebPage> context) {
        // the defect: the cache decides whether there is a ConfigMap, and its name is new each time
        boolean generated = defect.equals("stale-read");
        Optional<ConfigMap> found = context.getSecondaryResource(ConfigMap.class);
        if (found.isEmpty()) {
            ObjectMetaBuilder metadata = metadata(page);
            String name = page.getMetadata().getName();
            ObjectMeta named = generated
                    ? metadata.withGenerateName(name + "-").build()
                    : metadata.withName(name).build();
            var _ = context.getClient().resource(map(page, named)).create();
            return true;
        }
        if (!page.getSpec().html().equals(found.get().getData().get("index.html"))) {
            var _ = context.getClient()
                    .resource(map(page, found.get().getMetadata()))
                    .update();
        }
        return false;
    }

    private static ConfigMap map(WebPage page, ObjectMeta metadata) {
        return new ConfigMapBuilder()
                .withMetadata(metadata)
                .addToData("index.html", page.getSpec().html())
                .build();
    }

    private ObjectMetaBuilder metadata(WebPage page) {
        ObjectMetaBuilder metadata = new ObjectMetaBuilder()
                .withNamespace(page.getMetadata().getNamespace())
                .withLabels(WebPageReconciler.labels(page));
        return defect.equals("missed-deletion")
                ? metadata
                : metadata.addToOwnerReferences(new OwnerReferenceBuilder()
                        .withApiVersion(page.getApiVersion())
                        .withKind(page.getKind())
                        .withName(page.getMetadata().getName())
                        .withUid(page.getMetadata().getUid())
                        .build());
    }

    /** Deletes what a deleted page had. */
    private record CleaningUp(KubernetesClient client) implements ResourceEventHandler<WebPage> {
        @Override
        public void onAdd(WebPage page) {}

        @Override
        public void onUpdate(WebPage before, WebPage page) {}

        @Override
        public void onDelete(WebPage page, boolean unknown) {
            String namespace = page.getMetadata().getNamespace();
            String name = page.getMetadata().getName();
            var _ = client.configMaps().inNamespace(namespace).withName(name).delete();
            var _ = client.services().inNamespace(namespace).withName(name).delete();
        }
    }
}
