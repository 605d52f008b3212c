package dev.evenkeel.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.gson.reflect.TypeToken;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.internal.json.JsonObject;
import io.kubernetes.client.custom.V1Patch;
import io.kubernetes.client.extended.leaderelection.LeaderElectionConfig;
import io.kubernetes.client.extended.leaderelection.LeaderElector;
import io.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.AppsV1Api;
import io.kubernetes.client.openapi.apis.AuthenticationV1Api;
import io.kubernetes.client.openapi.apis.AuthorizationV1Api;
import io.kubernetes.client.openapi.apis.CoordinationV1Api;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.apis.CustomObjectsApi;
import io.kubernetes.client.openapi.apis.VersionApi;
import io.kubernetes.client.openapi.models.AuthenticationV1TokenRequest;
import io.kubernetes.client.openapi.models.CoreV1Event;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ConfigMapList;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1DeleteOptions;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentSpec;
import io.kubernetes.client.openapi.models.V1LabelSelector;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1ObjectReference;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.openapi.models.V1Preconditions;
import io.kubernetes.client.openapi.models.V1ResourceAttributes;
import io.kubernetes.client.openapi.models.V1Scale;
import io.kubernetes.client.openapi.models.V1Secret;
import io.kubernetes.client.openapi.models.V1SelfSubjectAccessReview;
import io.kubernetes.client.openapi.models.V1SelfSubjectAccessReviewSpec;
import io.kubernetes.client.openapi.models.V1ServiceAccount;
import io.kubernetes.client.openapi.models.V1TokenRequestSpec;
import io.kubernetes.client.openapi.models.V1TokenReview;
import io.kubernetes.client.openapi.models.V1TokenReviewSpec;
import io.kubernetes.client.util.PatchUtils;
import io.kubernetes.client.util.Watch;
import io.kubernetes.client.util.generic.GenericKubernetesApi;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** The official Java client, unmodified, over HTTP/2 and TLS. */
class OfficialClientTest {
    private static final Engine ENGINE = Engine.create();
    private static final Server SERVER = Server.builder(ENGINE).start();
    private static final ApiClient CLIENT = new ApiClient()
            .setBasePath(SERVER.url().toString().replaceAll("/$", ""))
            .setSslCaCert(new ByteArrayInputStream(SERVER.caCertificate().getBytes(StandardCharsets.US_ASCII)))
            .setReadTimeout(0) // its informers require it
            .addDefaultHeader("Authorization", "Bearer " + SERVER.token());

    private final CoreV1Api core = new CoreV1Api(CLIENT);
    private final AppsV1Api apps = new AppsV1Api(CLIENT);
    private String namespace = "";

    @BeforeEach
    void create(TestInfo test) throws ApiException {
        namespace = test.getDisplayName().toLowerCase(java.util.Locale.ROOT).replaceAll("[^a-z]", "");
        done(core.createNamespace(new V1Namespace().metadata(new V1ObjectMeta().name(namespace)))
                .execute());
    }

    @AfterAll
    static void stop() {
        CLIENT.getHttpClient().dispatcher().cancelAll();
        CLIENT.getHttpClient().dispatcher().executorService().shutdown();
        CLIENT.getHttpClient().connectionPool().evictAll();
        SERVER.close();
        ENGINE.close();
    }

    private static void done(Object answer) {
        assertThat(answer).isNotNull();
    }

    private static V1ConfigMap map(String name, String value) {
        return new V1ConfigMap()
                .metadata(new V1ObjectMeta().name(name).labels(Map.of("app", name.substring(0, 1))))
                .data(Map.of("k", value));
    }

    private V1ConfigMap created(String name, String value) throws ApiException {
        return core.createNamespacedConfigMap(namespace, map(name, value)).execute();
    }

    private V1Deployment deployment() throws ApiException {
        Map<String, String> labels = Map.of("app", "d");
        return apps.createNamespacedDeployment(
                        namespace,
                        new V1Deployment()
                                .metadata(new V1ObjectMeta().name("d"))
                                .spec(new V1DeploymentSpec()
                                        .replicas(2)
                                        .selector(new V1LabelSelector().matchLabels(labels))
                                        .template(new V1PodTemplateSpec()
                                                .metadata(new V1ObjectMeta().labels(labels))
                                                .spec(new V1PodSpec()
                                                        .addContainersItem(new V1Container()
                                                                .name("c")
                                                                .image("i:1"))))))
                .execute();
    }

    @FunctionalInterface
    private interface Call {
        void run() throws ApiException;
    }

    private static JsonObject refused(int code, Call call) {
        ApiException refusal = catchThrowableOfType(ApiException.class, call::run);
        assertThat(refusal).isNotNull();
        assertThat(refusal.getCode()).as(refusal.getResponseBody()).isEqualTo(code);
        return Fixture.tree(refusal.getResponseBody());
    }

    @Test
    void createsReadsReplacesAndDeletes() throws ApiException {
        V1ConfigMap read = created("a", "1");
        read.setData(Map.of("k", "2"));
        assertThat(core.replaceNamespacedConfigMap("a", namespace, read)
                        .execute()
                        .getData())
                .isEqualTo(Map.of("k", "2"));
        assertThat(refused(
                                409,
                                () -> core.replaceNamespacedConfigMap("a", namespace, read)
                                        .execute())
                        .string("message"))
                .contains("the object has been modified");
        assertThat(core.deleteNamespacedConfigMap("a", namespace).execute().getStatus())
                .isEqualTo("Success");
        done(refused(404, () -> core.readNamespacedConfigMap("a", namespace).execute()));
    }

    @Test
    void listsInPagesAndBySelectors() throws ApiException {
        for (int i = 0; i < 5; i++) {
            done(created("m" + i, "v"));
        }
        List<String> names = new ArrayList<>();
        String next = null;
        do {
            V1ConfigMapList page = core.listNamespacedConfigMap(namespace)
                    .labelSelector("app=m")
                    .limit(2)
                    ._continue(next)
                    .execute();
            page.getItems().forEach(item -> names.add(item.getMetadata().getName()));
            next = page.getMetadata().getContinue();
        } while (next != null && !next.isEmpty());
        assertThat(names).containsExactly("m0", "m1", "m2", "m3", "m4");
        assertThat(core.listNamespacedConfigMap(namespace)
                        .fieldSelector("metadata.name=m3")
                        .execute()
                        .getItems())
                .hasSize(1);
    }

    @Test
    void watchesAndResumes() throws Exception {
        String start =
                core.listNamespacedConfigMap(namespace).execute().getMetadata().getResourceVersion();
        V1ConfigMap first = created("a", "1");
        done(PatchUtils.patch(V1ConfigMap.class, () -> patch("a", "{\"data\":{\"k\":\"2\"}}"), MERGE, CLIENT));
        done(core.deleteNamespacedConfigMap("a", namespace).execute());
        assertThat(seen(start, 3)).containsExactly("ADDED", "MODIFIED", "DELETED");
        assertThat(seen(first.getMetadata().getResourceVersion(), 2)).containsExactly("MODIFIED", "DELETED");
    }

    private static final String MERGE = V1Patch.PATCH_FORMAT_JSON_MERGE_PATCH;

    private okhttp3.Call patch(String name, String patch) throws ApiException {
        return core.patchNamespacedConfigMap(name, namespace, new V1Patch(patch))
                .buildCall(null);
    }

    private List<String> seen(String revision, int events) throws Exception {
        List<String> types = new ArrayList<>();
        try (Watch<V1ConfigMap> watch = Watch.createWatch(
                CLIENT,
                core.listNamespacedConfigMap(namespace)
                        .resourceVersion(revision)
                        .watch(true)
                        .timeoutSeconds(9)
                        .buildCall(null),
                new TypeToken<Watch.Response<V1ConfigMap>>() {}.getType())) {
            while (types.size() < events && watch.hasNext()) {
                types.add(watch.next().type);
            }
        }
        return types;
    }

    @Test
    void patchesOfEachType() throws ApiException {
        done(deployment());
        V1Deployment strategic = patched(
                "{\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\"side\",\"image\":\"s\"}]}}}}",
                V1Patch.PATCH_FORMAT_STRATEGIC_MERGE_PATCH);
        assertThat(strategic.getSpec().getTemplate().getSpec().getContainers())
                .extracting(V1Container::getName)
                .containsExactly("side", "c");
        assertThat(patched("{\"spec\":{\"replicas\":5}}", MERGE).getSpec().getReplicas())
                .isEqualTo(5);
        assertThat(patched(
                                "[{\"op\":\"replace\",\"path\":\"/spec/replicas\",\"value\":7}]",
                                V1Patch.PATCH_FORMAT_JSON_PATCH)
                        .getSpec()
                        .getReplicas())
                .isEqualTo(7);
    }

    private V1Deployment patched(String patch, String format) throws ApiException {
        return PatchUtils.patch(
                V1Deployment.class,
                () -> apps.patchNamespacedDeployment("d", namespace, new V1Patch(patch))
                        .buildCall(null),
                format,
                CLIENT);
    }

    @Test
    void appliesAndConflicts() throws ApiException {
        done(applied("one", "1", false));
        JsonObject conflict = refused(409, () -> done(applied("two", "2", false)));
        assertThat(conflict.objects("details", "causes").getFirst().string("field"))
                .isEqualTo(".data.k");
        assertThat(applied("two", "2", true).getData()).containsEntry("k", "2");
    }

    private V1ConfigMap applied(String manager, String value, boolean force) throws ApiException {
        V1Patch body = new V1Patch("{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\"},"
                + "\"data\":{\"k\":\"" + value + "\"}}");
        return PatchUtils.patch(
                V1ConfigMap.class,
                () -> core.patchNamespacedConfigMap("a", namespace, body)
                        .fieldManager(manager)
                        .force(force)
                        .buildCall(null),
                V1Patch.PATCH_FORMAT_APPLY_YAML,
                CLIENT);
    }

    @Test
    void statusIsASubresource() throws ApiException {
        V1Deployment deployment = deployment();
        deployment.getSpec().setReplicas(9);
        deployment.setStatus(new io.kubernetes.client.openapi.models.V1DeploymentStatus().replicas(6));
        V1Deployment changed = apps.replaceNamespacedDeploymentStatus("d", namespace, deployment)
                .execute();
        assertThat(changed.getSpec().getReplicas()).isEqualTo(2);
        assertThat(changed.getStatus().getReplicas()).isEqualTo(6);
    }

    @Test
    void scaleIsASubresource() throws ApiException {
        done(deployment());
        V1Scale scale = apps.readNamespacedDeploymentScale("d", namespace).execute();
        scale.getSpec().setReplicas(5);
        assertThat(apps.replaceNamespacedDeploymentScale("d", namespace, scale)
                        .execute()
                        .getSpec()
                        .getReplicas())
                .isEqualTo(5);
    }

    @Test
    void deletesWithOptions() throws ApiException {
        done(created("a", "1"));
        done(refused(
                409,
                () -> core.deleteNamespacedConfigMap("a", namespace)
                        .body(new V1DeleteOptions().preconditions(new V1Preconditions().uid("other")))
                        .execute()));
        done(core.deleteNamespacedConfigMap("a", namespace).dryRun("All").execute());
        done(core.readNamespacedConfigMap("a", namespace).execute());
        done(core.deleteCollectionNamespacedConfigMap(namespace)
                .labelSelector("app=a")
                .propagationPolicy("Background")
                .execute());
        done(refused(404, () -> core.readNamespacedConfigMap("a", namespace).execute()));
    }

    @Test
    void genericObjects() throws ApiException {
        var maps = new GenericKubernetesApi<>(V1ConfigMap.class, V1ConfigMapList.class, "", "v1", "configmaps", CLIENT);
        V1ConfigMap map = map("g", "1");
        map.getMetadata().setNamespace(namespace);
        assertThat(maps.create(map).isSuccess()).isTrue();
        assertThat(maps.get(namespace, "g").getObject().getData()).containsEntry("k", "1");
        assertThat(maps.get(namespace, "none").getStatus().getReason()).isEqualTo("NotFound");
        assertThat(maps.delete(namespace, "g").isSuccess()).isTrue();
    }

    @Test
    void customObjects() throws ApiException {
        CustomObjectsApi custom = new CustomObjectsApi(CLIENT);
        String name = "widgets.official.example.com";
        Map<String, Object> integer = Map.of("type", "integer", "minimum", 1);
        done(custom.createClusterCustomObject(
                        "apiextensions.k8s.io",
                        "v1",
                        "customresourcedefinitions",
                        Map.of(
                                "apiVersion",
                                "apiextensions.k8s.io/v1",
                                "kind",
                                "CustomResourceDefinition",
                                "metadata",
                                Map.of("name", name),
                                "spec",
                                Map.of(
                                        "group",
                                        "official.example.com",
                                        "scope",
                                        "Namespaced",
                                        "names",
                                        Map.of("plural", "widgets", "singular", "widget", "kind", "Widget"),
                                        "versions",
                                        List.of(Map.of(
                                                "name",
                                                "v1",
                                                "served",
                                                true,
                                                "storage",
                                                true,
                                                "schema",
                                                Map.of(
                                                        "openAPIV3Schema",
                                                        Map.of(
                                                                "type",
                                                                "object",
                                                                "properties",
                                                                Map.of("size", integer))))))))
                .execute());
        done(custom.createNamespacedCustomObject("official.example.com", "v1", namespace, "widgets", widget(1))
                .execute());
        JsonObject invalid = refused(
                422,
                () -> custom.createNamespacedCustomObject("official.example.com", "v1", namespace, "widgets", widget(0))
                        .execute());
        assertThat(invalid.string("message")).contains("size in body should be greater than or equal to 1");
        assertThat(custom.getNamespacedCustomObject("official.example.com", "v1", namespace, "widgets", "w1")
                        .execute()
                        .toString())
                .contains("size=1");
    }

    private static Map<String, Object> widget(int size) {
        return Map.of(
                "apiVersion",
                "official.example.com/v1",
                "kind",
                "Widget",
                "metadata",
                Map.of("name", "w" + size),
                "size",
                size);
    }

    @Test
    void informers() throws Exception {
        BlockingQueue<String> seen = new LinkedBlockingQueue<>();
        SharedInformerFactory factory = new SharedInformerFactory(CLIENT);
        factory.sharedIndexInformerFor(
                        parameters -> core.listNamespacedConfigMap(namespace)
                                .fieldSelector("metadata.name!=kube-root-ca.crt")
                                .resourceVersion(parameters.resourceVersion)
                                .timeoutSeconds(parameters.timeoutSeconds)
                                .watch(parameters.watch)
                                .buildCall(null),
                        V1ConfigMap.class,
                        V1ConfigMapList.class)
                .addEventHandler(new ResourceEventHandler<>() {
                    @Override
                    public void onAdd(V1ConfigMap map) {
                        seen.add("add " + map.getMetadata().getName());
                    }

                    @Override
                    public void onUpdate(V1ConfigMap old, V1ConfigMap map) {
                        seen.add("update " + map.getMetadata().getName());
                    }

                    @Override
                    public void onDelete(V1ConfigMap map, boolean unknown) {
                        seen.add("delete " + map.getMetadata().getName());
                    }
                });
        done(created("a", "1"));
        factory.startAllRegisteredInformers();
        try {
            assertThat(seen.poll(120, TimeUnit.SECONDS)).isEqualTo("add a");
            done(created("b", "1"));
            assertThat(seen.poll(120, TimeUnit.SECONDS)).isEqualTo("add b");
            done(core.deleteNamespacedConfigMap("a", namespace).execute());
            assertThat(seen.poll(120, TimeUnit.SECONDS)).isEqualTo("delete a");
        } finally {
            factory.stopAllRegisteredInformers(true);
        }
    }

    @Test
    void leaderElection() throws Exception {
        CountDownLatch leads = new CountDownLatch(1);
        try (LeaderElector elector = new LeaderElector(new LeaderElectionConfig(
                new LeaseLock(namespace, "leader", "me", CLIENT),
                Duration.ofSeconds(15),
                Duration.ofSeconds(10),
                Duration.ofMillis(500)))) {
            Thread thread = Thread.ofVirtual().start(() -> elector.run(leads::countDown, () -> {}));
            assertThat(leads.await(120, TimeUnit.SECONDS)).isTrue();
            assertThat(new CoordinationV1Api(CLIENT)
                            .readNamespacedLease("leader", namespace)
                            .execute()
                            .getSpec()
                            .getHolderIdentity())
                    .isEqualTo("me");
            thread.interrupt();
        }
    }

    @Test
    void events() throws ApiException {
        done(core.createNamespacedEvent(
                        namespace,
                        new CoreV1Event()
                                .metadata(new V1ObjectMeta().name("e"))
                                .involvedObject(new V1ObjectReference()
                                        .kind("ConfigMap")
                                        .name("a")
                                        .namespace(namespace))
                                .reason("Tested")
                                .type("Normal"))
                .execute());
        assertThat(core.listNamespacedEvent(namespace)
                        .fieldSelector("involvedObject.name=a,reason=Tested")
                        .execute()
                        .getItems())
                .hasSize(1);
    }

    @Test
    void accessReviews() throws ApiException {
        V1SelfSubjectAccessReview review = new AuthorizationV1Api(CLIENT)
                .createSelfSubjectAccessReview(new V1SelfSubjectAccessReview()
                        .spec(new V1SelfSubjectAccessReviewSpec()
                                .resourceAttributes(
                                        new V1ResourceAttributes().verb("get").resource("pods"))))
                .execute();
        assertThat(review.getStatus().getAllowed()).isTrue();
        assertThat(new VersionApi(CLIENT).getCode().execute().getMajor()).isEqualTo("1");
    }

    @Test
    void tokens() throws ApiException {
        done(core.createNamespacedServiceAccount(
                        namespace, new V1ServiceAccount().metadata(new V1ObjectMeta().name("sa")))
                .execute());
        String token = core.createNamespacedServiceAccountToken(
                        "sa",
                        namespace,
                        new AuthenticationV1TokenRequest()
                                .spec(new V1TokenRequestSpec()
                                        .audiences(List.of())
                                        .expirationSeconds(600L)))
                .execute()
                .getStatus()
                .getToken();
        V1TokenReview review = new AuthenticationV1Api(CLIENT)
                .createTokenReview(new V1TokenReview().spec(new V1TokenReviewSpec().token(token)))
                .execute();
        assertThat(review.getStatus().getUser().getUsername()).isEqualTo("system:serviceaccount:" + namespace + ":sa");
    }

    @Test
    void errorsAndBinaryData() throws ApiException {
        JsonObject invalid = refused(422, () -> done(created("Not Valid", "1")));
        assertThat(invalid.string("reason")).isEqualTo("Invalid");
        assertThat(invalid.objects("details", "causes").getFirst().string("field"))
                .isEqualTo("metadata.name");
        V1Secret secret = core.createNamespacedSecret(
                        namespace,
                        new V1Secret()
                                .metadata(new V1ObjectMeta().generateName("s-"))
                                .stringData(Map.of("a", "b")))
                .execute();
        assertThat(secret.getData().get("a")).isEqualTo(new byte[] {'b'});
        assertThat(secret.getMetadata().getName()).startsWith("s-");
    }
}
