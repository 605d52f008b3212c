package dev.evenkeel.junit.josdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceUtils;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.api.reconciler.dependent.Deleter;
import io.javaoperatorsdk.operator.processing.GroupVersionKind;
import io.javaoperatorsdk.operator.processing.dependent.Creator;
import io.javaoperatorsdk.operator.processing.dependent.Updater;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.CRUDKubernetesDependentResource;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.CRUDNoGCKubernetesDependentResource;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.GenericKubernetesDependentResource;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.KubernetesDependentResource;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.KubernetesDependentResourceConfigBuilder;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Dependent resources that a reconciler manages itself: with server-side apply and without. */
class DependentScenariosTest extends OperatorScenarios {
    private final AtomicInteger runs = new AtomicInteger();

    /** Reconciles its dependents, one after the other. */
    @ControllerConfiguration
    private final class Standalone extends Custom {
        private final List<KubernetesDependentResource<?, Widget>> dependents;

        Standalone(List<KubernetesDependentResource<?, Widget>> dependents) {
            super((widget, context) -> {
                runs.incrementAndGet();
                for (KubernetesDependentResource<?, Widget> dependent : dependents) {
                    dependent.reconcile(widget, context);
                }
                return UpdateControl.noUpdate();
            });
            this.dependents = dependents;
        }

        @Override
        public List<EventSource<?, Widget>> prepareEventSources(EventSourceContext<Widget> context) {
            return EventSourceUtils.dependentEventSources(
                    context, dependents.toArray(KubernetesDependentResource<?, ?>[]::new));
        }
    }

    /** A dependent that a function makes. */
    private static final class Made<R extends HasMetadata> extends CRUDKubernetesDependentResource<R, Widget> {
        private final Function<Widget, R> desired;

        Made(Class<R> type, String name, Function<Widget, R> desired) {
            super(type, name);
            this.desired = desired;
        }

        @Override
        protected R desired(Widget widget, Context<Widget> context) {
            return desired.apply(widget);
        }
    }

    private static Made<ConfigMap> mapsOf() {
        return mapsOf("maps", "");
    }

    private static Made<ConfigMap> mapsOf(String name, String suffix) {
        return new Made<>(
                ConfigMap.class,
                name,
                widget -> configMap(widget.getMetadata().getName() + suffix, widget.getSpec().value));
    }

    private static <R extends HasMetadata> Made<R> configured(Made<R> dependent, boolean apply) {
        dependent.configureWith(new KubernetesDependentResourceConfigBuilder<R>()
                .withUseSSA(apply)
                .build());
        return dependent;
    }

    private void followsItsPrimary(boolean apply) {
        start(new Standalone(List.of(configured(mapsOf(), apply))));
        create(Widget.of("a", "1"));
        settle();
        assertThat(map("a").getData()).containsEntry("value", "1");
        assertThat(map("a").getMetadata().getOwnerReferences()).hasSize(1);
        edit(Widget.class, "a", w -> w.getSpec().value = "2");
        settle();
        assertThat(map("a").getData()).containsEntry("value", "2");
        delete(ConfigMap.class, "a");
        settle();
        assertThat(map("a").getData()).containsEntry("value", "2");
        delete(Widget.class, "a");
        settle();
        assertThat(map("a")).isNull();
    }

    @Scenario("StandaloneDependentResource")
    void aDependentIsAppliedAndFollows() {
        followsItsPrimary(true);
        assertThat(cluster.requests())
                .anyMatch(request -> request.startsWith("PATCH /api/v1/namespaces/default/configmaps/a?"));
    }

    @Scenario("dependents without server-side apply")
    void aDependentIsCreatedAndUpdated() {
        followsItsPrimary(false);
        assertThat(cluster.requests())
                .contains("POST /api/v1/namespaces/default/configmaps 201")
                .noneMatch(request -> request.startsWith("PATCH /api/v1/namespaces/default/configmaps"));
    }

    @Scenario("KubernetesDependentGarbageCollection")
    void aDependentIsCollectedWithItsOwner() {
        start(new Standalone(List.of(mapsOf())));
        create(Widget.of("a", "1"));
        settle();
        assertThat(widget("a").getMetadata().getFinalizers()).isEmpty();
        delete(Widget.class, "a");
        settle();
        assertThat(map("a")).isNull();
    }

    @Scenario("MultipleDependentResource")
    void dependentsOfOneKindAreDistinguishedByName() {
        start(new Standalone(List.of(mapsOf("first", "-1"), mapsOf("second", "-2"))));
        create(Widget.of("a", "1"));
        settle();
        assertThat(maps()).containsExactly("a-1", "a-2");
        edit(Widget.class, "a", w -> w.getSpec().value = "2");
        settle();
        assertThat(map("a-1").getData()).containsEntry("value", "2");
        assertThat(map("a-2").getData()).containsEntry("value", "2");
    }

    @Scenario("DependentSSAMatching")
    void fieldsOfAnotherManagerStay() {
        start(new Standalone(List.of(configured(mapsOf(), true))));
        create(Widget.of("a", "1"));
        settle();
        ConfigMap other = new ConfigMap();
        other.setMetadata(
                new ObjectMetaBuilder().withNamespace("default").withName("a").build());
        other.setData(Map.of("other", "x"));
        client.resource(other).fieldManager("other").serverSideApply();
        settle();
        edit(Widget.class, "a", w -> w.getSpec().value = "2");
        settle();
        assertThat(map("a").getData()).containsOnly(Map.entry("value", "2"), Map.entry("other", "x"));
    }

    @Scenario("DependentSSAMigration")
    void aDependentMigratesToApply() {
        start(new Standalone(List.of(configured(mapsOf(), false))));
        create(Widget.of("a", "1"));
        settle();
        stop();
        start(new Standalone(List.of(configured(mapsOf(), true))));
        edit(Widget.class, "a", w -> w.getSpec().value = "2");
        settle();
        assertThat(map("a").getData()).containsEntry("value", "2");
        assertThat(map("a").getMetadata().getManagedFields())
                .anyMatch(entry -> entry.getManager().equals("standalone")
                        && entry.getOperation().equals("Apply"));
    }

    @Scenario("CreateOnlyIfNotExistingDependentWithSSA")
    void anExistingObjectIsLeftAlone() {
        create(configMap("a", "was there"));
        Made<ConfigMap> dependent = mapsOf();
        dependent.configureWith(new KubernetesDependentResourceConfigBuilder<ConfigMap>()
                .withUseSSA(true)
                .withCreateResourceOnlyIfNotExistingWithSSA(true)
                .build());
        start(new Standalone(List.of(dependent)));
        create(Widget.of("a", "1"));
        settle();
        assertThat(map("a").getData()).containsEntry("value", "was there");
    }

    @Scenario("ServiceStrictMatcher")
    void defaultedFieldsOfAServiceDoNotDiffer() {
        start(new Standalone(List.of(configured(
                new Made<>(
                        Service.class,
                        "services",
                        widget -> ReconcilerScenariosTest.service(
                                widget.getMetadata().getName())),
                true))));
        create(Widget.of("a", "1"));
        settle();
        String version = get(Service.class, "a").getMetadata().getResourceVersion();
        edit(Widget.class, "a", w -> w.getSpec().value = "2");
        settle();
        assertThat(runs).hasValueGreaterThan(1);
        assertThat(get(Service.class, "a").getMetadata().getResourceVersion()).isEqualTo(version);
    }

    @Scenario("StatefulSetDesiredSanitizer")
    void aStatefulSetWithClaimsIsWrittenOnce() {
        start(new Standalone(List.of(new Made<>(
                StatefulSet.class,
                "sets",
                widget -> new StatefulSetBuilder()
                        .withNewMetadata()
                        .withNamespace("default")
                        .withName(widget.getMetadata().getName())
                        .endMetadata()
                        .withNewSpec()
                        .withServiceName("web")
                        .withReplicas(1)
                        .withNewSelector()
                        .addToMatchLabels("app", "web")
                        .endSelector()
                        .withNewTemplate()
                        .withNewMetadata()
                        .addToLabels("app", "web")
                        .endMetadata()
                        .withNewSpec()
                        .addNewContainer()
                        .withName("main")
                        .withImage("nginx")
                        .endContainer()
                        .endSpec()
                        .endTemplate()
                        .addNewVolumeClaimTemplate()
                        .withNewMetadata()
                        .withName("data")
                        .endMetadata()
                        .withNewSpec()
                        .withAccessModes("ReadWriteOnce")
                        .withNewResources()
                        .addToRequests("storage", new io.fabric8.kubernetes.api.model.Quantity("1Gi"))
                        .endResources()
                        .endSpec()
                        .endVolumeClaimTemplate()
                        .endSpec()
                        .build()))));
        create(Widget.of("a", "1"));
        settle();
        String version = get(StatefulSet.class, "a").getMetadata().getResourceVersion();
        edit(Widget.class, "a", w -> w.getSpec().value = "2");
        settle();
        assertThat(get(StatefulSet.class, "a").getMetadata().getResourceVersion())
                .isEqualTo(version);
    }

    @Scenario("SpecialResourcesDependent")
    void aServiceAccountHasNoSpec() {
        start(new Standalone(List.of(new Made<>(
                ServiceAccount.class,
                "accounts",
                widget -> new ServiceAccountBuilder()
                        .withNewMetadata()
                        .withNamespace("default")
                        .withName(widget.getMetadata().getName())
                        .endMetadata()
                        .withAutomountServiceAccountToken(widget.getSpec().enabled)
                        .build()))));
        create(Widget.of("a", "1"));
        settle();
        assertThat(get(ServiceAccount.class, "a").getAutomountServiceAccountToken())
                .isTrue();
        edit(Widget.class, "a", w -> w.getSpec().enabled = false);
        settle();
        assertThat(get(ServiceAccount.class, "a").getAutomountServiceAccountToken())
                .isFalse();
    }

    private static final class GenericMaps extends GenericKubernetesDependentResource<Widget>
            implements Creator<GenericKubernetesResource, Widget>, Updater<GenericKubernetesResource, Widget> {
        GenericMaps() {
            super(new GroupVersionKind("", "v1", "ConfigMap"), "generic");
        }

        @Override
        protected GenericKubernetesResource desired(Widget widget, Context<Widget> context) {
            GenericKubernetesResource map = new GenericKubernetesResource();
            map.setApiVersion("v1");
            map.setKind("ConfigMap");
            map.setMetadata(new ObjectMetaBuilder()
                    .withNamespace("default")
                    .withName(widget.getMetadata().getName())
                    .build());
            map.setAdditionalProperty("data", Map.of("value", widget.getSpec().value));
            return map;
        }
    }

    @Scenario("GenericKubernetesDependentStandalone")
    void aDependentWithoutAClass() {
        start(new Standalone(List.of(new GenericMaps())));
        create(Widget.of("a", "1"));
        settle();
        edit(Widget.class, "a", w -> w.getSpec().value = "2");
        settle();
        assertThat(map("a").getData()).containsEntry("value", "2");
    }

    private static final class Elsewhere extends CRUDNoGCKubernetesDependentResource<ConfigMap, Widget> {
        Elsewhere() {
            super(ConfigMap.class);
        }

        @Override
        protected ConfigMap desired(Widget widget, Context<Widget> context) {
            return configMap("elsewhere", widget.getMetadata().getName(), widget.getSpec().value);
        }
    }

    @Scenario("DependentDifferentNamespace, DependentAnnotationSecondaryMapper")
    void aDependentInAnotherNamespaceIsMappedByAnnotations() {
        namespace("elsewhere");
        start(new Standalone(List.of(new Elsewhere())));
        create(Widget.of("a", "1"));
        settle();
        var map = client.configMaps().inNamespace("elsewhere").withName("a");
        assertThat(map.get().getMetadata().getOwnerReferences()).isEmpty();
        assertThat(map.get().getMetadata().getAnnotations()).containsEntry("io.javaoperatorsdk/primary-name", "a");
        map.delete();
        settle();
        assertThat(map.get().getData()).containsEntry("value", "1");
    }

    private static final class ReadOnly extends KubernetesDependentResource<Deployment, Widget>
            implements Deleter<Widget> {
        ReadOnly() {
            super(Deployment.class, "deployments");
        }

        @Override
        public void delete(Widget widget, Context<Widget> context) {}
    }

    @Scenario("DependentReInitialization")
    void aDependentIsUsedByOneOperatorAfterAnother() {
        Made<ConfigMap> dependent = mapsOf();
        Operator first = start(new Standalone(List.of(dependent)));
        create(Widget.of("a", "1"));
        settle();
        first.stop();
        start(new Standalone(List.of(dependent)));
        edit(Widget.class, "a", w -> w.getSpec().value = "2");
        settle();
        assertThat(map("a").getData()).containsEntry("value", "2");
        assertThat(new ReadOnly().isDeletable()).isTrue();
    }

    @Scenario("DependentResourceCrossRef")
    void dependentsReferToEachOther() {
        start(new Standalone(List.of(mapsOf("maps", ""), new Made<>(Gadget.class, "gadgets", widget -> {
            Gadget gadget = Gadget.of(
                    widget.getMetadata().getName(),
                    "map " + widget.getMetadata().getName());
            gadget.getSpec().refs = List.of(widget.getMetadata().getName());
            return gadget;
        }))));
        IntStream.range(0, 20).forEach(i -> create(Widget.of("w" + i, "1")));
        settle();
        assertThat(maps()).hasSize(20);
        assertThat(client.resources(Gadget.class).inNamespace("default").list().getItems())
                .hasSize(20);
        client.resources(Widget.class).inNamespace("default").delete();
        settle();
        assertThat(maps()).isEmpty();
        assertThat(client.resources(Gadget.class).inNamespace("default").list().getItems())
                .isEmpty();
    }

    @Scenario("DependentOperationEventFilter")
    void ownWritesOfADependentDoNotReconcile() {
        start(new Standalone(List.of(mapsOf())));
        create(Widget.of("a", "1"));
        settle();
        assertThat(runs).hasValue(1);
        edit(Widget.class, "a", w -> w.getSpec().value = "2");
        settle();
        assertThat(runs).hasValue(2);
    }

    @Scenario("SSAWithLegacyMatcher")
    void allKindsAreAppliedWithASettingOfTheOperator() {
        startWith(
                settings ->
                        settings.withDefaultNonSSAResource(Set.of()).withPreviousAnnotationForDependentResources(false),
                new Standalone(List.of(mapsOf())));
        create(Widget.of("a", "1"));
        settle();
        assertThat(map("a").getMetadata().getAnnotations()).isNullOrEmpty();
        assertThat(map("a").getMetadata().getManagedFields())
                .anyMatch(entry -> entry.getOperation().equals("Apply"));
    }
}
