package dev.evenkeel.engine.internal.builtin.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.builtin.BuiltinTypes;
import dev.evenkeel.engine.internal.builtin.FactTableSource;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.strategy.ResourceStrategy;
import dev.evenkeel.engine.internal.strategy.ResourceStrategy.GarbageCollection;
import dev.evenkeel.engine.internal.type.ResourceType.Names;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class BuiltinStrategiesTest {
    /** Kinds that are answered and not stored: the engine computes their status. */
    private static final Set<String> REVIEWS = Set.of(
            "selfsubjectreviews",
            "tokenreviews",
            "selfsubjectaccessreviews",
            "selfsubjectrulesreviews",
            "subjectaccessreviews",
            "localsubjectaccessreviews");

    @TestFactory
    Stream<DynamicTest> recordedCreatesAreReproduced() {
        List<DynamicTest> tests = new ArrayList<>();
        for (Object pair : FactTableSource.load("defaults.json").array("pairs")) {
            String[] resource = Json.string(pair, "resource").split("/", -1);
            String plural = resource[resource.length - 1];
            if (REVIEWS.contains(plural) || plural.equals("customresourcedefinitions")) {
                continue;
            }
            String version = resource[resource.length - 2];
            String id = resource.length == 3 ? plural + "." + resource[0] : plural;
            tests.add(DynamicTest.dynamicTest(
                    Json.string(pair, "resource") + " " + Json.string(pair, "create", "metadata", "name"),
                    () -> replay(id, version, Json.asObject(pair))));
        }
        return tests.stream();
    }

    private static void replay(String id, String version, JsonObject pair) {
        JsonObject created = pair.object("created").copy();
        JsonObject tree = create(id, version, pair, created);
        boolean generation = created.has("metadata", "generation");
        assertThat(BuiltinTypes.all().stream()
                        .filter(type -> type.id().equals(id))
                        .findFirst()
                        .orElseThrow()
                        .rules()
                        .generation())
                .isEqualTo(generation);
        withoutSystemFields(created);
        withoutSystemFields(tree);
        if (id.equals("pods")) {
            withoutAdmission(created);
            withoutAdmission(tree);
        }
        if (id.equals("services")) {
            withoutAddresses(created);
            withoutAddresses(tree);
        }
        if (id.equals("persistentvolumes")) {
            created.object("status").remove("lastPhaseTransitionTime");
            tree.object("status").remove("lastPhaseTransitionTime");
        }
        assertThat(Json.text(sorted(tree))).isEqualTo(Json.text(sorted(created)));
    }

    static JsonObject create(String id, String version, JsonObject pair, JsonObject created) {
        JsonObject tree = pair.object("create").copy();
        KindStrategy strategy = Kinds.of(id, version);
        assertThat(strategy.normalise(tree, List.of())).isEmpty();
        strategy.applyDefaults(tree);
        tree.withObject("metadata").put("uid", created.string("metadata", "uid"));
        strategy.settle(tree);
        strategy.prepareForCreate(
                tree,
                new ResourceStrategy.Context(
                        () -> Instant.EPOCH,
                        new User("admin", "admin-uid", List.of("system:masters", "system:authenticated")),
                        new ServiceAddresses().forWrite(unused -> {}, false, unused -> false)));
        if (id.equals("pods")) {
            // set by the admission that was recorded, too
            tree.withObject("spec").setIfEmpty("serviceAccountName", "default");
            tree.withObject("spec").setIfEmpty("serviceAccount", "default");
        }
        assertThat(Kinds.errors(strategy, tree)).isEmpty();
        JsonObject again = tree.copy();
        strategy.normalise(again, List.of());
        strategy.applyDefaults(again);
        assertThat(again).as("idempotent").isEqualTo(tree);
        return tree;
    }

    private static void withoutSystemFields(JsonObject tree) {
        tree.findObject("metadata").ifPresent(metadata -> {
            for (String field : List.of(
                    "uid", "resourceVersion", "creationTimestamp", "managedFields", "namespace", "generation")) {
                metadata.remove(field);
            }
        });
    }

    /** Removes what the admission plugins of the recorded server set. */
    private static void withoutAdmission(JsonObject pod) {
        pod.findObject("spec").ifPresent(spec -> {
            spec.remove("priority");
            spec.remove("preemptionPolicy");
            spec.remove("tolerations");
            spec.remove("serviceAccount");
            spec.remove("serviceAccountName");
            spec.remove("imagePullSecrets");
            dropGenerated(spec, "volumes");
            spec.objects("containers").forEach(container -> dropGenerated(container, "volumeMounts"));
            spec.objects("initContainers").forEach(container -> dropGenerated(container, "volumeMounts"));
        });
    }

    private static void dropGenerated(JsonObject tree, String list) {
        if (tree.get(list) instanceof List<?> items) {
            items.removeIf(item -> Json.string(item, "name").startsWith("kube-api-access-"));
            if (items.isEmpty()) {
                tree.remove(list);
            }
        }
    }

    private static void withoutAddresses(JsonObject service) {
        JsonObject spec = service.object("spec");
        if (spec.string("clusterIP").startsWith("10.0.0.")) {
            spec.put("clusterIP", "<ip>");
            spec.put("clusterIPs", Trees.items("<ip>"));
        }
        spec.objects("ports").forEach(port -> {
            if (port.integer("nodePort") >= 30_000) {
                port.put("nodePort", "<port>");
            }
        });
    }

    /** With keys in order, so that a difference can be read. */
    static @Nullable Object sorted(@Nullable Object tree) {
        return switch (tree) {
            case JsonObject object -> object.sorted();
            case List<?> list -> {
                List<@Nullable Object> items = new ArrayList<>();
                list.forEach(item -> items.add(sorted(item)));
                yield items;
            }
            case null, default -> tree;
        };
    }

    private static JsonObject created(String id, String json) {
        JsonObject tree = Kinds.read(id, Kinds.tree(json));
        Kinds.of(id).prepareForCreate(tree, Kinds.CONTEXT);
        return tree;
    }

    private static JsonObject updated(String id, JsonObject old, String json) {
        JsonObject tree = Kinds.read(id, Kinds.tree(json));
        JsonObject before = old.copy();
        Kinds.of(id).prepareForUpdate(tree, old, "", Kinds.CONTEXT);
        assertThat(old).as("the old object").isEqualTo(before);
        return tree;
    }

    @Test
    void aStatusIsWrittenThroughItsSubresourceOnly() {
        String deployment = "{'metadata':{'labels':{'a':'%s'}},'spec':{'replicas':%d},'status':{'replicas':%d}}";
        var old = created("deployments.apps", deployment.formatted("b", 1, 7));
        assertThat(old.at("status", "replicas")).isNull();
        old.put("status", JsonObject.of("replicas", 1L));
        var changed = updated("deployments.apps", old, deployment.formatted("c", 2, 9));
        assertThat(changed.integer("spec", "replicas")).isEqualTo(2);
        assertThat(changed.integer("status", "replicas")).isEqualTo(1);

        var status = Kinds.read("deployments.apps", Kinds.tree(deployment.formatted("d", 5, 9)));
        Kinds.of("deployments.apps").prepareForUpdate(status, changed, "status", Kinds.CONTEXT);
        assertThat(status.integer("spec", "replicas")).isEqualTo(2);
        assertThat(status.integer("status", "replicas")).isEqualTo(9);
        assertThat(status.string("metadata", "labels", "a")).isEqualTo("c");
    }

    @Test
    void aServiceKeepsItsAllocations() {
        var old = created("services", "{'spec':{'type':'NodePort','ports':[{'port':80},{'name':'b','port':81}]}}");
        var changed = updated("services", old, "{'spec':{'type':'NodePort','ports':[{'port':80}]}}");
        assertThat(changed.at("spec", "clusterIP")).isEqualTo(old.at("spec", "clusterIP"));
        Object port = changed.array("spec", "ports").getFirst();
        assertThat(Json.at(port, "nodePort"))
                .isEqualTo(Json.at(old.array("spec", "ports").getFirst(), "nodePort"));
        var external = updated("services", old, "{'spec':{'type':'ExternalName','externalName':'a.b'}}");
        assertThat(external.has("spec", "clusterIP")).isFalse();
    }

    @Test
    void aDaemonSetCountsChangesOfItsTemplate() {
        String json = "{'spec':{'minReadySeconds':%d,'template':{'spec':{'containers':[{'name':'c','image':'%s'}]}}}}";
        var old = created("daemonsets.apps", json.formatted(1, "a:1"));
        var same = updated("daemonsets.apps", old, json.formatted(2, "a:1"));
        var other = updated("daemonsets.apps", same, json.formatted(2, "a:2"));
        String counter = "deprecated.daemonset.template.generation";
        assertThat(same.string("metadata", "annotations", counter)).isEqualTo("1");
        assertThat(other.string("metadata", "annotations", counter)).isEqualTo("2");
    }

    @Test
    void aNamespaceKeepsItsFinalizersAndPhase() {
        var old = created("namespaces", "{'metadata':{'name':'n'}}");
        var changed = updated("namespaces", old, "{'metadata':{'name':'n'},'spec':{'finalizers':[]}}");
        assertThat(changed.array("spec", "finalizers")).containsExactly("kubernetes");
        assertThat(changed.string("status", "phase")).isEqualTo("Active");
    }

    @Test
    void finalizersAndMetadataOfANamespaceChangeWhenItIsFinalized() {
        var old = created("namespaces", "{'metadata':{'name':'n','labels':{'a':'b'}}}");
        var tree = Kinds.read(
                "namespaces",
                Kinds.tree("{'metadata':{'name':'n','labels':{'c':'d'}},'spec':{'finalizers':['a.b/c']},"
                        + "'status':{'phase':'Terminating'}}"));
        Kinds.of("namespaces").prepareForUpdate(tree, old, "finalize", Kinds.CONTEXT);
        assertThat(tree.array("spec", "finalizers")).containsExactly("a.b/c");
        assertThat(tree.object("metadata", "labels").keySet())
                .containsExactlyInAnyOrder("c", "kubernetes.io/metadata.name");
        assertThat(tree.string("status", "phase")).isEqualTo("Active");
    }

    @Test
    void namesAreThoseOfTheKind() {
        assertThat(Kinds.of("roles.rbac.authorization.k8s.io").facts().names()).isEqualTo(Names.PATH_SEGMENT);
        assertThat(Kinds.of("namespaces").facts().names()).isEqualTo(Names.LABEL);
        assertThat(Kinds.of("configmaps").facts().names()).isEqualTo(Names.SUBDOMAIN);
    }

    @Test
    void jobsAndReplicationControllersOrphanByDefault() {
        assertThat(Kinds.of("jobs.batch").garbageCollection()).isEqualTo(GarbageCollection.ORPHAN_DEPENDENTS);
        assertThat(Kinds.of("replicationcontrollers").garbageCollection())
                .isEqualTo(GarbageCollection.ORPHAN_DEPENDENTS);
        assertThat(Kinds.of("replicasets.apps").garbageCollection()).isEqualTo(GarbageCollection.DELETE_DEPENDENTS);
        assertThat(Kinds.of("events").garbageCollection()).isEqualTo(GarbageCollection.UNSUPPORTED);
    }
}
