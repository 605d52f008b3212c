package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.Names;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/** The rules of the specification of autoscalers, in the form of autoscaling/v2. */
final class HorizontalPodAutoscalerRules {
    private static final String ONLY_ONE = "must populate the given metric source only";
    private static final long LONGEST_WINDOW = 3_600;
    private static final long LONGEST_PERIOD = 1_800;

    private HorizontalPodAutoscalerRules() {}

    static void validate(Field spec) {
        Field min = spec.at("minReplicas");
        Field max = spec.at("maxReplicas");
        if (min.number() < 1) {
            min.invalid(min.number(), "must be greater than or equal to 1");
        }
        if (max.number() == 0) {
            max.missing("must be set and greater than 0");
        } else if (max.number() < 0) {
            max.invalid("must be greater than or equal to 1");
        }
        if (min.number() > max.number()) {
            max.invalid(max.number(), "must be greater than or equal to `minReplicas`");
        }
        Field target = spec.at("scaleTargetRef");
        reference(target, !target.at("kind").text().equals("ReplicationController"));
        Field metrics = spec.at("metrics");
        boolean others = false;
        for (Field metric : metrics.items()) {
            metric(metric);
            others |= List.of("External", "Object").contains(metric.at("type").text());
        }
        if (min.number() == 0 && !others) {
            metrics.forbidden(
                    "must specify at least one Object or External metric to support scaling to zero replicas");
        }
        for (String direction : List.of("scaleUp", "scaleDown")) {
            if (spec.at("behavior", direction).given()) {
                rules(spec.at("behavior", direction));
            }
        }
    }

    private static void reference(Field reference, boolean withGroup) {
        reference.at("kind").require(Names::pathSegment);
        reference.at("name").require(Names::pathSegment);
        Field version = reference.at("apiVersion");
        int slash = version.text().indexOf('/');
        if (slash != version.text().lastIndexOf('/')) {
            version.invalid("unexpected GroupVersion string: " + version.text());
        } else if (slash < 1 && withGroup) {
            version.invalid(version.text(), "apiVersion must specify API group");
        }
    }

    private static void metric(Field metric) {
        Field type = metric.at("type");
        type.require("must specify a metric source type");
        type.oneOf("ContainerResource", "External", "Object", "Pods", "Resource");
        Set<String> present = new TreeSet<>();
        for (String source : List.of("object", "external", "pods", "resource", "containerResource")) {
            if (metric.at(source).given()) {
                present.add(source);
                if (present.size() == 1) {
                    source(metric.at(source), source);
                }
            }
        }
        List<String> kinds = List.of("ContainerResource", "External", "Object", "Pods", "Resource");
        String expected = "";
        if (!kinds.contains(type.text())) {
            type.oneOf(kinds.toArray(String[]::new));
        } else {
            expected = type.text().substring(0, 1).toLowerCase(Locale.ROOT)
                    + type.text().substring(1);
            if (!metric.at(expected).given()) {
                metric.at(expected).missing("must populate information for the given metric source");
            }
        }
        if (present.size() != 1) {
            present.remove(expected);
            present.forEach(source -> metric.at(source).forbidden(ONLY_ONE));
        }
    }

    private static void source(Field source, String kind) {
        Field target = source.at("target");
        boolean value = target.at("value").given();
        boolean average = target.at("averageValue").given();
        switch (kind) {
            case "object" -> {
                reference(source.at("describedObject"), false);
                identifier(source.at("metric"));
                target(target);
                if (!value && !average) {
                    target.at("averageValue").missing("must set either a target value or averageValue");
                }
            }
            case "external" -> {
                identifier(source.at("metric"));
                target(target);
                if (!value && !average) {
                    target.at("averageValue").missing("must set either a target value for metric or a per-pod target");
                }
                if (value && average) {
                    target.at("value").forbidden("may not set both a target value for metric and a per-pod target");
                }
            }
            case "pods" -> {
                identifier(source.at("metric"));
                target(target);
                if (!average) {
                    target.at("averageValue").missing("must specify a positive target averageValue");
                }
            }
            default -> {
                Field name = source.at("name");
                boolean named = name.require("must specify a resource name");
                if (kind.equals("containerResource")) {
                    if (named) {
                        ResourceRules.inContainer(name, name.text());
                    }
                    if (source.at("container").require("must specify a container")) {
                        source.at("container").obeys(Names::label);
                    }
                }
                target(target);
                boolean utilization = target.at("averageUtilization").given();
                if (!utilization && !average) {
                    target.at("averageUtilization")
                            .missing("must set either a target raw value or a target utilization");
                }
                if (utilization && average) {
                    target.at("averageValue").forbidden("may not set both a target raw value and a target utilization");
                }
            }
        }
    }

    private static void identifier(Field metric) {
        Field name = metric.at("name");
        if (name.require("must specify a metric name")) {
            name.obeys(Names::pathSegment);
        }
    }

    private static void target(Field target) {
        Field type = target.at("type");
        type.require("must specify a metric target type");
        if (!List.of("Utilization", "Value", "AverageValue").contains(type.text())) {
            type.invalid(type.text(), "must be either Utilization, Value, or AverageValue");
        }
        for (String amount : List.of("value", "averageValue")) {
            if (target.at(amount).given() && !isPositive(target.at(amount))) {
                target.at(amount).invalid("must be positive");
            }
        }
        target.at("averageUtilization").positive();
    }

    private static boolean isPositive(Field quantity) {
        return FormatRules.quantity(quantity)
                .filter(amount -> amount.value().signum() > 0)
                .isPresent();
    }

    private static void rules(Field rules) {
        Field window = rules.at("stabilizationWindowSeconds");
        if (window.number() < 0) {
            window.invalid("must be greater than or equal to zero");
        }
        if (window.number() > LONGEST_WINDOW) {
            window.invalid("must be less than or equal to " + LONGEST_WINDOW);
        }
        if (rules.at("selectPolicy").given()) {
            rules.at("selectPolicy").oneOf("Disabled", "Max", "Min");
        }
        Field policies = rules.at("policies");
        if (policies.array().isEmpty()) {
            policies.missing("must specify at least one Policy");
        }
        for (Field policy : policies.items()) {
            policy.at("type").oneOf("Percent", "Pods");
            aboveZero(policy.at("value"));
            aboveZero(policy.at("periodSeconds"));
            if (policy.at("periodSeconds").number() > LONGEST_PERIOD) {
                policy.at("periodSeconds").invalid("must be less than or equal to " + LONGEST_PERIOD);
            }
        }
        FormatRules.notNegative(rules.at("tolerance"));
    }

    private static void aboveZero(Field number) {
        if (number.number() <= 0) {
            number.invalid(number.number(), "must be greater than zero");
        }
    }
}
