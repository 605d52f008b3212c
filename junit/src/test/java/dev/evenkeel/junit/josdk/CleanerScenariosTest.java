package dev.evenkeel.junit.josdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.reconciler.Cleaner;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/** Finalizers, and what runs before a resource is gone. */
class CleanerScenariosTest extends OperatorScenarios {
    private final List<String> cleaned = concurrentList();

    @ControllerConfiguration
    private static class Cleaning extends Custom implements Cleaner<Widget> {
        private final BiFunction<Widget, Context<Widget>, DeleteControl> cleanup;

        Cleaning(BiFunction<Widget, Context<Widget>, DeleteControl> cleanup) {
            super((widget, context) -> UpdateControl.noUpdate());
            this.cleanup = cleanup;
        }

        @Override
        public DeleteControl cleanup(Widget widget, Context<Widget> context) {
            return cleanup.apply(widget, context);
        }
    }

    private Cleaning recording() {
        return new Cleaning((widget, context) -> {
            cleaned.add(widget.getMetadata().getName());
            return DeleteControl.defaultDelete();
        });
    }

    @Scenario("CleanerForReconciler")
    void aFinalizerIsSetAndRemovedAfterTheCleanup() {
        start(recording());
        create(Widget.of("a", "1"));
        settle();
        assertThat(widget("a").getMetadata().getFinalizers())
                .containsExactly("widgets.scenarios.example.com/finalizer");
        delete(Widget.class, "a");
        settle();
        assertThat(cleaned).containsExactly("a");
        assertThat(widget("a")).isNull();
    }

    @Scenario("CleanerForReconciler, rescheduled")
    void aCleanupTakesSeveralTries() {
        start(new Cleaning((widget, context) -> {
            cleaned.add(widget.getMetadata().getName());
            return cleaned.size() < 3
                    ? DeleteControl.noFinalizerRemoval().rescheduleAfter(Duration.ofHours(1))
                    : DeleteControl.defaultDelete();
        }));
        create(Widget.of("a", "1"));
        settle();
        delete(Widget.class, "a");
        settle();
        assertThat(cleaned).hasSize(1);
        assertThat(widget("a").isMarkedForDeletion()).isTrue();
        control.advance(Duration.ofHours(3));
        assertThat(cleaned).hasSize(3);
        assertThat(widget("a")).isNull();
    }

    @Scenario("UpdateStatusInCleanupAndReschedule")
    void aCleanupReportsInTheStatus() {
        start(new Cleaning((widget, context) -> {
            cleaned.add(widget.getMetadata().getResourceVersion());
            if (cleaned.size() == 3) {
                return DeleteControl.defaultDelete();
            }
            widget.status().count = cleaned.size();
            context.getClient().resource(widget).patchStatus();
            return DeleteControl.noFinalizerRemoval().rescheduleAfter(Duration.ofMinutes(1));
        }));
        create(Widget.of("a", "1"));
        settle();
        delete(Widget.class, "a");
        settle();
        assertThat(widget("a").getStatus().count).isEqualTo(1);
        control.advance(Duration.ofMinutes(1));
        assertThat(widget("a").getStatus().count).isEqualTo(2);
        control.advance(Duration.ofMinutes(1));
        assertThat(widget("a")).isNull();
    }

    @Scenario("CleanupConflict")
    void anotherFinalizerIsRemovedDuringTheCleanup() {
        start(new Cleaning((widget, context) -> {
            // another client, between the reading and the removal
            edit(Widget.class, "a", w -> w.getMetadata().getFinalizers().remove("example.com/other"));
            cleaned.add("a");
            return DeleteControl.defaultDelete();
        }));
        Widget widget = Widget.of("a", "1");
        widget.getMetadata().setFinalizers(new ArrayList<>(List.of("example.com/other")));
        create(widget);
        settle();
        delete(Widget.class, "a");
        settle();
        // JOSDK patches from the state that it knew, which fails until it reconciles again
        control.advance(Duration.ofMinutes(1));
        assertThat(cleaned).contains("a");
        assertThat(widget("a")).isNull();
    }

    @Scenario("ConcurrentFinalizerRemoval")
    void twoControllersRemoveTheirFinalizers() {
        Operator operator = newOperator(settings -> {});
        operator.register(recording(), settings -> settings.withFinalizer("example.com/one"));
        operator.register(
                recording(),
                settings -> settings.withName("two").withFieldManager("two").withFinalizer("example.com/two"));
        start(operator);
        for (int i = 0; i < 10; i++) {
            create(Widget.of("w" + i, "1"));
        }
        settle();
        assertThat(widget("w0").getMetadata().getFinalizers())
                .containsExactlyInAnyOrder("example.com/one", "example.com/two");
        client.resources(Widget.class).inNamespace("default").delete();
        settle();
        control.advance(Duration.ofMinutes(1));
        assertThat(cleaned).hasSizeGreaterThanOrEqualTo(20);
        assertThat(client.resources(Widget.class).inNamespace("default").list().getItems())
                .isEmpty();
    }

    @Scenario("AddFinalizerNoSSA")
    void theFinalizerIsAddedByAPatchWithoutApply() {
        startWith(settings -> settings.withUseSSAToPatchPrimaryResource(false), recording());
        create(Widget.of("a", "1"));
        settle();
        assertThat(widget("a").getMetadata().getFinalizers()).hasSize(1);
        assertThat(cluster.requests()).noneMatch(request -> request.contains("fieldManager="));
        delete(Widget.class, "a");
        settle();
        assertThat(widget("a")).isNull();
    }

    @Scenario("cleanup of what was deleted while the operator was down")
    void aCleanupIsMadeUpForAfterAStart() {
        Operator operator = start(recording());
        create(Widget.of("a", "1"));
        settle();
        operator.stop();
        delete(Widget.class, "a");
        assertThat(widget("a").isMarkedForDeletion()).isTrue();
        operator.start();
        settle();
        assertThat(cleaned).containsExactly("a");
        assertThat(widget("a")).isNull();
    }

    @Scenario("retried cleanup")
    void aFailedCleanupIsRetried() {
        start(new Cleaning((widget, context) -> {
            cleaned.add("a");
            if (cleaned.size() < 3) {
                throw new IllegalStateException("on purpose");
            }
            return DeleteControl.defaultDelete();
        }));
        create(Widget.of("a", "1"));
        settle();
        delete(Widget.class, "a");
        settle();
        assertThat(widget("a")).isNotNull();
        control.advance(Duration.ofMinutes(5));
        assertThat(cleaned).hasSize(3);
        assertThat(widget("a")).isNull();
    }

    @Scenario("TriggerReconcilerOnAllEvent")
    void allEventsReachTheReconcilerWhichKeepsItsOwnFinalizer() {
        start(
                new Custom((widget, context) -> {
                    if (context.isPrimaryResourceDeleted()) {
                        cleaned.add("deleted");
                    } else if (widget.isMarkedForDeletion()) {
                        cleaned.add("marked");
                        edit(
                                Widget.class,
                                "a",
                                w -> w.getMetadata().getFinalizers().clear());
                    } else if (widget.getMetadata().getFinalizers().isEmpty()) {
                        edit(
                                Widget.class,
                                "a",
                                w -> w.getMetadata().setFinalizers(new ArrayList<>(List.of("example.com/own"))));
                    }
                    return UpdateControl.noUpdate();
                }),
                settings -> settings.withTriggerReconcilerOnAllEvents(true));
        create(Widget.of("a", "1"));
        settle();
        assertThat(widget("a").getMetadata().getFinalizers()).containsExactly("example.com/own");
        delete(Widget.class, "a");
        settle();
        assertThat(cleaned).startsWith("marked").endsWith("deleted");
        assertThat(widget("a")).isNull();
    }
}
