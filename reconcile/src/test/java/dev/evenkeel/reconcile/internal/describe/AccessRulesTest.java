package dev.evenkeel.reconcile.internal.describe;

import static dev.evenkeel.testing.call.Calls.onAny;
import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.OwnerReferences;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.Status;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.EventRecorder;
import dev.evenkeel.controller.Leases;
import dev.evenkeel.controller.Manager;
import dev.evenkeel.controller.Placement;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.reconcile.part.Part;
import dev.evenkeel.simulation.VirtualScheduler;
import dev.evenkeel.testing.call.ReactiveClient;
import dev.evenkeel.testing.call.RecordedCall;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Rules are sufficient: a manager whose every call must be allowed by them lacks nothing. And they are necessary:
 * without any verb of any resource, a call of the manager is refused.
 */
class AccessRulesTest {
    private static final Kind<Deployment> DEPLOYMENTS = Kind.of(Deployment.class);
    private static final Kind<ConfigMap> CONFIG_MAPS = Kind.of(ConfigMap.class);
    private static final Kind<Secret> SECRETS = Kind.of(Secret.class);
    private static final Kind<Event> EVENTS = Kind.of(Event.class);
    private static final Kind<io.fabric8.kubernetes.api.model.Event> CORE_EVENTS =
            Kind.of(io.fabric8.kubernetes.api.model.Event.class);
    private static final Kind<Lease> LEASES = Kind.of(Lease.class);
    private static final List<String> VERBS =
            List.of("get", "list", "watch", "create", "update", "patch", "delete", "deletecollection");
    private static final ObjectKey KEY = ObjectKey.of("default", "web");

    /** A deployment has a copy of a secret in a config map, as long as it has replicas. */
    private static Part<Deployment> copy() {
        return Part.of(
                Part.Description.of("Copy")
                        .needs(
                                new Part.Requirement.Tracks<>(SECRETS),
                                new Part.Requirement.Owns<>(CONFIG_MAPS),
                                new Part.Requirement.May(CONFIG_MAPS, "", Set.of("create", "update", "delete"))),
                AccessRulesTest::copy);
    }

    private static Result copy(Reconciliation<Deployment> reconciliation, Deployment deployment) {
        Client client = reconciliation.client();
        Optional<ConfigMap> actual = client.find(CONFIG_MAPS, KEY);
        Map<String, String> data = reconciliation
                        .tracker()
                        .list(SECRETS, ListOptions.in("default"))
                        .items()
                        .isEmpty()
                ? Map.of()
                : client.find(SECRETS, KEY).orElseThrow().getData();
        if (deployment.getSpec().getReplicas() == 0) {
            actual.ifPresent(map -> client.delete(CONFIG_MAPS, KEY, DeleteOptions.DEFAULT));
        } else if (actual.isEmpty()) {
            ConfigMap map = new ConfigMapBuilder()
                    .withNewMetadata()
                    .withNamespace(KEY.namespace())
                    .withName(KEY.name())
                    .endMetadata()
                    .withData(data)
                    .build();
            OwnerReferences.control(deployment, map);
            client.create(CONFIG_MAPS, map, WriteOptions.DEFAULT);
        } else {
            actual.get().setData(data);
            client.update(CONFIG_MAPS, actual.get(), WriteOptions.DEFAULT);
        }
        return Result.done();
    }

    /** The whole: patches its own object, writes its status, tells of it. */
    private static Part<Deployment> root() {
        Part<Deployment> copy = copy();
        return Part.of(
                Part.Description.of("Root")
                        .needs(
                                new Part.Requirement.May(DEPLOYMENTS, "", Set.of("list", "watch", "patch")),
                                new Part.Requirement.May(DEPLOYMENTS, "status", Set.of("update")))
                        .slots("copy", copy),
                (reconciliation, deployment) -> {
                    Result outcome = copy.reconcile(reconciliation, deployment);
                    reconciliation
                            .client()
                            .patch(
                                    DEPLOYMENTS,
                                    KEY,
                                    Patch.merge("{\"metadata\":{\"labels\":{\"seen\":\"yes\"}}}"),
                                    WriteOptions.DEFAULT);
                    Deployment present = new DeploymentBuilder(deployment)
                            .editMetadata()
                            .withResourceVersion("")
                            .endMetadata()
                            .editOrNewStatus()
                            .withReplicas(deployment.getSpec().getReplicas())
                            .endStatus()
                            .build();
                    reconciliation.client().updateStatus(DEPLOYMENTS, present, WriteOptions.DEFAULT);
                    reconciliation.events().record(deployment, EventRecorder.Type.NORMAL, "Copied", "Copy", "copied");
                    return outcome;
                });
    }

    private static Controller<Deployment> controller() {
        Part<Deployment> root = root();
        return root.declare(Controller.of(
                Deployment.class,
                reconciliation -> reconciliation
                        .resource()
                        .<Result>map(deployment -> root.reconcile(reconciliation, deployment))
                        .orElse(Result.done())));
    }

    private static final AccessRules RULES =
            AccessRules.of(root().description()).and(AccessRules.events()).and(AccessRules.leases());

    private static Deployment deployment() {
        return new DeploymentBuilder()
                .withNewMetadata()
                .withNamespace(KEY.namespace())
                .withName(KEY.name())
                .endMetadata()
                .withNewSpec()
                .withReplicas(1)
                .withNewSelector()
                .addToMatchLabels("app", "web")
                .endSelector()
                .withNewTemplate()
                .withNewMetadata()
                .addToLabels("app", "web")
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("web")
                .withImage("web:1")
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
    }

    /**
     * The result of a life with all events.
     *
     * @param refused calls that no rule allows
     * @param copies the content of the config map over time; empty when absent
     * @param told the recorded events
     */
    private record Life(List<String> refused, List<Map<String, String>> copies, Set<String> told) {}

    /** A life in all namespaces. */
    private static Life live(AccessRules rules, Placement placement) {
        return live(call -> allowed(rules, call), placement);
    }

    /** A life in some namespaces, where roles allow what they do. */
    private static Life live(RbacObjects access, Placement placement, String... namespaces) {
        List<HasMetadata> roles = access.objects();
        return live(call -> allowed(roles, call), placement, namespaces);
    }

    private static Life live(Predicate<RecordedCall> allowed, Placement placement, String... namespaces) {
        VirtualScheduler scheduler = new VirtualScheduler(1, Instant.parse("2026-01-01T00:00:00Z"));
        List<Map<String, String>> copies = new ArrayList<>();
        try (Engine engine = Engine.builder()
                .clock(scheduler.clock())
                .executor(Runnable::run)
                .build()) {
            Client admin = engine.client();
            ReactiveClient guarded = ReactiveClient.builder(engine.client())
                    .clock(scheduler.clock())
                    .build()
                    .react(onAny().when(call -> !allowed.test(call))
                            .fails(ApiException.of(Status.of(403, "Forbidden", "no rule allows it"))));
            Secret secret = admin.create(new SecretBuilder()
                    .withNewMetadata()
                    .withNamespace(KEY.namespace())
                    .withName(KEY.name())
                    .endMetadata()
                    .addToData("a", "MQ==")
                    .build());
            admin.create(deployment());
            Manager.Builder builder = Manager.builder(guarded);
            try (Manager manager = (namespaces.length == 0 ? builder : builder.namespaces(namespaces))
                    .scheduler(scheduler)
                    .leases(Leases.in("default", "one"))
                    .build()
                    .add(controller().placement(placement))) {
                manager.start();
                scheduler.advance(Duration.ofSeconds(90));
                copies.add(copied(admin));
                admin.update(new SecretBuilder(secret).addToData("b", "Mg==").build());
                scheduler.advance(Duration.ofSeconds(30));
                copies.add(copied(admin));
                admin.patch(DEPLOYMENTS, KEY, Patch.merge("{\"spec\":{\"replicas\":0}}"), WriteOptions.DEFAULT);
                scheduler.advance(Duration.ofSeconds(30));
                copies.add(copied(admin));
            }
            Set<String> told = new TreeSet<>();
            admin.list(EVENTS, ListOptions.ALL).items().forEach(event -> told.add(event.getNote()));
            return new Life(
                    guarded.journal().calls().stream()
                            .filter(call -> !allowed.test(call))
                            .map(call -> call.verb() + " " + call.kind().id() + "/" + call.subresource())
                            .distinct()
                            .toList(),
                    copies,
                    told);
        }
    }

    private static Map<String, String> copied(Client client) {
        return client.find(CONFIG_MAPS, KEY).map(ConfigMap::getData).orElse(Map.of());
    }

    private static boolean allowed(AccessRules rules, RecordedCall call) {
        return verbs(call).stream().allMatch(verb -> rules.allow(verb, call.kind(), call.subresource()));
    }

    private static List<String> verbs(RecordedCall call) {
        return switch (call.verb()) {
            case DELETE_COLLECTION -> List.of("deletecollection");
            case APPLY -> List.of("patch", "create");
            default -> List.of(call.verb().toString());
        };
    }

    /** Returns whether roles allow it, as a server decides: a Role in its namespace, a ClusterRole everywhere. */
    private static boolean allowed(List<HasMetadata> roles, RecordedCall call) {
        String subresource = call.subresource().isEmpty() ? "" : "/" + call.subresource();
        return verbs(call).stream()
                .allMatch(verb -> roles.stream()
                        .flatMap(role -> switch (role) {
                            case ClusterRole all -> all.getRules().stream();
                            case Role one
                            when one.getMetadata()
                                    .getNamespace()
                                    .equals(call.key().namespace()) -> one.getRules().stream();
                            default -> Stream.<PolicyRule>empty();
                        })
                        .anyMatch(rule -> rule.getApiGroups()
                                        .contains(call.kind().group())
                                && rule.getResources().contains(call.kind().plural() + subresource)
                                && rule.getVerbs().contains(verb)));
    }

    private static void assertLivesWell(Life life) {
        assertThat(life.refused()).isEmpty();
        assertThat(life.copies()).containsExactly(Map.of("a", "MQ=="), Map.of("a", "MQ==", "b", "Mg=="), Map.of());
        assertThat(life.told()).containsExactly("copied");
    }

    @Test
    void rulesAreSufficientForALeader() {
        assertLivesWell(live(RULES, Placement.leader()));
    }

    @Test
    void rulesAreSufficientForShards() {
        assertLivesWell(live(RULES.and(AccessRules.shards()), Placement.sharded()));
    }

    private static RbacObjects in(AccessRules rules, String... namespaces) {
        RbacObjects access = RbacObjects.named("copies");
        for (String namespace : namespaces) {
            access = access.allowing(rules, namespace);
        }
        return access;
    }

    @Test
    void aRoleIsSufficientForALeaderInItsNamespace() {
        RbacObjects access = in(RULES, "default");
        assertThat(access.objects()).extracting(HasMetadata::getKind).containsExactly("Role");
        assertLivesWell(live(access, Placement.leader(), "default"));
    }

    @Test
    void aRoleIsSufficientForShardsInItsNamespace() {
        assertLivesWell(live(in(RULES.and(AccessRules.shards()), "default"), Placement.sharded(), "default"));
    }

    @Test
    void rolesAreSufficientInTheirNamespaces() {
        assertLivesWell(live(in(RULES, "default", "kube-system"), Placement.leader(), "default", "kube-system"));
    }

    @Test
    void aRoleIsNotSufficientForAManagerOfAllNamespaces() {
        assertThat(live(in(RULES, "default"), Placement.leader()).refused())
                .contains("list deployments.apps/", "list configmaps/", "list secrets/");
    }

    /** One of the things that rules allow. */
    private record Grant(Kind<?> kind, String subresource, String verb) {
        @Override
        public String toString() {
            return verb + " " + kind.id() + (subresource.isEmpty() ? "" : "/" + subresource);
        }
    }

    private static List<Grant> grants(AccessRules rules) {
        return Stream.of(DEPLOYMENTS, CONFIG_MAPS, SECRETS, EVENTS, LEASES)
                .<Grant>flatMap(kind -> Stream.of("", "status")
                        .flatMap(subresource -> VERBS.stream()
                                .filter(verb -> rules.allow(verb, kind, subresource))
                                .map(verb -> new Grant(kind, subresource, verb))))
                .toList();
    }

    private static AccessRules rules(List<Grant> grants) {
        AccessRules rules = AccessRules.none();
        for (Grant grant : grants) {
            rules = rules.and(grant.kind(), grant.subresource(), Set.of(grant.verb()));
        }
        return rules;
    }

    @TestFactory
    Stream<DynamicTest> eachVerbOfEachRuleIsNecessary() {
        List<Grant> all = grants(RULES);
        assertThat(rules(all).and(CORE_EVENTS, "", Set.of("create", "patch"))).isEqualTo(RULES);
        return all.stream()
                .map(grant -> DynamicTest.dynamicTest(grant.toString(), () -> {
                    List<Grant> others =
                            all.stream().filter(other -> !other.equals(grant)).toList();
                    assertThat(live(rules(others), Placement.leader()).refused())
                            .contains(refusal(grant));
                    assertThat(live(in(rules(others), "default"), Placement.leader(), "default")
                                    .refused())
                            .contains(refusal(grant));
                }));
    }

    private static String refusal(Grant grant) {
        return grant.verb() + " " + grant.kind().id() + "/" + grant.subresource();
    }

    @Test
    void eventsOfTheCoreApiAreAllowedForServersThatHaveNoOthers() {
        List<Grant> noNewEvents = grants(RULES).stream()
                .filter(grant -> !grant.kind().equals(EVENTS))
                .toList();

        assertThat(live(rules(noNewEvents), Placement.leader()).refused())
                .contains("create events.events.k8s.io/", "create events/");
        assertThat(live(rules(noNewEvents).and(CORE_EVENTS, "", Set.of("create", "patch")), Placement.leader())
                        .refused())
                .containsExactly("create events.events.k8s.io/");
    }
}
