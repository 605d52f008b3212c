package dev.evenkeel.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.evenkeel.client.internal.tls.CertificateAuthority;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.HttpAdmissionCaller;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;

/** A conversion webhook that the server calls over HTTPS. */
class ConversionWebhookTest {
    private static final String VERSION = """
            {'name':'%s','served':true,'storage':%s,'schema':{'openAPIV3Schema':{'type':'object','properties':{
             'spec':{'type':'object','properties':{'%s':{'type':'string'}}}}}}}""";

    private final List<String> asked = new CopyOnWriteArrayList<>();

    private HttpsServer webhook(CertificateAuthority authority) throws Exception {
        var certificate = authority.issue("webhook", List.of("localhost"), Instant.now(), Duration.ofDays(1));
        KeyStore keys = KeyStore.getInstance("PKCS12");
        keys.load(null, null);
        keys.setKeyEntry(
                "key", certificate.key(), new char[0], certificate.chain().toArray(Certificate[]::new));
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, new char[0]);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.createContext("/convert", exchange -> {
            try (exchange) {
                JsonObject request = Fixture.tree(
                                new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8))
                        .object("request");
                asked.add(request.string("desiredAPIVersion") + " "
                        + exchange.getRequestURI().getQuery());
                byte[] answer = answer(request).getBytes(StandardCharsets.UTF_8);
                exchange.sendResponseHeaders(200, answer.length);
                exchange.getResponseBody().write(answer);
            }
        });
        server.start();
        return server;
    }

    private static String answer(JsonObject request) {
        JsonObject object = request.objects("objects").getFirst();
        boolean up = request.string("desiredAPIVersion").endsWith("v2");
        String spec = "{'" + (up ? "two" : "one") + "':'" + object.string("spec", up ? "one" : "two") + "'}";
        JsonObject metadata = object.object("metadata");
        return """
                {'apiVersion':'apiextensions.k8s.io/v1','kind':'ConversionReview','response':{'uid':'%s',
                 'result':{'status':'Success'},'convertedObjects':[{'apiVersion':'%s','kind':'Thing',
                 'metadata':{'name':'%s','namespace':'default','uid':'%s'},'spec':%s}]}}""".formatted(
                        request.string("uid"),
                        request.string("desiredAPIVersion"),
                        metadata.string("name"),
                        metadata.string("uid"),
                        spec)
                .replace('\'', '"');
    }

    private static HttpResponse<String> send(HttpClient http, Server server, String method, String path, String body)
            throws Exception {
        return http.send(
                HttpRequest.newBuilder(URI.create(server.url() + path))
                        .timeout(Duration.ofSeconds(30))
                        .header("Content-Type", "application/json")
                        .method(method, BodyPublishers.ofString(body.replace('\'', '"')))
                        .build(),
                BodyHandlers.ofString());
    }

    @Test
    void objectsAreConvertedOverHttpsOrRefused() throws Exception {
        CertificateAuthority authority = CertificateAuthority.create("test", Instant.now(), Duration.ofDays(1));
        HttpsServer webhook = webhook(authority);
        try (Engine engine = Engine.builder()
                        .webhooks(HttpAdmissionCaller.loopback())
                        .build();
                Server server =
                        Server.builder(engine).authentication(false).tls(false).start();
                HttpClient http = HttpClient.newHttpClient()) {
            String url = "https://localhost:" + webhook.getAddress().getPort() + "/convert";
            String bundle = Base64.getEncoder()
                    .encodeToString(authority.certificatePem().getBytes(StandardCharsets.US_ASCII));
            String definition = """
                    {'apiVersion':'apiextensions.k8s.io/v1','kind':'CustomResourceDefinition',
                     'metadata':{'name':'things.x.io'},'spec':{'group':'x.io','scope':'Namespaced',
                     'names':{'plural':'things','kind':'Thing'},'versions':[%s,%s],
                     'conversion':{'strategy':'Webhook','webhook':{'conversionReviewVersions':['v1'],
                      'clientConfig':{'url':'%s','caBundle':'%s'}}}}}""".formatted(
                            VERSION.formatted("v1", true, "one"), VERSION.formatted("v2", false, "two"), url, bundle);
            var defined =
                    send(http, server, "POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition);
            assertThat(defined.statusCode()).as(defined.body()).isEqualTo(201);
            String old = "/apis/x.io/v1/namespaces/default/things";
            String thing = "{'apiVersion':'x.io/v1','kind':'Thing','metadata':{'name':'a'},'spec':{'one':'x'}}";
            assertThat(send(http, server, "POST", old, thing).statusCode()).isEqualTo(201);
            String path = old.replace("v1", "v2");
            assertThat(Fixture.tree(send(http, server, "GET", path + "/a", "")).string("spec", "two"))
                    .isEqualTo("x");
            assertThat(asked).containsExactly("x.io/v2 timeout=30s");
            JsonObject list = Fixture.tree(send(http, server, "GET", path, ""));
            assertThat(list.objects("items"))
                    .singleElement()
                    .satisfies(item -> assertThat(item.string("spec", "two")).isEqualTo("x"));
            webhook.stop(0);
            for (String each : List.of(path, path + "/a")) {
                HttpResponse<String> refused = send(http, server, "GET", each, "");
                assertThat(refused.statusCode()).as(refused.body()).isEqualTo(500);
                assertThat(Fixture.tree(refused).string("message"))
                        .startsWith("conversion webhook for x.io/v1, Kind=Thing failed: Post \"" + url
                                + "?timeout=30s\": ");
            }
            assertThat(send(http, server, "GET", old + "/a", "").statusCode()).isEqualTo(200);
        } finally {
            webhook.stop(0);
        }
    }
}
