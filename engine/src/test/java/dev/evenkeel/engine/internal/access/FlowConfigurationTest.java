package dev.evenkeel.engine.internal.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.access.FlowConfiguration.Flow;
import dev.evenkeel.engine.internal.builtin.kinds.BootstrapObjects;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.spi.Authorizer.Attributes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The flow schemas of a fresh server, with and without another one. */
class FlowConfigurationTest {
    private static FlowConfiguration configuration(String... schemas) {
        List<JsonObject> all = new ArrayList<>(BootstrapObjects.flowSchemas());
        for (String schema : schemas) {
            byte[] json = schema.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
            all.add(Json.parseObject(json, JsonLimits.DEFAULT));
        }
        return FlowConfiguration.of(all, BootstrapObjects.priorityLevels());
    }

    private static User user(String name, String... groups) {
        return new User(name, "", List.of(groups));
    }

    private static Attributes pods(User user, String verb, String namespace) {
        return Attributes.ofResource(user, verb, "", "v1", "pods", "", namespace, "");
    }

    private static Attributes leases(User user, String verb) {
        return Attributes.ofResource(user, verb, "coordination.k8s.io", "v1", "leases", "", "kube-system", "l");
    }

    private static void is(FlowConfiguration configuration, Attributes request, String schema, String level) {
        Flow flow = configuration.flow(request).orElseThrow();
        assertThat(flow.schema().name() + " " + flow.level().name()).isEqualTo(schema + " " + level);
    }

    @Test
    void requestsOfAFreshServer() {
        FlowConfiguration fresh = configuration();
        User jane = user("jane", User.AUTHENTICATED);
        User node = user("system:node:n", "system:nodes", User.AUTHENTICATED);
        User account = user("system:serviceaccount:a:b", "system:serviceaccounts", User.AUTHENTICATED);
        User system = user("system:serviceaccount:kube-system:b", "system:serviceaccounts", User.AUTHENTICATED);
        User scheduler = user("system:kube-scheduler", User.AUTHENTICATED);
        is(fresh, pods(User.ADMIN, "list", ""), "exempt", "exempt");
        is(fresh, Attributes.ofPath(jane, "get", "/healthz"), "probes", "exempt");
        is(fresh, Attributes.ofPath(jane, "get", "/livez/ping"), "probes", "exempt");
        is(fresh, Attributes.ofPath(jane, "post", "/healthz"), "global-default", "global-default");
        is(fresh, Attributes.ofPath(jane, "get", "/healthzs"), "global-default", "global-default");
        is(fresh, pods(jane, "get", "n"), "global-default", "global-default");
        is(fresh, pods(node, "get", "n"), "system-nodes", "system");
        is(fresh, leases(node, "update"), "system-node-high", "node-high");
        is(fresh, leases(scheduler, "update"), "system-leader-election", "leader-election");
        is(fresh, leases(scheduler, "delete"), "kube-scheduler", "workload-high");
        is(fresh, leases(system, "create"), "system-leader-election", "leader-election");
        is(fresh, pods(system, "create", "n"), "kube-system-service-accounts", "workload-high");
        is(fresh, pods(account, "create", "n"), "service-accounts", "workload-low");
        is(fresh, pods(user("stranger"), "get", "n"), "catch-all", "catch-all");
    }

    @Test
    void theFlowIsOfTheUserOrTheNamespace() {
        FlowConfiguration fresh = configuration();
        assertThat(fresh.flow(pods(user("jane", User.AUTHENTICATED), "get", "n"))
                        .orElseThrow()
                        .distinguisher())
                .isEqualTo("jane");
        assertThat(fresh.flow(pods(user("system:kube-scheduler"), "get", "n"))
                        .orElseThrow()
                        .distinguisher())
                .isEqualTo("n");
        assertThat(fresh.flow(pods(User.ADMIN, "get", "n")).orElseThrow().distinguisher())
                .isEmpty();
    }

    @Test
    void theLeastPrecedenceWinsAndOfEqualOnesTheFirstName() {
        String schema = "{'metadata':{'name':'%s'},'spec':{'priorityLevelConfiguration':{'name':'%s'},"
                + "'matchingPrecedence':%d,'rules':[{'subjects':[{'kind':'User','user':{'name':'*'}}],"
                + "'resourceRules':[{'verbs':['get'],'apiGroups':[''],'resources':['pods'],'namespaces':['n'],"
                + "'clusterScope':%s}]}]}}";
        FlowConfiguration configuration = configuration(
                schema.formatted("b", "system", 50, false),
                schema.formatted("a", "workload-low", 50, false),
                schema.formatted("dangling", "none", 3, true),
                schema.formatted("later", "system", 60, true));
        User jane = user("jane", User.AUTHENTICATED);
        is(configuration, pods(jane, "get", "n"), "a", "workload-low");
        is(configuration, pods(jane, "get", ""), "later", "system");
        is(configuration, pods(jane, "get", "other"), "global-default", "global-default");
        is(configuration, pods(jane, "list", "n"), "global-default", "global-default");
        Attributes log = Attributes.ofResource(jane, "get", "", "v1", "pods", "log", "n", "p");
        is(configuration, log, "global-default", "global-default");
    }

    @Test
    void withoutSchemasThereIsNoFlow() {
        assertThat(FlowConfiguration.of(List.of(), List.of()).flow(pods(User.ADMIN, "get", "n")))
                .isEmpty();
    }
}
