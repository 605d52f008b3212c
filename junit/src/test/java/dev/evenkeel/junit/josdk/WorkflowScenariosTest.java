package dev.evenkeel.junit.josdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.reconciler.Cleaner;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.api.reconciler.Workflow;
import io.javaoperatorsdk.operator.api.reconciler.dependent.Dependent;
import io.javaoperatorsdk.operator.api.reconciler.dependent.DependentResource;
import io.javaoperatorsdk.operator.processing.dependent.CRUDKubernetesBulkDependentResource;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.CRUDKubernetesDependentResource;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.CRUDNoGCKubernetesDependentResource;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.KubernetesDependentResource;
import io.javaoperatorsdk.operator.processing.dependent.workflow.CRDPresentActivationCondition;
import io.javaoperatorsdk.operator.processing.dependent.workflow.Condition;
import io.javaoperatorsdk.operator.processing.dependent.workflow.KubernetesResourceDeletedCondition;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Managed dependents: their order, their conditions, and many of one kind. */
class WorkflowScenariosTest extends OperatorScenarios {
    /** Reports what the workflow has done. */
    private abstract static class Managed implements Reconciler<Widget> {
        @Override
        public UpdateControl<Widget> reconcile(Widget widget, Context<Widget> context) {
            var result = context.managedWorkflowAndDependentResourceContext().getWorkflowReconcileResult();
            widget.status().message = result.map(r -> r.erroredDependentsExist()
                            ? "failed"
                            : r.allDependentResourcesReady() ? "ready" : "waiting")
                    .orElse("none");
            return UpdateControl.patchStatus(widget);
        }
    }

    static class Maps extends CRUDKubernetesDependentResource<ConfigMap, Widget> {
        @Override
        protected ConfigMap desired(Widget widget, Context<Widget> context) {
            return configMap(widget.getMetadata().getName(), widget.getSpec().value);
        }
    }

    static class Secrets extends CRUDKubernetesDependentResource<Secret, Widget> {
        @Override
        protected Secret desired(Widget widget, Context<Widget> context) {
            return new SecretBuilder()
                    .withNewMetadata()
                    .withNamespace("default")
                    .withName(widget.getMetadata().getName())
                    .endMetadata()
                    .addToStringData("value", "x")
                    .build();
        }
    }

    static class Enabled<R> implements Condition<R, Widget> {
        @Override
        public boolean isMet(DependentResource<R, Widget> dependent, Widget widget, Context<Widget> context) {
            return Boolean.TRUE.equals(widget.getSpec().enabled);
        }
    }

    private Secret secret(String name) {
        return get(Secret.class, name);
    }

    @Workflow(
            dependents = {
                @Dependent(name = "maps", type = Maps.class),
                @Dependent(name = "secrets", type = Secrets.class, dependsOn = "maps")
            })
    @ControllerConfiguration(name = "ordered")
    static class Ordered extends Managed {}

    @Scenario("OrderedManagedDependent")
    void dependentsAreCreatedInTheirOrder() {
        start(new Ordered());
        create(Widget.of("a", "1"));
        settle();
        assertThat(widget("a").getStatus().message).isEqualTo("ready");
        List<String> writes = cluster.requests().stream()
                .filter(request -> request.matches("(PATCH|POST).*/(configmaps|secrets).*"))
                .map(request -> request.contains("configmaps") ? "map" : "secret")
                .toList();
        assertThat(writes).containsExactly("map", "secret");
    }

    static class MapIsReady implements Condition<ConfigMap, Widget> {
        @Override
        public boolean isMet(DependentResource<ConfigMap, Widget> dependent, Widget widget, Context<Widget> context) {
            return dependent
                    .getSecondaryResource(widget, context)
                    .map(ConfigMap::getMetadata)
                    .map(metadata -> metadata.getLabels())
                    .filter(labels -> labels.containsKey("ready"))
                    .isPresent();
        }
    }

    @Workflow(
            dependents = {
                @Dependent(name = "maps", type = Maps.class, readyPostcondition = MapIsReady.class),
                @Dependent(name = "secrets", type = Secrets.class, dependsOn = "maps")
            })
    @ControllerConfiguration(name = "waiting")
    static class Waiting extends Managed {}

    @Scenario("WorkflowAllFeature, ready")
    void aDependentWaitsUntilTheOneBeforeItIsReady() {
        start(new Waiting());
        create(Widget.of("a", "1"));
        settle();
        assertThat(map("a")).isNotNull();
        assertThat(secret("a")).isNull();
        assertThat(widget("a").getStatus().message).isEqualTo("waiting");
        edit(ConfigMap.class, "a", map -> map.getMetadata().setLabels(Map.of("ready", "yes")));
        settle();
        assertThat(secret("a")).isNotNull();
        assertThat(widget("a").getStatus().message).isEqualTo("ready");
    }

    @Workflow(
            dependents = {
                @Dependent(name = "maps", type = Maps.class, reconcilePrecondition = Enabled.class),
                @Dependent(name = "secrets", type = Secrets.class, dependsOn = "maps")
            })
    @ControllerConfiguration(name = "preconditioned")
    static class Preconditioned extends Managed {}

    @Scenario("WorkflowAllFeature, reconcile precondition")
    void aDependentGoesWhenItsConditionIsNoLongerMet() {
        start(new Preconditioned());
        create(Widget.of("a", "1"));
        settle();
        assertThat(map("a")).isNotNull();
        assertThat(secret("a")).isNotNull();
        edit(Widget.class, "a", w -> w.getSpec().enabled = false);
        settle();
        assertThat(map("a")).isNull();
        assertThat(secret("a")).isNull();
        edit(Widget.class, "a", w -> w.getSpec().enabled = true);
        settle();
        assertThat(map("a")).isNotNull();
        assertThat(secret("a")).isNotNull();
    }

    static class HeldMaps extends CRUDNoGCKubernetesDependentResource<ConfigMap, Widget> {
        @Override
        protected ConfigMap desired(Widget widget, Context<Widget> context) {
            ConfigMap map = configMap(widget.getMetadata().getName(), widget.getSpec().value);
            map.getMetadata().setFinalizers(List.of("example.com/hold"));
            return map;
        }
    }

    @Workflow(
            dependents =
                    @Dependent(
                            name = "maps",
                            type = HeldMaps.class,
                            deletePostcondition = KubernetesResourceDeletedCondition.class))
    @ControllerConfiguration(name = "held")
    static class Held extends Managed {}

    @Scenario("ManagedDependentDeleteCondition")
    void aPrimaryStaysUntilItsDependentIsGone() {
        startWith(settings -> settings.withDefaultNonSSAResource(Set.of()), new Held());
        create(Widget.of("a", "1"));
        settle();
        delete(Widget.class, "a");
        settle();
        assertThat(map("a").isMarkedForDeletion()).isTrue();
        assertThat(widget("a").isMarkedForDeletion()).isTrue();
        edit(ConfigMap.class, "a", map -> map.getMetadata().setFinalizers(new ArrayList<>()));
        settle();
        assertThat(map("a")).isNull();
        assertThat(widget("a")).isNull();
    }

    @Workflow(
            dependents = {
                @Dependent(name = "maps", type = Maps.class, activationCondition = Enabled.class),
                @Dependent(name = "secrets", type = Secrets.class, activationCondition = Enabled.class)
            })
    @ControllerConfiguration(name = "activated")
    static class Activated extends Managed {}

    @Scenario("WorkflowMultipleActivation")
    void dependentsAreActivatedAndDeactivated() {
        start(new Activated());
        Widget off = Widget.of("a", "1");
        off.getSpec().enabled = false;
        create(off);
        settle();
        assertThat(cluster.requests()).noneMatch(request -> request.contains("/configmaps"));
        assertThat(map("a")).isNull();
        edit(Widget.class, "a", w -> w.getSpec().enabled = true);
        settle();
        assertThat(map("a")).isNotNull();
        assertThat(secret("a")).isNotNull();
        edit(Widget.class, "a", w -> w.getSpec().enabled = false);
        settle();
        assertThat(widget("a").getSpec().enabled).isFalse();
        edit(Widget.class, "a", w -> {
            w.getSpec().enabled = true;
            w.getSpec().value = "2";
        });
        settle();
        assertThat(map("a").getData()).containsEntry("value", "2");
    }

    @Workflow(
            dependents =
                    @Dependent(
                            name = "maps",
                            type = Maps.class,
                            activationCondition = Enabled.class,
                            reconcilePrecondition = Enabled.class))
    @ControllerConfiguration(name = "both")
    static class Both extends Managed {}

    @Scenario("PreconditionAndActivation")
    void aDependentWithActivationAndPrecondition() {
        start(new Both());
        create(Widget.of("a", "1"));
        settle();
        assertThat(map("a")).isNotNull();
        assertThat(widget("a").getStatus().message).isEqualTo("ready");
    }

    static class Gadgets extends CRUDKubernetesDependentResource<Optional, Widget> {
        @Override
        protected Optional desired(Widget widget, Context<Widget> context) {
            Optional optional = new Optional();
            optional.setMetadata(new io.fabric8.kubernetes.api.model.ObjectMetaBuilder()
                    .withNamespace("default")
                    .withName(widget.getMetadata().getName())
                    .build());
            return optional;
        }
    }

    /** A resource without a definition. */
    @io.fabric8.kubernetes.model.annotation.Group("absent.example.com")
    @io.fabric8.kubernetes.model.annotation.Version("v1")
    public static class Optional extends io.fabric8.kubernetes.client.CustomResource<Widget.Spec, Widget.Status>
            implements io.fabric8.kubernetes.api.model.Namespaced {}

    static class Defined extends CRDPresentActivationCondition<Optional, Widget> {}

    @Workflow(
            dependents = {
                @Dependent(name = "absent", type = Gadgets.class, activationCondition = Defined.class),
                @Dependent(name = "maps", type = Maps.class)
            })
    @ControllerConfiguration(name = "absent")
    static class Absent extends Managed {}

    @Scenario("CRDPresentActivationCondition, WorkflowActivationCondition")
    void aDependentOfAKindThatIsNotThereIsSkipped() {
        start(new Absent());
        create(Widget.of("a", "1"));
        settle();
        assertThat(map("a")).isNotNull();
        assertThat(widget("a").getStatus().message).isEqualTo("ready");
    }

    @Workflow(explicitInvocation = true, dependents = @Dependent(name = "maps", type = Maps.class))
    @ControllerConfiguration(name = "explicit")
    static class Explicit implements Reconciler<Widget>, Cleaner<Widget> {
        @Override
        public UpdateControl<Widget> reconcile(Widget widget, Context<Widget> context) {
            if (Boolean.TRUE.equals(widget.getSpec().enabled)) {
                var unused =
                        context.managedWorkflowAndDependentResourceContext().reconcileManagedWorkflow();
            }
            return UpdateControl.noUpdate();
        }

        @Override
        public DeleteControl cleanup(Widget widget, Context<Widget> context) {
            var unused = context.managedWorkflowAndDependentResourceContext().cleanupManageWorkflow();
            return DeleteControl.defaultDelete();
        }
    }

    @Scenario("WorkflowExplicitInvocation, WorkflowExplicitCleanup")
    void aReconcilerCallsItsWorkflow() {
        start(new Explicit());
        Widget off = Widget.of("a", "1");
        off.getSpec().enabled = false;
        create(off);
        settle();
        assertThat(map("a")).isNull();
        edit(Widget.class, "a", w -> w.getSpec().enabled = true);
        settle();
        assertThat(map("a")).isNotNull();
        delete(Widget.class, "a");
        settle();
        assertThat(map("a")).isNull();
        assertThat(widget("a")).isNull();
    }

    static class FailingMaps extends Maps {
        @Override
        protected ConfigMap desired(Widget widget, Context<Widget> context) {
            throw new IllegalStateException("on purpose");
        }
    }

    @Workflow(
            handleExceptionsInReconciler = true,
            dependents = {
                @Dependent(name = "maps", type = FailingMaps.class),
                @Dependent(name = "secrets", type = Secrets.class)
            })
    @ControllerConfiguration(name = "silent")
    static class Silent extends Managed {}

    @Scenario("WorkflowSilentExceptionHandling")
    void aReconcilerHandlesTheFailuresOfItsWorkflow() {
        start(new Silent());
        create(Widget.of("a", "1"));
        settle();
        assertThat(widget("a").getStatus().message).isEqualTo("failed");
        assertThat(secret("a")).isNotNull();
    }

    /** Makes as many maps as the number says. */
    static class ManyMaps extends KubernetesDependentResource<ConfigMap, Widget>
            implements CRUDKubernetesBulkDependentResource<ConfigMap, Widget> {
        @Override
        public Map<ResourceID, ConfigMap> desiredResources(Widget widget, Context<Widget> context) {
            return IntStream.range(0, widget.getSpec().number)
                    .mapToObj(i -> configMap(widget.getMetadata().getName() + "-" + i, widget.getSpec().value))
                    .collect(Collectors.toMap(ResourceID::fromResource, map -> map));
        }

        @Override
        public Map<ResourceID, ConfigMap> getSecondaryResources(Widget widget, Context<Widget> context) {
            return context.getSecondaryResources(ConfigMap.class).stream()
                    .filter(map -> map.getMetadata()
                            .getName()
                            .startsWith(widget.getMetadata().getName() + "-"))
                    .collect(Collectors.toMap(ResourceID::fromResource, map -> map));
        }
    }

    @Workflow(dependents = @Dependent(name = "maps", type = ManyMaps.class))
    @ControllerConfiguration(name = "bulk")
    static class Bulk extends Managed {}

    @Scenario("ManagedBulkDependent")
    void manyDependentsFollowANumber() {
        start(new Bulk());
        Widget widget = Widget.of("a", "1");
        widget.getSpec().number = 5;
        create(widget);
        settle();
        assertThat(maps()).hasSize(5);
        edit(Widget.class, "a", w -> w.getSpec().number = 2);
        settle();
        assertThat(maps()).containsExactly("a-0", "a-1");
        edit(Widget.class, "a", w -> w.getSpec().value = "2");
        settle();
        assertThat(map("a-1").getData()).containsEntry("value", "2");
        delete(ConfigMap.class, "a-0");
        settle();
        assertThat(maps()).hasSize(2);
        delete(Widget.class, "a");
        settle();
        assertThat(maps()).isEmpty();
    }

    static class AllMapsAreReady implements Condition<ConfigMap, Widget> {
        @Override
        public boolean isMet(DependentResource<ConfigMap, Widget> dependent, Widget widget, Context<Widget> context) {
            return context.getSecondaryResources(ConfigMap.class).stream()
                            .filter(map -> map.getMetadata().getLabels() != null
                                    && map.getMetadata().getLabels().containsKey("ready"))
                            .count()
                    >= widget.getSpec().number;
        }
    }

    @Workflow(
            dependents = {
                @Dependent(name = "maps", type = ManyMaps.class, readyPostcondition = AllMapsAreReady.class),
                @Dependent(name = "secrets", type = Secrets.class, dependsOn = "maps")
            })
    @ControllerConfiguration(name = "bulkready")
    static class BulkReady extends Managed {}

    @Scenario("BulkDependentWithCondition")
    void allOfManyDependentsMustBeReady() {
        start(new BulkReady());
        Widget widget = Widget.of("a", "1");
        widget.getSpec().number = 2;
        create(widget);
        settle();
        edit(ConfigMap.class, "a-0", map -> map.getMetadata().setLabels(Map.of("ready", "yes")));
        settle();
        assertThat(secret("a")).isNull();
        edit(ConfigMap.class, "a-1", map -> map.getMetadata().setLabels(Map.of("ready", "yes")));
        settle();
        assertThat(secret("a")).isNotNull();
    }

    @Scenario("WorkflowActivationCleanup")
    void aWorkflowCleansUpAfterARestart() {
        Operator operator = startWith(settings -> settings.withDefaultNonSSAResource(Set.of()), new Explicit());
        create(Widget.of("a", "1"));
        settle();
        operator.stop();
        delete(Widget.class, "a");
        operator.start();
        settle();
        assertThat(map("a")).isNull();
        assertThat(widget("a")).isNull();
    }
}
