package dev.evenkeel.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Listing;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.PatchType;
import dev.evenkeel.client.Status;
import dev.evenkeel.client.StatusCause;
import dev.evenkeel.client.StatusDetails;
import dev.evenkeel.client.Watch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.engine.json.Json;
import dev.evenkeel.engine.json.JsonLimits;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A client over REST, as plain as can be: it shows that outcomes in process are those on the wire. */
final class RestClient implements Client {
    private final HttpClient http = HttpClient.newHttpClient();
    private final URI base;
    private final String fieldManager;

    RestClient(URI base, String fieldManager) {
        this.base = base;
        this.fieldManager = fieldManager;
    }

    @Override
    public <T extends HasMetadata> Optional<T> find(Kind<T> kind, ObjectKey key) {
        try {
            return Optional.of(ModelCodec.decode(
                    send("GET", path(kind, kind.requireName(key)), "", new byte[0]), kind.javaType()));
        } catch (NotFoundException e) {
            if (e.isAbout(kind, key.name())) {
                return Optional.empty();
            }
            throw e;
        }
    }

    @Override
    public <T extends HasMetadata> Listing<T> list(Kind<T> kind, ListOptions options) {
        Map<String, String> query = query(options);
        query.put("resourceVersion", options.resourceVersion());
        query.put("limit", options.limit() == 0 ? "" : Long.toString(options.limit()));
        query.put("continue", options.continueToken());
        byte[] answer = send("GET", path(kind, ObjectKey.of(options.namespace(), "")) + text(query), "", new byte[0]);
        Map<String, @Nullable Object> list = Json.parseObject(answer, JsonLimits.DEFAULT);
        List<T> items = new ArrayList<>();
        for (Object item : Json.asArray(list.get("items"))) {
            Map<String, @Nullable Object> tree = Json.asObject(item);
            tree.put("apiVersion", kind.apiVersion());
            tree.put("kind", kind.kind());
            items.add(ModelCodec.decode(Json.write(tree), kind.javaType()));
        }
        return new Listing<>(
                items, Json.string(list, "metadata", "resourceVersion"), Json.string(list, "metadata", "continue"));
    }

    @Override
    public <T extends HasMetadata> Watch<T> watch(Kind<T> kind, ListOptions options) {
        Map<String, String> query = query(options);
        query.put("resourceVersion", options.resourceVersion());
        query.put("watch", "true");
        query.put("allowWatchBookmarks", "true");
        HttpRequest request = HttpRequest.newBuilder(
                        base.resolve(path(kind, ObjectKey.of(options.namespace(), "")) + text(query)))
                .build();
        HttpResponse<InputStream> response = exchange(request, HttpResponse.BodyHandlers.ofInputStream());
        if (response.statusCode() != 200) {
            try (InputStream body = response.body()) {
                throw refusal(response.statusCode(), body.readAllBytes());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return new RestWatch<>(kind, response.body());
    }

    private record RestWatch<T extends HasMetadata>(Kind<T> kind, InputStream body, BufferedReader lines)
            implements Watch<T> {
        RestWatch(Kind<T> kind, InputStream body) {
            this(kind, body, new BufferedReader(new InputStreamReader(body, UTF_8)));
        }

        @Override
        public Optional<Event<T>> next() {
            String line;
            try {
                line = lines.readLine();
            } catch (IOException e) {
                // closed, here or there
                return Optional.empty();
            }
            if (line == null) {
                return Optional.empty();
            }
            Map<String, @Nullable Object> event = Json.parseObject(line.getBytes(UTF_8), JsonLimits.DEFAULT);
            byte[] object = Json.write(event.get("object"));
            String type = Json.string(event, "type");
            if (type.equals("ERROR")) {
                throw refusal(0, object);
            }
            return Optional.of(new Event<>(
                    Type.valueOf(type),
                    ModelCodec.decode(object, kind.javaType()),
                    Json.string(event, "object", "metadata", "resourceVersion")));
        }

        @Override
        public void close() {
            try {
                body.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Override
    public <T extends HasMetadata> T create(Kind<T> kind, T object, WriteOptions options) {
        String namespace = kind.requireScope(ObjectKey.of(object)).namespace();
        return write("POST", kind, path(kind, ObjectKey.of(namespace, "")), object, options);
    }

    @Override
    public <T extends HasMetadata> T update(Kind<T> kind, T object, WriteOptions options) {
        return write("PUT", kind, path(kind, kind.requireName(ObjectKey.of(object))), object, options);
    }

    @Override
    public <T extends HasMetadata> T updateStatus(Kind<T> kind, T object, WriteOptions options) {
        return write("PUT", kind, path(kind, kind.requireName(ObjectKey.of(object))) + "/status", object, options);
    }

    private <T extends HasMetadata> T write(String method, Kind<T> kind, String path, T object, WriteOptions options) {
        byte[] answer = send(method, path + text(query(options)), "application/json", ModelCodec.encode(object));
        return ModelCodec.decode(answer, kind.javaType());
    }

    @Override
    public <T extends HasMetadata> T patch(Kind<T> kind, ObjectKey key, Patch patch, WriteOptions options) {
        return patch(kind, key, "", patch.type(), patch.bytes(), options);
    }

    @Override
    public <T extends HasMetadata> T patchStatus(Kind<T> kind, ObjectKey key, Patch patch, WriteOptions options) {
        return patch(kind, key, "/status", patch.type(), patch.bytes(), options);
    }

    @Override
    public <T extends HasMetadata> T apply(Kind<T> kind, T object, WriteOptions options) {
        return patch(kind, ObjectKey.of(object), "", PatchType.APPLY, ModelCodec.encode(object), options);
    }

    @Override
    public <T extends HasMetadata> T applyStatus(Kind<T> kind, T object, WriteOptions options) {
        return patch(kind, ObjectKey.of(object), "/status", PatchType.APPLY, ModelCodec.encode(object), options);
    }

    private <T extends HasMetadata> T patch(
            Kind<T> kind, ObjectKey key, String subresource, PatchType type, byte[] body, WriteOptions options) {
        Map<String, String> query = query(options);
        query.put("force", options.force() ? "true" : "");
        String path = path(kind, kind.requireName(key)) + subresource + text(query);
        return ModelCodec.decode(send("PATCH", path, type.mediaType(), body), kind.javaType());
    }

    @Override
    public Replicas scale(Kind<?> kind, ObjectKey key) {
        return replicas(send("GET", path(kind, kind.requireName(key)) + "/scale", "", new byte[0]));
    }

    @Override
    public Replicas scale(Kind<?> kind, ObjectKey key, int replicas, WriteOptions options) {
        return replicas(send(
                "PATCH",
                path(kind, kind.requireName(key)) + "/scale" + text(query(options)),
                PatchType.MERGE.mediaType(),
                ("{\"spec\":{\"replicas\":" + replicas + "}}").getBytes(UTF_8)));
    }

    private static Replicas replicas(byte[] answer) {
        Map<String, @Nullable Object> scale = Json.parseObject(answer, JsonLimits.DEFAULT);
        return new Replicas(
                (int) Json.integer(scale, "spec", "replicas"),
                (int) Json.integer(scale, "status", "replicas"),
                Json.string(scale, "status", "selector"));
    }

    @Override
    public void delete(Kind<?> kind, ObjectKey key, DeleteOptions options) {
        send("DELETE", path(kind, kind.requireName(key)), "application/json", body(options));
    }

    @Override
    public void deleteAll(Kind<?> kind, ListOptions selection, DeleteOptions options) {
        ObjectKey namespace = kind.requireScope(ObjectKey.of(selection.namespace(), ""));
        send("DELETE", path(kind, namespace) + text(query(selection)), "application/json", body(options));
    }

    private static byte[] body(DeleteOptions options) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("apiVersion", "v1");
        tree.put("kind", "DeleteOptions");
        options.propagation()
                .ifPresent(policy -> tree.put(
                        "propagationPolicy",
                        switch (policy) {
                            case ORPHAN -> "Orphan";
                            case BACKGROUND -> "Background";
                            case FOREGROUND -> "Foreground";
                        }));
        Map<String, @Nullable Object> preconditions = new LinkedHashMap<>();
        options.uid().ifPresent(uid -> preconditions.put("uid", uid));
        options.resourceVersion().ifPresent(version -> preconditions.put("resourceVersion", version));
        if (!preconditions.isEmpty()) {
            tree.put("preconditions", preconditions);
        }
        if (options.dryRun()) {
            tree.put("dryRun", List.of("All"));
        }
        return Json.write(tree);
    }

    private static String path(Kind<?> kind, ObjectKey key) {
        return (kind.group().isEmpty() ? "/api/" : "/apis/" + kind.group() + "/")
                + kind.version()
                + (key.namespace().isEmpty() ? "" : "/namespaces/" + key.namespace())
                + "/"
                + kind.plural()
                + (key.name().isEmpty() ? "" : "/" + key.name());
    }

    private static Map<String, String> query(ListOptions options) {
        Map<String, String> query = new LinkedHashMap<>();
        query.put("labelSelector", options.labels().toString());
        query.put("fieldSelector", options.fields().toString());
        return query;
    }

    private Map<String, String> query(WriteOptions options) {
        Map<String, String> query = new LinkedHashMap<>();
        query.put("fieldManager", options.fieldManager().isEmpty() ? fieldManager : options.fieldManager());
        query.put("dryRun", options.dryRun() ? "All" : "");
        return query;
    }

    private static String text(Map<String, String> query) {
        return query.entrySet().stream()
                .filter(entry -> !entry.getValue().isEmpty())
                .map(entry -> entry.getKey() + "=" + URLEncoder.encode(entry.getValue(), UTF_8))
                .collect(Collectors.joining("&", "?", ""));
    }

    private byte[] send(String method, String path, String contentType, byte[] body) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(base.resolve(path)).method(method, HttpRequest.BodyPublishers.ofByteArray(body));
        if (!contentType.isEmpty()) {
            request.header("Content-Type", contentType);
        }
        HttpResponse<byte[]> response = exchange(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        if (response.statusCode() >= 300) {
            throw refusal(response.statusCode(), response.body());
        }
        return response.body();
    }

    private <B> HttpResponse<B> exchange(HttpRequest request, HttpResponse.BodyHandler<B> handler) {
        try {
            return http.send(request, handler);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** The refusal of a Status; what is unknown to the server altogether answers in plain text. */
    private static ApiException refusal(int code, byte[] body) {
        if (body.length == 0 || body[0] != '{') {
            return ApiException.of(Status.of(
                    code,
                    code == 404 ? "NotFound" : "",
                    "the server could not find the requested resource",
                    StatusDetails.EMPTY));
        }
        Map<String, @Nullable Object> status = Json.parseObject(body, JsonLimits.DEFAULT);
        Optional<StatusDetails> details = Json.object(status.get("details")).map(tree -> {
            List<StatusCause> causes = new ArrayList<>();
            if (tree.get("causes") != null) {
                for (Object cause : Json.asArray(tree.get("causes"))) {
                    causes.add(new StatusCause(
                            Json.string(cause, "reason"), Json.string(cause, "message"), Json.string(cause, "field")));
                }
            }
            return new StatusDetails(
                    Json.string(tree, "name"),
                    Json.string(tree, "group"),
                    Json.string(tree, "kind"),
                    Json.string(tree, "uid"),
                    causes,
                    (int) Json.integer(tree, "retryAfterSeconds"));
        });
        return ApiException.of(new Status(
                (int) Json.integer(status, "code"),
                Json.string(status, "reason"),
                Json.string(status, "message"),
                details,
                Json.string(status, "metadata", "continue")));
    }
}
