package dev.evenkeel.examples.stream;

import static dev.evenkeel.examples.stream.MirrorStatus.CONDITIONS;
import static dev.evenkeel.examples.stream.MirrorStatus.MIRRORED;

import dev.evenkeel.client.BadRequestException;
import dev.evenkeel.client.Conditions;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.LabelSelector;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.Stash;
import dev.evenkeel.reconcile.ResourceReconciler;
import dev.evenkeel.reconcile.child.ChildSetReconciler;
import dev.evenkeel.reconcile.condition.ConditionManager;
import dev.evenkeel.reconcile.flow.SyncReconciler;
import dev.evenkeel.reconcile.part.Part;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.List;

/**
 * Creates a {@link Topic} at the other broker for each that a {@link Mirror} selects. Copying the records is out of
 * scope.
 *
 * <p>Copies have a label, and are not copied again, by any mirror: two in opposite directions would never end.
 */
public final class MirrorReconciler {
    /** The label of copies: the name of their mirror. */
    public static final String LABEL = "stream.evenkeel.dev/mirror";

    private static final Kind<Topic> TOPICS = Kind.of(Topic.class);
    private static final LabelSelector NO_COPIES = LabelSelector.parse("!" + LABEL);
    private static final Stash.Key<Originals> ORIGINALS = Stash.Key.of("originals", Originals.class);

    private MirrorReconciler() {}

    private record Originals(List<Topic> topics) {}

    /** Returns the controller. */
    public static Controller<Mirror> controller() {
        return root().controller();
    }

    static ResourceReconciler<Mirror> root() {
        return ResourceReconciler.of(Mirror.class)
                .name("Mirror")
                .conditions(CONDITIONS)
                .reconciler(
                        SyncReconciler.of(Mirror.class)
                                .name("Originals")
                                .needs(new Part.Requirement.Tracks<>(TOPICS))
                                .sync(MirrorReconciler::originals)
                                .build(),
                        copies())
                .build();
    }

    private static Result originals(Reconciliation<Mirror> reconciliation, Mirror mirror) {
        LabelSelector selector;
        try {
            selector = LabelSelector.of(mirror.getSpec().topics()).and(NO_COPIES);
        } catch (BadRequestException e) {
            CONDITIONS.manage(reconciliation, mirror).markFalse(MIRRORED, "InvalidSelector", e);
            return Result.durable(e);
        }
        ListOptions selection = ListOptions.in(ObjectKey.of(mirror).namespace()).labels(selector);
        String broker = mirror.getSpec().from();
        List<Topic> topics = reconciliation.tracker().list(TOPICS, selection).items().stream()
                .filter(topic -> topic.getSpec().broker().equals(broker) && !topic.isMarkedForDeletion())
                .toList();
        reconciliation.stash().put(ORIGINALS, new Originals(topics));
        return Result.done();
    }

    private static Part<Mirror> copies() {
        return ChildSetReconciler.of(Mirror.class, Topic.class)
                .name("Copies")
                .desired((reconciliation, mirror) -> reconciliation.stash().require(ORIGINALS).topics().stream()
                        .map(topic -> copy(mirror, topic))
                        .toList())
                .identify(copy -> ObjectKey.of(copy).name())
                .merge(MirrorReconciler::merge)
                .reflect(MirrorReconciler::reflect)
                .build();
    }

    /** Returns the copy of a topic; the other broker chooses its replicas. */
    private static Topic copy(Mirror mirror, Topic topic) {
        String name = ObjectKey.of(mirror).name();
        Topic copy = new Topic();
        copy.setMetadata(new ObjectMetaBuilder()
                .withNamespace(ObjectKey.of(mirror).namespace())
                .withName(name + "-" + ObjectKey.of(topic).name())
                .addToLabels(LABEL, name)
                .build());
        TopicSpec spec = topic.getSpec();
        copy.setSpec(new TopicSpec(mirror.getSpec().to(), spec.partitions(), null, spec.settings()));
        return copy;
    }

    private static void merge(Topic actual, Topic desired) {
        TopicSpec wanted = desired.getSpec();
        actual.getMetadata().getLabels().putAll(desired.getMetadata().getLabels());
        actual.setSpec(new TopicSpec(
                wanted.broker(), wanted.partitions(), actual.getSpec().replicas(), wanted.settings()));
    }

    private static void reflect(
            Reconciliation<Mirror> reconciliation, Mirror mirror, ChildSetReconciler.ChildSetResult<Topic> result) {
        List<Topic> copies = result.children();
        mirror.getStatus().setTopics(names(copies));
        ConditionManager marks = CONDITIONS.manage(reconciliation, mirror);
        List<String> waiting =
                names(copies.stream().filter(copy -> !isReady(copy)).toList());
        if (result.error().isPresent()) {
            String reason = result.reason().isEmpty() ? "Failed" : result.reason();
            marks.markFalse(MIRRORED, reason, result.error().get());
        } else if (!waiting.isEmpty()) {
            marks.markFalse(MIRRORED, "TopicsNotReady", "not ready: %s", String.join(", ", waiting));
        } else {
            marks.markTrue(MIRRORED, "TopicsReady");
        }
    }

    private static List<String> names(List<Topic> topics) {
        return topics.stream().map(topic -> ObjectKey.of(topic).name()).sorted().toList();
    }

    private static boolean isReady(Topic topic) {
        return !topic.isMarkedForDeletion()
                && Conditions.isTrue(topic.getStatus().getConditions(), "Ready");
    }
}
