package dev.evenkeel.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.reflect.TypeToken;
import io.kubernetes.client.custom.V1Patch;
import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ConfigMapList;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.openapi.models.V1Status;
import io.kubernetes.client.util.PatchUtils;
import io.kubernetes.client.util.Watch;
import io.kubernetes.client.util.generic.GenericKubernetesApi;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import okhttp3.Call;
import org.junit.jupiter.api.Test;

/** What the official Java client does with a cluster, whatever carries its requests. */
abstract class OfficialClientContract {
    private static final Duration SILENCE = Duration.ofSeconds(1);

    EngineCluster cluster;

    /** Returns a new client of the cluster. */
    abstract ApiClient client();

    private static V1ConfigMap map(String text) {
        return new V1ConfigMap()
                .metadata(new V1ObjectMeta().namespace("default").name("greeting"))
                .data(Map.of("text", text));
    }

    @Test
    void itsRequestsHaveAnswers() throws ApiException {
        CoreV1Api api = new CoreV1Api(client());
        V1ConfigMap created =
                api.createNamespacedConfigMap("default", map("hello")).execute();
        assertThat(created.getMetadata().getUid()).isNotEmpty();
        assertThat(cluster.kubernetesClient()
                        .configMaps()
                        .inNamespace("default")
                        .withName("greeting")
                        .get()
                        .getData())
                .containsEntry("text", "hello");
        assertThat(api.listNamespacedConfigMap("default").execute().getItems())
                .extracting(map -> map.getMetadata().getName())
                .contains("greeting");
    }

    @Test
    void refusalsHaveTheirCode() throws ApiException {
        CoreV1Api api = new CoreV1Api(client());
        V1ConfigMap unused =
                api.createNamespacedConfigMap("default", map("hello")).execute();
        assertThatThrownBy(() ->
                        api.createNamespacedConfigMap("default", map("again")).execute())
                .isInstanceOfSatisfying(ApiException.class, e -> {
                    assertThat(e.getCode()).isEqualTo(409);
                    assertThat(e.getResponseBody()).contains("already exists");
                });
        assertThatThrownBy(
                        () -> api.readNamespacedConfigMap("absent", "default").execute())
                .isInstanceOfSatisfying(
                        ApiException.class, e -> assertThat(e.getCode()).isEqualTo(404));
    }

    @Test
    void patchesOfEachType() throws ApiException {
        ApiClient client = client();
        CoreV1Api api = new CoreV1Api(client);
        V1ConfigMap unused =
                api.createNamespacedConfigMap("default", map("hello")).execute();
        assertThat(patch(client, V1Patch.PATCH_FORMAT_JSON_MERGE_PATCH, "{\"data\":{\"merge\":\"m\"}}"))
                .containsEntry("merge", "m");
        assertThat(patch(
                        client,
                        V1Patch.PATCH_FORMAT_JSON_PATCH,
                        "[{\"op\":\"add\",\"path\":\"/data/json\",\"value\":\"j\"}]"))
                .containsEntry("json", "j");
        assertThat(patch(client, V1Patch.PATCH_FORMAT_STRATEGIC_MERGE_PATCH, "{\"data\":{\"strategic\":\"s\"}}"))
                .containsEntry("strategic", "s");
        assertThat(patch(
                        client,
                        V1Patch.PATCH_FORMAT_APPLY_YAML,
                        "{apiVersion: v1, kind: ConfigMap, metadata: {name: greeting}, data: {applied: a}}"))
                .containsEntry("applied", "a")
                .containsEntry("text", "hello");
    }

    private static Map<String, String> patch(ApiClient client, String format, String patch) throws ApiException {
        return PatchUtils.patch(
                        V1ConfigMap.class,
                        () -> new CoreV1Api(client)
                                .patchNamespacedConfigMap("greeting", "default", new V1Patch(patch))
                                .fieldManager("tests")
                                .buildCall(null),
                        format,
                        client)
                .getData();
    }

    @Test
    void watchesSeeChangesInOrderAndEnd() throws Exception {
        ApiClient client = client().setReadTimeout(0);
        CoreV1Api api = new CoreV1Api(client);
        String from =
                api.listNamespacedConfigMap("default").execute().getMetadata().getResourceVersion();
        try (Watch<V1ConfigMap> watch = Watch.createWatch(
                client,
                api.listNamespacedConfigMap("default")
                        .watch(true)
                        .resourceVersion(from)
                        .buildCall(null),
                new TypeToken<Watch.Response<V1ConfigMap>>() {}.getType())) {
            V1ConfigMap unused =
                    api.createNamespacedConfigMap("default", map("hello")).execute();
            unused = api.replaceNamespacedConfigMap("greeting", "default", map("bye"))
                    .execute();
            V1Status gone = api.deleteNamespacedConfigMap("greeting", "default").execute();
            assertThat(gone.getStatus()).isEqualTo("Success");
            assertThat(List.of(next(watch), next(watch), next(watch)))
                    .containsExactly("ADDED hello", "MODIFIED bye", "DELETED bye");
        }
        try (Watch<V1ConfigMap> brief = Watch.createWatch(
                client,
                api.listNamespacedConfigMap("default")
                        .watch(true)
                        .resourceVersion(from)
                        .timeoutSeconds(1)
                        .buildCall(null),
                new TypeToken<Watch.Response<V1ConfigMap>>() {}.getType())) {
            assertThat(List.of(next(brief), next(brief), next(brief))).hasSize(3);
            assertThat(brief.hasNext()).isFalse();
        }
    }

    private static String next(Watch<V1ConfigMap> watch) {
        Watch.Response<V1ConfigMap> event = watch.next();
        return event.type + " " + event.object.getData().get("text");
    }

    /** By another thread than the one that waits for its events. */
    @Test
    void aWatchIsClosedWhileItIsRead() throws Exception {
        ApiClient client = client().setReadTimeout(0);
        CoreV1Api api = new CoreV1Api(client);
        String from =
                api.listNamespacedConfigMap("default").execute().getMetadata().getResourceVersion();
        Call call = api.listNamespacedConfigMap("default")
                .watch(true)
                .resourceVersion(from)
                .buildCall(null);
        Watch<V1ConfigMap> watch =
                Watch.createWatch(client, call, new TypeToken<Watch.Response<V1ConfigMap>>() {}.getType());
        CompletableFuture<Boolean> reading = CompletableFuture.supplyAsync(() -> {
            try {
                return watch.hasNext();
            } catch (RuntimeException e) {
                return false;
            }
        });
        call.cancel();
        assertThat(reading.get(120, TimeUnit.SECONDS)).isFalse();
        watch.close();
    }

    /** Copies the text of each map into a secret. */
    private record Copying(CoreV1Api api) implements ResourceEventHandler<V1ConfigMap> {
        @Override
        public void onAdd(V1ConfigMap map) {
            if (map.getData() == null || !map.getData().containsKey("text")) {
                return;
            }
            try {
                api.createNamespacedSecret(
                                "default",
                                new V1Secret()
                                        .metadata(new V1ObjectMeta()
                                                .name(map.getMetadata().getName()))
                                        .stringData(map.getData()))
                        .execute();
            } catch (ApiException e) {
                throw new IllegalStateException(e.getResponseBody(), e);
            }
        }

        @Override
        public void onUpdate(V1ConfigMap old, V1ConfigMap map) {}

        @Override
        public void onDelete(V1ConfigMap map, boolean unknown) {}
    }

    @Test
    void aTestWaitsForItsControllers() throws ApiException {
        ApiClient client = client().setReadTimeout(0);
        CoreV1Api api = new CoreV1Api(client);
        SharedInformerFactory informers = new SharedInformerFactory(client);
        SharedIndexInformer<V1ConfigMap> maps = informers.sharedIndexInformerFor(
                new GenericKubernetesApi<>(V1ConfigMap.class, V1ConfigMapList.class, "", "v1", "configmaps", client),
                V1ConfigMap.class,
                0);
        maps.addEventHandler(new Copying(api));
        informers.startAllRegisteredInformers();
        try {
            cluster.awaitQuiet(SILENCE);
            V1ConfigMap unused =
                    api.createNamespacedConfigMap("default", map("hello")).execute();
            cluster.awaitQuiet(SILENCE);
            assertThat(cluster.kubernetesClient()
                            .secrets()
                            .inNamespace("default")
                            .withName("greeting")
                            .get())
                    .isNotNull();
        } finally {
            informers.stopAllRegisteredInformers();
        }
    }
}
