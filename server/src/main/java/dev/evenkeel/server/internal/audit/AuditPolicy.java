package dev.evenkeel.server.internal.audit;

import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.access.PolicyRule;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonException;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.json.Yaml;
import dev.evenkeel.engine.spi.Authorizer.Attributes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A policy of {@code audit.k8s.io/v1}: the level of each request is that of the first rule that matches it, and None when
 * none does.
 *
 * <p>Unknown fields are refused, unlike upstream, which warns: without the field that is misspelled, a rule matches more
 * requests than meant, and may record their content.
 */
public final class AuditPolicy {
    private static final String API_VERSION = "audit.k8s.io/v1";

    private final List<Rule> rules = new ArrayList<>();
    private final Recording none;

    /** The detail in which a request is recorded; each level includes those before it. */
    enum Level {
        NONE("None"),
        METADATA("Metadata"),
        REQUEST("Request"),
        REQUEST_RESPONSE("RequestResponse");

        final String text;

        Level(String text) {
            this.text = text;
        }

        boolean includes(Level other) {
            return compareTo(other) >= 0;
        }
    }

    /** The times at which a request is recorded. */
    enum Stage {
        REQUEST_RECEIVED("RequestReceived"),
        RESPONSE_STARTED("ResponseStarted"),
        RESPONSE_COMPLETE("ResponseComplete"),
        PANIC("Panic");

        final String text;

        Stage(String text) {
            this.text = text;
        }
    }

    /** The parts of a request that are recorded, and the stages that are not. */
    record Recording(Level level, Set<Stage> omitted, boolean omitManagedFields) {}

    private record Resources(String group, List<String> resources, List<String> names) {
        boolean match(Attributes request) {
            return (group.equals("*") || group.equals(request.group()))
                    && (resources.isEmpty() || resources.stream().anyMatch(resource -> match(resource, request)));
        }

        private boolean match(String resource, Attributes request) {
            String subresource = request.subresource();
            return (names.isEmpty() || names.contains(request.name()))
                    && (resource.equals("*")
                            || resource.equals(request.resourcePath())
                            || (!subresource.isEmpty() && resource.equals("*/" + subresource))
                            || resource.equals(request.resource() + "/*"));
        }
    }

    private record Rule(
            Recording recording,
            List<String> users,
            List<String> groups,
            List<String> verbs,
            List<Resources> resources,
            List<String> namespaces,
            List<String> paths) {
        boolean matches(Attributes request) {
            User user = request.user();
            if ((!users.isEmpty() && !users.contains(user.name()))
                    || (!groups.isEmpty() && user.groups().stream().noneMatch(groups::contains))
                    || (!verbs.isEmpty() && !verbs.contains(request.verb()))) {
                return false;
            }
            if (!namespaces.isEmpty() || !resources.isEmpty()) {
                return request.resourceRequest()
                        && (namespaces.isEmpty() || namespaces.contains(request.namespace()))
                        && (resources.isEmpty() || resources.stream().anyMatch(each -> each.match(request)));
            }
            return paths.isEmpty()
                    || (!request.resourceRequest()
                            && paths.stream().anyMatch(path -> PolicyRule.coversPath(path, request.path())));
        }
    }

    private AuditPolicy(JsonObject tree) {
        Fields policy = new Fields("", tree);
        policy.known("apiVersion", "kind", "metadata", "rules", "omitStages", "omitManagedFields");
        Set<Stage> omitted = policy.stages();
        boolean omitManagedFields = tree.bool("omitManagedFields");
        none = new Recording(Level.NONE, omitted, omitManagedFields);
        List<JsonObject> sources = tree.objects("rules");
        if (sources.isEmpty()) {
            throw new IllegalArgumentException("loaded illegal policy with 0 rules");
        }
        for (int i = 0; i < sources.size(); i++) {
            rules.add(new Fields("rules[" + i + "]", sources.get(i)).rule(omitted, omitManagedFields));
        }
    }

    /**
     * Parses a policy in YAML or JSON.
     *
     * @throws IllegalArgumentException when it is not valid, with the field
     */
    public static AuditPolicy parse(String text) {
        JsonObject tree;
        try {
            tree = Yaml.parseObject(text.getBytes(StandardCharsets.UTF_8), JsonLimits.DEFAULT);
        } catch (JsonException e) {
            throw new IllegalArgumentException("failed decoding: " + e.getMessage(), e);
        }
        if (!tree.string("apiVersion").equals(API_VERSION)
                || !tree.string("kind").equals("Policy")) {
            throw new IllegalArgumentException("must be a Policy of " + API_VERSION + ": " + tree.string("kind")
                    + " of " + tree.string("apiVersion"));
        }
        return new AuditPolicy(tree);
    }

    /** Returns what is recorded of a request. */
    Recording of(Attributes request) {
        for (Rule rule : rules) {
            if (rule.matches(request)) {
                return rule.recording;
            }
        }
        return none;
    }

    /** Reads and checks the fields of one object. */
    private record Fields(String path, JsonObject tree) {
        private String at(String field) {
            return path.isEmpty() ? field : path + "." + field;
        }

        private IllegalArgumentException invalid(String field, @Nullable Object value, String why) {
            return new IllegalArgumentException(at(field) + ": Invalid value: " + Json.text(value) + ": " + why);
        }

        void known(String... names) {
            for (String field : tree.keySet()) {
                if (!Arrays.asList(names).contains(field)) {
                    throw new IllegalArgumentException("unknown field \"" + at(field) + "\"");
                }
            }
        }

        Set<Stage> stages() {
            Set<Stage> stages = EnumSet.noneOf(Stage.class);
            List<String> texts = tree.strings("omitStages");
            for (int i = 0; i < texts.size(); i++) {
                String text = texts.get(i);
                String allowed =
                        Arrays.stream(Stage.values()).map(stage -> stage.text).collect(Collectors.joining(","));
                String field = "omitStages[" + i + "]";
                stages.add(Arrays.stream(Stage.values())
                        .filter(stage -> stage.text.equals(text))
                        .findFirst()
                        .orElseThrow(() -> invalid(field, text, "allowed stages are " + allowed)));
            }
            return stages;
        }

        private Level level() {
            String text = tree.string("level");
            if (text.isEmpty()) {
                throw new IllegalArgumentException(at("level") + ": Required value");
            }
            return Arrays.stream(Level.values())
                    .filter(level -> level.text.equals(text))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(at("level") + ": Unsupported value: \"" + text
                            + "\": supported values: \"None\", \"Metadata\", \"Request\", \"RequestResponse\""));
        }

        Rule rule(Set<Stage> omitted, boolean omitManagedFields) {
            known(
                    "level",
                    "users",
                    "userGroups",
                    "verbs",
                    "resources",
                    "namespaces",
                    "nonResourceURLs",
                    "omitStages",
                    "omitManagedFields");
            Set<Stage> stages = stages();
            stages.addAll(omitted);
            boolean withoutFields =
                    tree.containsKey("omitManagedFields") ? tree.bool("omitManagedFields") : omitManagedFields;
            Rule rule = new Rule(
                    new Recording(level(), stages, withoutFields),
                    tree.strings("users"),
                    tree.strings("userGroups"),
                    tree.strings("verbs"),
                    resources(),
                    tree.strings("namespaces"),
                    paths());
            if (!rule.paths.isEmpty() && !(rule.resources.isEmpty() && rule.namespaces.isEmpty())) {
                throw invalid(
                        "nonResourceURLs",
                        rule.paths,
                        "rules cannot apply to both regular resources and non-resource URLs");
            }
            return rule;
        }

        private List<Resources> resources() {
            List<Resources> resources = new ArrayList<>();
            List<JsonObject> sources = tree.objects("resources");
            for (int i = 0; i < sources.size(); i++) {
                JsonObject source = sources.get(i);
                new Fields(at("resources[" + i + "]"), source).known("group", "resources", "resourceNames");
                Resources each = new Resources(
                        source.string("group"), source.strings("resources"), source.strings("resourceNames"));
                if (each.group.contains("/")) {
                    throw invalid("resources.group", each.group, "must be the name of a group, without a version");
                }
                if (!each.names.isEmpty() && each.resources.isEmpty()) {
                    throw invalid(
                            "resources.resourceNames",
                            each.names,
                            "using resourceNames requires at least one resource");
                }
                resources.add(each);
            }
            return resources;
        }

        private List<String> paths() {
            List<String> paths = tree.strings("nonResourceURLs");
            for (int i = 0; i < paths.size(); i++) {
                String path = paths.get(i);
                if (path.equals("*")) {
                    continue;
                }
                if (!path.startsWith("/")) {
                    throw invalid(
                            "nonResourceURLs[" + i + "]",
                            path,
                            "non-resource URL rules must begin with a '/' character");
                }
                if (path.substring(0, path.length() - 1).contains("*")) {
                    throw invalid(
                            "nonResourceURLs[" + i + "]",
                            path,
                            "non-resource URL wildcards '*' must be the final character of the rule");
                }
            }
            return paths;
        }
    }
}
