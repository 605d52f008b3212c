package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.builtin.InternalForm;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.json.SentEmpty;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.schema.MalformedObjectException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Daemon sets, which count the changes of their template in an annotation. */
record DaemonSetStrategy(KindFacts facts) implements KindStrategy {
    private static final String COUNTER = "deprecated.daemonset.template.generation";

    @Override
    public void applyDefaults(JsonObject tree) {
        KindStrategy.super.applyDefaults(tree);
        // upstream has the count in a field that appears as an annotation, so the sender of every write owns it
        tree.withObject("metadata").withObject("annotations").putIfAbsent(COUNTER, "0");
    }

    @Override
    public List<String> normalise(JsonObject tree, List<String> duplicates, Consumer<SentEmpty> empties) {
        List<String> problems = KindStrategy.super.normalise(tree, duplicates, empties);
        String count = tree.string("metadata", "annotations", COUNTER);
        if (!count.isEmpty() && !count.matches("[-+]?[0-9]{1,18}")) {
            throw new MalformedObjectException("strconv.ParseInt: parsing " + Json.text(count) + ": invalid syntax");
        }
        return problems;
    }

    /** Leaves out the annotation, which upstream keeps in a field of its own. */
    @Override
    public JsonObject partial(JsonObject metadata) {
        return Trees.withoutAnnotation(metadata, COUNTER);
    }

    @Override
    public void prepareForStatusUpdate(JsonObject tree, JsonObject old, Context context) {
        tree.withObject("metadata").withObject("annotations").put(COUNTER, Long.toString(count(old)));
    }

    @Override
    public void prepareForCreate(JsonObject tree, Context context) {
        KindStrategy.super.prepareForCreate(tree, context);
        tree.withObject("metadata").withObject("annotations").put(COUNTER, "1");
    }

    @Override
    public void prepareForUpdate(JsonObject tree, JsonObject old, Context context) {
        long count = count(old);
        boolean changed = !Objects.equals(tree.at("spec", "template"), old.at("spec", "template"));
        tree.withObject("metadata").withObject("annotations").put(COUNTER, Long.toString(changed ? count + 1 : count));
    }

    private static long count(JsonObject tree) {
        try {
            return Long.parseLong(tree.string("metadata", "annotations", COUNTER));
        } catch (NumberFormatException e) {
            return 1;
        }
    }

    @Override
    public void validate(Field root) {
        Field spec = root.at("spec");
        // upstream does not require a selector here, and an empty one selects nothing
        if (spec.at("selector").given()) {
            PodTemplates.validate(root, "daemonset");
        } else {
            PodTemplates.validateLabels(root, false);
        }
        PodTemplates.validateTemplate(root, Set.of(), "DaemonSet");
        spec.at("minReadySeconds").notNegative();
        updateStrategy(spec.at("updateStrategy"));
        spec.at("revisionHistoryLimit").notNegative();
    }

    private static void updateStrategy(Field strategy) {
        switch (strategy.at("type").text()) {
            case "OnDelete" -> {}
            case "RollingUpdate" -> rollingUpdate(strategy.at("rollingUpdate"));
            default ->
                strategy.notSupportedText(
                        InternalForm.text("apps.v1.DaemonSetUpdateStrategy", strategy.value()),
                        List.of("RollingUpdate", "OnDelete"));
        }
    }

    private static void rollingUpdate(Field rolling) {
        if (!rolling.given()) {
            rolling.missing();
            return;
        }
        Field unavailable = rolling.at("maxUnavailable");
        Field surge = rolling.at("maxSurge");
        PodTemplates.amount(unavailable);
        PodTemplates.amount(surge);
        PodTemplates.atMostAll(unavailable);
        PodTemplates.atMostAll(surge);
        boolean noneUnavailable = PodTemplates.isNone(unavailable);
        boolean noSurge = PodTemplates.isNone(surge);
        if (!noneUnavailable && !noSurge) {
            surge.invalid("may not be set when maxUnavailable is non-zero");
        } else if (noneUnavailable && noSurge) {
            unavailable.missing("cannot be 0 when maxSurge is 0");
        }
    }

    @Override
    public void validateStatusUpdate(Field root, JsonObject old) {
        StatusCounts.notNegative(
                root.at("status"),
                List.of(
                        "currentNumberScheduled",
                        "numberMisscheduled",
                        "desiredNumberScheduled",
                        "numberReady",
                        "observedGeneration",
                        "updatedNumberScheduled",
                        "numberAvailable",
                        "numberUnavailable",
                        "collisionCount"));
        StatusCounts.collisionsGrow(root.at("status"), old);
    }

    @Override
    public boolean checksChangeFirst() {
        return true;
    }

    @Override
    public void validateUpdate(Field root, JsonObject old) {
        Selectors.immutable(root, old);
    }

    @Override
    public List<String> warnings(JsonObject tree, @Nullable JsonObject old) {
        return old != null && count(tree) == count(old) ? List.of() : PodTemplates.warnings(tree, old);
    }
}
