package dev.evenkeel.engine.internal.access;

import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.spi.Authorizer.Attributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The FlowSchemas of a partition, in the order in which they are tried, and its PriorityLevelConfigurations. Rules are
 * upstream's: the schema with the least precedence that matches a request wins, of equal ones that with the first name;
 * a schema whose level does not exist is ignored; a request that no schema matches is one of {@code catch-all}.
 *
 * @param levels by name
 */
public record FlowConfiguration(List<Schema> schemas, Map<String, Level> levels) {
    private static final String CATCH_ALL = "catch-all";
    private static final String ALL = "*";
    private static final String ACCOUNT = "system:serviceaccount:";
    private static final long DEFAULT_PRECEDENCE = 1000;

    /**
     * A priority level.
     *
     * @param shares its part of the limit of the server, in relation to those of other levels
     * @param lendablePercent the part of its own limit that other levels may use
     * @param borrowingPercent how much more than its own limit it may use; -1 for as much as there is
     * @param queues how many queues of {@code queueLength} its requests have; 0 if they do not wait
     * @param hand how many queues one flow may use
     */
    public record Level(
            String name,
            String uid,
            boolean exempt,
            long shares,
            long lendablePercent,
            long borrowingPercent,
            long queues,
            long hand,
            long queueLength) {
        private static Level of(JsonObject tree) {
            boolean exempt = tree.string("spec", "type").equals("Exempt");
            JsonObject limits = tree.object("spec", exempt ? "exempt" : "limited");
            JsonObject queuing = limits.object("limitResponse", "queuing");
            return new Level(
                    tree.string("metadata", "name"),
                    tree.string("metadata", "uid"),
                    exempt,
                    limits.integer("nominalConcurrencyShares"),
                    limits.integer("lendablePercent"),
                    limits.containsKey("borrowingLimitPercent") ? limits.integer("borrowingLimitPercent") : -1,
                    queuing.integer("queues"),
                    queuing.integer("handSize"),
                    queuing.integer("queueLengthLimit"));
        }
    }

    /** A flow schema. */
    public record Schema(
            String name, String uid, long precedence, Level level, String distinguisher, List<JsonObject> rules) {
        private boolean matches(Attributes request) {
            for (JsonObject rule : rules) {
                if (rule.objects("subjects").stream().anyMatch(subject -> is(subject, request.user()))
                        && matches(rule, request)) {
                    return true;
                }
            }
            return false;
        }

        private static boolean matches(JsonObject rule, Attributes request) {
            return request.resourceRequest()
                    ? rule.objects("resourceRules").stream().anyMatch(each -> matchesResource(each, request))
                    : rule.objects("nonResourceRules").stream()
                            .anyMatch(each -> has(each.strings("verbs"), request.verb())
                                    && each.strings("nonResourceURLs").stream()
                                            .anyMatch(path -> matchesPath(path, request.path())));
        }

        private static boolean matchesResource(JsonObject rule, Attributes request) {
            return has(rule.strings("verbs"), request.verb())
                    && has(rule.strings("resources"), request.resourcePath())
                    && has(rule.strings("apiGroups"), request.group())
                    && (request.namespace().isEmpty()
                            ? rule.bool("clusterScope")
                            : has(rule.strings("namespaces"), request.namespace()));
        }

        private static boolean matchesPath(String pattern, String path) {
            String prefix = pattern.endsWith("*") ? pattern.substring(0, pattern.length() - 1) : pattern;
            return pattern.equals(ALL)
                    || pattern.equals(path)
                    || path.startsWith(prefix.endsWith("/") ? prefix : prefix + "/");
        }

        private static boolean has(List<String> values, String value) {
            return values.contains(value)
                    || (values.size() == 1 && values.getFirst().equals(ALL));
        }

        private static boolean is(JsonObject subject, User user) {
            String name = subject.string("name");
            return switch (subject.string("kind")) {
                case "User" -> {
                    name = subject.string("user", "name");
                    yield name.equals(ALL) || name.equals(user.name());
                }
                case "Group" -> {
                    name = subject.string("group", "name");
                    yield name.equals(ALL) || user.groups().contains(name);
                }
                case "ServiceAccount" -> {
                    String namespace = ACCOUNT + subject.string("serviceAccount", "namespace") + ":";
                    name = subject.string("serviceAccount", "name");
                    yield name.equals(ALL)
                            ? user.name().startsWith(namespace)
                            : user.name().equals(namespace + name);
                }
                default -> false;
            };
        }
    }

    /**
     * The flow of a request: requests of one flow take turns with those of others.
     *
     * @param distinguisher the user, the namespace or nothing, depending on the schema
     */
    public record Flow(Schema schema, String distinguisher) {
        /** Returns the level of the flow. */
        public Level level() {
            return schema.level();
        }
    }

    /** Reads a configuration. */
    public static FlowConfiguration of(List<JsonObject> schemas, List<JsonObject> levels) {
        Map<String, Level> byName = new HashMap<>();
        levels.forEach(tree -> byName.put(tree.string("metadata", "name"), Level.of(tree)));
        List<Schema> known = new ArrayList<>();
        for (JsonObject tree : schemas) {
            JsonObject spec = tree.object("spec");
            Level level = byName.get(spec.string("priorityLevelConfiguration", "name"));
            if (level != null) {
                known.add(new Schema(
                        tree.string("metadata", "name"),
                        tree.string("metadata", "uid"),
                        spec.containsKey("matchingPrecedence")
                                ? spec.integer("matchingPrecedence")
                                : DEFAULT_PRECEDENCE,
                        level,
                        spec.string("distinguisherMethod", "type"),
                        spec.objects("rules")));
            }
        }
        known.sort(Comparator.comparingLong(Schema::precedence).thenComparing(Schema::name));
        return new FlowConfiguration(List.copyOf(known), Map.copyOf(byName));
    }

    /** Returns the sum of the shares of all levels. */
    public long shares() {
        return levels.values().stream().mapToLong(Level::shares).sum();
    }

    /** Returns the flow of a request; empty when there is not even a catch-all. */
    public Optional<Flow> flow(Attributes request) {
        for (Schema schema : schemas) {
            if (schema.matches(request)) {
                return Optional.of(flow(schema, request));
            }
        }
        return schemas.stream()
                .filter(schema -> schema.name().equals(CATCH_ALL))
                .findFirst()
                .map(schema -> flow(schema, request));
    }

    private static Flow flow(Schema schema, Attributes request) {
        return new Flow(
                schema,
                switch (schema.distinguisher()) {
                    case "ByUser" -> request.user().name();
                    case "ByNamespace" -> request.namespace();
                    default -> "";
                });
    }
}
