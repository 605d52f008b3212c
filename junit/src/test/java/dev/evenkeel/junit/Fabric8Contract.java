package dev.evenkeel.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.http.HttpRequest;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What fabric8's client does with a cluster, whatever carries its requests. */
abstract class Fabric8Contract {
    /** Returns the client of a cluster with the definitions of {@code manifests/crds.yaml}. */
    abstract KubernetesClient client();

    private static ConfigMap map(String name, String value) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace("default")
                .addToLabels("app", "shop")
                .endMetadata()
                .addToData("key", value)
                .build();
    }

    private static Deployment deployment() {
        return new DeploymentBuilder()
                .withNewMetadata()
                .withName("web")
                .withNamespace("default")
                .endMetadata()
                .withNewSpec()
                .withNewSelector()
                .addToMatchLabels("app", "web")
                .endSelector()
                .withNewTemplate()
                .withNewMetadata()
                .addToLabels("app", "web")
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("main")
                .withImage("nginx")
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
    }

    @Test
    void objectsAreCreatedReadUpdatedAndDeleted() {
        ConfigMap created = client().resource(map("a", "1")).create();
        assertThat(created.getMetadata().getUid()).isNotEmpty();
        created.getData().put("key", "2");
        assertThat(client().resource(created).update().getData()).containsEntry("key", "2");
        assertThat(client().configMaps().withName("a").get().getData()).containsEntry("key", "2");
        assertThat(client().configMaps().withName("a").delete()).hasSize(1);
        assertThat(client().configMaps().withName("a").get()).isNull();
    }

    @Test
    void conflictsAndRefusalsAreTyped() {
        ConfigMap first = client().resource(map("a", "1")).create();
        client().resource(map("a", "2")).update();
        first.getData().put("key", "3");
        assertThatThrownBy(() -> client().resource(first).lockResourceVersion().update())
                .isInstanceOfSatisfying(
                        KubernetesClientException.class,
                        e -> assertThat(e.getCode()).isEqualTo(409));
        assertThatThrownBy(() -> client().resource(map("a", "1")).create()).hasMessageContaining("already exists");
        assertThatThrownBy(
                        () -> client().resource(Page.of("long", "x".repeat(21))).create())
                .hasMessageContaining("spec.text: Too long: may not be more than 20 bytes");
    }

    @Test
    void listsSelectAndPage() {
        IntStream.range(0, 30).forEach(i -> client().resource(map("m" + i, "1")).create());
        assertThat(client().configMaps()
                        .inNamespace("default")
                        .withLabel("app", "shop")
                        .list()
                        .getItems())
                .hasSize(30);
        assertThat(client().configMaps()
                        .inNamespace("default")
                        .withLabel("app", "other")
                        .list()
                        .getItems())
                .isEmpty();
        var page = client().configMaps()
                .inNamespace("default")
                .withLabel("app", "shop")
                .list(new io.fabric8.kubernetes.api.model.ListOptionsBuilder()
                        .withLimit(10L)
                        .build());
        assertThat(page.getItems()).hasSize(10);
        assertThat(page.getMetadata().getContinue()).isNotEmpty();
    }

    /** Which a client may read on the thread that has sent the request. */
    @Test
    void anAnswerIsReadAsAStream() throws Exception {
        IntStream.range(0, 30)
                .forEach(i ->
                        client().resource(map("m" + i, "x".repeat(100_000))).create());
        HttpRequest request = client().getHttpClient()
                .newHttpRequestBuilder()
                .uri(client().getMasterUrl() + "api/v1/namespaces/default/configmaps")
                .build();
        try (InputStream body = client().getHttpClient()
                .sendAsync(request, InputStream.class)
                .get(120, TimeUnit.SECONDS)
                .body()) {
            assertThat(body.readAllBytes()).hasSizeGreaterThan(3_000_000);
        }
    }

    @Test
    void patchesOfEachType() {
        client().resource(map("a", "1")).create();
        var resource = client().configMaps().inNamespace("default").withName("a");
        assertThat(resource.patch(PatchContext.of(PatchType.JSON_MERGE), "{\"data\":{\"merge\":\"m\"}}")
                        .getData())
                .containsEntry("merge", "m");
        assertThat(resource.patch(
                                PatchContext.of(PatchType.JSON),
                                "[{\"op\":\"add\",\"path\":\"/data/json\",\"value\":\"j\"}]")
                        .getData())
                .containsEntry("json", "j");
        assertThat(resource.patch(PatchContext.of(PatchType.STRATEGIC_MERGE), "{\"data\":{\"strategic\":\"s\"}}")
                        .getData())
                .containsEntry("strategic", "s");
        assertThat(resource.edit(m ->
                                new ConfigMapBuilder(m).addToData("edited", "e").build())
                        .getData())
                .containsEntry("edited", "e");
    }

    @Test
    void serverSideApplyKeepsOwners() {
        client().resource(map("a", "1")).fieldManager("one").serverSideApply();
        assertThatThrownBy(() ->
                        client().resource(map("a", "2")).fieldManager("two").serverSideApply())
                .hasMessageContaining("conflict");
        ConfigMap forced = client().resource(map("a", "2"))
                .fieldManager("two")
                .forceConflicts()
                .serverSideApply();
        assertThat(forced.getMetadata().getManagedFields())
                .extracting(entry -> entry.getManager())
                .contains("two");
    }

    @Test
    void subresources() {
        Page page = client().resource(Page.of("a", "hello")).create();
        assertThat(page.getMetadata().getGeneration()).isOne();
        page.setStatus(new Page.Status());
        page.getStatus().observedGeneration = 1L;
        assertThat(client().resource(page).updateStatus().getStatus().observedGeneration)
                .isOne();
        assertThat(client().resource(Page.of("a", "other"))
                        .update()
                        .getMetadata()
                        .getGeneration())
                .isEqualTo(2);
        client().resource(deployment()).create();
        assertThat(client().apps()
                        .deployments()
                        .inNamespace("default")
                        .withName("web")
                        .scale(3)
                        .getSpec()
                        .getReplicas())
                .isEqualTo(3);
    }

    @Test
    void collectionsAreDeletedAndDryRunsChangeNothing() {
        assertThat(client().resource(map("dry", "1"))
                        .dryRun()
                        .create()
                        .getMetadata()
                        .getUid())
                .isNotEmpty();
        assertThat(client().configMaps().withName("dry").get()).isNull();
        client().resource(map("a", "1")).create();
        client().resource(map("b", "1")).create();
        assertThat(client().raw("/api/v1/namespaces/default/configmaps?labelSelector=app%3Dshop", "DELETE", null))
                .contains("ConfigMapList");
        assertThat(client().configMaps().withLabel("app", "shop").list().getItems())
                .isEmpty();
    }

    @Test
    void evictionsAndReviews() {
        client().resource(new PodBuilder()
                        .withNewMetadata()
                        .withNamespace("default")
                        .withName("web")
                        .endMetadata()
                        .withSpec(deployment().getSpec().getTemplate().getSpec())
                        .build())
                .create();
        assertThat(client().pods().inNamespace("default").withName("web").evict())
                .isTrue();
        assertThat(client().pods().inNamespace("default").withName("web").get()).isNull();
        assertThat(client().authorization()
                        .v1()
                        .selfSubjectAccessReview()
                        .create(new SelfSubjectAccessReviewBuilder()
                                .withNewSpec()
                                .withNewResourceAttributes()
                                .withVerb("list")
                                .withResource("pods")
                                .endResourceAttributes()
                                .endSpec()
                                .build())
                        .getStatus()
                        .getAllowed())
                .isTrue();
    }

    @Test
    void watchesSeeChangesInOrder() throws Exception {
        BlockingQueue<String> seen = new LinkedBlockingQueue<>();
        try (var watch = client().configMaps()
                .inNamespace("default")
                .withLabel("app", "shop")
                .watch(new Watcher<>() {
                    @Override
                    public void eventReceived(Action action, ConfigMap map) {
                        seen.add(action + " " + map.getData().get("key"));
                    }

                    @Override
                    public void onClose(WatcherException cause) {}
                })) {
            client().resource(map("a", "1")).create();
            client().resource(map("a", "2")).update();
            client().resource(map("a", "2")).delete();
            assertThat(List.of(next(seen), next(seen), next(seen)))
                    .containsExactly("ADDED 1", "MODIFIED 2", "DELETED 2");
            assertThat(watch).isNotNull();
        }
    }

    private static String next(BlockingQueue<String> seen) throws InterruptedException {
        return String.valueOf(seen.poll(120, TimeUnit.SECONDS));
    }

    @Test
    void informersHoldWhatIsThere() throws Exception {
        client().resource(map("before", "1")).create();
        BlockingQueue<String> seen = new LinkedBlockingQueue<>();
        try (var informer = client().configMaps()
                .inNamespace("default")
                .withLabel("app", "shop")
                .inform(new io.fabric8.kubernetes.client.informers.ResourceEventHandler<>() {
                    @Override
                    public void onAdd(ConfigMap map) {
                        seen.add("add " + map.getMetadata().getName());
                    }

                    @Override
                    public void onUpdate(ConfigMap old, ConfigMap map) {
                        seen.add("update " + map.getMetadata().getName());
                    }

                    @Override
                    public void onDelete(ConfigMap map, boolean unknown) {
                        seen.add("delete " + map.getMetadata().getName());
                    }
                })) {
            assertThat(next(seen)).isEqualTo("add before");
            for (int i = 0; i < 100; i++) {
                client().resource(map("m" + i, "1")).create();
                assertThat(next(seen)).isEqualTo("add m" + i);
            }
            client().resource(map("before", "2")).update();
            assertThat(next(seen)).isEqualTo("update before");
            assertThat(informer.getIndexer().list()).hasSize(101);
        }
    }

    @Test
    void ownersCollectTheirChildren() {
        ConfigMap owner = client().resource(map("owner", "1")).create();
        ConfigMap child = map("child", "1");
        child.getMetadata()
                .setOwnerReferences(List.of(new io.fabric8.kubernetes.api.model.OwnerReferenceBuilder()
                        .withApiVersion("v1")
                        .withKind("ConfigMap")
                        .withName("owner")
                        .withUid(owner.getMetadata().getUid())
                        .build()));
        client().resource(child).create();
        client().resource(owner)
                .withPropagationPolicy(DeletionPropagation.FOREGROUND)
                .delete();
        client().configMaps()
                .inNamespace("default")
                .withName("child")
                .waitUntilCondition(m -> m == null, 120, TimeUnit.SECONDS);
        client().configMaps()
                .inNamespace("default")
                .withName("owner")
                .waitUntilCondition(m -> m == null, 120, TimeUnit.SECONDS);
    }

    @Test
    void finalizersHoldADeletionUp() {
        ConfigMap map = map("a", "1");
        map.getMetadata().setFinalizers(List.of("example.com/hold"));
        client().resource(map).create();
        client().resource(map).delete();
        assertThat(client().configMaps().withName("a").get().getMetadata().getDeletionTimestamp())
                .isNotNull();
        client().configMaps().withName("a").edit(m -> {
            m.getMetadata().setFinalizers(List.of());
            return m;
        });
        assertThat(client().configMaps().withName("a").get()).isNull();
    }

    @Test
    void genericResourcesAndDiscovery() {
        GenericKubernetesResource page = new GenericKubernetesResource();
        page.setApiVersion("example.com/v1");
        page.setKind("Page");
        page.setMetadata(new ObjectMetaBuilder()
                .withName("generic")
                .withNamespace("default")
                .build());
        page.setAdditionalProperty("spec", java.util.Map.of("text", "x"));
        assertThat(client().resource(page).create().getMetadata().getUid()).isNotEmpty();
        assertThat(client().getApiGroup("example.com").getVersions()).hasSize(1);
        assertThat(client().getKubernetesVersion().getMajor()).isEqualTo("1");
        assertThat(client().supports(Page.class)).isTrue();
    }

    @Test
    void waitsEndWhenTheConditionHolds() {
        client().resource(deployment()).create();
        Thread ready = Thread.ofVirtual()
                .start(() -> client().apps()
                        .deployments()
                        .inNamespace("default")
                        .withName("web")
                        .editStatus(d -> new DeploymentBuilder(d)
                                .withNewStatus()
                                .withReplicas(1)
                                .withObservedGeneration(1L)
                                .endStatus()
                                .build()));
        Deployment seen = client().apps()
                .deployments()
                .inNamespace("default")
                .withName("web")
                .waitUntilCondition(
                        d -> d != null
                                && d.getStatus() != null
                                && Integer.valueOf(1).equals(d.getStatus().getReplicas()),
                        20,
                        TimeUnit.SECONDS);
        assertThat(seen.getStatus().getObservedGeneration()).isOne();
        assertThat(ready.isAlive() && !joined(ready)).isFalse();
    }

    private static boolean joined(Thread thread) {
        try {
            return thread.join(Duration.ofSeconds(20));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
