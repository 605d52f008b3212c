package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.builtin.Times;
import dev.evenkeel.engine.internal.json.Ages;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Jobs, which find their pods by their own uid, unless {@code manualSelector} is set. */
record JobStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void applyDefaults(JsonObject tree) {
        KindStrategy.super.applyDefaults(tree);
        JsonObject spec = tree.withObject("spec");
        if (!spec.has("completions") && !spec.has("parallelism")) {
            spec.put("completions", 1L);
        }
        spec.putIfAbsent("parallelism", 1L);
        spec.putIfAbsent("backoffLimit", spec.has("backoffLimitPerIndex") ? (long) Integer.MAX_VALUE : 6L);
        spec.putIfAbsent("completionMode", "NonIndexed");
        spec.putIfAbsent("suspend", false);
        spec.putIfAbsent("manualSelector", false);
        boolean failurePolicy = spec.has("podFailurePolicy");
        spec.putIfAbsent("podReplacementPolicy", failurePolicy ? "Failed" : "TerminatingOrFailed");
        spec.objects("podFailurePolicy", "rules")
                .forEach(rule ->
                        rule.objects("onPodConditions").forEach(pattern -> pattern.setIfEmpty("status", "True")));
        labelsFromTemplate(tree);
    }

    /** Copies the labels of the template to a job without labels. */
    private static void labelsFromTemplate(JsonObject tree) {
        JsonObject labels = PodTemplates.labels(tree);
        if (!labels.isEmpty() && tree.object("metadata", "labels").isEmpty()) {
            tree.withObject("metadata").put("labels", labels.copy());
        }
    }

    @Override
    public void prepareForCreate(JsonObject tree, Context context) {
        KindStrategy.super.prepareForCreate(tree, context);
        JsonObject spec = tree.withObject("spec");
        String uid = tree.string("metadata", "uid");
        if (spec.bool("manualSelector") || uid.isEmpty()) {
            return;
        }
        String name = tree.string("metadata", "name");
        JsonObject labels = spec.withObject("template").withObject("metadata").withObject("labels");
        labels.putIfAbsent("batch.kubernetes.io/controller-uid", uid);
        labels.putIfAbsent("batch.kubernetes.io/job-name", name);
        labels.putIfAbsent("controller-uid", uid);
        labels.putIfAbsent("job-name", name);
        spec.withObject("selector").withObject("matchLabels").putIfAbsent("batch.kubernetes.io/controller-uid", uid);
        labelsFromTemplate(tree);
    }

    @Override
    public void validate(Field root) {
        validateSpec(root.at("spec"));
    }

    /** Validates the spec of a job or of the template of a cron job. */
    static void validateSpec(Field spec) {
        for (String number : List.of(
                "parallelism", "completions", "activeDeadlineSeconds", "backoffLimit", "ttlSecondsAfterFinished")) {
            spec.at(number).notNegative();
        }
        Field mode = spec.at("completionMode");
        mode.oneOfIfGiven("Indexed", "NonIndexed");
        if (mode.text().equals("Indexed") && !spec.at("completions").given()) {
            spec.at("completions").missing("when completion mode is Indexed");
        }
        PodTemplates.validateTemplate(spec.at("template"), Set.of());
        Field restart = spec.at("template", "spec", "restartPolicy");
        if (restart.text().equals("Always")) {
            restart.missing("valid values: \"OnFailure\", \"Never\"");
        } else {
            restart.oneOf("OnFailure", "Never");
        }
    }

    @Override
    public void validateUpdate(Field root, JsonObject old) {
        JsonObject tree = root.object();
        boolean elastic = tree.string("spec", "completionMode").equals("Indexed")
                && Objects.equals(tree.at("spec", "completions"), tree.at("spec", "parallelism"));
        if (!elastic) {
            root.immutable(old, "spec", "completions");
        }
        root.immutable(old, "spec", "selector");
        boolean waiting = old.bool("spec", "suspend") && !old.has("status", "startTime");
        if (!steady(tree, waiting).equals(steady(old, waiting))) {
            root.at("spec", "template").invalid(Field.IMMUTABLE);
        }
        root.immutable(old, "spec", "completionMode");
        root.immutable(old, "spec", "podFailurePolicy");
        root.immutable(old, "spec", "backoffLimitPerIndex");
    }

    /** Returns the template without the fields that may change while a suspended job waits for its first start. */
    private static JsonObject steady(JsonObject job, boolean waiting) {
        JsonObject template = job.object("spec", "template").copy();
        if (waiting) {
            template.object("metadata").keySet().removeAll(List.of("annotations", "labels"));
            template.object("spec")
                    .keySet()
                    .removeAll(List.of("nodeSelector", "affinity", "tolerations", "schedulingGates"));
        }
        return template;
    }

    /** Orphans dependents, the behaviour before servers collected garbage. */
    @Override
    public GarbageCollection garbageCollection() {
        return GarbageCollection.ORPHAN_DEPENDENTS;
    }

    @Override
    public List<String> deletionWarnings() {
        return List.of("child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to"
                + " remove them or set propagationPolicy=Orphan to suppress this warning");
    }

    @Override
    public Object cell(String column, JsonObject tree, Instant now) {
        return switch (column) {
            case "Status" -> status(tree);
            case "Completions" -> completions(tree);
            default -> duration(tree, now);
        };
    }

    private static String status(JsonObject tree) {
        return Stream.of("Complete", "Failed", "Terminating", "Suspended", "FailureTarget", "SuccessCriteriaMet")
                .filter(state -> state.equals("Terminating")
                        ? tree.has("metadata", "deletionTimestamp")
                        : Trees.isCondition(tree, state, "True"))
                .findFirst()
                .orElse("Running");
    }

    private static String completions(JsonObject tree) {
        long succeeded = tree.integer("status", "succeeded");
        Object completions = tree.at("spec", "completions");
        long parallelism = tree.integer("spec", "parallelism");
        return completions != null
                ? succeeded + "/" + completions
                : parallelism > 1 ? succeeded + "/1 of " + parallelism : succeeded + "/1";
    }

    private static String duration(JsonObject tree, Instant now) {
        String start = tree.string("status", "startTime");
        if (start.isEmpty()) {
            return "";
        }
        String end = tree.string("status", "completionTime");
        return Ages.of(Duration.between(Times.parse(start), end.isEmpty() ? now : Times.parse(end)));
    }

    @Override
    public List<String> warnings(JsonObject tree, @Nullable JsonObject old) {
        return PodTemplates.namedWarnings(tree, old);
    }
}
