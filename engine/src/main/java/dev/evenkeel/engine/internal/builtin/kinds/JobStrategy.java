package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.builtin.Times;
import dev.evenkeel.engine.internal.json.Ages;
import dev.evenkeel.engine.internal.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Jobs, which find their pods by their own uid, unless {@code manualSelector} is set. */
record JobStrategy(KindFacts facts) implements KindStrategy {
    @Override
    public void applyDefaults(Map<String, @Nullable Object> tree) {
        Map<String, @Nullable Object> spec = PodTemplates.applyDefaults(tree);
        if (!Trees.has(spec, "completions") && !Trees.has(spec, "parallelism")) {
            spec.put("completions", 1L);
        }
        Trees.fill(spec, "parallelism", 1L);
        Trees.fill(spec, "backoffLimit", Trees.has(spec, "backoffLimitPerIndex") ? (long) Integer.MAX_VALUE : 6L);
        Trees.fill(spec, "completionMode", "NonIndexed");
        Trees.fill(spec, "suspend", false);
        Trees.fill(spec, "manualSelector", false);
        boolean failurePolicy = Trees.has(spec, "podFailurePolicy");
        Trees.fill(spec, "podReplacementPolicy", failurePolicy ? "Failed" : "TerminatingOrFailed");
        Trees.each(
                spec,
                rule -> Trees.each(rule, pattern -> Trees.fillText(pattern, "status", "True"), "onPodConditions"),
                "podFailurePolicy",
                "rules");
        labelsFromTemplate(tree);
    }

    /** Copies the labels of the template to a job without labels. */
    private static void labelsFromTemplate(Map<String, @Nullable Object> tree) {
        Map<String, @Nullable Object> labels = PodTemplates.labels(tree);
        if (!labels.isEmpty() && Trees.object(tree, "metadata", "labels").isEmpty()) {
            Trees.grow(tree, "metadata").put("labels", Json.copyObject(labels));
        }
    }

    @Override
    public void prepareForCreate(Map<String, @Nullable Object> tree, Context context) {
        KindStrategy.super.prepareForCreate(tree, context);
        Map<String, @Nullable Object> spec = Trees.grow(tree, "spec");
        String uid = Json.string(tree, "metadata", "uid");
        if (Trees.isTrue(spec, "manualSelector") || uid.isEmpty()) {
            return;
        }
        String name = Json.string(tree, "metadata", "name");
        Map<String, @Nullable Object> labels =
                Trees.grow(Trees.grow(Trees.grow(spec, "template"), "metadata"), "labels");
        Trees.fill(labels, "batch.kubernetes.io/controller-uid", uid);
        Trees.fill(labels, "batch.kubernetes.io/job-name", name);
        Trees.fill(labels, "controller-uid", uid);
        Trees.fill(labels, "job-name", name);
        Trees.grow(Trees.grow(spec, "selector"), "matchLabels").putIfAbsent("batch.kubernetes.io/controller-uid", uid);
        labelsFromTemplate(tree);
    }

    @Override
    public void validate(Map<String, @Nullable Object> tree, FieldErrors errors) {
        validateSpec(Trees.object(tree, "spec"), "spec", errors);
    }

    /** Validates the spec of a job or of the template of a cron job. */
    static void validateSpec(Map<String, @Nullable Object> spec, String at, FieldErrors errors) {
        for (String number : List.of(
                "parallelism", "completions", "activeDeadlineSeconds", "backoffLimit", "ttlSecondsAfterFinished")) {
            errors.notNegative(at + "." + number, spec.get(number));
        }
        String mode = Json.string(spec, "completionMode");
        errors.oneOfIfGiven(at + ".completionMode", mode, "Indexed", "NonIndexed");
        if (mode.equals("Indexed") && !Trees.has(spec, "completions")) {
            errors.required(at + ".completions", "when completion mode is Indexed");
        }
        Map<String, @Nullable Object> pod = Trees.object(spec, "template", "spec");
        PodValidation.spec(pod, at + ".template.spec", Set.of(), errors);
        String restart = Json.string(pod, "restartPolicy");
        if (restart.equals("Always")) {
            errors.required(at + ".template.spec.restartPolicy", "valid values: \"OnFailure\", \"Never\"");
        } else {
            errors.oneOf(at + ".template.spec.restartPolicy", restart, "OnFailure", "Never");
        }
    }

    @Override
    public void validateUpdate(
            Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old, FieldErrors errors) {
        boolean elastic = Json.string(tree, "spec", "completionMode").equals("Indexed")
                && Objects.equals(Json.at(tree, "spec", "completions"), Json.at(tree, "spec", "parallelism"));
        if (!elastic) {
            errors.immutable(tree, old, "spec", "completions");
        }
        errors.immutable(tree, old, "spec", "selector");
        boolean waiting = Trees.isTrue(old, "spec", "suspend") && !Trees.has(old, "status", "startTime");
        if (!steady(tree, waiting).equals(steady(old, waiting))) {
            errors.invalid(PodTemplates.TEMPLATE, Json.at(tree, "spec", "template"), FieldErrors.IMMUTABLE);
        }
        errors.immutable(tree, old, "spec", "completionMode");
        errors.immutable(tree, old, "spec", "podFailurePolicy");
        errors.immutable(tree, old, "spec", "backoffLimitPerIndex");
    }

    /** Returns the template without the fields that may change while a suspended job waits for its first start. */
    private static Map<String, @Nullable Object> steady(Map<String, @Nullable Object> job, boolean waiting) {
        Map<String, @Nullable Object> template = Json.copyObject(Trees.object(job, "spec", "template"));
        if (waiting) {
            Trees.object(template, "metadata").keySet().removeAll(List.of("annotations", "labels"));
            Trees.object(template, "spec")
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
    public Object cell(String column, Map<String, @Nullable Object> tree, Instant now) {
        return switch (column) {
            case "Status" -> status(tree);
            case "Completions" -> completions(tree);
            default -> duration(tree, now);
        };
    }

    private static String status(Map<String, @Nullable Object> tree) {
        if (holds(tree, "Complete")) {
            return "Complete";
        }
        if (holds(tree, "Failed")) {
            return "Failed";
        }
        if (Trees.has(tree, "metadata", "deletionTimestamp")) {
            return "Terminating";
        }
        for (String type : List.of("Suspended", "FailureTarget", "SuccessCriteriaMet")) {
            if (holds(tree, type)) {
                return type;
            }
        }
        return "Running";
    }

    private static boolean holds(Map<String, @Nullable Object> tree, String type) {
        return Trees.isCondition(tree, type, "True");
    }

    private static String completions(Map<String, @Nullable Object> tree) {
        long succeeded = Json.integer(tree, "status", "succeeded");
        Object completions = Json.at(tree, "spec", "completions");
        long parallelism = Json.integer(tree, "spec", "parallelism");
        return completions != null
                ? succeeded + "/" + completions
                : parallelism > 1 ? succeeded + "/1 of " + parallelism : succeeded + "/1";
    }

    private static String duration(Map<String, @Nullable Object> tree, Instant now) {
        String start = Json.string(tree, "status", "startTime");
        if (start.isEmpty()) {
            return "";
        }
        String end = Json.string(tree, "status", "completionTime");
        return Ages.of(Duration.between(Times.parse(start), end.isEmpty() ? now : Times.parse(end)));
    }
}
