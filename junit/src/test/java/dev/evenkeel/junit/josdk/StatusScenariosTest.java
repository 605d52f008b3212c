package dev.evenkeel.junit.josdk;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.javaoperatorsdk.operator.api.reconciler.PrimaryUpdateAndCacheUtils;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Patches of a resource and of its status, with server-side apply and without. */
class StatusScenariosTest extends OperatorScenarios {
    private final AtomicInteger runs = new AtomicInteger();

    /** Returns what a controller applies: the fields it owns, and no others. */
    private static Widget fresh(Widget widget) {
        Widget fresh = new Widget();
        fresh.setMetadata(new io.fabric8.kubernetes.api.model.ObjectMetaBuilder()
                .withName(widget.getMetadata().getName())
                .withNamespace(widget.getMetadata().getNamespace())
                .build());
        return fresh;
    }

    private Custom patchesBoth() {
        return new Custom((widget, context) -> {
            runs.incrementAndGet();
            widget.getMetadata().setAnnotations(Map.of("example.com/seen", "yes"));
            widget.status().message = "seen";
            return UpdateControl.patchResourceAndStatus(widget);
        });
    }

    @Scenario("PatchResourceAndStatusNoSSA")
    void resourceAndStatusArePatchedWithoutApply() {
        startWith(settings -> settings.withUseSSAToPatchPrimaryResource(false), patchesBoth());
        create(Widget.of("a", "1"));
        settle();
        assertThat(widget("a").getMetadata().getAnnotations()).containsEntry("example.com/seen", "yes");
        assertThat(widget("a").getStatus().message).isEqualTo("seen");
        assertThat(runs).hasValue(1);
    }

    @Scenario("PatchResourceAndStatusWithSSA")
    void resourceAndStatusAreApplied() {
        start(new Custom((widget, context) -> {
            Widget fresh = fresh(widget);
            fresh.getMetadata().setAnnotations(Map.of("example.com/seen", "yes"));
            fresh.setSpec(null);
            fresh.status().message = "seen";
            return UpdateControl.patchResourceAndStatus(fresh);
        }));
        create(Widget.of("a", "1"));
        settle();
        Widget widget = widget("a");
        assertThat(widget.getSpec().value).isEqualTo("1");
        assertThat(widget.getMetadata().getAnnotations()).containsEntry("example.com/seen", "yes");
        assertThat(widget.getStatus().message).isEqualTo("seen");
        assertThat(widget.getMetadata().getManagedFields())
                .anyMatch(entry -> entry.getManager().equals("custom")
                        && entry.getOperation().equals("Apply")
                        && "status".equals(entry.getSubresource()));
    }

    @Scenario("PatchResourceWithSSA")
    void aFieldOfTheSpecIsApplied() {
        start(new Custom((widget, context) -> {
            Widget fresh = fresh(widget);
            fresh.getSpec().refs = null;
            fresh.getSpec().number = 42;
            return UpdateControl.patchResource(fresh);
        }));
        create(Widget.of("a", "1"));
        settle();
        assertThat(widget("a").getSpec().number).isEqualTo(42);
        assertThat(widget("a").getSpec().value).isEqualTo("1");
    }

    @Scenario("StatusUpdateLocking")
    void aStatusIsPatchedDespiteAChangeMeanwhile() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch changed = new CountDownLatch(1);
        start(new Custom((widget, context) -> {
            runs.incrementAndGet();
            begun.countDown();
            changed.await();
            Widget fresh = fresh(widget);
            fresh.setSpec(null);
            fresh.status().count = runs.get();
            return UpdateControl.patchStatus(fresh);
        }));
        create(Widget.of("a", "1"));
        assertThat(begun.await(120, TimeUnit.SECONDS)).isTrue();
        edit(Widget.class, "a", w -> w.getMetadata().setAnnotations(Map.of("meanwhile", "yes")));
        changed.countDown();
        settle();
        assertThat(runs).hasValue(1);
        assertThat(widget("a").getStatus().count).isOne();
        assertThat(widget("a").getMetadata().getAnnotations()).containsKey("meanwhile");
    }

    @Scenario("StatusPatchNotLockingForNonSSA")
    void aMergePatchDoesNotLockAndRemovesFields() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch changed = new CountDownLatch(1);
        startWith(settings -> settings.withUseSSAToPatchPrimaryResource(false), new Custom((widget, context) -> {
            if (runs.incrementAndGet() == 1) {
                begun.countDown();
                changed.await();
            }
            widget.status().count = runs.get();
            widget.status().message = runs.get() == 1 ? "first" : null;
            return UpdateControl.patchStatus(widget);
        }));
        create(Widget.of("a", "1"));
        assertThat(begun.await(120, TimeUnit.SECONDS)).isTrue();
        edit(Widget.class, "a", w -> w.getMetadata().setAnnotations(Map.of("meanwhile", "yes")));
        changed.countDown();
        settle();
        assertThat(widget("a").getStatus().message).isEqualTo("first");
        edit(Widget.class, "a", w -> w.getSpec().value = "2");
        settle();
        assertThat(widget("a").getStatus().message).isNull();
        assertThat(widget("a").getStatus().count).isEqualTo(2);
    }

    @Scenario("StatusPatchSSAMigration")
    void fieldsOfTheFormerManagerStayAfterAMigration() {
        startWith(settings -> settings.withUseSSAToPatchPrimaryResource(false), new Custom((widget, context) -> {
            widget.status().message = "from a patch";
            widget.status().count = 1;
            return UpdateControl.patchStatus(widget);
        }));
        create(Widget.of("a", "1"));
        settle();
        stop();
        start(new Custom((widget, context) -> {
            Widget fresh = fresh(widget);
            fresh.setSpec(null);
            fresh.status().count = 2;
            return UpdateControl.patchStatus(fresh);
        }));
        settle();
        assertThat(widget("a").getStatus().count).isEqualTo(2);
        // the known limit of server-side apply: what the other manager owns is not removed
        assertThat(widget("a").getStatus().message).isEqualTo("from a patch");
    }

    @Scenario("SSASpecUpdate")
    void anApplyWithoutTheFinalizerRemovesIt() {
        Widget widget = Widget.of("a", "1");
        widget.getMetadata().setFinalizers(List.of("example.com/own"));
        client.resource(widget).fieldManager("controller").serverSideApply();
        client.resource(Widget.of("a", "2")).fieldManager("controller").serverSideApply();
        assertThat(widget("a").getMetadata().getFinalizers()).isEmpty();
        assertThat(widget("a").getSpec().value).isEqualTo("2");
    }

    @Scenario("SSAFinalizerIssue")
    void anApplyOfTheFinalizerAloneRemovesWhatItsManagerHadApplied() {
        client.resource(Widget.of("a", "1")).fieldManager("controller").serverSideApply();
        Widget finalizer = fresh(widget("a"));
        finalizer.setSpec(null);
        finalizer.getMetadata().setFinalizers(List.of("example.com/own"));
        client.resource(finalizer).fieldManager("controller").serverSideApply();
        assertThat(widget("a").getMetadata().getFinalizers()).containsExactly("example.com/own");
        assertThat(widget("a").getSpec().value).isNull();
    }

    @Scenario("StatusPatchCache")
    void aReconcilerReadsItsOwnStatusWrites() {
        List<Integer> counts = concurrentList();
        start(new Custom((widget, context) -> {
            int count = widget.status().count == null ? 0 : widget.getStatus().count;
            counts.add(count);
            if (count == 5) {
                return UpdateControl.noUpdate();
            }
            Widget fresh = fresh(widget);
            fresh.setSpec(null);
            fresh.status().count = count + 1;
            PrimaryUpdateAndCacheUtils.ssaPatchStatusAndCacheResource(widget, fresh, context);
            return UpdateControl.<Widget>noUpdate().rescheduleAfter(1);
        }));
        create(Widget.of("a", "1"));
        control.advance(java.time.Duration.ofSeconds(1));
        assertThat(counts).containsExactly(0, 1, 2, 3, 4, 5);
    }

    @Scenario("status patches of another type")
    void aJsonPatchOfTheStatusDoesNotReconcile() {
        start(new Custom((widget, context) -> {
            runs.incrementAndGet();
            return UpdateControl.noUpdate();
        }));
        create(Widget.of("a", "1"));
        settle();
        client.resources(Widget.class)
                .inNamespace("default")
                .withName("a")
                .subresource("status")
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"status\":{\"message\":\"by hand\"}}");
        settle();
        assertThat(runs).hasValue(1);
        assertThat(widget("a").getStatus().message).isEqualTo("by hand");
    }
}
