package dev.evenkeel.engine.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.evenkeel.client.AlreadyExistsException;
import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.BadRequestException;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.ConflictException;
import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.Deletion;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.ExpiredException;
import dev.evenkeel.client.Fence;
import dev.evenkeel.client.FieldSelector;
import dev.evenkeel.client.InvalidException;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.LabelSelector;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Listing;
import dev.evenkeel.client.Manifests;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.OwnerReferences;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.Status;
import dev.evenkeel.client.UnsupportedMediaTypeException;
import dev.evenkeel.client.Watch;
import dev.evenkeel.client.WriteOptions;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.PartialObjectMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The contract of every {@link Client}, wherever the API is. Run against the engine in process and over HTTP, so that
 * calls and outcomes are the same: objects, statuses with their causes, watches.
 */
@Timeout(300)
public abstract class ClientContract {
    private static final Kind<Widget> WIDGETS = Kind.of(Widget.class);
    private static final Kind<ConfigMap> CONFIG_MAPS = Kind.of(ConfigMap.class);
    private static final Kind<GenericKubernetesResource> GENERIC_WIDGETS =
            Kind.generic("demo.example.com", "v1", "Widget", "widgets", true);
    private static final String NS = "default";

    /** Returns a client of an empty API, whose field manager is {@code contract}; the same one during a test. */
    protected abstract Client client();

    /** Forgets all history up to now. */
    protected abstract void compact();

    private static ConfigMap configMap(String name, String value) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(NS)
                .withName(name)
                .endMetadata()
                .addToData("k", value)
                .build();
    }

    private static ConfigMap labelled(String name, String app) {
        ConfigMap object = configMap(name, app);
        object.getMetadata().setLabels(Map.of("app", app));
        return object;
    }

    private static ObjectKey key(String name) {
        return ObjectKey.of(NS, name);
    }

    private static WriteOptions by(String manager) {
        return WriteOptions.DEFAULT.fieldManager(manager);
    }

    private static String version(HasMetadata object) {
        return object.getMetadata().getResourceVersion();
    }

    private void serveWidgets() {
        client().create(ModelCodec.convert(Manifests.parse(Widget.CRD).getFirst(), CustomResourceDefinition.class));
    }

    private static <E extends ApiException> E refused(Class<E> type, Runnable call) {
        E refusal = catchThrowableOfType(type, call::run);
        assertThat(refusal).as("a refusal").isNotNull();
        return refusal;
    }

    private static List<String> fields(ApiException refusal) {
        return refusal.causes().stream().map(Status.Cause::field).toList();
    }

    // --- reading

    @Test
    void aMissingObjectIsEmptyOrNotFound() {
        assertThat(client().find(ConfigMap.class, key("a"))).isEmpty();

        var refusal = refused(NotFoundException.class, () -> client().get(ConfigMap.class, key("a")));

        assertThat(refusal.code()).isEqualTo(404);
        assertThat(refusal.reason()).isEqualTo("NotFound");
        assertThat(refusal.getMessage()).isEqualTo("configmaps \"a\" not found");
        assertThat(refusal.status().details()).contains(Status.Details.of("a", "", "configmaps"));
    }

    @Test
    void aTypeThatIsNotServedDiffersFromAMissingObject() {
        var refusal = refused(NotFoundException.class, () -> client().find(WIDGETS, key("a")));

        assertThat(refusal.getMessage()).isEqualTo("the server could not find the requested resource");
        refused(NotFoundException.class, () -> client().list(WIDGETS, ListOptions.ALL));
        refused(NotFoundException.class, () -> client().create(Widget.of(NS, "a", 1, "red")));
    }

    @Test
    void keysMustFitTheirKind() {
        refused(BadRequestException.class, () -> client().find(ConfigMap.class, ObjectKey.cluster("a")));
        refused(BadRequestException.class, () -> client().find(ConfigMap.class, key("")));
        refused(BadRequestException.class, () -> client().find(Namespace.class, ObjectKey.of("n", "a")));
    }

    @Test
    void objectsReadBelongToTheCaller() {
        client().create(configMap("a", "1"));

        client().get(ConfigMap.class, key("a")).getData().put("k", "2");

        assertThat(client().get(ConfigMap.class, key("a")).getData()).containsEntry("k", "1");
    }

    // --- creating

    @Test
    void aCreatedObjectHasTheFieldsSetByTheServer() {
        ConfigMap created = client().create(configMap("a", "ü"));

        assertThat(created.getMetadata().getUid()).hasSize(36);
        assertThat(created.getMetadata().getCreationTimestamp()).isNotEmpty();
        assertThat(Long.parseLong(version(created))).isPositive();
        assertThat(created.getMetadata().getManagedFields())
                .singleElement()
                .satisfies(entry -> assertThat(entry.getManager()).isEqualTo("contract"));
        assertThat(client().get(ConfigMap.class, key("a"))).isEqualTo(created);
    }

    @Test
    void namesAreGenerated() {
        ConfigMap object = configMap("x", "1");
        object.getMetadata().setName(null);
        object.getMetadata().setGenerateName("it-");

        ConfigMap first = client().create(object);
        ConfigMap second = client().create(object);

        assertThat(first.getMetadata().getName()).matches("it-[a-z0-9]{5}");
        assertThat(second.getMetadata().getName())
                .isNotEqualTo(first.getMetadata().getName());
    }

    @Test
    void createRefusesExistingObjects() {
        client().create(configMap("a", "1"));

        var refusal = refused(AlreadyExistsException.class, () -> client().create(configMap("a", "2")));

        assertThat(refusal.code()).isEqualTo(409);
        assertThat(refusal.getMessage()).isEqualTo("configmaps \"a\" already exists");
        assertThat(refusal.status().details()).contains(Status.Details.of("a", "", "configmaps"));
    }

    @Test
    void createRefusesInvalidObjects() {
        var nowhere = refused(NotFoundException.class, () -> {
            ConfigMap object = configMap("a", "1");
            object.getMetadata().setNamespace("nowhere");
            client().create(object);
        });
        assertThat(nowhere.getMessage()).isEqualTo("namespaces \"nowhere\" not found");

        var badName = refused(InvalidException.class, () -> client().create(configMap("A_b", "1")));
        assertThat(badName.code()).isEqualTo(422);
        assertThat(badName.status().details().orElseThrow().kind()).isEqualTo("ConfigMap");
        assertThat(fields(badName)).containsExactly("metadata.name");

        refused(BadRequestException.class, () -> {
            ConfigMap object = configMap("a", "1");
            object.getMetadata().setNamespace(null);
            client().create(object);
        });

        var old = refused(ApiException.class, () -> {
            ConfigMap object = configMap("a", "1");
            object.getMetadata().setResourceVersion("1");
            client().create(object);
        });
        assertThat(old.getMessage()).isEqualTo("resourceVersion should not be set on objects to be created");
        assertThat(client().find(ConfigMap.class, key("a"))).isEmpty();
    }

    @Test
    void customResourcesFollowTheirSchema() {
        serveWidgets();

        Widget created = client().create(Widget.of(NS, "w", 3, "red"));
        assertThat(created.getSpec()).isEqualTo(new Widget.Spec(3, "red"));
        assertThat(created.getMetadata().getGeneration()).isEqualTo(1);

        var refusal = refused(InvalidException.class, () -> client().create(Widget.of(NS, "v", 1, "ultramarine")));
        assertThat(refusal.status().details().orElseThrow().kind()).isEqualTo("Widget");
        assertThat(fields(refusal)).containsExactly("spec.colour");
    }

    @Test
    void genericObjectsNeedNoClass() {
        serveWidgets();
        client().create(Widget.of(NS, "w", 3, "red"));

        GenericKubernetesResource generic = client().get(GENERIC_WIDGETS, key("w"));
        assertThat(generic.<Object>get("spec", "colour")).isEqualTo("red");

        generic.<Map<String, Object>>get("spec").put("colour", "blue");
        client().update(GENERIC_WIDGETS, generic, WriteOptions.DEFAULT);
        assertThat(client().get(WIDGETS, key("w")).getSpec().colour()).isEqualTo("blue");
    }

    // --- replacing

    @Test
    void reviewsAreAnsweredAndNotStored() {
        Kind<GenericKubernetesResource> kind = Kind.generic(
                "authorization.k8s.io", "v1", "SelfSubjectAccessReview", "selfsubjectaccessreviews", false);
        GenericKubernetesResource review = new GenericKubernetesResource();
        review.setApiVersion("authorization.k8s.io/v1");
        review.setKind("SelfSubjectAccessReview");
        review.setMetadata(null);
        assertThat(catchThrowableOfType(
                                InvalidException.class, () -> client().create(kind, review, WriteOptions.DEFAULT))
                        .causes())
                .extracting(Status.Cause::field)
                .containsExactly("spec.resourceAttributes");
        review.setAdditionalProperty("spec", Map.of("resourceAttributes", Map.of("verb", "get", "resource", "pods")));
        GenericKubernetesResource answer = client().create(kind, review, WriteOptions.DEFAULT);
        assertThat(answer.<Boolean>get("status", "allowed")).isTrue();
        assertThat(answer.<String>get("spec", "resourceAttributes", "resource")).isEqualTo("pods");
        assertThat(answer.getMetadata().getUid()).isNull();
        assertThat(answer.getMetadata().getResourceVersion()).isNull();
        assertThat(catchThrowableOfType(ApiException.class, () -> client().list(kind, ListOptions.ALL))
                        .code())
                .isEqualTo(405);
    }

    @Test
    void updateNeedsThePresentVersion() {
        ConfigMap created = client().create(configMap("a", "1"));
        created.getData().put("k", "2");
        ConfigMap updated = client().update(created);
        assertThat(Long.parseLong(version(updated))).isGreaterThan(Long.parseLong(version(created)));

        created.getData().put("k", "3");
        var refusal = refused(ConflictException.class, () -> client().update(created));

        assertThat(refusal.code()).isEqualTo(409);
        assertThat(refusal.reason()).isEqualTo("Conflict");
        assertThat(refusal.getMessage())
                .isEqualTo("Operation cannot be fulfilled on configmaps \"a\": the object has been modified; please"
                        + " apply your changes to the latest version and try again");
        assertThat(client().get(ConfigMap.class, key("a"))).isEqualTo(updated);
    }

    @Test
    void updateWithoutAVersionDependsOnTheKind() {
        serveWidgets();
        client().create(configMap("a", "1"));
        client().create(Widget.of(NS, "w", 1, "red"));

        assertThat(client().update(configMap("a", "2")).getData()).containsEntry("k", "2");
        var refusal = refused(InvalidException.class, () -> client().update(Widget.of(NS, "w", 2, "red")));
        assertThat(fields(refusal)).containsExactly("metadata.resourceVersion");
    }

    @Test
    void updateOfAMissingObjectIsNotFound() {
        refused(NotFoundException.class, () -> client().update(configMap("a", "1")));
    }

    @Test
    void anUpdateThatChangesNothingWritesNothing() {
        ConfigMap created = client().create(configMap("a", "1"));

        assertThat(version(client().update(created))).isEqualTo(version(created));
    }

    @Test
    void statusAndSpecAreWrittenSeparately() {
        serveWidgets();
        Widget widget = client().create(Widget.of(NS, "w", 3, "red"));

        widget.setStatus(new Widget.State(2, "app=w"));
        widget.setSpec(new Widget.Spec(9, "blue"));
        Widget withStatus = client().updateStatus(widget);
        assertThat(withStatus.getStatus()).isEqualTo(new Widget.State(2, "app=w"));
        assertThat(withStatus.getSpec()).isEqualTo(new Widget.Spec(3, "red"));
        assertThat(withStatus.getMetadata().getGeneration()).isEqualTo(1);

        withStatus.setStatus(new Widget.State(7, "none"));
        withStatus.setSpec(new Widget.Spec(4, "red"));
        Widget withSpec = client().update(withStatus);
        assertThat(withSpec.getStatus()).isEqualTo(new Widget.State(2, "app=w"));
        assertThat(withSpec.getMetadata().getGeneration()).isEqualTo(2);
    }

    @Test
    void aStatusThatIsNotServedIsNotFound() {
        ConfigMap created = client().create(configMap("a", "1"));
        Patch nothing = Patch.merge("{}");

        refused(NotFoundException.class, () -> client().updateStatus(created));
        refused(
                NotFoundException.class,
                () -> client().patchStatus(CONFIG_MAPS, ObjectKey.of(created), nothing, WriteOptions.DEFAULT));
        refused(NotFoundException.class, () -> client().applyStatus(created, WriteOptions.DEFAULT.fieldManager("m")));
    }

    // --- patching

    @Test
    void patchesOfAllTypes() {
        client().create(configMap("a", "1"));

        ConfigMap merged = client().patch(
                        CONFIG_MAPS,
                        key("a"),
                        Patch.merge("{\"data\":{\"k\":null,\"m\":\"1\"}}"),
                        WriteOptions.DEFAULT);
        assertThat(merged.getData()).isEqualTo(Map.of("m", "1"));

        ConfigMap jsonPatched = client().patch(
                        CONFIG_MAPS,
                        key("a"),
                        Patch.json("[{\"op\":\"add\",\"path\":\"/data/j\",\"value\":\"2\"}]"),
                        WriteOptions.DEFAULT);
        assertThat(jsonPatched.getData()).isEqualTo(Map.of("m", "1", "j", "2"));

        ConfigMap strategic = client().patch(
                        CONFIG_MAPS,
                        key("a"),
                        Patch.strategic("{\"data\":{\"$patch\":\"replace\",\"s\":\"3\"}}"),
                        WriteOptions.DEFAULT);
        assertThat(strategic.getData()).isEqualTo(Map.of("s", "3"));

        ConfigMap applied = client().patch(
                        CONFIG_MAPS,
                        key("a"),
                        Patch.apply("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {z: '4'}\n"),
                        by("yaml"));
        assertThat(applied.getData()).isEqualTo(Map.of("s", "3", "z", "4"));
    }

    @Test
    void invalidPatchesAreRefused() {
        serveWidgets();
        client().create(configMap("a", "1"));
        client().create(Widget.of(NS, "w", 1, "red"));

        var test = refused(
                InvalidException.class,
                () -> client().patch(
                                CONFIG_MAPS,
                                key("a"),
                                Patch.json("[{\"op\":\"test\",\"path\":\"/data/k\",\"value\":\"other\"}]"),
                                WriteOptions.DEFAULT));
        assertThat(test.code()).isEqualTo(422);
        refused(
                UnsupportedMediaTypeException.class,
                () -> client().patch(WIDGETS, key("w"), Patch.strategic("{}"), WriteOptions.DEFAULT));
        refused(
                BadRequestException.class,
                () -> client().patch(CONFIG_MAPS, key("a"), Patch.merge("{"), WriteOptions.DEFAULT));
        refused(
                NotFoundException.class,
                () -> client().patch(CONFIG_MAPS, key("b"), Patch.merge("{}"), WriteOptions.DEFAULT));
        assertThat(client().get(ConfigMap.class, key("a")).getData()).isEqualTo(Map.of("k", "1"));
    }

    @Test
    void statusIsPatchedSeparately() {
        serveWidgets();
        client().create(Widget.of(NS, "w", 1, "red"));

        Widget patched = client().patchStatus(
                        WIDGETS,
                        key("w"),
                        Patch.merge("{\"status\":{\"ready\":5},\"spec\":{\"size\":9}}"),
                        WriteOptions.DEFAULT);

        assertThat(patched.getStatus().ready()).isEqualTo(5);
        assertThat(patched.getSpec().size()).isEqualTo(1);
    }

    // --- applying

    @Test
    void applyCreatesAndThenChangesNothing() {
        ConfigMap applied = client().apply(configMap("a", "1"), by("one"));
        ConfigMap again = client().apply(configMap("a", "1"), by("one"));

        assertThat(applied.getMetadata().getUid()).isNotEmpty();
        assertThat(again).isEqualTo(applied);
    }

    @Test
    void applyConflictsNameTheOtherManagerAndItsFields() {
        client().apply(configMap("a", "1"), by("one"));

        var refusal = refused(ConflictException.class, () -> client().apply(configMap("a", "2"), by("two")));

        assertThat(refusal.code()).isEqualTo(409);
        assertThat(refusal.getMessage()).isEqualTo("Apply failed with 1 conflict: conflict with \"one\": .data.k");
        assertThat(refusal.causes())
                .containsExactly(new Status.Cause("FieldManagerConflict", "conflict with \"one\"", ".data.k"));
        assertThat(client().get(ConfigMap.class, key("a")).getData()).containsEntry("k", "1");
    }

    @Test
    void forceTakesFieldsAndDroppedFieldsAreRemoved() {
        client().apply(configMap("a", "1"), by("one"));
        ConfigMap two = configMap("a", "2");
        two.getData().put("other", "x");
        ConfigMap forced = client().apply(two, by("two").force(true));
        assertThat(forced.getData()).isEqualTo(Map.of("k", "2", "other", "x"));

        ConfigMap dropped = client().apply(configMap("a", "2"), by("two"));

        assertThat(dropped.getData()).isEqualTo(Map.of("k", "2"));
    }

    @Test
    void statusIsAppliedSeparately() {
        serveWidgets();
        client().create(Widget.of(NS, "w", 1, "red"));
        Widget wanted = Widget.of(NS, "w", 1, "red");
        wanted.setSpec(null);
        wanted.setStatus(new Widget.State(1, "a=b"));

        Widget applied = client().applyStatus(wanted, by("status"));
        Widget again = client().applyStatus(wanted, by("status"));

        assertThat(applied.getStatus()).isEqualTo(new Widget.State(1, "a=b"));
        assertThat(applied.getSpec().size()).isEqualTo(1);
        assertThat(version(again)).isEqualTo(version(applied));
    }

    // --- scale

    @Test
    void scaleIsReadAndSet() {
        serveWidgets();
        Widget widget = client().create(Widget.of(NS, "w", 3, "red"));
        widget.setStatus(new Widget.State(2, "app=w"));
        client().updateStatus(widget);

        assertThat(client().scale(WIDGETS, key("w"))).isEqualTo(new Client.Replicas(3, 2, "app=w"));
        assertThat(client().scale(WIDGETS, key("w"), 5, WriteOptions.DEFAULT))
                .isEqualTo(new Client.Replicas(5, 2, "app=w"));
        assertThat(client().get(WIDGETS, key("w")).getSpec().size()).isEqualTo(5);
    }

    @Test
    void scaleOfATypeWithoutScaleIsNotFound() {
        client().create(configMap("a", "1"));

        refused(NotFoundException.class, () -> client().scale(CONFIG_MAPS, key("a")));
        refused(NotFoundException.class, () -> client().scale(Kind.of(Deployment.class), key("a")));
    }

    // --- dry run

    @Test
    void aDryRunChangesNothing() {
        WriteOptions dry = WriteOptions.DEFAULT.dryRun(true);
        ConfigMap created = client().create(configMap("a", "1"));

        assertThat(client().create(CONFIG_MAPS, configMap("b", "1"), dry)
                        .getMetadata()
                        .getUid())
                .isNotEmpty();
        assertThat(client().update(CONFIG_MAPS, configMap("a", "2"), dry).getData())
                .containsEntry("k", "2");
        client().apply(configMap("c", "1"), dry.fieldManager("one"));
        client().delete(CONFIG_MAPS, key("a"), DeleteOptions.DEFAULT.dryRun(true));

        assertThat(client().list(CONFIG_MAPS, ListOptions.in(NS)).items()).containsExactly(created);
    }

    // --- deleting

    @Test
    void deletedObjectsAreGone() {
        client().create(configMap("a", "1"));

        client().delete(ConfigMap.class, key("a"));

        assertThat(client().find(ConfigMap.class, key("a"))).isEmpty();
        var refusal = refused(NotFoundException.class, () -> client().delete(ConfigMap.class, key("a")));
        assertThat(refusal.getMessage()).isEqualTo("configmaps \"a\" not found");
    }

    @Test
    void deletesCheckTheirPreconditions() {
        ConfigMap created = client().create(configMap("a", "1"));

        var uid = refused(
                ConflictException.class,
                () -> client().delete(CONFIG_MAPS, key("a"), DeleteOptions.DEFAULT.uid("other")));
        assertThat(uid.getMessage()).contains("the UID in the precondition (other) does not match the UID in record");
        refused(
                ConflictException.class,
                () -> client().delete(CONFIG_MAPS, key("a"), DeleteOptions.DEFAULT.resourceVersion("1")));

        client().delete(
                        CONFIG_MAPS,
                        key("a"),
                        DeleteOptions.DEFAULT
                                .uid(created.getMetadata().getUid())
                                .resourceVersion(version(created)));
        assertThat(client().find(ConfigMap.class, key("a"))).isEmpty();
    }

    @Test
    void finalizersDelayDeletion() {
        ConfigMap object = configMap("a", "1");
        object.getMetadata().setFinalizers(List.of("example.com/hold"));
        client().create(object);

        client().delete(ConfigMap.class, key("a"));
        ConfigMap held = client().get(ConfigMap.class, key("a"));
        assertThat(held.getMetadata().getDeletionTimestamp()).isNotEmpty();

        held.getMetadata().setFinalizers(List.of());
        client().update(held);
        assertThat(client().find(ConfigMap.class, key("a"))).isEmpty();
    }

    @Test
    void backgroundDeletionDeletesDependents() throws InterruptedException {
        ConfigMap child = ownedPair();

        client().delete(
                        CONFIG_MAPS,
                        key("owner"),
                        DeleteOptions.DEFAULT.propagation(DeleteOptions.Propagation.BACKGROUND));

        awaitDeleted(child);
    }

    @Test
    void foregroundDeletionDeletesDependentsFirst() throws InterruptedException {
        ConfigMap child = ownedPair();
        String start = client().list(CONFIG_MAPS, ListOptions.in(NS)).resourceVersion();

        client().delete(
                        CONFIG_MAPS,
                        key("owner"),
                        DeleteOptions.DEFAULT.propagation(DeleteOptions.Propagation.FOREGROUND));

        List<String> deleted = new ArrayList<>();
        try (Watch<ConfigMap> watch =
                client().watch(CONFIG_MAPS, ListOptions.in(NS).resourceVersion(start))) {
            while (deleted.size() < 2) {
                Watch.Event<ConfigMap> event = watch.next().orElseThrow();
                if (event.type() == Watch.Type.DELETED) {
                    deleted.add(event.object().getMetadata().getName());
                }
            }
        }
        assertThat(deleted).containsExactly(child.getMetadata().getName(), "owner");
    }

    @Test
    void orphansStayAndLoseTheirOwner() throws InterruptedException {
        ConfigMap child = ownedPair();

        client().delete(CONFIG_MAPS, key("owner"), DeleteOptions.DEFAULT.propagation(DeleteOptions.Propagation.ORPHAN));

        try (Watch<ConfigMap> watch =
                client().watch(CONFIG_MAPS, ListOptions.in(NS).resourceVersion(version(child)))) {
            while (true) {
                Watch.Event<ConfigMap> event = watch.next().orElseThrow();
                if (event.type() == Watch.Type.DELETED) {
                    assertThat(event.object().getMetadata().getName()).isEqualTo("owner");
                    break;
                }
            }
        }
        assertThat(client().get(ConfigMap.class, key("child")).getMetadata().getOwnerReferences())
                .isEmpty();
    }

    private ConfigMap ownedPair() {
        ConfigMap owner = client().create(configMap("owner", "1"));
        ConfigMap child = configMap("child", "1");
        OwnerReferences.control(owner, child);
        return client().create(child);
    }

    private void awaitDeleted(ConfigMap object) throws InterruptedException {
        FieldSelector only =
                FieldSelector.parse("metadata.name=" + object.getMetadata().getName());
        try (Watch<ConfigMap> watch =
                client().watch(CONFIG_MAPS, ListOptions.in(NS).fields(only).resourceVersion(version(object)))) {
            while (watch.next().orElseThrow().type() != Watch.Type.DELETED) {}
        }
        assertThat(client().find(CONFIG_MAPS, ObjectKey.of(object))).isEmpty();
    }

    @Test
    void deleteAllDeletesSelectedObjectsOnly() {
        client().create(labelled("a", "one"));
        client().create(labelled("b", "two"));
        client().create(labelled("c", "one"));

        client().deleteAll(
                        CONFIG_MAPS, ListOptions.in(NS).labels(LabelSelector.parse("app=one")), DeleteOptions.DEFAULT);

        assertThat(names(client().list(CONFIG_MAPS, ListOptions.in(NS)))).containsExactly("b");
        refused(
                BadRequestException.class,
                () -> client().deleteAll(CONFIG_MAPS, ListOptions.ALL, DeleteOptions.DEFAULT));
    }

    // --- listing

    private static List<String> names(Listing<? extends HasMetadata> listing) {
        return listing.items().stream()
                .map(item -> item.getMetadata().getName())
                .toList();
    }

    @Test
    void listsSelectByNamespaceLabelsAndFields() {
        client().create(new NamespaceBuilder()
                .withNewMetadata()
                .withName("shop")
                .endMetadata()
                .build());
        ConfigMap elsewhere = labelled("z", "one");
        elsewhere.getMetadata().setNamespace("shop");
        client().create(elsewhere);
        client().create(labelled("b", "two"));
        client().create(labelled("a", "one"));
        LabelSelector one = LabelSelector.parse("app=one");

        assertThat(names(client().list(CONFIG_MAPS, ListOptions.in(NS)))).containsExactly("a", "b");
        assertThat(names(client().list(CONFIG_MAPS, ListOptions.in("shop")))).containsExactly("z");
        assertThat(names(client().list(CONFIG_MAPS, ListOptions.ALL.labels(one))))
                .containsExactly("a", "z");
        assertThat(names(client().list(CONFIG_MAPS, ListOptions.in(NS).labels(LabelSelector.parse("app notin (one)")))))
                .containsExactly("b");
        assertThat(names(client().list(CONFIG_MAPS, ListOptions.ALL.fields(FieldSelector.parse("metadata.name=z")))))
                .containsExactly("z");
        assertThat(client().list(CONFIG_MAPS, ListOptions.in("nowhere")).items())
                .isEmpty();
        refused(
                BadRequestException.class,
                () -> client().list(CONFIG_MAPS, ListOptions.ALL.fields(FieldSelector.parse("spec.nothing=z"))));
    }

    @Test
    void listedItemsHaveTheirKind() {
        client().create(configMap("a", "1"));

        ConfigMap item = client().list(CONFIG_MAPS, ListOptions.in(NS)).items().getFirst();

        assertThat(item).isEqualTo(client().get(ConfigMap.class, key("a")));
        assertThat(item.getKind()).isEqualTo("ConfigMap");
        assertThat(item.getApiVersion()).isEqualTo("v1");
    }

    @Test
    void pagesShowOneState() {
        for (String name : List.of("a", "b", "c", "d", "e")) {
            client().create(configMap(name, "1"));
        }
        ListOptions pages = ListOptions.in(NS).limit(2);

        Listing<ConfigMap> first = client().list(CONFIG_MAPS, pages);
        client().delete(ConfigMap.class, key("c"));
        client().create(configMap("bb", "1"));
        Listing<ConfigMap> second = client().list(CONFIG_MAPS, pages.continueToken(first.continueToken()));
        Listing<ConfigMap> third = client().list(CONFIG_MAPS, pages.continueToken(second.continueToken()));

        assertThat(names(first)).containsExactly("a", "b");
        assertThat(names(second)).containsExactly("c", "d");
        assertThat(names(third)).containsExactly("e");
        assertThat(third.continueToken()).isEmpty();
        assertThat(List.of(second.resourceVersion(), third.resourceVersion())).containsOnly(first.resourceVersion());
    }

    @Test
    void anInvalidContinueTokenIsRefused() {
        refused(
                BadRequestException.class,
                () -> client().list(CONFIG_MAPS, ListOptions.in(NS).limit(1).continueToken("nonsense")));
    }

    @Test
    void aPageOfACompactedStateHasExpired() {
        client().create(configMap("a", "1"));
        client().create(configMap("b", "1"));
        ListOptions pages = ListOptions.in(NS).limit(1);
        String token = client().list(CONFIG_MAPS, pages).continueToken();
        client().create(configMap("c", "1"));
        compact();

        var refusal = refused(ExpiredException.class, () -> client().list(CONFIG_MAPS, pages.continueToken(token)));

        assertThat(refusal.code()).isEqualTo(410);
        assertThat(names(client().list(
                                CONFIG_MAPS,
                                ListOptions.in(NS)
                                        .continueToken(refusal.status().continueToken()))))
                .containsExactly("b", "c");
    }

    // --- watching

    private record Seen(Watch.Type type, String name) {}

    private static Seen next(Watch<? extends HasMetadata> watch) throws InterruptedException {
        while (true) {
            Watch.Event<? extends HasMetadata> event = watch.next().orElseThrow();
            if (event.type() != Watch.Type.BOOKMARK) {
                return new Seen(event.type(), event.object().getMetadata().getName());
            }
        }
    }

    @Test
    void watchesReportChangesAfterAList() throws InterruptedException {
        client().create(configMap("old", "1"));
        String start = client().list(CONFIG_MAPS, ListOptions.in(NS)).resourceVersion();
        ConfigMap created = client().create(configMap("a", "1"));

        try (Watch<ConfigMap> watch =
                client().watch(CONFIG_MAPS, ListOptions.in(NS).resourceVersion(start))) {
            Watch.Event<ConfigMap> first = watch.next().orElseThrow();
            assertThat(first.type()).isEqualTo(Watch.Type.ADDED);
            assertThat(first.object()).isEqualTo(created);
            assertThat(first.resourceVersion()).isEqualTo(version(created));

            client().update(configMap("a", "2"));
            client().delete(ConfigMap.class, key("a"));
            assertThat(next(watch)).isEqualTo(new Seen(Watch.Type.MODIFIED, "a"));
            Watch.Event<ConfigMap> last = watch.next().orElseThrow();
            assertThat(last.type()).isEqualTo(Watch.Type.DELETED);
            assertThat(last.object().getData()).containsEntry("k", "2");
            assertThat(Long.parseLong(last.resourceVersion())).isGreaterThan(Long.parseLong(first.resourceVersion()));
            assertThat(version(last.object())).isEqualTo(last.resourceVersion());
        }
    }

    @Test
    void aWatchWithoutAVersionBeginsWithThePresentState() throws InterruptedException {
        client().create(configMap("a", "1"));
        client().create(configMap("b", "1"));

        try (Watch<ConfigMap> watch = client().watch(CONFIG_MAPS, ListOptions.in(NS))) {
            assertThat(next(watch)).isEqualTo(new Seen(Watch.Type.ADDED, "a"));
            assertThat(next(watch)).isEqualTo(new Seen(Watch.Type.ADDED, "b"));
            client().create(configMap("0", "1"));
            assertThat(next(watch)).isEqualTo(new Seen(Watch.Type.ADDED, "0"));
        }
    }

    @Test
    void enteringOrLeavingASelectionIsAddedOrDeleted() throws InterruptedException {
        ConfigMap object = client().create(labelled("a", "two"));
        ListOptions ones =
                ListOptions.in(NS).labels(LabelSelector.parse("app=one")).resourceVersion(version(object));

        try (Watch<ConfigMap> watch = client().watch(CONFIG_MAPS, ones)) {
            client().update(labelled("a", "one"));
            client().update(labelled("a", "three"));
            assertThat(next(watch)).isEqualTo(new Seen(Watch.Type.ADDED, "a"));
            assertThat(next(watch)).isEqualTo(new Seen(Watch.Type.DELETED, "a"));
        }
    }

    @Test
    void watchesOfCustomResourcesReturnTheirClass() throws InterruptedException {
        serveWidgets();
        try (Watch<Widget> watch = client().watch(Widget.class, ListOptions.ALL)) {
            Widget created = client().create(Widget.of(NS, "w", 3, "red"));
            Watch.Event<Widget> event = watch.next().orElseThrow();
            while (event.type() == Watch.Type.BOOKMARK) {
                event = watch.next().orElseThrow();
            }
            assertThat(event.object().getSpec()).isEqualTo(created.getSpec());
        }
    }

    @Test
    void aWatchFromCompactedHistoryHasExpired() {
        ConfigMap created = client().create(configMap("a", "1"));
        client().update(configMap("a", "2"));
        client().update(configMap("a", "3"));
        compact();

        var refusal = refused(ExpiredException.class, () -> {
            try (Watch<ConfigMap> watch =
                    client().watch(CONFIG_MAPS, ListOptions.in(NS).resourceVersion(version(created)))) {
                watch.next();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });

        assertThat(refusal.code()).isEqualTo(410);
        assertThat(refusal.reason()).isEqualTo("Expired");
        assertThat(refusal.getMessage()).startsWith("too old resource version: " + version(created) + " (");
    }

    @Test
    void aClosedWatchEnds() throws InterruptedException {
        Watch<ConfigMap> watch = client().watch(
                        CONFIG_MAPS,
                        ListOptions.in(NS)
                                .resourceVersion(client().list(CONFIG_MAPS, ListOptions.in(NS))
                                        .resourceVersion()));
        List<Optional<Watch.Event<ConfigMap>>> answers = new ArrayList<>();
        Thread reader = Thread.ofVirtual().start(() -> {
            try {
                Optional<Watch.Event<ConfigMap>> answer = watch.next();
                while (answer.isPresent()) {
                    answer = watch.next();
                }
                answers.add(answer);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });

        watch.close();
        reader.join();

        assertThat(answers).containsExactly(Optional.empty());
    }

    @Test
    void aWatchEndsAfterItsTimeout() throws InterruptedException {
        String start = client().list(CONFIG_MAPS, ListOptions.in(NS)).resourceVersion();

        try (Watch<ConfigMap> watch = client().watch(
                        CONFIG_MAPS, ListOptions.in(NS).resourceVersion(start).timeout(Duration.ofSeconds(1)))) {
            Optional<Watch.Event<ConfigMap>> answer = watch.next();
            while (answer.isPresent()) {
                assertThat(answer.get().type()).isEqualTo(Watch.Type.BOOKMARK);
                answer = watch.next();
            }
            assertThat(watch.next()).isEmpty();
        }
    }

    @Test
    void aStreamingListReturnsThePresentStateAndEnds() throws InterruptedException {
        client().create(configMap("a", "1"));
        ConfigMap last = client().create(configMap("b", "1"));

        for (String from : List.of("", "0", version(last))) {
            ListOptions streaming = ListOptions.in(NS).sendInitialEvents(true).resourceVersion(from);
            try (Watch<ConfigMap> watch = client().watch(CONFIG_MAPS, streaming)) {
                assertThat(next(watch)).isEqualTo(new Seen(Watch.Type.ADDED, "a"));
                assertThat(next(watch)).isEqualTo(new Seen(Watch.Type.ADDED, "b"));
                Watch.Event<ConfigMap> end = watch.next().orElseThrow();
                assertThat(end.type()).isEqualTo(Watch.Type.BOOKMARK);
                assertThat(end.initialEventsEnd()).isTrue();
                assertThat(Long.parseLong(end.resourceVersion()))
                        .as("all of the present")
                        .isGreaterThanOrEqualTo(Long.parseLong(version(last)));
                ConfigMap after = client().create(configMap("c", "1"));
                Watch.Event<ConfigMap> came = watch.next().orElseThrow();
                assertThat(came.object()).isEqualTo(after);
                assertThat(came.initialEventsEnd()).isFalse();
                client().delete(after);
            }
        }
    }

    @Test
    void anEmptyStreamingListEndsAtOnce() throws InterruptedException {
        ListOptions streaming = ListOptions.in(NS).sendInitialEvents(true);
        try (Watch<ConfigMap> watch = client().watch(CONFIG_MAPS, streaming)) {
            assertThat(watch.next().orElseThrow().initialEventsEnd()).isTrue();
        }
        try (Watch<Encoded> watch = client().watch(CONFIG_MAPS.encoded(), streaming)) {
            assertThat(watch.next().orElseThrow().initialEventsEnd()).isTrue();
        }
        try (Watch<PartialObjectMetadata> watch = client().watch(CONFIG_MAPS.metadataOnly(), streaming)) {
            assertThat(watch.next().orElseThrow().initialEventsEnd()).isTrue();
        }
    }

    // --- what a delete did

    @Test
    void aDeletionReturnsTheDeletedObject() {
        ConfigMap created = client().create(configMap("a", "1"));

        Deletion<ConfigMap> deletion = client().delete(created);

        assertThat(deletion.uid()).isEqualTo(created.getMetadata().getUid());
        assertThat(deletion.remaining()).isEmpty();
    }

    @Test
    void aDeletionReturnsTheMarkedObject() {
        ConfigMap object = configMap("a", "1");
        object.getMetadata().setFinalizers(List.of("example.com/hold"));
        ConfigMap created = client().create(object);

        Deletion<ConfigMap> first = client().delete(created);
        Deletion<ConfigMap> second = client().delete(created);

        assertThat(first.uid()).isEqualTo(created.getMetadata().getUid());
        ConfigMap remaining = first.remaining().orElseThrow();
        assertThat(remaining.getMetadata().getDeletionTimestamp()).isNotEmpty();
        assertThat(remaining).isEqualTo(client().get(ConfigMap.class, key("a")));
        assertThat(second).isEqualTo(first);
    }

    @Test
    void anOwnerDeletedInTheForegroundStaysUntilItsDependentsAreGone() throws InterruptedException {
        ConfigMap child = ownedPair();
        // holds the owner until this test has looked
        client().patch(
                        CONFIG_MAPS,
                        ObjectKey.of(child),
                        Patch.merge("{\"metadata\":{\"finalizers\":[\"example.com/hold\"]}}"),
                        WriteOptions.DEFAULT);
        client().patch(
                        CONFIG_MAPS,
                        ObjectKey.of(child),
                        Patch.merge("{\"metadata\":{\"ownerReferences\":[{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\","
                                + "\"name\":\"owner\",\"uid\":\""
                                + client().get(ConfigMap.class, key("owner"))
                                        .getMetadata()
                                        .getUid()
                                + "\",\"controller\":true,\"blockOwnerDeletion\":true}]}}"),
                        WriteOptions.DEFAULT);

        Deletion<ConfigMap> deletion = client().delete(
                        CONFIG_MAPS,
                        key("owner"),
                        DeleteOptions.DEFAULT.propagation(DeleteOptions.Propagation.FOREGROUND));

        assertThat(deletion.remaining().orElseThrow().getMetadata().getFinalizers())
                .containsExactly("foregroundDeletion");
        assertThat(deletion.uid())
                .isEqualTo(deletion.remaining().get().getMetadata().getUid());
        ConfigMap last = client().patch(
                        CONFIG_MAPS,
                        ObjectKey.of(child),
                        Patch.merge("{\"metadata\":{\"finalizers\":null}}"),
                        WriteOptions.DEFAULT);
        awaitDeleted(last);
    }

    @Test
    void kindsThatReturnDeletedObjectsDoSo() {
        Kind<Namespace> namespaces = Kind.of(Namespace.class);
        Namespace created = client().create(new NamespaceBuilder()
                .withNewMetadata()
                .withName("shop")
                .endMetadata()
                .build());

        Deletion<Namespace> namespace = client().delete(namespaces, ObjectKey.cluster("shop"), DeleteOptions.DEFAULT);
        assertThat(namespace.uid()).isEqualTo(created.getMetadata().getUid());

        serveWidgets();
        Widget widget = client().create(Widget.of(NS, "w", 1, "red"));
        Deletion<Widget> gone = client().delete(widget);
        assertThat(gone.uid()).isEqualTo(widget.getMetadata().getUid());
        assertThat(gone.remaining()).isEmpty();
    }

    @Test
    void deleteAllReturnsTheDeletedObjects() {
        ConfigMap one = client().create(labelled("a", "one"));
        client().create(labelled("b", "two"));
        ConfigMap held = labelled("c", "one");
        held.getMetadata().setFinalizers(List.of("example.com/hold"));
        client().create(held);
        ListOptions ones = ListOptions.in(NS).labels(LabelSelector.parse("app=one"));

        List<ConfigMap> deleted = client().deleteAll(CONFIG_MAPS, ones, DeleteOptions.DEFAULT);

        assertThat(deleted).extracting(object -> object.getMetadata().getName()).containsExactly("a", "c");
        assertThat(deleted.getFirst().getMetadata().getUid())
                .isEqualTo(one.getMetadata().getUid());
        assertThat(deleted.getFirst().getData()).isEqualTo(one.getData());
        assertThat(deleted.getFirst().getKind()).isEqualTo("ConfigMap");
        assertThat(client().get(ConfigMap.class, key("c")).getMetadata().getDeletionTimestamp())
                .isNotEmpty();
        assertThat(client().deleteAll(
                                CONFIG_MAPS,
                                ListOptions.in(NS).labels(LabelSelector.parse("app=none")),
                                DeleteOptions.DEFAULT))
                .isEmpty();
    }

    // --- metadata only

    @Test
    void metadataIsReadSeparately() throws InterruptedException {
        ConfigMap created = client().create(labelled("a", "one"));
        Kind<PartialObjectMetadata> metadata = CONFIG_MAPS.metadataOnly();
        ListOptions ones = ListOptions.in(NS).labels(LabelSelector.parse("app=one"));

        PartialObjectMetadata found = client().get(metadata, key("a"));
        Listing<PartialObjectMetadata> listing = client().list(metadata, ones.limit(1));

        assertThat(found.getMetadata()).isEqualTo(created.getMetadata());
        assertThat(found.getKind()).isEqualTo("PartialObjectMetadata");
        assertThat(found.getApiVersion()).isEqualTo("meta.k8s.io/v1");
        assertThat(listing.items()).containsExactly(found);
        assertThat(Long.parseLong(listing.resourceVersion())).isPositive();
        assertThat(client().find(metadata, key("b"))).isEmpty();
        try (Watch<PartialObjectMetadata> watch = client().watch(metadata, ones)) {
            Watch.Event<PartialObjectMetadata> present = watch.next().orElseThrow();
            assertThat(present).isEqualTo(new Watch.Event<>(Watch.Type.ADDED, found, version(created)));
            client().delete(created);
            assertThat(next(watch)).isEqualTo(new Seen(Watch.Type.DELETED, "a"));
        }
    }

    // --- encoded

    private static Encoded encoded(HasMetadata object) {
        return Encoded.of(ModelCodec.encode(object));
    }

    @Test
    void encodedObjectsAreReadAndWrittenLikeModelObjects() {
        Kind<Encoded> kind = CONFIG_MAPS.encoded();

        Encoded created = client().create(kind, encoded(configMap("a", "\u00fc\ud83d\ude80")), WriteOptions.DEFAULT);
        assertThat(created.decode(ConfigMap.class)).isEqualTo(client().get(ConfigMap.class, key("a")));
        assertThat(created.header().key()).isEqualTo(key("a"));
        assertThat(created.getKind()).isEqualTo("ConfigMap");
        assertThat(created.getApiVersion()).isEqualTo("v1");

        Encoded updated = client().update(kind, encoded(configMap("a", "2")), WriteOptions.DEFAULT);
        assertThat(updated.decode(ConfigMap.class).getData()).containsEntry("k", "2");
        assertThat(updated.header().uid()).isEqualTo(created.header().uid());
        assertThat(client().get(kind, key("a")).json()).isEqualTo(updated.json());
        assertThat(client().find(kind, key("b"))).isEmpty();

        Encoded patched = client().patch(kind, key("a"), Patch.merge("{\"data\":{\"k\":\"3\"}}"), WriteOptions.DEFAULT);
        assertThat(patched.decode(ConfigMap.class).getData()).containsEntry("k", "3");

        Encoded applied = client().apply(kind, encoded(configMap("b", "1")), by("one"));
        assertThat(applied.header().key()).isEqualTo(key("b"));

        Listing<Encoded> listing = client().list(kind, ListOptions.in(NS));
        assertThat(listing.items())
                .extracting(object -> object.decode(ConfigMap.class))
                .as("lists and reads agree")
                .containsExactly(patched.decode(ConfigMap.class), applied.decode(ConfigMap.class));
        assertThat(listing.items()).extracting(Encoded::header).containsExactly(patched.header(), applied.header());

        Deletion<Encoded> deletion = client().delete(kind, key("a"), DeleteOptions.DEFAULT);
        assertThat(deletion.uid()).isEqualTo(created.header().uid());
        List<Encoded> all = client().deleteAll(kind, ListOptions.in(NS), DeleteOptions.DEFAULT);
        assertThat(all).extracting(object -> object.header().key().name()).containsExactly("b");
        assertThat(all.getFirst().getKind()).isEqualTo("ConfigMap");
    }

    @Test
    void encodedObjectsHaveStatusAndScale() {
        serveWidgets();
        Kind<Encoded> kind = WIDGETS.encoded();
        client().create(kind, encoded(Widget.of(NS, "w", 3, "red")), WriteOptions.DEFAULT);
        Widget widget = client().get(WIDGETS, key("w"));
        widget.setStatus(new Widget.State(2, "app=w"));

        Encoded updated = client().updateStatus(kind, encoded(widget), WriteOptions.DEFAULT);
        assertThat(updated.decode(Widget.class).getStatus().ready()).isEqualTo(2);
        Encoded patched =
                client().patchStatus(kind, key("w"), Patch.merge("{\"status\":{\"ready\":3}}"), WriteOptions.DEFAULT);
        assertThat(patched.decode(Widget.class).getStatus().ready()).isEqualTo(3);
        Widget wanted = Widget.of(NS, "w", 1, "red");
        wanted.setSpec(null);
        wanted.setStatus(new Widget.State(4, "app=w"));
        Encoded applied = client().applyStatus(kind, encoded(wanted), by("one").force(true));
        assertThat(applied.decode(Widget.class).getStatus().ready()).isEqualTo(4);
        assertThat(applied.header().generation()).isEqualTo(1);
        assertThat(client().scale(kind, key("w"))).isEqualTo(new Client.Replicas(3, 4, "app=w"));
    }

    @Test
    void encodedObjectsAreWatched() throws InterruptedException {
        Kind<Encoded> kind = CONFIG_MAPS.encoded();
        ConfigMap object = configMap("a", "\u65e5\u672c");
        object.getMetadata().setFinalizers(List.of("example.com/hold"));
        ConfigMap created = client().create(object);

        try (Watch<Encoded> watch = client().watch(kind, ListOptions.in(NS))) {
            Watch.Event<Encoded> present = watch.next().orElseThrow();
            assertThat(present.type()).isEqualTo(Watch.Type.ADDED);
            assertThat(present.resourceVersion()).isEqualTo(version(created));
            assertThat(present.object().json())
                    .isEqualTo(client().get(kind, key("a")).json());
            Encoded.Header header = present.object().header();
            assertThat(header.resourceVersion()).isEqualTo(version(created));
            assertThat(header.finalizers()).containsExactly("example.com/hold");
            assertThat(header.deleted()).isFalse();

            Deletion<Encoded> deletion = client().delete(kind, key("a"), DeleteOptions.DEFAULT);
            assertThat(deletion.remaining().orElseThrow().header().deleted()).isTrue();
            Watch.Event<Encoded> marked = watch.next().orElseThrow();
            while (marked.type() == Watch.Type.BOOKMARK) {
                marked = watch.next().orElseThrow();
            }
            assertThat(marked.type()).isEqualTo(Watch.Type.MODIFIED);
            assertThat(marked.object().header().deleted()).isTrue();
        }
    }

    // --- fences

    private static final ObjectKey LEASE = ObjectKey.of(NS, "shard");

    private void lease(String holder, int transitions) {
        client().apply(
                        new LeaseBuilder()
                                .withNewMetadata()
                                .withNamespace(NS)
                                .withName("shard")
                                .endMetadata()
                                .withNewSpec()
                                .withHolderIdentity(holder)
                                .withLeaseTransitions(transitions)
                                .endSpec()
                                .build(),
                        by("elector").force(true));
    }

    private static WriteOptions fenced(String holder, int transitions) {
        return WriteOptions.DEFAULT.fence(new Fence(LEASE, holder, transitions));
    }

    @Test
    void aFencedWriteSucceedsWhileItsLeaseIsHeld() {
        lease("Öl; a/b", 4);
        WriteOptions fenced = fenced("Öl; a/b", 4);

        ConfigMap object = client().create(CONFIG_MAPS, configMap("a", "1"), fenced);
        object.setData(Map.of("k", "2"));
        client().update(CONFIG_MAPS, object, fenced);
        client().patch(CONFIG_MAPS, key("a"), Patch.merge("{\"data\":{\"k\":\"3\"}}"), fenced);
        assertThat(client().get(ConfigMap.class, key("a")).getData()).containsEntry("k", "3");
        client().apply(CONFIG_MAPS, configMap("b", "1"), fenced);
        client().delete(CONFIG_MAPS, key("a"), DeleteOptions.DEFAULT.fence(new Fence(LEASE, "Öl; a/b", 4)));
        client().deleteAll(
                        CONFIG_MAPS, ListOptions.in(NS), DeleteOptions.DEFAULT.fence(new Fence(LEASE, "Öl; a/b", 4)));

        assertThat(client().find(ConfigMap.class, key("a"))).isEmpty();
        assertThat(client().find(ConfigMap.class, key("b"))).isEmpty();
    }

    @Test
    void everyFencedWriteOfAnEarlierTermIsRefused() {
        lease("a", 5);
        ConfigMap object = client().create(configMap("a", "1"));
        WriteOptions late = fenced("a", 4);
        DeleteOptions lateDelete = DeleteOptions.DEFAULT.fence(new Fence(LEASE, "a", 4));

        for (Runnable write : List.<Runnable>of(
                () -> client().create(CONFIG_MAPS, configMap("b", "1"), late),
                () -> client().update(CONFIG_MAPS, object, late),
                () -> client().update(CONFIG_MAPS, configMap("a", "2"), late),
                () -> client().update(CONFIG_MAPS, configMap("a", "2"), late.dryRun(true)),
                () -> client().patch(CONFIG_MAPS, key("a"), Patch.merge("{\"data\":{\"k\":\"3\"}}"), late),
                () -> client().apply(CONFIG_MAPS, configMap("c", "2"), late),
                () -> client().delete(CONFIG_MAPS, key("a"), lateDelete),
                () -> client().deleteAll(CONFIG_MAPS, ListOptions.in(NS), lateDelete))) {
            var refusal = refused(ConflictException.class, write);

            assertThat(refusal.getMessage())
                    .contains("lease default/shard is held by \"a\" with 5 transitions")
                    .contains("not held by \"a\" with 4 transitions")
                    .contains("stop the work");
            assertThat(refusal.causes()).extracting(Status.Cause::reason).containsExactly(Fence.LOST);
        }
        assertThat(client().list(ConfigMap.class, ListOptions.in(NS)).items()).containsExactly(object);
    }

    @Test
    void aFenceWithoutHolderOrLeaseIsRefused() {
        assertThat(refused(
                                ConflictException.class,
                                () -> client().create(CONFIG_MAPS, configMap("a", "1"), fenced("a", 0)))
                        .getMessage())
                .contains("lease default/shard does not exist");
        lease("", 0);
        assertThat(refused(
                                ConflictException.class,
                                () -> client().create(CONFIG_MAPS, configMap("a", "1"), fenced("a", 0)))
                        .getMessage())
                .contains("is free");
    }

    @Test
    void aLeaseCanBeTheFenceOfItsOwnRelease() {
        lease("a", 4);
        Lease held = client().get(Lease.class, LEASE);
        held.getSpec().setHolderIdentity("");

        refused(ConflictException.class, () -> client().update(Kind.of(Lease.class), held, fenced("b", 4)));
        client().update(Kind.of(Lease.class), held, fenced("a", 4));

        assertThat(client().get(Lease.class, LEASE).getSpec().getHolderIdentity())
                .isEmpty();
    }
}
