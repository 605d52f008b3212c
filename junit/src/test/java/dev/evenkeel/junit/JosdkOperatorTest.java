package dev.evenkeel.junit;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Cleaner;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An operator of JOSDK, unchanged, with a cluster in this process. */
@EvenkeelTest(manifests = "manifests/crds.yaml")
class JosdkOperatorTest {
    KubernetesClient client;
    EngineCluster cluster;

    private final Pages pages = new Pages();
    private Operator operator;
    private JosdkOperator control;

    @BeforeEach
    void start() {
        operator =
                new Operator(overrider -> overrider.withKubernetesClient(client).withCloseClientOnStop(false));
        operator.register(pages);
        operator.start();
        control = JosdkOperator.of(cluster, operator);
    }

    @AfterEach
    void stop() {
        operator.stop();
    }

    @Test
    void aPageHasAConfigMapAndAStatus() {
        client.resource(Page.of("a", "hello")).create();
        map("a", "hello");
        Page seen = client.resources(Page.class)
                .inNamespace("default")
                .withName("a")
                .get();
        assertThat(seen.getStatus().observedGeneration).isOne();
        assertThat(seen.getMetadata().getFinalizers()).containsExactly("pages.example.com/finalizer");
    }

    @Test
    void itFollowsAChange() {
        client.resource(Page.of("a", "hello")).create();
        map("a", "hello");
        client.resources(Page.class).inNamespace("default").withName("a").edit(page -> {
            page.getSpec().text = "changed";
            return page;
        });
        map("a", "changed");
    }

    @Test
    void aDeletedConfigMapComesBack() {
        client.resource(Page.of("a", "hello")).create();
        String first = map("a", "hello").getMetadata().getUid();
        client.configMaps().inNamespace("default").withName("a").delete();
        control.settle();
        assertThat(client.configMaps()
                        .inNamespace("default")
                        .withName("a")
                        .get()
                        .getMetadata()
                        .getUid())
                .isNotEqualTo(first);
    }

    @Test
    void theCleanerRunsBeforeAPageIsGone() {
        client.resource(Page.of("a", "hello")).create();
        map("a", "hello");
        client.resources(Page.class).inNamespace("default").withName("a").delete();
        control.settle();
        assertThat(client.resources(Page.class)
                        .inNamespace("default")
                        .withName("a")
                        .get())
                .isNull();
        assertThat(pages.cleaned).containsExactly("a");
        assertThat(client.configMaps().inNamespace("default").withName("a").get())
                .isNull();
    }

    private ConfigMap map(String name, String text) {
        control.settle();
        ConfigMap map =
                client.configMaps().inNamespace("default").withName(name).get();
        assertThat(map.getData()).containsEntry("text", text);
        return map;
    }

    @ControllerConfiguration
    private static final class Pages implements Reconciler<Page>, Cleaner<Page> {
        final Set<String> cleaned = ConcurrentHashMap.newKeySet();

        @Override
        public List<EventSource<?, Page>> prepareEventSources(EventSourceContext<Page> context) {
            return List.of(new InformerEventSource<>(
                    InformerEventSourceConfiguration.from(ConfigMap.class, Page.class)
                            .build(),
                    context));
        }

        @Override
        public UpdateControl<Page> reconcile(Page page, Context<Page> context) {
            ConfigMap map = new ConfigMapBuilder()
                    .withNewMetadata()
                    .withName(page.getMetadata().getName())
                    .withNamespace(page.getMetadata().getNamespace())
                    .endMetadata()
                    .addToData("text", page.getSpec().text)
                    .build();
            map.addOwnerReference(page);
            context.getClient()
                    .resource(map)
                    .fieldManager("pages")
                    .forceConflicts()
                    .serverSideApply();
            page.setStatus(new Page.Status());
            page.getStatus().observedGeneration = page.getMetadata().getGeneration();
            return UpdateControl.patchStatus(page);
        }

        @Override
        public DeleteControl cleanup(Page page, Context<Page> context) {
            cleaned.add(page.getMetadata().getName());
            return DeleteControl.defaultDelete();
        }
    }
}
