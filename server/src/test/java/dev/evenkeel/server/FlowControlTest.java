package dev.evenkeel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.Authorization;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Priority levels over HTTP: a slow webhook fills the level of one user, and others are served. */
class FlowControlTest {
    private static final String FLOWS = "/apis/flowcontrol.apiserver.k8s.io/v1/";
    private static final String MAPS = Fixture.MAPS;

    private final CountDownLatch called = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final Engine engine = Engine.builder()
            .authorization(Authorization.RBAC)
            .webhooks((webhook, review, timeout) -> {
                called.countDown();
                try {
                    assertThat(released.await(120, TimeUnit.SECONDS)).isTrue();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
                throw new IOException("slow"); // ignored
            })
            .build();
    private final Server server = Server.builder(engine)
            .tls(false)
            .token("admin", User.ADMIN)
            .token("jane", new User("jane", "", List.of(User.AUTHENTICATED)))
            .token("bob", new User("bob", "", List.of(User.AUTHENTICATED)))
            .limits(Server.Limits.DEFAULT.maxInFlight(50))
            .start();
    private final HttpClient http = HttpClient.newHttpClient();

    @AfterEach
    void stop() {
        released.countDown();
        server.close();
        http.close();
        engine.close();
    }

    private HttpRequest request(String method, String token, String path, String body) {
        return HttpRequest.newBuilder(URI.create(server.url() + path))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body.replace('\'', '"')))
                .build();
    }

    private HttpResponse<String> send(String method, String token, String path, String body) {
        try {
            return http.send(request(method, token, path, body), BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private HttpResponse<String> get(String token, String path) {
        return send("GET", token, path, "");
    }

    private void create(String path, String body) {
        HttpResponse<String> answer = send("POST", "admin", path, body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    }

    /** A level with one seat and without a queue, for jane. */
    private void narrow() {
        create("/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", """
                {'metadata':{'name':'all'},'roleRef':{'apiGroup':'rbac.authorization.k8s.io','kind':'ClusterRole',
                 'name':'cluster-admin'},'subjects':[{'kind':'Group','name':'system:authenticated'}]}""");
        create(FLOWS + "prioritylevelconfigurations", """
                {'metadata':{'name':'narrow'},'spec':{'type':'Limited','limited':{'nominalConcurrencyShares':1,
                 'borrowingLimitPercent':0,'limitResponse':{'type':'Reject'}}}}""");
        create(FLOWS + "flowschemas", """
                {'metadata':{'name':'narrow'},'spec':{'priorityLevelConfiguration':{'name':'narrow'},
                 'matchingPrecedence':50,'rules':[{'subjects':[{'kind':'User','user':{'name':'jane'}}],
                  'resourceRules':[{'verbs':['*'],'apiGroups':['*'],'resources':['*'],'namespaces':['default']}]}]}}""");
    }

    private String uid(String path) {
        JsonObject tree = Fixture.tree(get("admin", FLOWS + path));
        return tree.string("metadata", "uid");
    }

    private void classified(HttpResponse<?> answer, String schema, String level) {
        assertThat(answer.headers().firstValue("X-Kubernetes-PF-FlowSchema-UID"))
                .contains(uid("flowschemas/" + schema));
        assertThat(answer.headers().firstValue("X-Kubernetes-PF-PriorityLevel-UID"))
                .contains(uid("prioritylevelconfigurations/" + level));
    }

    @Test
    void aFullLevelRefusesAndOthersAreServed() throws Exception {
        narrow();
        slowWebhook();
        assertThat(get("jane", MAPS).statusCode()).isEqualTo(200);
        awaitExecuting(0);
        CompletableFuture<HttpResponse<String>> slow =
                http.sendAsync(request("POST", "jane", MAPS, Fixture.configMap("slow", "v")), BodyHandlers.ofString());
        assertThat(called.await(120, TimeUnit.SECONDS)).isTrue();

        HttpResponse<String> refused = get("jane", MAPS);
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.headers().firstValue("Retry-After")).contains("1");
        assertThat(refused.body()).isEqualTo("Too many requests, please try again later.\n");
        classified(refused, "narrow", "narrow");

        HttpResponse<String> other = get("bob", MAPS);
        assertThat(other.statusCode()).isEqualTo(200);
        classified(other, "global-default", "global-default");
        HttpResponse<String> cluster = get("jane", "/api/v1/nodes");
        assertThat(cluster.statusCode()).as("not of the level").isEqualTo(200);
        classified(cluster, "global-default", "global-default");
        HttpResponse<String> administrator = get("admin", MAPS);
        assertThat(administrator.statusCode()).isEqualTo(200);
        classified(administrator, "exempt", "exempt");
        HttpResponse<String> probe = get("jane", "/readyz");
        assertThat(probe.statusCode()).isEqualTo(200);
        classified(probe, "probes", "exempt");

        released.countDown();
        assertThat(slow.get(120, TimeUnit.SECONDS).statusCode()).isEqualTo(201);
        awaitExecuting(0);
        assertThat(get("jane", MAPS).statusCode()).isEqualTo(200);
    }

    private double metric(String name, String... labels) {
        return get("admin", "/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith("apiserver_flowcontrol_" + name + "{"))
                .filter(line -> List.of(labels).stream().allMatch(line::contains))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    private static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what).isLessThan(deadline);
        }
    }

    /** Waits until the level of jane executes as many requests: a client has its answer before the seat is free. */
    private void awaitExecuting(int requests) {
        await(
                "requests that are executed",
                () -> metric("current_executing_requests", "flow_schema=\"narrow\"") == requests);
    }

    /** A second level, with one seat and a queue for one request, for bob. */
    private void queue() {
        create(FLOWS + "prioritylevelconfigurations", """
                {'metadata':{'name':'waits'},'spec':{'type':'Limited','limited':{'nominalConcurrencyShares':1,
                 'borrowingLimitPercent':0,'limitResponse':{'type':'Queue','queuing':{'queues':1,'handSize':1,
                  'queueLengthLimit':1}}}}}""");
        create(FLOWS + "flowschemas", """
                {'metadata':{'name':'bobs'},'spec':{'priorityLevelConfiguration':{'name':'waits'},
                 'matchingPrecedence':51,'rules':[{'subjects':[{'kind':'User','user':{'name':'bob'}}],
                  'resourceRules':[{'verbs':['*'],'apiGroups':['*'],'resources':['*'],'namespaces':['default']}]}]}}""");
    }

    private void slowWebhook() {
        create("/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations", """
                {'metadata':{'name':'slow'},'webhooks':[{'name':'slow.example.com','failurePolicy':'Ignore',
                 'sideEffects':'None','admissionReviewVersions':['v1'],'timeoutSeconds':30,
                 'clientConfig':{'url':'https://127.0.0.1:1/slow'},
                 'rules':[{'apiGroups':[''],'apiVersions':['v1'],'resources':['configmaps'],'operations':['CREATE']}]}]}""");
    }

    @Test
    void metricsShowLevelsAndTheirQueues() throws Exception {
        narrow();
        queue();
        slowWebhook();
        CompletableFuture<HttpResponse<String>> slow =
                http.sendAsync(request("POST", "bob", MAPS, Fixture.configMap("slow", "v")), BodyHandlers.ofString());
        assertThat(called.await(120, TimeUnit.SECONDS)).isTrue();
        String waits = "priority_level=\"waits\"";
        assertThat(metric("nominal_limit_seats", waits)).isEqualTo(1);
        assertThat(metric("lower_limit_seats", waits)).isEqualTo(1);
        assertThat(metric("upper_limit_seats", waits)).isEqualTo(1);
        assertThat(metric("current_limit_seats", waits)).isEqualTo(1);
        String[] bobs = {"priority_level=\"waits\"", "flow_schema=\"bobs\""};
        assertThat(metric("current_executing_requests", bobs)).isEqualTo(1);
        assertThat(metric("current_executing_seats", bobs)).isEqualTo(1);
        assertThat(metric("dispatched_requests_total", bobs)).isEqualTo(1);

        CompletableFuture<HttpResponse<String>> waiting =
                http.sendAsync(request("GET", "bob", MAPS, ""), BodyHandlers.ofString());
        await("the request waits", () -> metric("current_inqueue_requests", bobs) == 1);
        HttpResponse<String> late = get("bob", MAPS);
        assertThat(late.statusCode()).isEqualTo(429);
        assertThat(metric("rejected_requests_total", bobs[0], bobs[1], "reason=\"queue-full\""))
                .isEqualTo(1);

        released.countDown();
        assertThat(slow.get(120, TimeUnit.SECONDS).statusCode()).isEqualTo(201);
        assertThat(waiting.get(120, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
        assertThat(metric("current_inqueue_requests", bobs)).isZero();
        assertThat(metric("dispatched_requests_total", bobs)).isEqualTo(2);
        assertThat(metric("request_wait_duration_seconds_count", bobs[0], bobs[1], "execute=\"true\""))
                .isEqualTo(2);
    }

    @Test
    void metricsShowWhyRequestsAreRejected() throws Exception {
        narrow();
        queue();
        slowWebhook();
        CompletableFuture<HttpResponse<String>> slow =
                http.sendAsync(request("POST", "bob", MAPS, Fixture.configMap("slow", "v")), BodyHandlers.ofString());
        assertThat(called.await(120, TimeUnit.SECONDS)).isTrue();
        assertThat(get("bob", MAPS + "?timeout=4s").statusCode()).isEqualTo(429);
        assertThat(metric("rejected_requests_total", "flow_schema=\"bobs\"", "reason=\"time-out\""))
                .isEqualTo(1);
        assertThat(metric("request_wait_duration_seconds_count", "flow_schema=\"bobs\"", "execute=\"false\""))
                .isEqualTo(1);
        CompletableFuture<HttpResponse<String>> janes =
                http.sendAsync(request("POST", "jane", MAPS, Fixture.configMap("jane", "v")), BodyHandlers.ofString());
        awaitExecuting(1);
        assertThat(get("jane", MAPS).statusCode()).isEqualTo(429);
        assertThat(metric("rejected_requests_total", "flow_schema=\"narrow\"", "reason=\"concurrency-limit\""))
                .isEqualTo(1);
        released.countDown();
        assertThat(slow.get(120, TimeUnit.SECONDS).statusCode()).isEqualTo(201);
        assertThat(janes.get(120, TimeUnit.SECONDS).statusCode()).isEqualTo(201);
    }

    @Test
    void aWatchTakesASeatOnlyAtItsStart() throws Exception {
        narrow();
        HttpResponse<Stream<String>> watch =
                http.send(request("GET", "jane", MAPS + "?watch=1&resourceVersion=0", ""), BodyHandlers.ofLines());
        assertThat(watch.statusCode()).isEqualTo(200);
        classified(watch, "narrow", "narrow");
        awaitExecuting(0);
        assertThat(get("jane", MAPS).statusCode()).isEqualTo(200);
        watch.body().close();
    }
}
