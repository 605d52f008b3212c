package dev.evenkeel.engine.internal.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.Authorization;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.Requests;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.access.Permissions;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.spi.Authorizer.Attributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Compares decisions with a walk over all bindings, after random changes. */
class RbacIndexTest {
    private static final String RBAC = "rbac.authorization.k8s.io/v1/";
    private static final List<String> NAMESPACES = List.of("default", "kube-system");
    private static final List<String> VERBS = List.of("get", "list", "*");
    private static final List<String> RESOURCES = List.of("pods", "secrets", "pods/log", "*/log", "*");
    private static final List<String> NAMES = List.of("a", "b", "c");
    private static final List<String> USERS = List.of("u0", "u1", "system:serviceaccount:default:a");

    private record Subject(String kind, String name, String namespace) {
        boolean is(User user) {
            return switch (kind) {
                case "User" -> user.name().equals(name);
                case "Group" -> user.groups().contains(name);
                default -> user.name().equals("system:serviceaccount:" + namespace + ":" + name);
            };
        }

        String json() {
            return kind.equals("ServiceAccount")
                    ? "{'kind':'ServiceAccount','name':'" + name + "','namespace':'" + namespace + "'}"
                    : "{'kind':'" + kind + "','apiGroup':'rbac.authorization.k8s.io','name':'" + name + "'}";
        }
    }

    private record Binding(boolean clusterRole, String role, List<Subject> subjects) {}

    private record Rule(String verb, String resource) {
        boolean allows(String wantedVerb, String wanted, String subresource) {
            String path = subresource.isEmpty() ? wanted : wanted + "/" + subresource;
            return (verb.equals("*") || verb.equals(wantedVerb))
                    && (resource.equals("*")
                            || resource.equals(path)
                            || (!subresource.isEmpty() && resource.equals("*/" + subresource)));
        }
    }

    private final Map<String, Rule> roles = new HashMap<>();
    private final Map<String, Binding> bindings = new HashMap<>();

    @Test
    void decidesAsAWalkOverAllBindings() {
        long seed = Long.getLong("rbac.seed", System.nanoTime());
        Random random = new Random(seed);
        try (Engine engine = Requests.direct().authorization(Authorization.RBAC).build()) {
            ResourceApi partition = ResourceApi.of(engine.partition("default"));
            Requests requests = new Requests(partition);
            for (int step = 0; step < 400; step++) {
                change(random, requests);
                User user = user(random);
                String namespace = random.nextInt(3) == 0 ? "" : pick(random, NAMESPACES);
                String subresource = random.nextBoolean() ? "log" : "";
                String verb = random.nextBoolean() ? "get" : "list";
                String resource = random.nextBoolean() ? "pods" : "secrets";
                Attributes attributes =
                        Attributes.ofResource(user, verb, "", "v1", resource, subresource, namespace, "");
                Permissions permissions = partition.permissions();
                assertThat(permissions.authorize(attributes).allowed())
                        .as("seed %d, step %d: %s", seed, step, attributes)
                        .isEqualTo(walk(user, verb, resource, subresource, namespace));
            }
        }
    }

    @Test
    void whatIsDeletedIsForgotten() {
        try (Engine engine = Requests.direct().authorization(Authorization.RBAC).build()) {
            ResourceApi partition = ResourceApi.of(engine.partition("default"));
            Requests requests = new Requests(partition);
            RbacIndex index = ((AccessControl) partition.permissions()).index();
            int before = index.grants().size();
            for (String kind : List.of("roles", "rolebindings")) {
                requests.create(
                        RBAC + kind,
                        "default",
                        "{'metadata':{'name':'a'},'roleRef':{'apiGroup':'rbac.authorization.k8s.io','kind':'Role',"
                                + "'name':'missing'},'subjects':[" + new Subject("User", "u", "").json() + ","
                                + new Subject("Group", "g", "").json() + "]}");
            }
            assertThat(index.grants().size()).isEqualTo(before + 5); // two roles, two subjects, a namespace
            requests.delete(RBAC + "rolebindings", "default", "a");
            requests.delete(RBAC + "roles", "default", "a");
            assertThat(index.grants().size()).isEqualTo(before);
        }
    }

    private static <T> T pick(Random random, List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    private static User user(Random random) {
        return new User(pick(random, USERS), "", random.nextBoolean() ? List.of("g0", "g1") : List.of("g0"));
    }

    private boolean walk(User user, String verb, String resource, String subresource, String namespace) {
        return bindings.entrySet().stream().anyMatch(entry -> {
            String home = entry.getKey().substring(0, entry.getKey().indexOf('/'));
            Binding binding = entry.getValue();
            Rule rule = roles.get((binding.clusterRole() ? "" : home) + "/" + binding.role());
            return (home.isEmpty() || home.equals(namespace))
                    && rule != null
                    && rule.allows(verb, resource, subresource)
                    && binding.subjects().stream().anyMatch(subject -> subject.is(user));
        });
    }

    private void change(Random random, Requests requests) {
        String namespace = random.nextBoolean() ? "" : pick(random, NAMESPACES);
        String name = pick(random, NAMES);
        String key = namespace + "/" + name;
        if (random.nextBoolean()) {
            String resource = RBAC + (namespace.isEmpty() ? "clusterroles" : "roles");
            if (roles.containsKey(key) && random.nextInt(3) == 0) {
                roles.remove(key);
                requests.delete(resource, namespace, name);
                return;
            }
            Rule rule = new Rule(pick(random, VERBS), pick(random, RESOURCES));
            roles.put(key, rule);
            requests.update(
                    resource,
                    namespace,
                    name,
                    "{'metadata':{'name':'" + name + "'},'rules':[{'apiGroups':[''],'resources':['" + rule.resource()
                            + "'],'verbs':['" + rule.verb() + "']}]}");
            return;
        }
        String resource = RBAC + (namespace.isEmpty() ? "clusterrolebindings" : "rolebindings");
        if (bindings.remove(key) != null) {
            requests.delete(resource, namespace, name);
            return;
        }
        boolean clusterRole = namespace.isEmpty() || random.nextBoolean();
        List<Subject> subjects = new ArrayList<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            subjects.add(
                    switch (random.nextInt(3)) {
                        case 0 -> new Subject("User", pick(random, USERS), "");
                        case 1 -> new Subject("Group", "g" + random.nextInt(2), "");
                        default -> new Subject("ServiceAccount", "a", "default");
                    });
        }
        Binding binding = new Binding(clusterRole, pick(random, NAMES), subjects);
        bindings.put(key, binding);
        requests.create(
                resource,
                namespace,
                "{'metadata':{'name':'" + name + "'},'roleRef':{'apiGroup':'rbac.authorization.k8s.io','kind':'"
                        + (clusterRole ? "ClusterRole" : "Role") + "','name':'" + binding.role() + "'},'subjects':["
                        + String.join(",", subjects.stream().map(Subject::json).toList()) + "]}");
    }

    @Test
    void rulesOfAUserAreThoseOfItsRoles() {
        try (Engine engine = Requests.direct().authorization(Authorization.RBAC).build()) {
            ResourceApi partition = ResourceApi.of(engine.partition("default"));
            JsonObject review = new Requests(partition)
                    .create("authorization.k8s.io/v1/selfsubjectrulesreviews", "", "{'spec':{'namespace':'default'}}");
            assertThat(Json.text(review.at("status", "resourceRules")))
                    .contains("{\"verbs\":[\"*\"],\"apiGroups\":[\"*\"],\"resources\":[\"*\"]}");
            assertThat(review.bool("status", "incomplete")).isFalse();
        }
    }
}
