package dev.evenkeel.junit.josdk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.junit.JosdkOperator;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.reconciler.Cleaner;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Reconciling: generations, namespaces, selectors, several kinds and versions, starting and stopping. */
class ReconcilerScenariosTest extends OperatorScenarios {
    private final List<String> seen = concurrentList();

    private Reconciler<Widget> recorder() {
        return new Recorder(seen);
    }

    @ControllerConfiguration
    static class Recorder implements Reconciler<Widget> {
        final List<String> seen;

        Recorder(List<String> seen) {
            this.seen = seen;
        }

        @Override
        public UpdateControl<Widget> reconcile(Widget widget, Context<Widget> context) {
            seen.add(widget.getMetadata().getName() + "=" + widget.getSpec().value);
            return UpdateControl.noUpdate();
        }
    }

    /** Creates a config map of a widget, and reports in its status. */
    @ControllerConfiguration
    static class MapMaker implements Reconciler<Widget>, Cleaner<Widget> {
        @Override
        public UpdateControl<Widget> reconcile(Widget widget, Context<Widget> context) {
            String name = widget.getMetadata().getName();
            ConfigMap map = configMap(name, widget.getSpec().value);
            map.addOwnerReference(widget);
            context.getClient().resource(map).serverSideApply();
            widget.status().message = "made " + name;
            return UpdateControl.patchStatus(widget);
        }

        @Override
        public DeleteControl cleanup(Widget widget, Context<Widget> context) {
            context.getClient()
                    .configMaps()
                    .inNamespace("default")
                    .withName(widget.getMetadata().getName())
                    .delete();
            return DeleteControl.defaultDelete();
        }
    }

    @Scenario("ReconcilerExecutor")
    void aResourceGetsItsMapAndStatusAndTakesThemAlong() {
        start(new MapMaker());
        create(Widget.of("a", "1"));
        settle();
        assertThat(map("a").getData()).containsEntry("value", "1");
        assertThat(widget("a").getStatus().message).isEqualTo("made a");
        delete(Widget.class, "a");
        settle();
        assertThat(widget("a")).isNull();
        assertThat(map("a")).isNull();
    }

    @Scenario("Concurrency")
    void manyResourcesAreReconciledAtOnce() {
        start(new MapMaker());
        IntStream.range(0, 50).forEach(i -> create(Widget.of("w" + i, "1")));
        // without a revision: the operator writes at the same time
        IntStream.range(0, 25)
                .forEach(i -> client.resources(Widget.class)
                        .inNamespace("default")
                        .withName("w" + i)
                        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"value\":\"2\"}}"));
        IntStream.range(25, 50).forEach(i -> delete(Widget.class, "w" + i));
        settle();
        // a status write that another write overtook is a conflict, and retried
        control.advance(Duration.ofMinutes(5));
        assertThat(maps()).hasSize(25);
        assertThat(client.configMaps().inNamespace("default").list().getItems().stream()
                        .filter(map -> "2".equals(map.getData().get("value"))))
                .hasSize(25);
    }

    @Scenario("SubResourceUpdate")
    void aStatusWriteDoesNotReconcileAgain() {
        start(new Custom((widget, context) -> {
            seen.add(widget.getSpec().value);
            widget.status().message = "seen";
            return UpdateControl.patchStatus(widget);
        }));
        create(Widget.of("a", "1"));
        settle();
        assertThat(seen).hasSize(1);
        edit(Widget.class, "a", w -> w.getSpec().value = "2");
        settle();
        assertThat(seen).containsExactly("1", "2");
    }

    @Scenario("generation awareness")
    void aLabelDoesNotReconcileUnlessAllUpdatesDo() {
        start(recorder());
        create(Widget.of("a", "1"));
        settle();
        edit(Widget.class, "a", w -> w.getMetadata().setLabels(java.util.Map.of("k", "v")));
        settle();
        assertThat(seen).hasSize(1);
        stop();
        start(recorder(), settings -> settings.withGenerationAware(false));
        settle();
        edit(Widget.class, "a", w -> w.getMetadata().setLabels(java.util.Map.of("k", "w")));
        settle();
        assertThat(seen).hasSize(3);
    }

    @Scenario("ManualObservedGeneration")
    void theObservedGenerationFollows() {
        start(new Custom((widget, context) -> {
            if (widget.getMetadata().getGeneration().equals(widget.status().observedGeneration)) {
                return UpdateControl.noUpdate();
            }
            widget.status().observedGeneration = widget.getMetadata().getGeneration();
            return UpdateControl.patchStatus(widget);
        }));
        create(Widget.of("a", "1"));
        settle();
        assertThat(widget("a").getStatus().observedGeneration).isEqualTo(1);
        edit(Widget.class, "a", w -> w.getSpec().value = "2");
        settle();
        assertThat(widget("a").getStatus().observedGeneration).isEqualTo(2);
    }

    @ControllerConfiguration
    static class ClusterWide implements Reconciler<ClusterWidget>, Cleaner<ClusterWidget> {
        @Override
        public UpdateControl<ClusterWidget> reconcile(ClusterWidget widget, Context<ClusterWidget> context) {
            ConfigMap map = configMap(widget.getMetadata().getName(), widget.getSpec().value);
            map.addOwnerReference(widget);
            context.getClient().resource(map).serverSideApply();
            widget.setStatus(new Widget.Status());
            widget.getStatus().message = "done";
            return UpdateControl.patchStatus(widget);
        }

        @Override
        public DeleteControl cleanup(ClusterWidget widget, Context<ClusterWidget> context) {
            return DeleteControl.defaultDelete();
        }
    }

    @Scenario("ClusterScopedResource")
    void aResourceWithoutANamespaceOwnsAMap() {
        start(new ClusterWide());
        create(ClusterWidget.of("a", "1"));
        settle();
        assertThat(map("a").getData()).containsEntry("value", "1");
        client.resources(ClusterWidget.class).withName("a").edit(w -> {
            w.getSpec().value = "2";
            return w;
        });
        settle();
        assertThat(map("a").getData()).containsEntry("value", "2");
        assertThat(client.resources(ClusterWidget.class).withName("a").get().getStatus().message)
                .isEqualTo("done");
        client.resources(ClusterWidget.class).withName("a").delete();
        settle();
        assertThat(map("a")).isNull();
    }

    @Scenario("several namespaces")
    void onlyTheNamespacesOfTheControllerAreWatched() {
        List.of("one", "two", "three").forEach(this::namespace);
        start(recorder(), settings -> settings.settingNamespaces("one", "two"));
        for (String namespace : List.of("one", "two", "three")) {
            Widget widget = Widget.of(namespace, "1");
            widget.getMetadata().setNamespace(namespace);
            create(widget);
        }
        settle();
        assertThat(seen).containsExactlyInAnyOrder("one=1", "two=1");
    }

    @Scenario("ChangeNamespace")
    void theNamespacesChangeWhileTheControllerRuns() {
        namespace("other");
        Operator operator = newOperator(settings -> {});
        var registered = operator.register(recorder(), settings -> settings.settingNamespace("default"));
        start(operator);
        create(Widget.of("here", "1"));
        Widget elsewhere = Widget.of("there", "1");
        elsewhere.getMetadata().setNamespace("other");
        create(elsewhere);
        settle();
        assertThat(seen).containsExactly("here=1");
        registered.changeNamespaces("default", "other");
        settle();
        assertThat(seen).contains("there=1");
        registered.changeNamespaces("other");
        settle();
        create(Widget.of("late", "1"));
        settle();
        assertThat(seen).doesNotContain("late=1");
        registered.changeNamespaces(Set.of("JOSDK_ALL_NAMESPACES"));
        settle();
        assertThat(seen).contains("late=1");
    }

    @Scenario("LabelSelector")
    void onlyLabelledResourcesAreReconciled() {
        start(recorder(), settings -> settings.withLabelSelector("app=shop"));
        create(Widget.of("no", "1"));
        Widget labelled = Widget.of("yes", "1");
        labelled.getMetadata().setLabels(java.util.Map.of("app", "shop"));
        create(labelled);
        settle();
        assertThat(seen).containsExactly("yes=1");
        edit(Widget.class, "no", w -> w.getMetadata().setLabels(java.util.Map.of("app", "shop")));
        settle();
        assertThat(seen).containsExactly("yes=1", "no=1");
    }

    @ControllerConfiguration(name = "second")
    static class Second extends Recorder {
        Second(List<String> seen) {
            super(seen);
        }

        @Override
        public UpdateControl<Widget> reconcile(Widget widget, Context<Widget> context) {
            seen.add("second " + widget.getMetadata().getName());
            return UpdateControl.noUpdate();
        }
    }

    @Scenario("MultipleReconcilerSameType")
    void twoControllersShareAKindByLabels() {
        Operator operator = newOperator(settings -> {});
        operator.register(recorder(), settings -> settings.withLabelSelector("type=1"));
        operator.register(new Second(seen), settings -> settings.withLabelSelector("type!=1"));
        start(operator);
        Widget first = Widget.of("a", "1");
        first.getMetadata().setLabels(java.util.Map.of("type", "1"));
        create(first);
        create(Widget.of("b", "1"));
        settle();
        assertThat(seen).containsExactlyInAnyOrder("a=1", "second b");
    }

    @ControllerConfiguration
    static class Deployments implements Reconciler<Deployment> {
        @Override
        public UpdateControl<Deployment> reconcile(Deployment deployment, Context<Deployment> context) {
            if (deployment.getStatus() == null || deployment.getStatus().getReadyReplicas() == null) {
                return UpdateControl.patchStatus(new DeploymentBuilder(deployment)
                        .editOrNewStatus()
                        .withReplicas(1)
                        .withReadyReplicas(1)
                        .endStatus()
                        .build());
            }
            return UpdateControl.noUpdate();
        }
    }

    static Deployment deployment(String name) {
        return new DeploymentBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withReplicas(1)
                .withNewSelector()
                .addToMatchLabels("app", name)
                .endSelector()
                .withNewTemplate()
                .withNewMetadata()
                .addToLabels("app", name)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("main")
                .withImage("nginx")
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
    }

    @Scenario("KubernetesResourceStatusUpdate")
    void aBuiltInKindIsReconciledWithItsStatus() {
        startWith(settings -> settings.withUseSSAToPatchPrimaryResource(false), new Deployments());
        create(deployment("web"));
        settle();
        assertThat(get(Deployment.class, "web").getStatus().getReadyReplicas()).isOne();
    }

    @ControllerConfiguration
    static class Services implements Reconciler<Service>, Cleaner<Service> {
        final List<String> seen;

        Services(List<String> seen) {
            this.seen = seen;
        }

        @Override
        public UpdateControl<Service> reconcile(Service service, Context<Service> context) {
            return UpdateControl.noUpdate();
        }

        @Override
        public DeleteControl cleanup(Service service, Context<Service> context) {
            seen.add("cleaned " + service.getMetadata().getName());
            return DeleteControl.defaultDelete();
        }
    }

    static Service service(String name) {
        return new ServiceBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .withName(name)
                .addToLabels("app", name)
                .endMetadata()
                .withNewSpec()
                .addToSelector("app", name)
                .addNewPort()
                .withPort(80)
                .endPort()
                .endSpec()
                .build();
    }

    @Scenario("BuiltInResourceCleaner")
    void aBuiltInKindWithoutGenerationsIsCleanedUp() {
        start(new Services(seen), settings -> settings.withLabelSelector("app=web"));
        create(service("web"));
        settle();
        assertThat(get(Service.class, "web").getMetadata().getFinalizers()).hasSize(1);
        delete(Service.class, "web");
        settle();
        assertThat(seen).containsExactly("cleaned web");
        assertThat(get(Service.class, "web")).isNull();
    }

    @Scenario("GracefulStop")
    void stoppingWaitsForWhatIsBeingReconciled() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Operator operator = startWith(
                settings -> settings.withReconciliationTerminationTimeout(Duration.ofSeconds(20)),
                new Custom((widget, context) -> {
                    begun.countDown();
                    try {
                        release.await();
                    } catch (InterruptedException e) {
                        seen.add("interrupted");
                    }
                    widget.status().message = "finished";
                    return UpdateControl.patchStatus(widget);
                }));
        create(Widget.of("a", "1"));
        assertThat(begun.await(120, TimeUnit.SECONDS)).isTrue();
        Thread stopping = Thread.ofVirtual().start(operator::stop);
        release.countDown();
        stopping.join();
        assertThat(widget("a").getStatus().message).isEqualTo("finished");
        assertThat(seen).isEmpty();
    }

    @Scenario("StopWithoutStart")
    void anOperatorThatWasNotStartedStops() {
        Operator operator = newOperator(settings -> {});
        operator.register(recorder());
        operator.stop();
        assertThat(operator.getRuntimeInfo().isStarted()).isFalse();
    }

    @Scenario("OperatorRestart")
    void aRestartedOperatorContinues() {
        Operator operator = start(new MapMaker());
        create(Widget.of("a", "1"));
        settle();
        operator.stop();
        edit(Widget.class, "a", w -> w.getSpec().value = "2");
        create(Widget.of("b", "1"));
        operator.start();
        control = JosdkOperator.of(cluster, operator);
        settle();
        assertThat(map("a").getData()).containsEntry("value", "2");
        assertThat(map("b").getData()).containsEntry("value", "1");
    }
}
