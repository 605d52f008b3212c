package dev.evenkeel.testing.object;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.testing.diff.Normalization;
import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GivenTest {
    private static final Instant T0 = Instant.parse("2026-01-01T00:00:00.5Z");

    private static final Given<Deployment> WEB = Given.yaml(Deployment.class, """
            metadata: {namespace: default, name: web}
            spec:
              replicas: 3
              template:
                spec:
                  containers:
                    - name: app
                      image: web:1
                      env: [{name: MODE, value: slow}]
                    - name: side
                      image: side:1
            """);

    private static final Given<Boat> BOAT = Given.yaml(Boat.class, """
            metadata: {namespace: default, name: ida}
            spec: {length: 9, sails: [{name: jib, area: 20}]}
            """);

    private static final Given<?> THING = Given.yaml("""
            apiVersion: e.com/v1
            kind: Thing
            metadata: {name: t}
            spec: {parts: [{name: a, size: 1}]}
            """);

    private static String json(Given<?> given) {
        return new String(ModelCodec.encode(given.object()), UTF_8);
    }

    // reading

    @Test
    void aDocumentWithoutAKindIsOfTheKindOfItsClass() {
        assertThat(WEB.object().getApiVersion()).isEqualTo("apps/v1");
        assertThat(WEB.object().getSpec().getReplicas()).isEqualTo(3);
        assertThat(BOAT.object().getApiVersion()).isEqualTo("demo.example.com/v1");
        assertThat(BOAT.object().getSpec().sails()).containsExactly(new Boat.Sail("jib", 20));
        assertThat(WEB.key()).isEqualTo(ObjectKey.of("default", "web"));
        assertThat(WEB).hasToString("Deployment \"default/web\"");
    }

    @Test
    void theClassIsFoundByApiVersionAndKind() {
        List<Given<?>> all = Given.all("""
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: a}
                ---
                ---
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: b}
                ---
                apiVersion: apps/v9
                kind: Deployment
                metadata: {name: c}
                """);

        assertThat(all)
                .extracting(Given::type)
                .isEqualTo(List.of(ConfigMap.class, Deployment.class, GenericKubernetesResource.class));
        assertThat(THING.type()).isEqualTo(GenericKubernetesResource.class);
    }

    @Test
    void refusesInconsistentDocuments() {
        assertThatThrownBy(() -> Given.yaml(Deployment.class, "kind: Pod\n"))
                .hasMessage("the document has kind Pod, but Deployment is Deployment");
        assertThatThrownBy(() -> Given.yaml(Pod.class, "spec: {contaners: []}"))
                .hasMessage("spec.contaners: PodSpec has no field \"contaners\"; nearest is containers");
        assertThatThrownBy(() -> Given.yaml(Boat.class, "spec: {sails: [{name: x, aera: 1}]}"))
                .hasMessage("spec.sails[0].aera: Sail has no field \"aera\"; nearest is area");
        assertThatThrownBy(() -> Given.yaml(Deployment.class, "spec: {replicas: [1]}"))
                .hasMessageContaining("spec.replicas");
        assertThatThrownBy(() -> Given.yaml("kind: Pod\n"))
                .hasMessageStartingWith("the document has no apiVersion: write it");
        assertThatThrownBy(() -> Given.all("{apiVersion: v1, kind: Pod}\n---\n{apiVersion: v1, kind: Pod, spce: {}}"))
                .hasMessage("document 2: spce: Pod has no field \"spce\"; nearest is spec");
        assertThatThrownBy(() -> Given.yaml(Pod.class, "{}\n---\n{}"))
                .hasMessage("expected one document: 2; Given.all reads several");
        assertThatThrownBy(() -> Given.yaml(Pod.class, "[1]")).hasMessage("the document is not an object: [1]");
        assertThatThrownBy(() -> Given.yaml(Pod.class, "a: [")).hasMessageStartingWith("this is not YAML: ");
    }

    // nothing changes

    @Test
    void neitherVariationsNorObjectsHandedOutChangeTheBase() {
        String before = json(WEB);

        WEB.object().getSpec().setReplicas(7);
        WEB.object().getSpec().getTemplate().getSpec().getContainers().clear();
        WEB.with(web -> web.getSpec().getTemplate().getSpec().getContainers().clear());
        WEB.at("spec.template.spec.containers[name=app].env[name=MODE].value", "fast");
        WEB.without("spec.template");
        WEB.label("a", "b").finalizers("f/f").deleted(T0).condition("Available").isTrue("Yes");
        WEB.status(web -> web.getStatus().setReplicas(3));

        assertThat(json(WEB)).isEqualTo(before);
    }

    @Test
    void anObjectThatIsGivenIsCopied() {
        ConfigMap object = new ConfigMapBuilder()
                .withNewMetadata()
                .withName("a")
                .endMetadata()
                .addToData("k", "v")
                .build();
        Given<ConfigMap> given = Given.of(object);

        object.getData().put("k", "other");

        assertThat(given.object().getData()).isEqualTo(Map.of("k", "v"));
        assertThat(given.object()).isNotSameAs(given.object()).isEqualTo(given.object());
    }

    @Test
    void collectionsThatAreGivenAreCopied() {
        Map<String, Object> data = new HashMap<>(Map.of("k", "v"));
        List<String> args = new ArrayList<>(List.of("-a"));
        Given<ConfigMap> map =
                Given.yaml(ConfigMap.class, "metadata: {name: a}").at("data", data);
        Given<Deployment> web = WEB.at("spec.template.spec.containers[name=app].args", args);

        data.put("k", "other");
        args.add("-b");

        assertThat(map.object().getData()).isEqualTo(Map.of("k", "v"));
        assertThat(web.object()
                        .getSpec()
                        .getTemplate()
                        .getSpec()
                        .getContainers()
                        .getFirst()
                        .getArgs())
                .containsExactly("-a");
    }

    @Test
    void addingToOneMapTouchesNoOther() {
        Given<ConfigMap> base = Given.yaml(ConfigMap.class, "{metadata: {name: a}, binaryData: {k: eA==}}");

        Given<ConfigMap> both = base.at("data.k", "v").at("binaryData.l", "eQ==");

        assertThat(both.object().getData()).isEqualTo(Map.of("k", "v"));
        assertThat(both.object().getBinaryData()).isEqualTo(Map.of("k", "eA==", "l", "eQ=="));
        assertThat(base.object().getBinaryData()).isEqualTo(Map.of("k", "eA=="));
        assertThat(base.object().getData()).isNullOrEmpty();
    }

    // paths

    @Test
    void setsByKeyByPlaceAndAtTheEnd() {
        Given<Deployment> changed = WEB.at("spec.template.spec.containers[name=app].env[name=MODE].value", "fast")
                .at("spec.template.spec.containers[1].image", "side:2")
                .at("spec.template.spec.containers[name=app].env[+name=MORE].value", "x")
                .at("spec.template.spec.containers[name=app].ports[+containerPort=80].name", "http")
                .at(
                        "spec.template.spec.containers[+]",
                        new ContainerBuilder().withName("third").build())
                .at("spec.template.spec.containers[+name=fourth]", Map.of("image", "four:4"))
                .at("spec.template.metadata.labels[app.kubernetes.io/name]", "web")
                .at("spec.template.spec.containers[name=app].resources.limits.cpu", new Quantity("100m"))
                .at("spec.strategy.rollingUpdate.maxSurge", new IntOrString("25%"))
                .at("spec.paused", true);

        List<Container> containers =
                changed.object().getSpec().getTemplate().getSpec().getContainers();
        assertThat(containers).extracting(Container::getName).containsExactly("app", "side", "third", "fourth");
        assertThat(containers).extracting(Container::getImage).containsExactly("web:1", "side:2", null, "four:4");
        assertThat(containers.getFirst().getEnv())
                .hasToString("[EnvVar(name=MODE, value=fast, valueFrom=null, additionalProperties={}),"
                        + " EnvVar(name=MORE, value=x, valueFrom=null, additionalProperties={})]");
        assertThat(containers.getFirst().getPorts().getFirst().getContainerPort())
                .isEqualTo(80);
        assertThat(containers.getFirst().getResources().getLimits()).isEqualTo(Map.of("cpu", new Quantity("100m")));
        assertThat(changed.object().getSpec().getTemplate().getMetadata().getLabels())
                .isEqualTo(Map.of("app.kubernetes.io/name", "web"));
        assertThat(changed.object()
                        .getSpec()
                        .getStrategy()
                        .getRollingUpdate()
                        .getMaxSurge()
                        .getStrVal())
                .isEqualTo("25%");
        assertThat(changed.object().getSpec().getPaused()).isTrue();
    }

    @Test
    void setsInRecordsAndInObjectsWithoutAClass() {
        Given<Boat> boat = BOAT.at("spec.length", 11)
                .at("spec.sails[name=jib].area", 21)
                .at("spec.sails[+name=main]", Map.of("area", 40))
                .at("spec.flags[a.b]", "c");
        Given<?> thing = THING.at("spec.parts[name=a].size", 2)
                .at("spec.parts[+name=b,size=3].deep.er", List.of(1, "x"))
                .at("metadata.labels.l", "v");

        assertThat(boat.object().getSpec())
                .isEqualTo(new Boat.Spec(
                        11, null, List.of(new Boat.Sail("jib", 21), new Boat.Sail("main", 40)), Map.of("a.b", "c")));
        assertThat(json(thing))
                .isEqualTo(
                        "{\"apiVersion\":\"e.com/v1\",\"kind\":\"Thing\",\"metadata\":{\"labels\":{\"l\":\"v\"},\"name\":\"t\"},"
                                + "\"spec\":{\"parts\":[{\"name\":\"a\",\"size\":2},{\"name\":\"b\",\"size\":3,\"deep\":{\"er\":[1,\"x\"]}}]}}");
        assertThat(BOAT.at("spec", new Boat.Spec(1, "red", null, null))
                        .object()
                        .getSpec()
                        .colour())
                .isEqualTo("red");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "spec.template.spec.contaners[name=app].image | step 4 \"contaners\": PodSpec has no field \"contaners\"; nearest is containers",
                "spec.template.spec.containers[name=ap].image | step 5 \"[name=ap]\": the entry is missing, there are [name=app], [name=side]; write [+name=ap] to append it",
                "spec.template.spec.containers[+name=app].image | step 5 \"[+name=app]\": the entry exists already: write [name=app]",
                "spec.template.spec.containers[+nam=app].image | step 5 \"[+nam=app]\": Container has no field \"nam\"; nearest is name",
                "spec.template.spec.containers[2].image | step 5 \"[2]\": the list has 2 entries; write [+] to append",
                "spec.template.spec.volumes[name=v].emptyDir | step 5 \"[name=v]\": the entry is missing, the list is empty; write [+name=v] to append it",
                "spec.template.spec.containers.image | step 5 \"image\": a list has no field \"image\": name an entry",
                "spec.replicas.x | step 3 \"x\": Integer has no field \"x\"",
                "spec[0] | step 2 \"[0]\": DeploymentSpec is not a list",
                "metadata.labels[0] | step 3 \"[0]\": a map is not a list",
                "spec.*.x | step 2 \"*\": a pattern does not name a single field",
                "statsu.replicas | step 1 \"statsu\": Deployment has no field \"statsu\"; nearest is status",
                "spec.selector.matchLables.a | step 3 \"matchLables\": LabelSelector has no field \"matchLables\"; nearest is matchLabels",
            })
    void refusesPathsThatLeadNowhere(String path, String message) {
        assertThatThrownBy(() -> WEB.at(path, "x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("at(\"" + path + "\"), ")
                .hasMessageContaining(message);
    }

    @Test
    void refusesValuesThatDoNotFit() {
        assertThatThrownBy(() -> WEB.at("spec.replicas", "three"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("at(\"spec.replicas\"): ")
                .hasMessageContaining("\"three\"");
        assertThatThrownBy(() -> WEB.at("spec.template", Map.of("spec", Map.of("contaners", List.of()))))
                .hasMessage("at(\"spec.template\"), step 2 \"template\": the value does not fit:"
                        + " spec.contaners: PodSpec has no field \"contaners\"; nearest is containers");
        assertThatThrownBy(() -> BOAT.at("spec.colr", "x"))
                .hasMessageContaining("Spec has no field \"colr\"; nearest is colour");
        assertThatThrownBy(() -> BOAT.at("spec.x", "x"))
                .hasMessageContaining("Spec has no field \"x\"; it has colour, flags, length, sails");
        assertThatThrownBy(() -> THING.at("spec.parts.a", "x")).hasMessageContaining("this is not an object: [");
        assertThatThrownBy(() -> THING.at("", "x")).hasMessage("at(\"\"): the path is empty");
    }

    @Test
    void timesOfLeasesAreWrittenToTheMicrosecond() {
        Given<Lease> lease = Given.yaml(Lease.class, "metadata: {name: l}");

        assertThat(json(lease.at("spec.renewTime", T0))).contains("\"renewTime\":\"2026-01-01T00:00:00.5");
        assertThat(lease.at("spec.renewTime", "2026-01-01T00:00:00Z")
                        .object()
                        .getSpec()
                        .getRenewTime()
                        .toInstant())
                .isEqualTo(Instant.parse("2026-01-01T00:00:00Z"));
        assertThatThrownBy(() -> lease.at("spec.renewTime", "today")).hasMessageContaining("\"today\" is not a time");
    }

    @Test
    void removesExistingFields() {
        Given<Deployment> less = WEB.without("spec.replicas")
                .without("spec.template.spec.containers[name=side]")
                .without("spec.template.spec.containers[0].env[name=MODE].value");

        assertThat(less.object().getSpec().getReplicas()).isNull();
        assertThat(less.object().getSpec().getTemplate().getSpec().getContainers())
                .extracting(Container::getName)
                .containsExactly("app");
        assertThatThrownBy(() -> WEB.without("spec.paused"))
                .hasMessage("without(\"spec.paused\"), step 2 \"paused\": there is nothing to remove");
        assertThatThrownBy(() -> WEB.without("spec.pausd")).hasMessageContaining("nearest is paused");
        assertThatThrownBy(() -> WEB.without("spec.template.spec.containers[name=x]"))
                .hasMessageContaining("there are [name=app], [name=side]");
        assertThatThrownBy(() -> WEB.without("spec.template.spec.volumes[0]"))
                .hasMessageContaining("there is nothing to remove");
        assertThatThrownBy(() -> WEB.without("spec.template.spec.containers[+]"))
                .hasMessageContaining("cannot be removed");
    }

    // metadata

    @Test
    void metadataHaveWordsOfTheirOwn() {
        Given<Boat> boat = BOAT.name("n")
                .namespace("ns")
                .label("a.b/c", "1")
                .label("d", "2")
                .annotation("e.f/g", "3")
                .uid("u")
                .generation(4)
                .resourceVersion("5")
                .created(T0)
                .finalizers("x/y", "x/z")
                .finalizers("x/y");

        assertThat(json(boat))
                .contains(
                        "\"metadata\":{\"annotations\":{\"e.f/g\":\"3\"},\"creationTimestamp\":\"2026-01-01T00:00:00Z\","
                                + "\"finalizers\":[\"x/y\",\"x/z\"],\"generation\":4,\"labels\":{\"a.b/c\":\"1\",\"d\":\"2\"},"
                                + "\"name\":\"n\",\"namespace\":\"ns\",\"resourceVersion\":\"5\",\"uid\":\"u\"}");
    }

    @Test
    void deletedObjectsNeedAFinalizer() {
        assertThatThrownBy(() -> WEB.deleted(T0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("Deployment \"default/web\" has no finalizer, so it would not exist once deleted:"
                        + " write .finalizers(\"example.com/clean-up\") before .deleted(...)");
        assertThat(WEB.finalizers("x/y").deleted(T0).object().getMetadata().getDeletionTimestamp())
                .isEqualTo("2026-01-01T00:00:00Z");
    }

    @Test
    void ownersAreKnownByTheirUid() {
        Given<Boat> owner = BOAT.uid("1");
        Given<Deployment> owned = WEB.owner(THING.namespace("default").uid("2"))
                .ownedBy(owner)
                .ownedBy(owner)
                .owner(THING.namespace("default").uid("2"));

        assertThat(owned.object().getMetadata().getOwnerReferences())
                .extracting(OwnerReference::getUid, OwnerReference::getController)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("1", true), org.assertj.core.groups.Tuple.tuple("2", null));
        // one without uid gets that which it has in a cluster
        assertThat(WEB.ownedBy(BOAT).object().getMetadata().getOwnerReferences())
                .extracting(OwnerReference::getUid)
                .containsExactly(Given.uidOf(BOAT.object()));
        assertThat(WEB.owner(BOAT).object().getMetadata().getOwnerReferences())
                .extracting(OwnerReference::getUid)
                .containsExactly(Given.uidOf("Boat", BOAT.key()));
        assertThatThrownBy(() -> owned.ownedBy(BOAT.uid("3"))).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> WEB.ownedBy(owner.namespace("other"))).hasMessageContaining("cannot be owned by");
    }

    // status

    @Test
    void conditionsKeepTheTimeOfTheirTransition() {
        Given<Boat> first = BOAT.condition("Ready")
                .since(T0)
                .unknown("Initializing")
                .condition("Afloat")
                .isTrue("Floats");
        Given<Boat> again = first.created(T0.plusSeconds(1)).condition("Ready").unknown("Waiting", "for wind");
        Given<Boat> failed = again.condition("Ready").isFalse("Sunk", "it leaks");

        assertThat(conditions(first))
                .containsExactly(
                        "Ready Unknown Initializing  2026-01-01T00:00:00Z", "Afloat True Floats  2000-01-01T00:00:00Z");
        assertThat(conditions(again))
                .containsExactly(
                        "Ready Unknown Waiting for wind 2026-01-01T00:00:00Z",
                        "Afloat True Floats  2000-01-01T00:00:00Z");
        assertThat(conditions(failed))
                .containsExactly(
                        "Ready False Sunk it leaks 2026-01-01T00:00:01Z", "Afloat True Floats  2000-01-01T00:00:00Z");
    }

    private static List<String> conditions(Given<Boat> boat) {
        List<Condition> conditions =
                Objects.requireNonNull(boat.object().getStatus().conditions());
        return conditions.stream()
                .map(c -> String.join(
                        " ", c.getType(), c.getStatus(), c.getReason(), c.getMessage(), c.getLastTransitionTime()))
                .toList();
    }

    @Test
    void conditionsOfBuiltInKindsKeepTheirOtherFields() {
        Given<Pod> pod = Given.yaml(
                        Pod.class,
                        "status: {conditions: [{type: Ready, status: 'True', lastProbeTime: '2026-01-01T00:00:00Z'}]}")
                .condition("Ready")
                .isFalse("Dead", "it is");

        assertThat(json(pod))
                .contains(
                        "\"conditions\":[{\"lastProbeTime\":\"2026-01-01T00:00:00Z\",\"lastTransitionTime\":\"2000-01-01T00:00:00Z\",\"message\":\"it is\",\"reason\":\"Dead\",\"status\":\"False\",\"type\":\"Ready\"}]");
        assertThat(json(THING.condition("Ready").isTrue("Is")))
                .contains("\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\"");
        assertThatThrownBy(() ->
                        Given.yaml(ConfigMap.class, "{}").condition("Ready").isTrue("Is"))
                .hasMessageContaining("ConfigMap has no field \"status\"");
    }

    @Test
    void aStatusIsChangedAlone() {
        assertThat(WEB.status(web -> web.getStatus().setReadyReplicas(2))
                        .statusAt("replicas", 3)
                        .object()
                        .getStatus()
                        .getReadyReplicas())
                .isEqualTo(2);
        assertThat(BOAT.status(boat -> boat.setStatus(new Boat.State(7, null)))
                        .object()
                        .getStatus()
                        .knots())
                .isEqualTo(7);
        assertThat(json(THING.statusAt("a.b", 1))).endsWith("\"status\":{\"a\":{\"b\":1}}}");
        assertThatThrownBy(() -> WEB.status(web -> web.getSpec().setReplicas(4)))
                .hasMessage(
                        "status(...) changed more than the status; use with(...): spec.replicas: expected 3, observed 4");
        assertThatThrownBy(() -> WEB.statusAt("readyReplica", 1))
                .hasMessageContaining("DeploymentStatus has no field \"readyReplica\"; nearest is readyReplicas");
    }

    // comparison

    @Test
    void differencesAreThoseOfTheObjects() {
        Given<Deployment> other = WEB.at("spec.replicas", 4).resourceVersion("7");

        assertThat(WEB.diff(other).changes())
                .extracting(change -> change.path().toString())
                .containsExactly("metadata.resourceVersion", "spec.replicas");
        assertThat(WEB.diff(other, Normalization.written())).hasToString("spec.replicas: expected 3, observed 4");
        assertThat(WEB)
                .isEqualTo(WEB.at("spec.replicas", 3))
                .hasSameHashCodeAs(Given.of(WEB.object()))
                .isNotEqualTo(other);
    }

    @Test
    void thePatchProducesTheOther() {
        assertThat(WEB.patchTo(WEB.without("spec.replicas").label("a", "b")).text())
                .isEqualTo("{\"metadata\":{\"labels\":{\"a\":\"b\"}},\"spec\":{\"replicas\":null}}");
        assertThat(WEB.patchTo(WEB).text()).isEqualTo("{}");
        assertThat(WEB.patchTo(WEB).type()).isEqualTo(Patch.Type.MERGE);

        long seed = System.nanoTime();
        System.out.println("GivenTest seed " + seed);
        Random random = new Random(seed);
        for (int i = 0; i < 300; i++) {
            Given<?> one = random(random);
            Given<?> other = random(random);
            Object patch = Json.parse(one.patchTo(other).bytes(), JsonLimits.DEFAULT);
            Object patched = merged(Json.parse(json(one).getBytes(UTF_8), JsonLimits.DEFAULT), patch);
            assertThat(Json.text(Json.sorted(patched)))
                    .as("seed %d: %s", seed, patch)
                    .isEqualTo(Json.text(Json.sorted(Json.parse(json(other).getBytes(UTF_8), JsonLimits.DEFAULT))));
        }
    }

    private static Given<?> random(Random random) {
        Given<?> given = THING;
        for (int i = 0; i < 5; i++) {
            String path = "spec.f" + random.nextInt(3);
            given = switch (random.nextInt(4)) {
                case 0 -> given.at(path, random.nextInt(2));
                case 1 -> given.at(path, List.of(random.nextInt(2)));
                case 2 -> given.at(path, Map.of());
                default ->
                    given.at(path, JsonObject.of("a" + random.nextInt(2), random.nextBoolean() ? "x" : Map.of("b", 1)));
            };
        }
        return given;
    }

    /** RFC 7386, as it is written there. */
    private static Object merged(Object target, Object patch) {
        if (!(patch instanceof Map<?, ?> fields)) {
            return patch;
        }
        Map<String, Object> result = target instanceof Map ? Json.asObject(Json.copy(target)) : new HashMap<>();
        fields.forEach((name, value) -> {
            if (value == null) {
                result.remove(name);
            } else {
                result.put((String) name, merged(result.get(name), value));
            }
        });
        return result;
    }
}
