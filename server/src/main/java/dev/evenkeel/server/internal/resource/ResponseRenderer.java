package dev.evenkeel.server.internal.resource;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.builtin.ProtobufFormat;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Document;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.read.Page;
import dev.evenkeel.engine.internal.type.ObjectMeta;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.ResourceType.Origin;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.server.internal.http.Encoding;
import dev.evenkeel.server.internal.http.Failures;
import dev.evenkeel.server.internal.http.HttpExchange;
import dev.evenkeel.server.internal.http.Query;
import dev.evenkeel.server.internal.http.Representation;
import dev.evenkeel.server.internal.http.ResponseStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Renders objects and lists of one resource in the requested form.
 *
 * <p>Whole objects as compact JSON are the common case: their bytes are copied without creating a tree. All other forms
 * are rendered from trees, object by object, so that every form of a list needs only the memory of one object in
 * addition to the buffers; except YAML and indented JSON, which only programs for humans request.
 */
public final class ResponseRenderer {
    /** The part of an object that a row of a table includes in addition to the cells. */
    private enum Include {
        NONE,
        METADATA,
        OBJECT
    }

    private static final Set<String> POSTED = Set.of("binding", "eviction", "token");

    private final ResourceApi partition;
    private final Target target;
    private final Representation form;
    private final Include include;

    /** Creates a renderer; refuses a form that the resource does not have. */
    public ResponseRenderer(ResourceApi partition, Target target, Representation form, Query query) {
        this.partition = partition;
        this.target = target;
        this.form = form;
        String text = query.first("includeObject");
        include = switch (text) {
            case "None" -> Include.NONE;
            case "Object" -> Include.OBJECT;
            default -> Include.METADATA;
        };
        if (table() && !List.of("", "Metadata", "None", "Object").contains(text)) {
            throw Refusal.badRequest("Unable to convert to Table as requested: includeObject: Invalid value: "
                    + Failures.quoted(text) + ": must be 'Metadata', 'Object', 'None', or empty");
        }
    }

    /** Returns the forms in which a resource can be shown. */
    public static Representation.Available available(Target target) {
        boolean builtIn = target.type().origin() == Origin.BUILT_IN
                || target.subresource().equals("scale");
        // what is posted to pods and service accounts, such as an Eviction, has no table either
        boolean posted = POSTED.contains(target.subresource());
        return new Representation.Available(
                !target.type().listKind().isEmpty() && !posted,
                builtIn,
                target.type().origin() != Origin.CUSTOM);
    }

    public Encoding encoding() {
        return form.encoding();
    }

    /** Returns a value that distinguishes encodings of the same object: equal for equal forms. */
    public Object identity() {
        return table() ? List.of(form, include) : form;
    }

    /** Returns true if the objects of events are sent unchanged; events are never indented. */
    public boolean plainEvents() {
        return form.shape() == Representation.Shape.OBJECT;
    }

    /**
     * Returns a bookmark in this form: the row of a table shows the bookmark like any object.
     *
     * @param headers true to give a table its headings
     */
    public JsonObject bookmarkTree(JsonObject object, boolean headers) {
        return switch (form.shape()) {
            case OBJECT -> object;
            case PARTIAL, PARTIAL_LIST -> partial(object);
            case TABLE -> tableTree(object, headers);
        };
    }

    /** Returns an object reduced to its metadata. */
    private JsonObject partial(JsonObject object) {
        JsonObject metadata =
                object.findObject("metadata").map(ObjectMeta::inOrder).orElseGet(JsonObject::new);
        return JsonObject.of(
                "kind",
                "PartialObjectMetadata",
                "apiVersion",
                metaVersion(),
                "metadata",
                partition.partial(target, metadata));
    }

    private String metaVersion() {
        return "meta.k8s.io/" + form.metaVersion();
    }

    public boolean table() {
        return form.shape() == Representation.Shape.TABLE;
    }

    /** Returns true if objects are sent unchanged. */
    private boolean plain(HttpExchange call) {
        return plainEvents() && encoding() == Encoding.JSON && !call.pretty();
    }

    public void object(HttpExchange call, int status, Document document) {
        if (call.audit().wantsResponse() && (plain(call) || encoding() == Encoding.PROTOBUF)) {
            call.audit()
                    .response(objectTree(document, true)); // other answers are rendered from a tree, and recorded there
        }
        if (plain(call)) {
            call.reply(status, HttpExchange.JSON, document.json());
        } else if (encoding() == Encoding.PROTOBUF) {
            call.reply(status, encoding().mediaType(), protobuf(document));
        } else {
            call.reply(status, objectTree(document, true), encoding());
        }
    }

    /** Returns one object in this form; of a table, one row. */
    public JsonObject objectTree(Document document, boolean headers) {
        return switch (form.shape()) {
            case OBJECT -> document.tree();
            case PARTIAL -> partial(document.tree());
            case TABLE -> tableTree(document.tree(), headers);
            case PARTIAL_LIST ->
                throw notAcceptable(
                        "you requested PartialObjectMetadataList, but the requested object is not a list", kind());
        };
    }

    private JsonObject tableTree(JsonObject object, boolean headers) {
        String version = object.string("metadata", "resourceVersion");
        return tableHead(JsonObject.of("resourceVersion", version), headers).set("rows", List.of(row(object)));
    }

    private static ApiException notAcceptable(String message, String type) {
        return Failures.of(406, "NotAcceptable", message + " (*" + type + ")");
    }

    /** Returns the name of upstream's internal type. */
    private String kind() {
        ResourceType type = target.type();
        if (target.subresource().equals("scale")) {
            return type.origin() == Origin.BUILT_IN ? "autoscaling.Scale" : "v1.Scale";
        }
        if (type.origin() == Origin.CUSTOM) {
            return "unstructured.Unstructured";
        }
        int dot = type.group().indexOf('.');
        String group = dot < 0 ? type.group() : type.group().substring(0, dot);
        return (group.isEmpty() ? "core" : group) + "." + type.kind();
    }

    private JsonObject tableHead(JsonObject metadata, boolean headers) {
        return JsonObject.of("kind", "Table", "apiVersion", metaVersion())
                .set("metadata", metadata)
                .set("columnDefinitions", headers ? columns() : null);
    }

    private List<JsonObject> columns() {
        return partition.columns(target).stream()
                .map(column -> JsonObject.of("name", column.name(), "type", column.type())
                        .set("format", column.format())
                        .set("description", column.description())
                        .set("priority", (long) column.priority()))
                .toList();
    }

    private JsonObject row(JsonObject object) {
        ResourceApi.Row shown = partition.row(target, object);
        JsonObject row = JsonObject.of("cells", shown.cells()).setUnlessEmpty("conditions", shown.conditions());
        return row.set(
                "object",
                switch (include) {
                    case NONE -> null;
                    case METADATA -> partial(object);
                    case OBJECT -> object;
                });
    }

    public void page(HttpExchange call, Page found) {
        Page page = ordered(found);
        if (form.shape() == Representation.Shape.PARTIAL) {
            throw notAcceptable(
                    "you requested PartialObjectMetadata, but the requested object is a list", kind() + "List");
        }
        boolean protobuf = encoding() == Encoding.PROTOBUF;
        if (encoding() == Encoding.YAML || (call.pretty() && !protobuf)) {
            call.reply(200, pageTree(page), encoding());
            return;
        }
        if (call.audit().wantsResponse()) {
            call.audit().response(pageTree(page));
        }
        try {
            ResponseStream out = new ResponseStream(call, encoding().mediaType());
            if (protobuf) {
                List<? extends Document> items = page.items();
                ProtobufFormat.writeList(out, pageHead(page), items.size(), i -> message(items.get(i)));
            } else {
                write(out, page);
            }
            out.finish();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns a list in the order in which it is shown. */
    private Page ordered(Page page) {
        Optional<Comparator<JsonObject>> order =
                table() ? partition.rowOrder(target.type(), target.version()) : Optional.empty();
        if (order.isEmpty()) {
            return page;
        }
        List<? extends Document> rows = page.items().stream()
                .sorted(Comparator.comparing(Document::tree, order.get()))
                .toList();
        return new Page(rows, page.revision(), page.continueToken(), page.remaining());
    }

    /** Returns one object in this form, as a body in protobuf. */
    public byte[] protobuf(Document document) {
        // what is not stored may be of another kind: a Scale, a TokenRequest
        return plainEvents() && document.stored().isPresent()
                ? ProtobufFormat.encode(
                        target.apiVersion(), target.type().kind(), messages().get(document))
                : ProtobufFormat.encode(objectTree(document, false));
    }

    private MessageCache messages() {
        return partition.derived(MessageCache.class, MessageCache::new);
    }

    /** Returns an item of a list in protobuf. */
    private byte[] message(Document document) {
        return plainEvents() ? messages().get(document) : ProtobufFormat.message(partial(document.tree()));
    }

    private void write(OutputStream out, Page page) throws IOException {
        JsonObject head = pageHead(page);
        boolean sorted = sortedKeys();
        String items = itemsKey();
        head.remove(items);
        StringBuilder before = new StringBuilder("{");
        StringBuilder after = new StringBuilder();
        for (Map.Entry<String, @Nullable Object> entry : head.entrySet()) {
            boolean goesBefore = !sorted || entry.getKey().compareTo(items) < 0;
            StringBuilder side = goesBefore ? before : after;
            String member = '"' + entry.getKey() + "\":" + Json.text(entry.getValue());
            side.append(goesBefore ? member + "," : "," + member);
        }
        if (page.items().isEmpty() && form.shape() == Representation.Shape.PARTIAL_LIST) {
            out.write(utf8(before + "\"" + items + "\":null" + after + "}"));
            return;
        }
        out.write(utf8(before + "\"" + items + "\":["));
        for (int i = 0; i < page.items().size(); i++) {
            if (i > 0) {
                out.write(COMMA);
            }
            Document document = page.items().get(i);
            if (form.shape() == Representation.Shape.OBJECT) {
                document.writeTo(out, custom());
            } else {
                out.write(Json.write(item(document)));
            }
        }
        out.write(utf8("]" + after + "}"));
    }

    private static final byte[] COMMA = {','};

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private String itemsKey() {
        return table() ? "rows" : "items";
    }

    private boolean custom() {
        return target.type().origin() != Origin.BUILT_IN;
    }

    private boolean sortedKeys() {
        return form.shape() == Representation.Shape.OBJECT && custom();
    }

    private JsonObject item(Document document) {
        return switch (form.shape()) {
            case TABLE -> row(document.tree());
            case PARTIAL_LIST -> partial(document.tree());
            case OBJECT, PARTIAL -> {
                JsonObject tree = document.tree();
                if (!custom()) {
                    tree.remove("kind");
                    tree.remove("apiVersion");
                }
                yield tree;
            }
        };
    }

    private JsonObject pageTree(Page page) {
        JsonObject tree = pageHead(page);
        List<JsonObject> items = page.items().stream().map(this::item).toList();
        tree.put(itemsKey(), items.isEmpty() && form.shape() == Representation.Shape.PARTIAL_LIST ? null : items);
        return tree;
    }

    /** Returns the list without its items, in the order in which upstream writes it. */
    private JsonObject pageHead(Page page) {
        JsonObject metadata = new JsonObject();
        String version = Long.toString(page.revision());
        // what is made for the request is of no revision
        boolean stored = page.revision() != 0;
        if (stored && !sortedKeys()) {
            metadata.put("resourceVersion", version);
        }
        // upstream's custom resource lists have an empty continue token at the end, its typed lists omit it
        if (!page.continueToken().isEmpty() || sortedKeys()) {
            metadata.put("continue", page.continueToken());
        }
        if (page.remaining().orElse(0) > 0) {
            metadata.put("remainingItemCount", page.remaining().getAsLong());
        }
        if (stored) {
            metadata.putIfAbsent("resourceVersion", version);
        }
        if (table()) {
            return tableHead(metadata, true);
        }
        boolean partial = form.shape() == Representation.Shape.PARTIAL_LIST;
        String kind = partial ? "PartialObjectMetadataList" : target.type().listKind();
        String apiVersion = partial ? metaVersion() : target.apiVersion();
        JsonObject tree = sortedKeys()
                ? JsonObject.of("apiVersion", apiVersion, "items", null, "kind", kind)
                : JsonObject.of("kind", kind, "apiVersion", apiVersion);
        return tree.set("metadata", metadata);
    }
}
