package dev.evenkeel.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import dev.evenkeel.access.internal.CertificateKeys;
import dev.evenkeel.client.ServerCertificate;
import dev.evenkeel.client.internal.tls.CertificateAuthority;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A group of the API that another server serves. */
class AggregationTest {
    private static final String APIS = "/apis/apiregistration.k8s.io/v1/apiservices";
    private static final String THINGS = "/apis/x.io/v1/namespaces/default/things";
    private static final String DEFINITION = """
            {'apiVersion':'apiextensions.k8s.io/v1','kind':'CustomResourceDefinition','metadata':{'name':'things.x.io'},
             'spec':{'group':'x.io','scope':'Namespaced','names':{'plural':'things','kind':'Thing','shortNames':['th']},
              'versions':[{'name':'v1','served':true,'storage':true,'subresources':{'status':{}},'schema':{
               'openAPIV3Schema':{'type':'object','x-kubernetes-preserve-unknown-fields':true}}}]}}""";
    private static final String SERVICE = """
            {'apiVersion':'v1','kind':'Service','metadata':{'name':'other'},
             'spec':{'type':'ExternalName','externalName':'localhost'}}""";
    private static final String API = """
            {'apiVersion':'apiregistration.k8s.io/v1','kind':'APIService','metadata':{'name':'v1.x.io'},'spec':{
             'group':'x.io','version':'v1','groupPriorityMinimum':100,'versionPriority':10,'caBundle':'%s',
             'service':{'namespace':'default','name':'other','port':%d}}}""";

    private final List<String> senders = new CopyOnWriteArrayList<>();
    private final Engine behind = Engine.create();
    private final Server other = Server.builder(behind)
            .authentication(false)
            .handler(handler -> new Handler.Wrapper(handler) {
                @Override
                public boolean handle(Request request, Response response, Callback callback) throws Exception {
                    var headers = request.getHeaders();
                    senders.add(headers.get("X-Remote-User") + " " + headers.getValuesList("X-Remote-Group") + " "
                            + headers.get("Authorization") + " " + headers.get("Impersonate-User"));
                    return super.handle(request, response, callback);
                }
            })
            .start();
    private final Engine engine = Engine.create();
    private final Server server =
            Server.builder(engine).authentication(false).tls(false).start();
    private final HttpClient http = HttpClient.newHttpClient();

    @TempDir
    private Path directory;

    @AfterEach
    void close() {
        http.close();
        server.close();
        other.close();
        engine.close();
        behind.close();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(server.url() + path)).header("Content-Type", "application/json");
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return http.send(request.build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> get(String path) throws Exception {
        return send(request(path));
    }

    private HttpResponse<String> post(String path, String body) throws Exception {
        return send(request(path).POST(BodyPublishers.ofString(body.replace('\'', '"'))));
    }

    private static JsonObject tree(String json) {
        return Json.parseObject(json.getBytes(StandardCharsets.UTF_8), JsonLimits.DEFAULT);
    }

    /** Defines the resource at the other server, and registers that for it with these authorities. */
    private void register(String caBundle) throws Exception {
        try (Server open =
                Server.builder(behind).authentication(false).tls(false).start()) {
            HttpResponse<String> defined = http.send(
                    HttpRequest.newBuilder(
                                    URI.create(open.url() + "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"))
                            .header("Content-Type", "application/json")
                            .POST(BodyPublishers.ofString(DEFINITION.replace('\'', '"')))
                            .build(),
                    BodyHandlers.ofString());
            assertThat(defined.statusCode()).as(defined.body()).isEqualTo(201);
        }
        assertThat(post("/api/v1/namespaces/default/services", SERVICE).statusCode())
                .isEqualTo(201);
        String bundle = Base64.getEncoder().encodeToString(caBundle.getBytes(StandardCharsets.US_ASCII));
        HttpResponse<String> registered =
                post(APIS, API.formatted(bundle, other.url().getPort()));
        assertThat(registered.statusCode()).as(registered.body()).isEqualTo(201);
    }

    private void registerAvailable() throws Exception {
        register(other.caCertificate());
        assertThat(condition(each -> each.string("status").equals("True")).string("reason"))
                .isEqualTo("Passed");
    }

    @Test
    void requestsAreForwardedWithTheNameOfTheirSender() throws Exception {
        registerAvailable();
        senders.clear();
        String thing = "{'apiVersion':'x.io/v1','kind':'Thing','metadata':{'name':'a'},'spec':{'size':1}}";
        HttpResponse<String> created = send(request(THINGS)
                .header("X-Remote-User", "mallory")
                .header("Authorization", "Bearer secret")
                .POST(BodyPublishers.ofString(thing.replace('\'', '"'))));
        assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
        assertThat(senders)
                .filteredOn(sender -> !sender.startsWith("system:kube-aggregator"))
                .containsExactly("admin [system:masters, system:authenticated] null null");
        assertThat(tree(get(THINGS + "/a").body()).integer("spec", "size")).isEqualTo(1);
        assertThat(get(THINGS + "/b").statusCode()).isEqualTo(404);
        assertThat(tree(get(THINGS + "?labelSelector=a%3Db").body()).objects("items"))
                .isEmpty();
    }

    @Test
    void eventsOfWatchesArriveAsTheyHappen() throws Exception {
        registerAvailable();
        HttpResponse<InputStream> watch =
                http.send(request(THINGS + "?watch=true&timeoutSeconds=60").build(), BodyHandlers.ofInputStream());
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(watch.body(), StandardCharsets.UTF_8))) {
            for (String name : List.of("a", "b")) {
                String thing = "{'apiVersion':'x.io/v1','kind':'Thing','metadata':{'name':'" + name + "'}}";
                assertThat(post(THINGS, thing).statusCode()).isEqualTo(201);
                assertThat(tree(lines.readLine()).string("object", "metadata", "name"))
                        .isEqualTo(name);
            }
        }
    }

    @Test
    void watchesOverWebSocketAreForwarded() throws Exception {
        registerAvailable();
        BlockingQueue<String> messages = new LinkedBlockingQueue<>();
        URI uri =
                URI.create(server.url().toString().replace("http:", "ws:") + THINGS + "?watch=true&timeoutSeconds=60");
        WebSocket socket = http.newWebSocketBuilder()
                .buildAsync(uri, new WebSocket.Listener() {
                    @Override
                    public CompletionStage<?> onText(WebSocket webSocket, CharSequence data, boolean last) {
                        messages.add(data.toString());
                        return WebSocket.Listener.super.onText(webSocket, data, last);
                    }
                })
                .get(120, TimeUnit.SECONDS);
        for (String name : List.of("a", "b")) {
            String thing = "{'apiVersion':'x.io/v1','kind':'Thing','metadata':{'name':'" + name + "'}}";
            assertThat(post(THINGS, thing).statusCode()).isEqualTo(201);
            String event = messages.poll(120, TimeUnit.SECONDS);
            assertThat(event).isNotNull();
            assertThat(tree(event).string("object", "metadata", "name")).isEqualTo(name);
        }
        socket.abort();
        String refused = "GET /apis/x.io/v1/namespaces/default/nothings?watch=true HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                + "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
        try (Socket plain = new Socket("127.0.0.1", server.url().getPort())) {
            plain.setSoTimeout(120_000);
            plain.getOutputStream().write(refused.getBytes(StandardCharsets.US_ASCII));
            plain.getOutputStream().flush();
            assertThat(new String(plain.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
                    .isEqualTo("HTTP/1.1 404");
        }
    }

    /** Accepts every client that has a certificate. */
    private static SSLContext anyClient(ServerCertificate certificate) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        X509TrustManager any = new X509TrustManager() {
            @Override
            public void checkClientTrusted(X509Certificate[] chain, String authType) {}

            @Override
            public void checkServerTrusted(X509Certificate[] chain, String authType) {}

            @Override
            public X509Certificate[] getAcceptedIssuers() {
                return new X509Certificate[0];
            }
        };
        context.init(new KeyManager[] {new CertificateKeys(certificate)}, new TrustManager[] {any}, null);
        return context;
    }

    @Test
    void theServerAuthenticatesItselfByACertificate() throws Exception {
        Instant now = Instant.now();
        CertificateAuthority authority = CertificateAuthority.create("test", now, Duration.ofDays(1));
        SSLContext context = anyClient(authority.issue("other", List.of("localhost"), now, Duration.ofDays(1)));
        HttpsServer strict = HttpsServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        BlockingQueue<String> clients = new LinkedBlockingQueue<>();
        strict.setHttpsConfigurator(new HttpsConfigurator(context) {
            @Override
            public void configure(HttpsParameters parameters) {
                SSLParameters ssl = context.getDefaultSSLParameters();
                ssl.setNeedClientAuth(true);
                parameters.setSSLParameters(ssl);
            }
        });
        strict.createContext("/", exchange -> {
            SSLSession session = ((HttpsExchange) exchange).getSSLSession();
            clients.add(session.getPeerPrincipal().getName());
            byte[] list = "{\"kind\":\"APIResourceList\",\"resources\":[]}".getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(200, list.length);
            exchange.getResponseBody().write(list);
            exchange.close();
        });
        strict.start();
        ServerCertificate own = authority.issue("front", List.of("localhost"), now, Duration.ofDays(1));
        try (Engine front = Engine.create();
                Server authenticated = Server.builder(front)
                        .authentication(false)
                        .tls(false)
                        .proxyClientCertificate(own)
                        .start()) {
            String bundle = Base64.getEncoder()
                    .encodeToString(authority.certificatePem().getBytes(StandardCharsets.US_ASCII));
            String api = API.formatted(bundle, strict.getAddress().getPort());
            for (List<String> created :
                    List.of(List.of("/api/v1/namespaces/default/services", SERVICE), List.of(APIS, api))) {
                HttpResponse<String> answer = http.send(
                        HttpRequest.newBuilder(URI.create(authenticated.url() + created.get(0)))
                                .header("Content-Type", "application/json")
                                .POST(BodyPublishers.ofString(created.get(1).replace('\'', '"')))
                                .build(),
                        BodyHandlers.ofString());
                assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
            }
            assertThat(clients.poll(120, TimeUnit.SECONDS)).isEqualTo("CN=front");
        } finally {
            strict.stop(0);
        }
    }

    @Test
    void discoveryShowsTheResourcesOfTheOtherServer() throws Exception {
        registerAvailable();
        assertThat(tree(get("/apis").body()).objects("groups"))
                .anySatisfy(group -> assertThat(group.string("preferredVersion", "groupVersion"))
                        .isEqualTo("x.io/v1"));
        assertThat(tree(get("/apis/x.io").body()).string("name")).isEqualTo("x.io");
        assertThat(tree(get("/apis/x.io/v1").body()).objects("resources"))
                .extracting(each -> each.string("name"))
                .containsExactly("things", "things/status");
        JsonObject all = tree(send(request("/apis")
                        .header("Accept", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"))
                .body());
        JsonObject group = all.objects("items").getLast();
        assertThat(group.string("metadata", "name")).isEqualTo("x.io");
        JsonObject version = group.objects("versions").getFirst();
        assertThat(version.string("freshness")).isEqualTo("Current");
        assertThat(version.objects("resources")).singleElement().satisfies(resource -> {
            assertThat(resource.string("resource")).isEqualTo("things");
            assertThat(resource.string("scope")).isEqualTo("Namespaced");
            assertThat(resource.strings("shortNames")).containsExactly("th");
            assertThat(resource.objects("subresources").getFirst().string("subresource"))
                    .isEqualTo("status");
        });
    }

    @Test
    void openApiShowsTheResourcesOfTheOtherServer() throws Exception {
        registerAvailable();
        String things = "/apis/x.io/v1/namespaces/{namespace}/things";
        String url = tree(get("/openapi/v3").body())
                .object("paths")
                .object("apis/x.io/v1")
                .string("serverRelativeURL");
        assertThat(url).startsWith("/openapi/v3/apis/x.io/v1?hash=");
        HttpResponse<String> third = get(url);
        assertThat(third.statusCode()).isEqualTo(200);
        assertThat(tree(third.body()).object("paths").containsKey(things)).isTrue();
        assertThat(get("/openapi/v3/apis/x.io/v1?hash=other").statusCode()).isEqualTo(301);
        assertThat(tree(get("/openapi/v3").body()).object("paths").containsKey("apis/apps/v1"))
                .isTrue();

        HttpResponse<String> second = get("/openapi/v2");
        JsonObject swagger = Json.parseObject(
                second.body().getBytes(StandardCharsets.UTF_8), new JsonLimits(64 << 20, 500, 64 << 20, 1000, 0));
        assertThat(swagger.object("paths").containsKey(things + "/{name}")).isTrue();
        assertThat(swagger.object("paths").containsKey("/api/v1/namespaces/{namespace}/pods/{name}"))
                .isTrue();
        assertThat(swagger.object("definitions").containsKey("io.x.v1.Thing")).isTrue();
        String etag = second.headers().firstValue("ETag").orElseThrow();
        assertThat(send(request("/openapi/v2").header("If-None-Match", etag)).statusCode())
                .isEqualTo(304);
    }

    @Test
    void aServerThatHasStoppedIsUnavailable() throws Exception {
        registerAvailable();
        other.close();
        assertThat(get(THINGS).statusCode()).isEqualTo(503);
        HttpRequest.Builder touch = HttpRequest.newBuilder(URI.create(server.url() + APIS + "/v1.x.io"))
                .header("Content-Type", "application/merge-patch+json")
                .method("PATCH", BodyPublishers.ofString("{\"metadata\":{\"labels\":{\"a\":\"b\"}}}"));
        assertThat(send(touch).statusCode()).isEqualTo(200);
        JsonObject condition = condition(each -> each.string("status").equals("False"));
        assertThat(condition.string("reason")).isEqualTo("FailedDiscoveryCheck");
        HttpResponse<String> unavailable = get(THINGS);
        assertThat(unavailable.statusCode()).isEqualTo(503);
        assertThat(unavailable.body()).isEqualTo("service unavailable\n");
    }

    @Test
    void aServerWithAnotherCertificateIsUnavailable() throws Exception {
        register(CertificateAuthority.create("stranger", Instant.now(), Duration.ofDays(1))
                .certificatePem());
        JsonObject condition = condition(each -> each.string("reason").equals("FailedDiscoveryCheck"));
        assertThat(condition.string("message")).startsWith("failing or missing response from https://localhost:");
        assertThat(get(THINGS).statusCode()).isEqualTo(503);
        assertThat(senders).isEmpty();
    }

    @Test
    void serversOnOtherMachinesAreNotConnectedTo() throws Exception {
        var service = SERVICE.replace("localhost", "metadata.example.com");
        assertThat(post("/api/v1/namespaces/default/services", service).statusCode())
                .isEqualTo(201);
        assertThat(post(APIS, API.formatted("", 443)).statusCode()).isEqualTo(201);
        assertThat(condition(each -> each.string("status").equals("False")).string("message"))
                .contains("is not on this machine");
    }

    @Test
    void kubectlUsesTheResourcesOfTheOtherServer() throws Exception {
        List<Kubectl> found = Kubectl.found(directory);
        Assumptions.assumeFalse(found.isEmpty(), "no kubectl on the PATH or in EVENKEEL_KUBECTL");
        registerAvailable();
        Kubectl kubectl = found.getLast();
        String unused = kubectl.file("kubeconfig", server.kubeconfig());
        String file = kubectl.file("thing.yaml", "apiVersion: x.io/v1\nkind: Thing\nmetadata: {name: a}\n");
        for (List<String> command : List.of(
                List.of("create", "-f", file),
                List.of("get", "th", "a", "-o", "name"),
                List.of("label", "things.x.io", "a", "b=c"),
                List.of("delete", "thing", "a"))) {
            Kubectl.Result result = kubectl.run(command.toArray(String[]::new));
            assertThat(result.exit()).as(result.toString()).isZero();
            assertThat(result.out()).contains("thing.x.io");
        }
    }

    private JsonObject condition(Predicate<JsonObject> wish) throws IOException, InterruptedException {
        HttpResponse<InputStream> watch = http.send(
                request(APIS + "?watch=true&timeoutSeconds=60&fieldSelector=metadata.name%3Dv1.x.io")
                        .build(),
                BodyHandlers.ofInputStream());
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(watch.body(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                for (JsonObject each : tree(line).object("object").objects("status", "conditions")) {
                    if (wish.test(each)) {
                        return each;
                    }
                }
            }
        }
        throw new AssertionError("no such condition");
    }
}
