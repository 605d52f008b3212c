package dev.evenkeel.reconcile.duck;

import static dev.evenkeel.testing.call.Calls.on;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.ConflictException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.reconcile.part.Part;
import dev.evenkeel.testing.call.ReactiveClient;
import dev.evenkeel.testing.call.RecordedCall;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DuckClientTest {
    private static final String DEFINITION = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: fleets.test.evenkeel.dev}
            spec:
              group: test.evenkeel.dev
              scope: Namespaced
              names: {kind: Fleet, plural: fleets, singular: fleet}
              versions:
                - name: v1
                  served: true
                  storage: true
                  subresources: {status: {}}
                  schema:
                    openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}
            """;

    private static final Kind<GenericKubernetesResource> FLEETS =
            Kind.generic("test.evenkeel.dev", "v1", "Fleet", "fleets", true);
    private static final DuckClient.Kinds KINDS =
            DuckClient.Kinds.of(Kind.of(Deployment.class), Kind.of(StatefulSet.class), FLEETS);

    private final Engine engine = Engine.builder().executor(Runnable::run).build();
    private final Client client = engine.client();
    private final ReactiveClient reactive = ReactiveClient.of(client);
    private final DuckClient ducks = DuckClient.over(reactive, KINDS);

    @BeforeEach
    void create() {
        Given.all(DEFINITION).forEach(one -> create(one.object()));
        for (String kind : List.of("apps/v1 Deployment", "apps/v1 StatefulSet", "test.evenkeel.dev/v1 Fleet")) {
            Given.all("""
                            apiVersion: %s
                            kind: %s
                            metadata: {namespace: default, name: web}
                            spec:
                              replicas: 1
                              revisionHistoryLimit: 7
                              selector: {matchLabels: {app: web}}
                              template:
                                metadata: {labels: {app: web}, annotations: {note: kept}}
                                spec:
                                  containers:
                                    - {name: main, image: "main:1", env: [{name: A, value: a}]}
                                    - {name: side, image: "side:1", workingDir: /side}
                            """.formatted((Object[]) kind.split(" "))).forEach(one -> create(one.object()));
        }
    }

    private void create(HasMetadata object) {
        HasMetadata unused = object instanceof GenericKubernetesResource fleet
                ? client.create(FLEETS, fleet, WriteOptions.DEFAULT)
                : client.create(object);
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private static DuckClient.Reference web(String kind) {
        return new DuckClient.Reference(
                kind.equals("Fleet") ? "test.evenkeel.dev/v1" : "apps/v1", kind, ObjectKey.of("default", "web"));
    }

    private GenericKubernetesResource whole(String kind) {
        return client.get(
                KINDS.require(web(kind).apiVersion(), kind).in(GenericKubernetesResource.class),
                web(kind).key());
    }

    @ParameterizedTest
    @ValueSource(strings = {"Deployment", "StatefulSet", "Fleet"})
    void onlyChangesArePatched(String kind) {
        Scaled before = ducks.get(Scaled.class, web(kind));
        Scaled after = ModelCodec.copy(before);
        after.getSpec().setReplicas(3);
        after.getSpec().getTemplate().metadata().getLabels().put("tier", "front");
        after.getSpec()
                .setTemplate(new Scaled.Template(
                        after.getSpec().getTemplate().metadata(),
                        new Scaled.Containers(List.of(
                                new Scaled.Container("main", "main:2"), new Scaled.Container("side", "side:1")))));
        Scaled now = ducks.patch(before, after);
        assertThat(now.getSpec().getReplicas()).isEqualTo(3);
        GenericKubernetesResource whole = whole(kind);
        assertThat(now.getMetadata().getResourceVersion())
                .isEqualTo(whole.getMetadata().getResourceVersion());
        assertThat(whole.<Object>get("spec", "replicas")).isEqualTo(3);
        assertThat(whole.<Object>get("spec", "revisionHistoryLimit")).isEqualTo(7);
        assertThat(whole.<Object>get("spec", "template", "metadata", "labels"))
                .isEqualTo(Map.of("app", "web", "tier", "front"));
        assertThat(whole.<Object>get("spec", "template", "metadata", "annotations", "note"))
                .isEqualTo("kept");
        assertThat(whole.<Object>get("spec", "template", "spec", "containers", 0, "image"))
                .isEqualTo("main:2");
        assertThat(whole.<Object>get("spec", "template", "spec", "containers", 0, "env", 0, "value"))
                .isEqualTo("a");
        assertThat(whole.<Object>get("spec", "template", "spec", "containers", 1, "workingDir"))
                .isEqualTo("/side");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Deployment", "StatefulSet", "Fleet"})
    void aStatusIsPatchedAloneAndOnce(String kind) {
        Scaled before = ducks.get(Scaled.class, web(kind));
        Scaled after = ModelCodec.copy(before);
        after.setStatus(new Scaled.Look(5));
        after.getSpec().setReplicas(3);
        Scaled unused = ducks.patchStatus(before, after);
        assertThat(whole(kind).<Object>get("status", "replicas")).isEqualTo(5);
        assertThat(whole(kind).<Object>get("spec", "replicas")).isEqualTo(1);
        Scaled unused2 = ducks.patchStatus(before, after);
        assertThat(reactive.journal().writes()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Deployment", "StatefulSet", "Fleet"})
    void listsAndDeletes(String kind) {
        assertThat(ducks.list(Scaled.class, web(kind).apiVersion(), kind, ListOptions.ALL)
                        .items())
                .singleElement()
                .satisfies(one -> {
                    assertThat(DuckClient.Reference.of(one)).isEqualTo(web(kind));
                    assertThat(one.getSpec().getReplicas()).isEqualTo(1);
                    var unused = ducks.delete(one);
                });
        assertThat(ducks.find(Scaled.class, web(kind))).isEmpty();
        assertThatExceptionOfType(NotFoundException.class).isThrownBy(() -> ducks.get(Scaled.class, web(kind)));
    }

    @Test
    void concurrentWritesByOthersSurvive() {
        Scaled before = ducks.get(Scaled.class, web("Fleet"));
        Scaled other = ModelCodec.copy(before);
        other.getSpec().getTemplate().metadata().getLabels().put("by", "other");
        Scaled unused = ducks.patch(before, other);
        Scaled mine = ModelCodec.copy(before);
        mine.getSpec().setReplicas(3);
        Scaled now = ducks.patch(before, mine);
        assertThat(now.getSpec().getTemplate().metadata().getLabels()).containsEntry("by", "other");
        assertThat(now.getSpec().getReplicas()).isEqualTo(3);
    }

    @Test
    void anInterveningWriteWins() {
        Scaled before = ducks.get(Scaled.class, web("Fleet"));
        Scaled after = ModelCodec.copy(before);
        after.getSpec().setReplicas(3);
        var unused = reactive.react(on(RecordedCall.Verb.PATCH).observes(unused2 -> {
            GenericKubernetesResource other = whole("Fleet");
            other.getMetadata().setLabels(Map.of("by", "other"));
            var unused3 = client.update(FLEETS, other, WriteOptions.DEFAULT);
        }));
        assertThatExceptionOfType(ConflictException.class).isThrownBy(() -> ducks.patch(before, after));
        assertThat(whole("Fleet").<Object>get("spec", "replicas")).isEqualTo(1);
    }

    @Test
    void anotherObjectOfTheSameNameIsNotPatched() {
        Scaled before = ducks.get(Scaled.class, web("Fleet"));
        Scaled after = ModelCodec.copy(before);
        after.getSpec().setReplicas(3);
        before.getMetadata().setUid("gone");
        after.getMetadata().setUid("gone");
        assertThatExceptionOfType(ConflictException.class)
                .isThrownBy(() -> ducks.patch(before, after))
                .withMessageContaining("test.evenkeel.dev/v1 Fleet default/web is another one");
        after.getMetadata().setName("b");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ducks.patch(before, after))
                .withMessageContaining("give the same object");
    }

    @Test
    void unchangedObjectsAreNotWritten() {
        Scaled before = ducks.get(Scaled.class, web("Deployment"));
        assertThat(ducks.patch(before, before).getSpec().getReplicas()).isEqualTo(1);
        assertThat(ducks.patchStatus(before, before).getMetadata().getName()).isEqualTo("web");
        assertThat(reactive.journal().writes()).isEmpty();
    }

    @Test
    void aDryRunWritesNothing() {
        Scaled before = ducks.get(Scaled.class, web("Deployment"));
        Scaled after = ModelCodec.copy(before);
        after.getSpec().setReplicas(3);
        DuckClient dry = ducks.options(WriteOptions.DEFAULT.dryRun(true));
        assertThat(dry.patch(before, after).getSpec().getReplicas()).isEqualTo(3);
        var unused = dry.delete(before);
        assertThat(whole("Deployment").<Object>get("spec", "replicas")).isEqualTo(1);
    }

    @Test
    void ducksAreNeitherCreatedNorUpdated() {
        Scaled duck = ducks.get(Scaled.class, web("Fleet"));
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> ducks.create(duck))
                .withMessage("Create is not supported for the duck typed objects");
        for (var write : List.<Runnable>of(
                () -> ducks.update(duck),
                () -> ducks.updateStatus(duck),
                () -> ducks.wholeObjects(true).updateStatus(duck))) {
            assertThatExceptionOfType(UnsupportedOperationException.class)
                    .isThrownBy(write::run)
                    .withMessage("Update is not supported for the duck typed objects, use Patch instead");
        }
        assertThat(reactive.journal().writes()).isEmpty();
    }

    @Test
    void unlessThisIsWanted() {
        Scaled duck = ducks.get(Scaled.class, web("Fleet"));
        duck.getSpec().setReplicas(3);
        DuckClient willing = ducks.wholeObjects(true);
        assertThat(willing.update(duck).getSpec().getReplicas()).isEqualTo(3);
        assertThat(whole("Fleet").<Object>get("spec", "revisionHistoryLimit")).isNull();
        duck.getMetadata().setName("b");
        duck.getMetadata().setResourceVersion(null);
        duck.getMetadata().setUid(null);
        assertThat(willing.create(duck).getSpec().getReplicas()).isEqualTo(3);
    }

    @Test
    void objectsOfTheClassOfTheirKindAreNoDucks() {
        Deployment deployment = ducks.get(Deployment.class, web("Deployment"));
        deployment.getSpec().setReplicas(2);
        Deployment updated = ducks.update(deployment);
        assertThat(updated.getSpec().getReplicas()).isEqualTo(2);
        assertThat(ducks.updateStatus(updated).getSpec().getReplicas()).isEqualTo(2);
        deployment.getMetadata().setName("b");
        deployment.getMetadata().setResourceVersion(null);
        deployment.getMetadata().setUid(null);
        assertThat(ducks.create(deployment).getMetadata().getName()).isEqualTo("b");
    }

    /** An interface that no class implements. */
    private interface Unknown extends HasMetadata {}

    @Test
    void anInterfaceIsSeenInTheClassOfTheKind() {
        assertThat(ducks.get(HasMetadata.class, web("Deployment"))).isInstanceOf(Deployment.class);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ducks.get(Unknown.class, web("Deployment")))
                .withMessageContaining("deployments.apps, " + Deployment.class.getName() + ", does not implement it");
    }

    @Test
    void referencesNameObjects() {
        var owner = new OwnerReferenceBuilder()
                .withApiVersion("apps/v1")
                .withKind("StatefulSet")
                .withName("web")
                .build();
        var reference = new ObjectReferenceBuilder()
                .withApiVersion("apps/v1")
                .withKind("StatefulSet")
                .withNamespace("default")
                .withName("web")
                .build();
        assertThat(ducks.get(Scaled.class, DuckClient.Reference.of(owner, "default"))
                        .getKind())
                .isEqualTo("StatefulSet");
        assertThat(DuckClient.Reference.of(reference)).isEqualTo(DuckClient.Reference.of(owner, "default"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DuckClient.Reference.of(new Scaled()))
                .withMessageContaining("object must directly define apiVersion and kind");
    }

    @Test
    void unknownKindsAreReported() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        ducks.find(Scaled.class, new DuckClient.Reference("v1", "ConfigMap", ObjectKey.cluster("a"))))
                .withMessageContaining("v1 ConfigMap: unknown kind");
        DuckClient.Kinds more = KINDS.or(DuckClient.Kinds.of(Kind.of(ConfigMap.class)));
        assertThat(more.find("v1", "ConfigMap")).contains(Kind.of(ConfigMap.class));
        assertThat(more.find("test.evenkeel.dev/v1", "Fleet")).contains(FLEETS);
    }

    @Test
    void aPartNeedsEachOfThem() {
        DuckClient.Kinds kinds = DuckClient.Kinds.of(Kind.of(Deployment.class), FLEETS);
        Part.Description scaling = Part.Description.of("Scaling")
                .needs(kinds.each(Part.Requirement.Tracks::new))
                .needs(kinds.each(kind -> new Part.Requirement.May(kind, "", Set.of("patch"))));
        assertThat(scaling.needs())
                .containsExactly(
                        new Part.Requirement.Tracks<>(Kind.of(Deployment.class)),
                        new Part.Requirement.Tracks<>(FLEETS),
                        new Part.Requirement.May(Kind.of(Deployment.class), "", Set.of("patch")),
                        new Part.Requirement.May(FLEETS, "", Set.of("patch")));
    }
}
