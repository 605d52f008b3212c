package dev.evenkeel.engine.internal.access;

import dev.evenkeel.engine.internal.json.GoTypes;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.spi.Authorizer.Attributes;
import java.util.ArrayList;
import java.util.List;

/**
 * One rule of a role: verbs on resources, or on paths of URLs.
 *
 * @param groups API groups of the resources
 * @param resources such as {@code pods}, {@code pods/log}, {@code *}{@code /scale}
 * @param names the objects that the rule is restricted to; empty for all
 * @param paths paths that are not resources; a {@code *} at the end stands for any continuation
 */
public record PolicyRule(
        List<String> verbs, List<String> groups, List<String> resources, List<String> names, List<String> paths) {
    private static final String ALL = "*";

    /** Returns the rule as in a role. */
    public JsonObject tree() {
        return JsonObject.of("verbs", verbs)
                .setUnlessEmpty("apiGroups", groups)
                .setUnlessEmpty("resources", resources)
                .setUnlessEmpty("resourceNames", names)
                .setUnlessEmpty("nonResourceURLs", paths);
    }

    /** Reads the rules of a role. */
    public static List<PolicyRule> of(JsonObject role) {
        return role.objects("rules").stream().map(PolicyRule::ofRule).toList();
    }

    private static PolicyRule ofRule(JsonObject rule) {
        return new PolicyRule(
                rule.strings("verbs"),
                rule.strings("apiGroups"),
                rule.strings("resources"),
                rule.strings("resourceNames"),
                rule.strings("nonResourceURLs"));
    }

    /**
     * Returns true if the rule allows a request.
     *
     * @param resource {@link Attributes#resourcePath()}, which callers that check many rules compute once
     */
    public boolean allows(Attributes attributes, String resource) {
        if (!attributes.resourceRequest()) {
            return has(verbs, attributes.verb()) && allowsPath(attributes.path());
        }
        return has(verbs, attributes.verb())
                && has(groups, attributes.group())
                && hasResource(resource, attributes.subresource())
                && (names.isEmpty() || names.contains(attributes.name()));
    }

    private static boolean has(List<String> values, String wanted) {
        for (int i = 0; i < values.size(); i++) {
            String value = values.get(i);
            if (value.equals(ALL) || value.equals(wanted)) {
                return true;
            }
        }
        return false;
    }

    private boolean hasResource(String wanted, String subresource) {
        for (int i = 0; i < resources.size(); i++) {
            String value = resources.get(i);
            if (value.equals(ALL) || value.equals(wanted) || (!subresource.isEmpty() && ofAny(value, subresource))) {
                return true;
            }
        }
        return false;
    }

    /** Returns true if a resource of a rule is the subresource of any resource. */
    private static boolean ofAny(String resource, String subresource) {
        return resource.length() == subresource.length() + 2
                && resource.startsWith("*/")
                && resource.endsWith(subresource);
    }

    private boolean allowsPath(String path) {
        return paths.stream().anyMatch(value -> coversPath(value, path));
    }

    /** Returns true if a path of a rule is this one, or ends with stars and begins it. */
    public static boolean coversPath(String value, String path) {
        return value.equals(path) || (value.endsWith(ALL) && path.startsWith(trimmed(value)));
    }

    /** Returns a path without the stars at its end. */
    private static String trimmed(String path) {
        int end = path.length();
        while (end > 0 && path.charAt(end - 1) == '*') {
            end--;
        }
        return path.substring(0, end);
    }

    /**
     * Returns the parts of rules that other rules do not cover, joined where they differ in verbs only; empty when all is
     * covered. A part has one group, resource, name and verb, and must be covered by one rule.
     */
    public static List<PolicyRule> uncovered(List<PolicyRule> wanted, List<PolicyRule> held) {
        List<PolicyRule> missing = new ArrayList<>();
        for (PolicyRule rule : wanted) {
            for (PolicyRule part : rule.parts()) {
                if (held.stream().noneMatch(owned -> owned.covers(part))) {
                    missing.add(part);
                }
            }
        }
        return joined(missing);
    }

    private List<PolicyRule> parts() {
        List<PolicyRule> parts = new ArrayList<>();
        for (String group : groups) {
            for (String resource : resources) {
                for (String verb : verbs) {
                    if (names.isEmpty()) {
                        parts.add(part(verb, group, resource, List.of()));
                    }
                    names.forEach(name -> parts.add(part(verb, group, resource, List.of(name))));
                }
            }
        }
        for (String path : paths) {
            verbs.forEach(
                    verb -> parts.add(new PolicyRule(List.of(verb), List.of(), List.of(), List.of(), List.of(path))));
        }
        return parts;
    }

    private static PolicyRule part(String verb, String group, String resource, List<String> names) {
        return new PolicyRule(List.of(verb), List.of(group), List.of(resource), names, List.of());
    }

    /** Returns true if this rule allows all that a part of a rule allows. */
    private boolean covers(PolicyRule part) {
        return (verbs.contains(ALL) || verbs.containsAll(part.verbs))
                && (groups.contains(ALL) || groups.containsAll(part.groups))
                && part.resources.stream().allMatch(this::coversResource)
                && part.paths.stream().allMatch(path -> paths.stream().anyMatch(held -> coversPath(held, path)))
                && (names.isEmpty() || (!part.names.isEmpty() && names.containsAll(part.names)));
    }

    private boolean coversResource(String resource) {
        int slash = resource.indexOf('/');
        return resources.contains(ALL)
                || resources.contains(resource)
                || (slash >= 0 && resources.contains("*" + resource.substring(slash)));
    }

    /** Joins rules about one group and resource, without names, that differ in their verbs only. */
    private static List<PolicyRule> joined(List<PolicyRule> rules) {
        List<PolicyRule> joined = new ArrayList<>();
        for (PolicyRule rule : rules) {
            int same = -1;
            for (int i = 0; i < joined.size() && rule.simple(); i++) {
                PolicyRule other = joined.get(i);
                if (other.simple() && other.groups.equals(rule.groups) && other.resources.equals(rule.resources)) {
                    same = i;
                }
            }
            if (same < 0) {
                joined.add(rule);
            } else {
                List<String> verbs = new ArrayList<>(joined.get(same).verbs);
                verbs.addAll(rule.verbs);
                joined.set(same, new PolicyRule(verbs, rule.groups, rule.resources, List.of(), List.of()));
            }
        }
        return joined;
    }

    private boolean simple() {
        return names.isEmpty() && paths.isEmpty();
    }

    /** Returns the rule as upstream's messages show it, such as <code>{APIGroups:[""], Resources:["pods"], Verbs:["get"]}</code>. */
    @Override
    public String toString() {
        List<String> fields = new ArrayList<>();
        field(fields, "APIGroups", groups);
        field(fields, "Resources", resources);
        field(fields, "NonResourceURLs", paths);
        field(fields, "ResourceNames", names);
        field(fields, "Verbs", verbs);
        return "{" + String.join(", ", fields) + "}";
    }

    private static void field(List<String> fields, String name, List<String> values) {
        if (!values.isEmpty()) {
            fields.add(name + ":" + GoTypes.quoted(values));
        }
    }
}
