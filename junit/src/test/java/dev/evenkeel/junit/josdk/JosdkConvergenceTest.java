package dev.evenkeel.junit.josdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.junit.JosdkConvergence;
import dev.evenkeel.testing.convergence.Convergence.Failure;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.opentest4j.AssertionFailedError;

/** Wrong reconcilers are found, and their right siblings pass. */
class JosdkConvergenceTest {
    private static JosdkConvergence check(Supplier<? extends Reconciler<?>> reconciler) {
        return JosdkConvergence.of(reconciler)
                .types(Widget.class)
                .given(Widget.of("a", "x"), Widget.of("b", "y"))
                .edit(
                        "another value",
                        client -> client.resources(Widget.class)
                                .inNamespace("default")
                                .withName("a")
                                .edit(widget -> {
                                    widget.getSpec().value = "z";
                                    return widget;
                                }));
    }

    private static Failure found(Supplier<? extends Reconciler<?>> reconciler) {
        return check(reconciler).check().failure().orElseThrow(() -> new AssertionError("nothing was found"));
    }

    private static void passes(Supplier<? extends Reconciler<?>> reconciler) {
        int schedules = Integer.getInteger("josdk.schedules", 1000);
        JosdkConvergence.Report report = check(reconciler).schedules(schedules).check();
        assertThat(report.failure()).as(report.toString()).isEmpty();
        assertThat(report.schedules()).as(report.toString()).isEqualTo(schedules + 1);
    }

    private static ConfigMapBuilder mapOf(Widget widget) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("default")
                .addToLabels("widget", widget.getMetadata().getName())
                .addNewOwnerReference()
                .withApiVersion(widget.getApiVersion())
                .withKind(widget.getKind())
                .withName(widget.getMetadata().getName())
                .withUid(widget.getMetadata().getUid())
                .endOwnerReference()
                .endMetadata()
                .addToData("value", widget.getSpec().value);
    }

    private static UpdateControl<Widget> report(Widget widget, String message) {
        widget.status().message = message;
        return UpdateControl.patchStatus(widget);
    }

    /** Remembers the generated name of a child in the status, which is lost if the operator crashes before. */
    @ControllerConfiguration
    private static class NameInStatus implements Reconciler<Widget> {
        @Override
        public UpdateControl<Widget> reconcile(Widget widget, Context<Widget> context) {
            KubernetesClient client = context.getClient();
            String name = widget.status().message;
            if (name == null) {
                ConfigMap map = mapOf(widget)
                        .editMetadata()
                        .withGenerateName("map-")
                        .endMetadata()
                        .build();
                return report(
                        widget, client.resource(map).create().getMetadata().getName());
            }
            client.configMaps()
                    .inNamespace("default")
                    .withName(name)
                    .edit(map -> new ConfigMapBuilder(map)
                            .addToData("value", widget.getSpec().value)
                            .build());
            return UpdateControl.noUpdate();
        }
    }

    /** The name of the child follows from the name of its owner. */
    @ControllerConfiguration
    private static class NameOfOwner implements Reconciler<Widget> {
        @Override
        public UpdateControl<Widget> reconcile(Widget widget, Context<Widget> context) {
            ConfigMap map = mapOf(widget)
                    .editMetadata()
                    .withName("map-" + widget.getMetadata().getName())
                    .endMetadata()
                    .build();
            context.getClient().resource(map).forceConflicts().serverSideApply();
            return report(widget, map.getMetadata().getName());
        }
    }

    @Test
    void aCrashBeforeTheNameOfAChildIsRemembered() {
        Failure failure = found(NameInStatus::new);
        assertThat(failure.faults()).isEqualTo(1);
        assertThat(failure.problem()).isEqualTo("at rest the state differs from the run without faults");
        assertThatThrownBy(() -> check(NameInStatus::new).replay(failure.schedule()))
                .isInstanceOf(AssertionFailedError.class)
                .hasMessageContaining("by the schedule: " + failure.schedule())
                .hasMessageContaining("convergence.replay(\"" + failure.schedule() + "\")");
    }

    @Test
    void namesThatFollowFromOwnersPass() {
        passes(NameOfOwner::new);
    }

    /** Has one map for the present value, and remembers the one before in memory. */
    @ControllerConfiguration
    private static final class FormerInMemory implements Reconciler<Widget> {
        private final Map<String, String> former = new HashMap<>();

        @Override
        public UpdateControl<Widget> reconcile(Widget widget, Context<Widget> context) {
            KubernetesClient client = context.getClient();
            String name = widget.getMetadata().getName() + "-" + widget.getSpec().value;
            client.resource(mapOf(widget)
                            .editMetadata()
                            .withName(name)
                            .endMetadata()
                            .build())
                    .forceConflicts()
                    .serverSideApply();
            String before = former.put(widget.getMetadata().getName(), name);
            if (before != null && !before.equals(name)) {
                client.configMaps().inNamespace("default").withName(before).delete();
            }
            return report(widget, name);
        }
    }

    /** Has one map for the present value, and deletes all others with its label. */
    @ControllerConfiguration
    private static final class FormerByLabel implements Reconciler<Widget> {
        @Override
        public UpdateControl<Widget> reconcile(Widget widget, Context<Widget> context) {
            KubernetesClient client = context.getClient();
            String owner = widget.getMetadata().getName();
            String name = owner + "-" + widget.getSpec().value;
            client.resource(mapOf(widget)
                            .editMetadata()
                            .withName(name)
                            .endMetadata()
                            .build())
                    .forceConflicts()
                    .serverSideApply();
            client.configMaps().inNamespace("default").withLabel("widget", owner).list().getItems().stream()
                    .filter(map -> !map.getMetadata().getName().equals(name))
                    .forEach(map -> client.resource(map).delete());
            return report(widget, name);
        }
    }

    @Test
    void memoryIsLostInACrash() {
        Failure failure = found(FormerInMemory::new);
        assertThat(failure.schedule()).contains("crash");
        assertThat(failure.details()).contains("configmaps default/a-x should not be there");
    }

    @Test
    void objectsFoundByLabelsPass() {
        passes(FormerByLabel::new);
    }

    /** Reports that all is well although the write has failed. */
    @ControllerConfiguration
    private static final class SwallowedFailure implements Reconciler<Widget> {
        @Override
        public UpdateControl<Widget> reconcile(Widget widget, Context<Widget> context) {
            String name = "map-" + widget.getMetadata().getName();
            ConfigMap map =
                    mapOf(widget).editMetadata().withName(name).endMetadata().build();
            try {
                context.getClient().resource(map).forceConflicts().serverSideApply();
            } catch (KubernetesClientException e) {
                // the wrong thing to do
            }
            return report(widget, name);
        }
    }

    @Test
    void aFailureThatIsSwallowedIsNotRetried() {
        Failure failure = found(SwallowedFailure::new);
        assertThat(failure.schedule()).startsWith("refuse");
    }

    /** Looks for its child in the cache of an informer. */
    @ControllerConfiguration
    private abstract static class Informed implements Reconciler<Widget> {
        @Override
        public List<EventSource<?, Widget>> prepareEventSources(EventSourceContext<Widget> context) {
            return List.of(new InformerEventSource<>(
                    InformerEventSourceConfiguration.from(ConfigMap.class, Widget.class)
                            .withLabelSelector("widget")
                            .build(),
                    context));
        }

        abstract void create(Widget widget, Context<Widget> context);

        @Override
        public UpdateControl<Widget> reconcile(Widget widget, Context<Widget> context) {
            if (context.getSecondaryResource(ConfigMap.class).isEmpty()) {
                create(widget, context);
            }
            return report(widget, widget.getSpec().value);
        }
    }

    @ControllerConfiguration
    private static final class GeneratedIfNotCached extends Informed {
        @Override
        void create(Widget widget, Context<Widget> context) {
            ConfigMap map = mapOf(widget)
                    .editMetadata()
                    .withGenerateName("map-")
                    .endMetadata()
                    .addToData("value", "fixed")
                    .build();
            context.getClient().resource(map).create();
        }
    }

    @ControllerConfiguration
    private static final class AppliedIfNotCached extends Informed {
        @Override
        void create(Widget widget, Context<Widget> context) {
            ConfigMap map = mapOf(widget)
                    .editMetadata()
                    .withName("map-" + widget.getMetadata().getName())
                    .endMetadata()
                    .addToData("value", "fixed")
                    .build();
            context.getClient().resource(map).forceConflicts().serverSideApply();
        }
    }

    @Test
    void aStaleCacheDoublesChildren() {
        Failure failure = found(GeneratedIfNotCached::new);
        assertThat(failure.problem()).isEqualTo("at rest the state differs from the run without faults");
    }

    @Test
    void aStaleCacheDoesNotDoubleChildrenWithFixedNames() {
        passes(AppliedIfNotCached::new);
    }

    /** Has a map without an owner, which it deletes with the widget. */
    @ControllerConfiguration
    private static class Unowned implements Reconciler<Widget> {
        static String map(Widget widget) {
            return "unowned-" + widget.getMetadata().getName();
        }

        @Override
        public UpdateControl<Widget> reconcile(Widget widget, Context<Widget> context) {
            ConfigMap map = new ConfigMapBuilder()
                    .withNewMetadata()
                    .withNamespace("default")
                    .withName(map(widget))
                    .endMetadata()
                    .addToData("value", widget.getSpec().value)
                    .build();
            context.getClient().resource(map).forceConflicts().serverSideApply();
            return UpdateControl.noUpdate();
        }
    }

    @ControllerConfiguration
    private static class Cleaned extends Unowned implements Cleaner<Widget> {
        @Override
        public DeleteControl cleanup(Widget widget, Context<Widget> context) {
            context.getClient()
                    .configMaps()
                    .inNamespace("default")
                    .withName(map(widget))
                    .delete();
            return DeleteControl.defaultDelete();
        }
    }

    @Test
    void whatIsNotOwnedIsLeft() {
        Failure failure = found(Unowned::new);
        assertThat(failure.schedule()).isEmpty();
        assertThat(failure.details()).contains("configmaps default/unowned-a");
    }

    /** Asks the API whether the widget stays, before it makes what only the cleaner deletes. */
    @ControllerConfiguration
    private static final class CleanedAsTheApiSays extends Cleaned {
        @Override
        public UpdateControl<Widget> reconcile(Widget widget, Context<Widget> context) {
            Widget live = context.getClient().resource(widget).get();
            boolean stays = live != null
                    && !live.isMarkedForDeletion()
                    && live.getMetadata().getUid().equals(widget.getMetadata().getUid());
            return stays ? super.reconcile(widget, context) : UpdateControl.noUpdate();
        }
    }

    @Test
    void cleanersPass() {
        passes(CleanedAsTheApiSays::new);
    }

    @Test
    void aStaleListAtARestartBringsBackWhatACleanerHasDeleted() {
        String schedule = "restart behind widgets.scenarios.example.com by 4 after patch widgets.scenarios.example.com"
                + " default/b #1; crash before delete configmaps default/unowned-b #2";
        assertThatThrownBy(() -> check(Cleaned::new).replay(schedule))
                .isInstanceOf(AssertionFailedError.class)
                .hasMessageContaining("configmaps default/unowned-b should not be there");
    }

    /** A watch whose events are delayed, and that resumes from an expired version, gets the error after the delay. */
    @Test
    void aWatchThatIsLateMayAlsoBeTooOld() {
        check(NameOfOwner::new).replay("lag widgets.scenarios.example.com before step 2; expire watches after step 2");
    }

    @Test
    void aScheduleWithoutAnEffectIsReported() {
        assertThatThrownBy(() -> check(NameOfOwner::new).replay("crash after create secrets default/none #1"))
                .isInstanceOf(AssertionFailedError.class)
                .hasMessageContaining("without effect")
                .hasMessageContaining("apply configmaps default/map-a #1");
    }

    @Test
    void anInvariantIsCheckedAfterEachWrite() {
        JosdkConvergence.Report report = check(NameOfOwner::new)
                .always(
                        "no map has the value z",
                        client -> client.configMaps().inNamespace("default").list().getItems().stream()
                                .noneMatch(map -> "z".equals(map.getData().get("value"))))
                .check();
        assertThat(report.failure().orElseThrow().problem()).isEqualTo("does not always hold: no map has the value z");
    }

    /** Deletes the maps of all widgets with one of them. */
    @ControllerConfiguration
    private static final class ClearsAll extends NameOfOwner implements Cleaner<Widget> {
        @Override
        public DeleteControl cleanup(Widget widget, Context<Widget> context) {
            context.getClient()
                    .configMaps()
                    .inNamespace("default")
                    .withLabel("widget")
                    .delete();
            return DeleteControl.defaultDelete();
        }
    }

    @Test
    void aDeletionThatHarmsOthersIsFound() {
        Failure failure = found(ClearsAll::new);
        assertThat(failure.schedule()).isEmpty();
        assertThat(failure.problem()).isEqualTo("the deletion of widgets.scenarios.example.com default/b harms others");
        assertThat(failure.details()).containsExactly("configmaps default/map-a is missing");
    }

    @Test
    void aMessageTellsWhatTheUserAskedFor() {
        assertThatThrownBy(() -> check(SwallowedFailure::new).replay("refuse 409 at apply configmaps default/map-a #2"))
                .hasMessageContaining(
                        "data.value is \"x\"; without faults it is \"z\", as the user asked with spec.value"
                                + " of widgets.scenarios.example.com default/a");
    }

    /** Has the time of the machine in a map. */
    @ControllerConfiguration
    private static final class TimeOfTheMachine implements Reconciler<Widget> {
        @Override
        public UpdateControl<Widget> reconcile(Widget widget, Context<Widget> context) {
            KubernetesClient client = context.getClient();
            String name = "map-" + widget.getMetadata().getName();
            if (client.configMaps().inNamespace("default").withName(name).get() == null) {
                client.resource(mapOf(widget)
                                .editMetadata()
                                .withName(name)
                                .endMetadata()
                                .addToData("value", Long.toString(System.nanoTime()))
                                .build())
                        .create();
            }
            return UpdateControl.noUpdate();
        }
    }

    @Test
    void twoRunsWithoutFaultsMustBeTheSame() {
        assertThatThrownBy(() -> check(TimeOfTheMachine::new).check())
                .hasMessageStartingWith("not deterministic: data.value of configmaps default/map-a")
                .hasMessageContaining("differs between two runs without faults")
                .hasMessageContaining("use ignoring(\"data.value\")");
    }

    private static List<String> warnings(JosdkConvergence convergence) {
        return convergence.schedules(0).check().warnings().stream()
                .map(warning -> warning.substring(0, warning.indexOf(':')))
                .toList();
    }

    @Test
    void aSetUpThatShowsTooLittleHasWarnings() {
        JosdkConvergence small = JosdkConvergence.of(NameOfOwner::new)
                .types(Widget.class)
                .given(
                        Widget.of("a", "x"),
                        new ConfigMapBuilder(mapOf(Widget.of("a", "x")).build())
                                .editMetadata()
                                .withName("another")
                                .withOwnerReferences()
                                .endMetadata()
                                .build());

        assertThat(warnings(small))
                .containsExactly("there is one object of Widget", "users change nothing", "there is no invariant");
        assertThat(warnings(check(NameOfOwner::new).always("nothing", client -> true)))
                .isEmpty();
    }

    /** Its first reconciliation waits for another one. */
    @ControllerConfiguration
    private static final class WaitsForAnother implements Reconciler<Widget> {
        private final CountDownLatch begun;

        WaitsForAnother(CountDownLatch begun) {
            this.begun = begun;
        }

        @Override
        public UpdateControl<Widget> reconcile(Widget widget, Context<Widget> context) throws InterruptedException {
            begun.countDown();
            if (!begun.await(10, TimeUnit.SECONDS)) {
                throw new IllegalStateException("no other reconciliation runs at the same time");
            }
            return report(widget, "done");
        }
    }

    @Test
    void reconciliationsRunOnAsManyThreadsAsTheSettingsSay() {
        CountDownLatch begun = new CountDownLatch(2);
        JosdkConvergence.Report report = check(() -> new WaitsForAnother(begun))
                .settings(settings -> settings.withConcurrentReconciliationThreads(2))
                .schedules(0)
                .check();
        assertThat(report.failure()).as(report.toString()).isEmpty();
    }
}
