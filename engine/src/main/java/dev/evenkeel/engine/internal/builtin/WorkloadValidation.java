package dev.evenkeel.engine.internal.builtin;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.Json;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Rules of the kinds that make pods from a template. */
final class WorkloadValidation {
    private static final String TEMPLATE = "spec.template";

    private WorkloadValidation() {}

    static List<FieldError> deployment(Map<String, @Nullable Object> tree) {
        Findings findings = new Findings();
        workload(tree, Set.of(), findings);
        String type = Json.string(tree, "spec", "strategy", "type");
        findings.oneOf("spec.strategy.type", type, "Recreate", "RollingUpdate");
        Object rolling = Json.at(tree, "spec", "strategy", "rollingUpdate");
        if (type.equals("Recreate") && rolling != null) {
            findings.forbidden(
                    "spec.strategy.rollingUpdate", "may not be specified when strategy `type` is 'Recreate'");
        }
        if (type.equals("RollingUpdate") && rolling != null) {
            rollingUpdate(rolling, findings);
        }
        findings.notNegative("spec.minReadySeconds", Json.at(tree, "spec", "minReadySeconds"));
        findings.notNegative("spec.revisionHistoryLimit", Json.at(tree, "spec", "revisionHistoryLimit"));
        Object deadline = Json.at(tree, "spec", "progressDeadlineSeconds");
        findings.notNegative("spec.progressDeadlineSeconds", deadline);
        if (deadline instanceof Long seconds && seconds <= Json.integer(tree, "spec", "minReadySeconds")) {
            findings.invalid("spec.progressDeadlineSeconds", seconds, "must be greater than minReadySeconds");
        }
        return findings.list();
    }

    private static void rollingUpdate(Object rolling, Findings findings) {
        boolean none = true;
        for (String field : List.of("maxUnavailable", "maxSurge")) {
            Object value = Json.at(rolling, field);
            String at = "spec.strategy.rollingUpdate." + field;
            findings.notNegative(at, value);
            if (value instanceof String text && !percent(text)) {
                findings.invalid(
                        at,
                        text,
                        "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or"
                                + " '93%', regex used for validation is '[0-9]+%')");
            }
            none &= value != null && (value.equals(0L) || value.equals("0%"));
        }
        if (none) {
            findings.invalid(
                    "spec.strategy.rollingUpdate.maxUnavailable",
                    Json.at(rolling, "maxUnavailable"),
                    "may not be 0 when `maxSurge` is 0");
        }
    }

    private static boolean percent(String text) {
        return text.length() > 1
                && text.endsWith("%")
                && text.chars().limit(text.length() - 1L).allMatch(c -> c >= '0' && c <= '9');
    }

    /** Of kinds with replicas, selector and template, whose pods are restarted always. */
    static List<FieldError> selected(Map<String, @Nullable Object> tree) {
        return selected(tree, Set.of());
    }

    /** Likewise; and each pod has a volume for each claim. */
    static List<FieldError> statefulSet(Map<String, @Nullable Object> tree) {
        return selected(
                tree,
                Trees.list(tree, "spec", "volumeClaimTemplates").stream()
                        .map(claim -> Json.string(claim, "metadata", "name"))
                        .collect(Collectors.toSet()));
    }

    private static List<FieldError> selected(Map<String, @Nullable Object> tree, Set<String> claims) {
        Findings findings = new Findings();
        workload(tree, claims, findings);
        findings.notNegative("spec.minReadySeconds", Json.at(tree, "spec", "minReadySeconds"));
        return findings.list();
    }

    private static void workload(Map<String, @Nullable Object> tree, Set<String> claims, Findings findings) {
        findings.notNegative("spec.replicas", Json.at(tree, "spec", "replicas"));
        Map<String, @Nullable Object> selector = Trees.object(tree, "spec", "selector");
        if (!Trees.has(tree, "spec", "selector")) {
            findings.required("spec.selector");
        } else if (selector.isEmpty()) {
            findings.invalid("spec.selector", selector, "empty selector is invalid for deployment");
        } else {
            SelectorValidation.selector(selector, "spec.selector", findings);
        }
        Map<String, @Nullable Object> labels = Trees.object(tree, "spec", "template", "metadata", "labels");
        if (selector.isEmpty() || !Selectors.matches(selector, labels)) {
            findings.invalid(
                    TEMPLATE + ".metadata.labels",
                    labels.isEmpty() ? null : labels,
                    "`selector` does not match template `labels`");
        }
        Map<String, @Nullable Object> spec = Trees.object(tree, "spec", "template", "spec");
        PodValidation.template(spec, TEMPLATE + ".spec", claims, findings);
        findings.oneOf(TEMPLATE + ".spec.restartPolicy", Json.string(spec, "restartPolicy"), "Always");
        if (Trees.has(spec, "activeDeadlineSeconds")) {
            findings.forbidden(
                    TEMPLATE + ".spec.activeDeadlineSeconds", "activeDeadlineSeconds in ReplicaSet is not Supported");
        }
    }

    static List<FieldError> replicationController(Map<String, @Nullable Object> tree) {
        Findings findings = new Findings();
        Map<String, @Nullable Object> selector = Trees.object(tree, "spec", "selector");
        if (selector.isEmpty()) {
            findings.required("spec.selector");
        }
        findings.notNegative("spec.replicas", Json.at(tree, "spec", "replicas"));
        if (!Trees.has(tree, "spec", "template")) {
            findings.required("spec.template");
            return findings.list();
        }
        Map<String, @Nullable Object> labels = Trees.object(tree, "spec", "template", "metadata", "labels");
        if (!selector.isEmpty() && !Selectors.matches(Trees.of("matchLabels", selector), labels)) {
            findings.invalid(
                    TEMPLATE + ".metadata.labels",
                    labels.isEmpty() ? null : labels,
                    "`selector` does not match template `labels`");
        }
        Map<String, @Nullable Object> spec = Trees.object(tree, "spec", "template", "spec");
        PodValidation.template(spec, TEMPLATE + ".spec", findings);
        findings.oneOf(TEMPLATE + ".spec.restartPolicy", Json.string(spec, "restartPolicy"), "Always");
        return findings.list();
    }

    static List<FieldError> selectorUpdate(Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old) {
        Findings findings = new Findings();
        findings.immutable(tree, old, "spec.selector", "spec", "selector");
        return findings.list();
    }

    static List<FieldError> statefulSetUpdate(Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old) {
        Map<String, @Nullable Object> is = Json.copyObject(Trees.object(tree, "spec"));
        Map<String, @Nullable Object> was = Json.copyObject(Trees.object(old, "spec"));
        for (String free : List.of(
                "replicas",
                "ordinals",
                "template",
                "updateStrategy",
                "revisionHistoryLimit",
                "persistentVolumeClaimRetentionPolicy",
                "minReadySeconds")) {
            is.remove(free);
            was.remove(free);
        }
        Findings findings = new Findings();
        if (!is.equals(was)) {
            findings.forbidden(
                    "spec",
                    "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template',"
                            + " 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and"
                            + " 'minReadySeconds' are forbidden");
        }
        return findings.list();
    }

    static List<FieldError> job(Map<String, @Nullable Object> tree) {
        Findings findings = new Findings();
        jobSpec(Trees.object(tree, "spec"), "spec", findings);
        return findings.list();
    }

    private static void jobSpec(Map<String, @Nullable Object> spec, String at, Findings findings) {
        for (String number : List.of(
                "parallelism", "completions", "activeDeadlineSeconds", "backoffLimit", "ttlSecondsAfterFinished")) {
            findings.notNegative(at + "." + number, spec.get(number));
        }
        String mode = Json.string(spec, "completionMode");
        findings.oneOfIfGiven(at + ".completionMode", mode, "Indexed", "NonIndexed");
        if (mode.equals("Indexed") && !Trees.has(spec, "completions")) {
            findings.required(at + ".completions", "when completion mode is Indexed");
        }
        Map<String, @Nullable Object> pod = Trees.object(spec, "template", "spec");
        PodValidation.template(pod, at + ".template.spec", findings);
        String restart = Json.string(pod, "restartPolicy");
        if (restart.equals("Always")) {
            findings.required(at + ".template.spec.restartPolicy", "valid values: \"OnFailure\", \"Never\"");
        } else {
            findings.oneOf(at + ".template.spec.restartPolicy", restart, "OnFailure", "Never");
        }
    }

    static List<FieldError> jobUpdate(Map<String, @Nullable Object> tree, Map<String, @Nullable Object> old) {
        Findings findings = new Findings();
        boolean elastic = Json.string(tree, "spec", "completionMode").equals("Indexed")
                && java.util.Objects.equals(Json.at(tree, "spec", "completions"), Json.at(tree, "spec", "parallelism"));
        if (!elastic) {
            findings.immutable(tree, old, "spec.completions", "spec", "completions");
        }
        findings.immutable(tree, old, "spec.selector", "spec", "selector");
        boolean waiting = Trees.isTrue(old, "spec", "suspend") && !Trees.has(old, "status", "startTime");
        if (!steady(tree, waiting).equals(steady(old, waiting))) {
            findings.invalid(TEMPLATE, Json.at(tree, "spec", "template"), Findings.IMMUTABLE);
        }
        findings.immutable(tree, old, "spec.completionMode", "spec", "completionMode");
        findings.immutable(tree, old, "spec.podFailurePolicy", "spec", "podFailurePolicy");
        findings.immutable(tree, old, "spec.backoffLimitPerIndex", "spec", "backoffLimitPerIndex");
        return findings.list();
    }

    /** The template without what may change while a suspended job waits for its first start. */
    private static Map<String, @Nullable Object> steady(Map<String, @Nullable Object> job, boolean waiting) {
        Map<String, @Nullable Object> template = Json.copyObject(Trees.object(job, "spec", "template"));
        if (waiting) {
            Map<String, @Nullable Object> metadata = Trees.object(template, "metadata");
            metadata.remove("annotations");
            metadata.remove("labels");
            Map<String, @Nullable Object> spec = Trees.object(template, "spec");
            for (String free : List.of("nodeSelector", "affinity", "tolerations", "schedulingGates")) {
                spec.remove(free);
            }
        }
        return template;
    }

    static List<FieldError> cronJob(Map<String, @Nullable Object> tree) {
        Findings findings = new Findings();
        String name = Json.string(tree, "metadata", "name");
        String schedule = Json.string(tree, "spec", "schedule");
        if (schedule.isEmpty()) {
            findings.required("spec.schedule");
        } else {
            String wrong = CronSchedules.wrong(schedule);
            if (!wrong.isEmpty()) {
                findings.invalid("spec.schedule", schedule, wrong);
            }
        }
        findings.notNegative("spec.startingDeadlineSeconds", Json.at(tree, "spec", "startingDeadlineSeconds"));
        findings.oneOf(
                "spec.concurrencyPolicy", Json.string(tree, "spec", "concurrencyPolicy"), "Allow", "Forbid", "Replace");
        jobSpec(Trees.object(tree, "spec", "jobTemplate", "spec"), "spec.jobTemplate.spec", findings);
        findings.notNegative("spec.successfulJobsHistoryLimit", Json.at(tree, "spec", "successfulJobsHistoryLimit"));
        findings.notNegative("spec.failedJobsHistoryLimit", Json.at(tree, "spec", "failedJobsHistoryLimit"));
        if (name.length() > 52) {
            findings.invalid("metadata.name", name, "must be no more than 52 characters");
        }
        return findings.list();
    }
}
