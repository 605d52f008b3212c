package dev.evenkeel.server;

import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.function.UnaryOperator;

/** A server on a fresh engine, and a client that knows only HTTP. */
public final class Fixture implements AutoCloseable {
    static final String MAPS = "/api/v1/namespaces/default/configmaps";

    final Engine engine = Engine.create();
    final HttpClient http;
    final Server server;

    Fixture(UnaryOperator<Server.Builder> settings, HttpClient http) {
        server = settings.apply(Server.builder(engine)).start();
        this.http = http;
    }

    /** Plain HTTP, everyone is let in. */
    public static Fixture insecure() {
        return insecure(Server.Limits.DEFAULT);
    }

    static Fixture insecure(Server.Limits limits) {
        return new Fixture(
                builder -> builder.authentication(false).tls(false).limits(limits), HttpClient.newHttpClient());
    }

    HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(server.url() + path));
    }

    HttpResponse<String> send(HttpRequest.Builder request) {
        try {
            return http.send(request.build(), BodyHandlers.ofString());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    public HttpResponse<String> get(String path, String... headers) {
        HttpRequest.Builder request = request(path);
        return send(headers.length == 0 ? request : request.headers(headers));
    }

    public HttpResponse<String> send(String method, String path, String contentType, String body) {
        HttpRequest.Builder request = request(path).method(method, HttpRequest.BodyPublishers.ofString(body));
        return send(contentType.isEmpty() ? request : request.header("Content-Type", contentType));
    }

    public HttpResponse<String> post(String path, String body) {
        return send("POST", path, "application/json", body);
    }

    /** Creates a config map with one entry. */
    HttpResponse<String> create(String name) {
        return post(MAPS, configMap(name, "v"));
    }

    static String configMap(String name, String value) {
        return "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"" + name
                + "\"},\"data\":{\"k\":\"" + value + "\"}}";
    }

    public static JsonObject tree(HttpResponse<String> response) {
        return tree(response.body());
    }

    static JsonObject tree(String text) {
        return Json.parseObject(text.getBytes(java.nio.charset.StandardCharsets.UTF_8), JsonLimits.DEFAULT);
    }

    @Override
    public void close() {
        server.close();
        http.close();
        engine.close();
    }
}
