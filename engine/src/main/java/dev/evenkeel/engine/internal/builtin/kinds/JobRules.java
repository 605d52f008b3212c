package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.builtin.InternalForm;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.Names;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Rules of the specification of a job, on its own or in the template of a cron job, in upstream's order. */
final class JobRules {
    private static final long MANY = 100_000;
    private static final long FEWER = 10_000;
    private static final int MOST_RULES = 20;
    private static final int MOST_EXIT_CODES = 255;
    private static final int LONGEST_INDEXES = 64 * 1024;
    private static final String PER_INDEX =
            "must be less than or equal to 10000 when completions are above 100000 and used with backoff limit per index";
    private static final String INDEXED_ONLY = "requires indexed completion mode";

    private JobRules() {}

    static void validate(Field spec) {
        for (String number : List.of(
                "parallelism",
                "completions",
                "activeDeadlineSeconds",
                "backoffLimit",
                "ttlSecondsAfterFinished",
                "backoffLimitPerIndex",
                "maxFailedIndexes")) {
            spec.at(number).notNegative();
        }
        if (spec.at("maxFailedIndexes").given()
                && !spec.at("backoffLimitPerIndex").given()) {
            spec.at("backoffLimitPerIndex").missing("when maxFailedIndexes is specified");
        }
        managedBy(spec.at("managedBy"));
        mode(spec);
        if (spec.at("podFailurePolicy").given()) {
            failurePolicy(spec);
        }
        Field success = spec.at("successPolicy");
        if (success.given() && !isIndexed(spec)) {
            success.invalidText(InternalForm.text("batch.v1.SuccessPolicy", success.value()), INDEXED_ONLY);
        } else if (success.given()) {
            successPolicy(success, spec.at("completions").number());
        }
        replacementPolicy(spec);
        PodTemplates.validateTemplate(spec.at("template"), Set.of());
        restartPolicy(spec);
    }

    private static boolean isIndexed(Field spec) {
        return spec.at("completionMode").text().equals("Indexed");
    }

    private static void managedBy(Field manager) {
        if (manager.given()) {
            FormatRules.prefixedPath(manager);
            if (Names.bytes(manager.text()) > 63) {
                manager.tooLong(63);
            }
        }
    }

    private static void mode(Field spec) {
        Field mode = spec.at("completionMode");
        if (mode.given()) {
            mode.oneOf("NonIndexed", "Indexed");
        }
        Field failed = spec.at("maxFailedIndexes");
        if (isIndexed(spec)) {
            indexed(spec, failed);
        } else if (!mode.given() || mode.text().equals("NonIndexed")) {
            for (Field field : List.of(spec.at("backoffLimitPerIndex"), failed)) {
                if (field.given()) {
                    field.invalid(INDEXED_ONLY);
                }
            }
        }
    }

    private static void indexed(Field spec, Field failed) {
        Field completions = spec.at("completions");
        Field parallelism = spec.at("parallelism");
        if (!completions.given()) {
            completions.missing("when completion mode is Indexed");
        }
        if (parallelism.number() > MANY) {
            parallelism.invalid("must be less than or equal to 100000 when completion mode is Indexed");
        }
        if (completions.given() && failed.number() > completions.number()) {
            failed.invalid("must be less than or equal to completions");
        }
        if (failed.number() > MANY) {
            failed.invalid("must be less than or equal to 100000");
        }
        if (completions.number() > MANY && spec.at("backoffLimitPerIndex").given()) {
            if (!failed.given()) {
                failed.missing("must be specified when completions is above 100000");
            }
            if (parallelism.number() > FEWER) {
                parallelism.invalid(PER_INDEX);
            }
            if (failed.number() > FEWER) {
                failed.invalid(PER_INDEX);
            }
        }
    }

    private static void replacementPolicy(Field spec) {
        Field policy = spec.at("podReplacementPolicy");
        if (policy.given() && spec.at("podFailurePolicy").given()) {
            policy.oneOf("Failed");
        } else if (policy.given()) {
            policy.oneOf("Failed", "TerminatingOrFailed");
        }
    }

    private static void restartPolicy(Field spec) {
        Field restart = spec.at("template", "spec", "restartPolicy");
        switch (restart.text()) {
            case "Always", "" -> restart.missing("valid values: \"OnFailure\", \"Never\"");
            case "OnFailure" -> {
                if (spec.at("podFailurePolicy").given()) {
                    restart.invalid("only \"Never\" is supported when podFailurePolicy is specified");
                }
            }
            default -> restart.oneOf("OnFailure", "Never");
        }
    }

    private static void failurePolicy(Field spec) {
        Field rules = spec.at("podFailurePolicy", "rules");
        if (rules.array().size() > MOST_RULES) {
            rules.tooMany(rules.array().size(), MOST_RULES);
        }
        Set<String> containers = new HashSet<>();
        for (String kind : List.of("containers", "initContainers")) {
            spec.at("template", "spec", kind)
                    .items()
                    .forEach(container -> containers.add(container.at("name").text()));
        }
        boolean perIndex = spec.at("backoffLimitPerIndex").given();
        rules.items().forEach(rule -> failureRule(rule, perIndex, containers));
    }

    private static void failureRule(Field rule, boolean perIndex, Set<String> containers) {
        Field action = rule.at("action");
        if (!action.text().equals("FailIndex")) {
            requireOneOf(action, "Count", "FailIndex", "FailJob", "Ignore");
        } else if (!perIndex) {
            action.invalid("requires the backoffLimitPerIndex to be set");
        }
        Field codes = rule.at("onExitCodes");
        Field conditions = rule.at("onPodConditions");
        boolean conditional = !conditions.array().isEmpty();
        if (codes.given()) {
            exitCodes(codes, containers);
        }
        if (conditions.array().size() > MOST_RULES) {
            conditions.tooMany(conditions.array().size(), MOST_RULES);
        }
        for (Field pattern : conditions.items()) {
            pattern.at("type").obeys(Names::qualified);
            requireOneOf(pattern.at("status"), "False", "True", "Unknown");
        }
        if (codes.given() && conditional) {
            rule.wrong("specifying both OnExitCodes and OnPodConditions is not supported");
        }
        if (!codes.given() && !conditional) {
            rule.wrong("specifying one of OnExitCodes and OnPodConditions is required");
        }
    }

    private static void requireOneOf(Field field, String... allowed) {
        if (field.text().isEmpty()) {
            field.missing(
                    List.of(allowed).stream().map(Json::text).collect(Collectors.joining(" ", "valid values: [", "]")));
        } else {
            field.oneOf(allowed);
        }
    }

    private static void exitCodes(Field codes, Set<String> containers) {
        requireOneOf(codes.at("operator"), "In", "NotIn");
        Field container = codes.at("containerName");
        if (container.given() && !containers.contains(container.text())) {
            container.invalid("must be one of the container or initContainer names in the pod template");
        }
        Field values = codes.at("values");
        int count = values.array().size();
        if (count == 0) {
            values.invalid("at least one value is required");
        } else if (count > MOST_EXIT_CODES) {
            values.tooMany(count, MOST_EXIT_CODES);
        }
        Set<Long> seen = new HashSet<>();
        boolean ordered = true;
        long last = Long.MIN_VALUE;
        for (Field value : values.items()) {
            if (codes.at("operator").text().equals("In") && value.number() == 0) {
                value.invalid("must not be 0 for the In operator");
            }
            if (!seen.add(value.number())) {
                value.duplicate(value.value());
            }
            ordered &= last <= value.number();
            last = value.number();
        }
        if (!ordered) {
            values.invalid("must be ordered");
        }
    }

    private static void successPolicy(Field policy, long completions) {
        Field rules = policy.at("rules");
        int count = rules.array().size();
        if (count == 0) {
            rules.missing("at least one rules must be specified when the successPolicy is specified");
        } else if (count > MOST_RULES) {
            rules.tooMany(count, MOST_RULES);
        }
        for (Field rule : rules.items()) {
            Field indexes = rule.at("succeededIndexes");
            Field wanted = rule.at("succeededCount");
            if (!indexes.given() && !wanted.given()) {
                rule.missing("at least one of succeededCount or succeededIndexes must be specified");
            }
            if (Names.bytes(indexes.text()) > LONGEST_INDEXES) {
                indexes.tooLong(LONGEST_INDEXES);
            }
            JobIndexes parsed = JobIndexes.parse(indexes.text(), completions);
            if (!parsed.problem().isEmpty()) {
                indexes.invalid("error parsing succeededIndexes: " + parsed.problem());
            }
            wanted.notNegative();
            if (wanted.number() > completions) {
                wanted.invalid(
                        "must be less than or equal to " + completions + " (the number of specified completions)");
            }
            if (indexes.given() && wanted.number() > parsed.count()) {
                wanted.invalid("must be less than or equal to " + parsed.count()
                        + " (the number of indexes in the specified succeededIndexes field)");
            }
        }
    }
}
