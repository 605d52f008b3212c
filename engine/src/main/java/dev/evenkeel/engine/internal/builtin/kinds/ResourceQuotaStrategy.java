package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Resource quotas. */
record ResourceQuotaStrategy(KindFacts facts) implements KindStrategy {
    private static final Set<String> OF_PODS =
            Set.of("pods", "cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory");
    private static final Set<String> OF_CLAIMS = Set.of("persistentvolumeclaims", "requests.storage");
    private static final Set<String> WITHOUT_VALUES =
            Set.of("BestEffort", "CrossNamespacePodAffinity", "NotBestEffort", "NotTerminating", "Terminating");
    private static final List<Set<String>> CONFLICTS =
            List.of(Set.of("BestEffort", "NotBestEffort"), Set.of("Terminating", "NotTerminating"));

    @Override
    public void validate(Field root) {
        Field spec = root.at("spec");
        amounts(spec.at("hard"));
        Set<String> limited = spec.at("hard").object().keySet();
        Field scopes = spec.at("scopes");
        Set<String> seen = new HashSet<>();
        for (Field scope : scopes.items()) {
            if (!isScope(scope.text())) {
                scopes.invalid("unsupported scope");
            }
            limited.stream()
                    .filter(resource -> !applies(scope.text(), resource))
                    .forEach(resource -> scopes.invalid("unsupported scope applied to resource"));
            seen.add(scope.text());
        }
        CONFLICTS.stream().filter(seen::containsAll).forEach(pair -> scopes.invalid("conflicting scopes"));
        if (spec.at("scopeSelector").given()) {
            selector(spec.at("scopeSelector"), limited, scopes);
        }
    }

    private static void amounts(Field amounts) {
        for (String name : amounts.object().keySet()) {
            ResourceRules.inQuota(amounts.entry(name), name);
            ResourceRules.value(amounts.entry(name), name);
        }
    }

    private static void selector(Field selector, Set<String> limited, Field scopes) {
        Field all = selector.at("matchExpressions");
        Set<String> seen = new HashSet<>();
        for (Field each : all.items()) {
            String scope = each.at("scopeName").text();
            Field operator = all.with("operator", each.at("operator").value());
            Field values = all.with("values", each.at("values").value());
            if (!isScope(scope)) {
                all.with("scopeName", scope).invalid("unsupported scope");
            }
            for (String resource : limited) {
                if (!applies(scope, resource)) {
                    all.invalidText(text(selector), "unsupported scope applied to resource");
                }
            }
            if (WITHOUT_VALUES.contains(scope) && !operator.text().equals("Exists")) {
                operator.invalid("must be 'Exists' when scope is any of ResourceQuotaScopeTerminating,"
                        + " ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort,"
                        + " ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity");
            }
            switch (operator.text()) {
                case "In", "NotIn" -> {
                    if (values.array().isEmpty()) {
                        values.missing(
                                "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector");
                    }
                }
                case "Exists", "DoesNotExist" -> {
                    if (!values.array().isEmpty()) {
                        values.invalid(
                                "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector");
                    }
                }
                default -> operator.invalid("not a valid selector operator");
            }
            seen.add(scope);
        }
        CONFLICTS.stream().filter(seen::containsAll).forEach(pair -> all.invalid(scopes.value(), "conflicting scopes"));
    }

    private static String text(Field selector) {
        List<String> expressions = selector.at("matchExpressions").items().stream()
                .map(each -> StructText.of(each, "ScopeName", "scopeName", "Operator", "operator", "Values", "values"))
                .toList();
        return "{\"MatchExpressions\":[" + String.join(",", expressions) + "]}";
    }

    private static boolean isScope(String scope) {
        return WITHOUT_VALUES.contains(scope) || scope.equals("PriorityClass") || scope.equals("VolumeAttributesClass");
    }

    /** Returns whether a scope can select the objects that are counted by a resource. */
    private static boolean applies(String scope, String resource) {
        if (!ResourceRules.isStandardInQuota(resource)) {
            return true;
        }
        return switch (scope) {
            case "BestEffort" -> resource.equals("pods");
            case "VolumeAttributesClass" -> OF_CLAIMS.contains(resource);
            case "CrossNamespacePodAffinity", "NotBestEffort", "NotTerminating", "PriorityClass", "Terminating" ->
                OF_PODS.contains(resource);
            default -> true;
        };
    }

    @Override
    public void validateUpdate(Field root, JsonObject old) {
        Field scopes = root.at("spec", "scopes");
        if (!Set.copyOf(scopes.array()).equals(Set.copyOf(old.array("spec", "scopes")))) {
            scopes.invalid(Field.IMMUTABLE);
        }
    }

    @Override
    public void validateStatusUpdate(Field root, JsonObject old) {
        amounts(root.at("status", "hard"));
        amounts(root.at("status", "used"));
    }

    @Override
    public Object cell(String column, JsonObject tree, Instant now) {
        return Cells.quota(column, tree);
    }
}
