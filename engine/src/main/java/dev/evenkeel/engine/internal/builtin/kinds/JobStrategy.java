package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.builtin.InternalForm;
import dev.evenkeel.engine.internal.builtin.Times;
import dev.evenkeel.engine.internal.json.Ages;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.Names;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Jobs, which find their pods by their own uid, unless {@code manualSelector} is set. */
record JobStrategy(KindFacts facts) implements KindStrategy {
    private static final String UID_LABEL = "batch.kubernetes.io/controller-uid";
    private static final String NAME_LABEL = "batch.kubernetes.io/job-name";
    private static final int MANY = 100_000;
    private static final int LIMIT = 10_000;

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
        labels.putIfAbsent(UID_LABEL, uid);
        labels.putIfAbsent(NAME_LABEL, name);
        labels.putIfAbsent("controller-uid", uid);
        labels.putIfAbsent("job-name", name);
        spec.withObject("selector").withObject("matchLabels").putIfAbsent(UID_LABEL, uid);
        labelsFromTemplate(tree);
    }

    @Override
    public void validate(Field root) {
        Field spec = root.at("spec");
        generated(root);
        withSelector(root);
        Field completions = spec.at("completions");
        if (spec.at("completionMode").text().equals("Indexed") && completions.number() > 0) {
            Field name = root.at("metadata", "name");
            String host = name.text() + "-" + (completions.number() - 1);
            if (!Names.label(host).isEmpty()) {
                name.invalid("will not able to create pod with invalid DNS label: " + host);
            }
        }
    }

    /** Requires the labels and the selector that are generated for a job unless it brings its own. */
    private static void generated(Field root) {
        Field selector = root.at("spec", "selector");
        if (root.object().bool("spec", "manualSelector") || !selector.given()) {
            return;
        }
        String uid = root.at("metadata", "uid").text();
        String name = root.at("metadata", "name").text();
        JsonObject expected = JsonObject.of("controller-uid", uid, "job-name", name, UID_LABEL, uid, NAME_LABEL, name);
        Field labels = root.at("spec", "template", "metadata", "labels");
        expected.forEach((key, value) -> {
            Field label = labels.entry(key);
            if (!label.given()) {
                label.missing("must be '" + value + "'");
            } else if (!label.text().equals(value)) {
                label.invalid(labels.value(), "must be '" + value + "'");
            }
        });
        if (Selectors.isWellFormed(selector.object()) && !Selectors.matches(selector.object(), expected)) {
            Selectors.invalid(selector, "`selector` not auto-generated");
        }
    }

    private static void withSelector(Field root) {
        Field spec = root.at("spec");
        Field selector = spec.at("selector");
        JobRules.validate(spec);
        if (selector.given()) {
            Selectors.validate(selector);
        } else {
            selector.missing();
        }
        if (Selectors.isWellFormed(selector.object())) {
            boolean selected =
                    selector.given() && Selectors.matches(selector.object(), PodTemplates.labels(root.object()));
            PodTemplates.validateLabels(root, selected);
        }
    }

    @Override
    public void validateUpdate(Field root, JsonObject old) {
        JsonObject tree = root.object();
        withSelector(root);
        completions(root.at("spec"), old.object("spec"));
        Selectors.immutable(root, old);
        boolean waiting = isWaiting(old);
        if (!steady(tree, waiting).equals(steady(old, waiting))) {
            changed(root.at("spec", "template"), "core.v1.PodTemplateSpec");
        }
        root.immutable(old, "spec", "completionMode");
        immutable(root, old, "podFailurePolicy", "batch.v1.PodFailurePolicy");
        root.immutable(old, "spec", "backoffLimitPerIndex");
        root.immutable(old, "spec", "managedBy");
        immutable(root, old, "successPolicy", "batch.v1.SuccessPolicy");
    }

    private static void completions(Field spec, JsonObject old) {
        Field completions = spec.at("completions");
        if (Objects.equals(completions.value(), old.get("completions"))) {
            return;
        }
        if (!spec.at("completionMode").text().equals("Indexed")) {
            completions.invalid(Field.IMMUTABLE);
        } else if (completions.given()
                && completions.number() != spec.at("parallelism").number()) {
            completions.invalid("can only be modified in tandem with spec.parallelism");
        }
    }

    private static void immutable(Field root, JsonObject old, String field, String type) {
        if (!Objects.equals(root.object().at("spec", field), old.at("spec", field))) {
            changed(root.at("spec", field), type);
        }
    }

    private static void changed(Field field, String type) {
        field.invalidText(InternalForm.text(type, field.value()), Field.IMMUTABLE);
    }

    /** Returns whether a job is suspended and has no pods, so that those that it gets may differ. */
    private static boolean isWaiting(JsonObject job) {
        return job.bool("spec", "suspend")
                && job.integer("status", "active") == 0
                && (!job.has("status", "startTime") || Trees.isCondition(job, "Suspended", "True"));
    }

    /** Returns the template without the fields that may change while a job waits. */
    private static JsonObject steady(JsonObject job, boolean waiting) {
        JsonObject template = job.object("spec", "template").copy();
        if (waiting) {
            template.object("metadata").keySet().removeAll(List.of("annotations", "labels"));
            JsonObject spec = template.object("spec");
            spec.keySet().removeAll(List.of("nodeSelector", "tolerations", "schedulingGates"));
            spec.objects("containers").forEach(container -> container.remove("resources"));
            spec.objects("initContainers").forEach(container -> container.remove("resources"));
            JsonObject affinity = spec.object("affinity");
            affinity.remove("nodeAffinity");
            if (affinity.isEmpty()) {
                spec.remove("affinity");
            }
        }
        return template;
    }

    @Override
    public void validateStatusUpdate(Field root, JsonObject old) {
        new JobStatusRules(root, old).validate();
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
        List<String> warnings = new ArrayList<>();
        if (old == null) {
            warnings.addAll(PodWarnings.name(tree, "Pod names and hostnames"));
        }
        if (old == null || tree.integer("metadata", "generation") != old.integer("metadata", "generation")) {
            warnings.addAll(warnings("spec", tree.object("spec")));
        }
        return warnings;
    }

    /**
     * Returns the warnings of the specification of a job, of its own or in a template.
     *
     * @param path the path of the specification
     */
    static List<String> warnings(String path, JsonObject spec) {
        List<String> warnings = new ArrayList<>();
        if (spec.string("completionMode").equals("Indexed")
                && spec.integer("completions") > MANY
                && spec.integer("parallelism") > LIMIT) {
            warnings.add(path + ": In Indexed Jobs with a number of completions higher than 10^5 and a parallelism"
                    + " higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of"
                    + " indexes fail");
        }
        warnings.addAll(PodWarnings.of(path + ".template.", spec.object("template")));
        return warnings;
    }
}
