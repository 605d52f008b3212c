package dev.evenkeel.engine.internal;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.Deletion;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.Listing;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.Watch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.engine.internal.admission.Namespaces;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.internal.object.Document;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.object.Reply;
import dev.evenkeel.engine.internal.read.EngineWatch;
import dev.evenkeel.engine.internal.read.ListQuery;
import dev.evenkeel.engine.internal.read.Page;
import dev.evenkeel.engine.internal.read.WatchQuery;
import dev.evenkeel.engine.internal.read.WatchStream;
import dev.evenkeel.engine.internal.type.Requester;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.spi.Authorizer.Attributes;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The client of a partition in the same process.
 *
 * <p>Model objects are encoded and pass through the same verbs as requests over HTTP, so that both accept the same
 * objects and refuse the rest with the same status.
 */
record EngineClient(ResourceApi partition, InstantSource clock, String fieldManager, Requester requester)
        implements Client {
    private static final Logger LOG = LoggerFactory.getLogger(EngineClient.class);

    @Override
    public <T extends HasMetadata> Optional<T> find(Kind<T> kind, ObjectKey key) {
        try {
            return Optional.of(decode(
                    kind, partition.get(permitted("get", target(kind, key, "")), "", requester.user())));
        } catch (NotFoundException e) {
            if (e.isAbout(kind, key.name())) {
                return Optional.empty();
            }
            throw e;
        }
    }

    @Override
    public <T extends HasMetadata> Listing<T> list(Kind<T> kind, ListOptions options) {
        ListQuery query = new ListQuery(
                options.labels(),
                options.fields(),
                options.resourceVersion(),
                "",
                options.limit(),
                options.continueToken());
        Page page = partition.list(permitted("list", kind, options), query, requester.user());
        return new Listing<>(decode(kind, page), Long.toString(page.revision()), page.continueToken());
    }

    @Override
    public <T extends HasMetadata> Watch<T> watch(Kind<T> kind, ListOptions options) {
        boolean initial = options.sendInitialEvents();
        WatchQuery query = new WatchQuery(
                options.labels(),
                options.fields(),
                options.resourceVersion(),
                initial ? "NotOlderThan" : "",
                initial ? Optional.of(true) : Optional.empty(),
                true);
        WatchStream stream = partition.watch(permitted("watch", kind, options), query, requester.user(), () -> {});
        return new EngineWatch<>(kind, stream, clock, options.timeout());
    }

    @Override
    public <T extends HasMetadata> T create(Kind<T> kind, T object, WriteOptions options) {
        Target target = collection(kind, kind.requireScope(ObjectKey.of(object)).namespace());
        return shown(kind, partition.create(permitted("create", target), body(object), write(options)));
    }

    @Override
    public void createSubresource(
            Kind<?> kind, ObjectKey key, String subresource, HasMetadata document, WriteOptions options) {
        Target target = permitted("create", target(kind, key, requireSubresource(subresource)));
        warn(partition.create(target, body(document), write(options)).warnings());
    }

    private static String requireSubresource(String subresource) {
        if (subresource.isEmpty()) {
            throw Refusal.badRequest("subresource: none is given; to create an object, use create");
        }
        return subresource;
    }

    @Override
    public <T extends HasMetadata> T update(Kind<T> kind, T object, WriteOptions options) {
        return put(kind, object, "", options);
    }

    @Override
    public <T extends HasMetadata> T updateStatus(Kind<T> kind, T object, WriteOptions options) {
        return put(kind, object, "status", options);
    }

    private <T extends HasMetadata> T put(Kind<T> kind, T object, String subresource, WriteOptions options) {
        Target target = target(kind, ObjectKey.of(object), subresource);
        return shown(kind, partition.update(permitted("update", target), body(object), write(options)));
    }

    @Override
    public <T extends HasMetadata> T patch(Kind<T> kind, ObjectKey key, Patch patch, WriteOptions options) {
        return patch(kind, target(kind, key, ""), patch, options);
    }

    @Override
    public <T extends HasMetadata> T patchStatus(Kind<T> kind, ObjectKey key, Patch patch, WriteOptions options) {
        return patch(kind, target(kind, key, "status"), patch, options);
    }

    private <T extends HasMetadata> T patch(Kind<T> kind, Target target, Patch patch, WriteOptions options) {
        Body.Format format = patch.type() == Patch.Type.APPLY ? Body.Format.YAML : Body.Format.JSON;
        return shown(
                kind,
                partition.patch(
                        permitted("patch", target), patch.type(), new Body(patch.bytes(), format), write(options)));
    }

    @Override
    public <T extends HasMetadata> T apply(Kind<T> kind, T object, WriteOptions options) {
        return apply(kind, object, "", options);
    }

    @Override
    public <T extends HasMetadata> T applyStatus(Kind<T> kind, T object, WriteOptions options) {
        return apply(kind, object, "status", options);
    }

    private <T extends HasMetadata> T apply(Kind<T> kind, T object, String subresource, WriteOptions options) {
        Target target = target(kind, ObjectKey.of(object), subresource);
        return shown(kind, partition.patch(permitted("patch", target), Patch.Type.APPLY, body(object), write(options)));
    }

    @Override
    public Replicas scale(Kind<?> kind, ObjectKey key) {
        return replicas(partition.get(permitted("get", target(kind, key, "scale")), "", requester.user()));
    }

    @Override
    public Replicas scale(Kind<?> kind, ObjectKey key, int replicas, WriteOptions options) {
        Body body = Body.json("{\"spec\":{\"replicas\":" + replicas + "}}");
        Target target = permitted("patch", target(kind, key, "scale"));
        return replicas(document(partition.patch(target, Patch.Type.MERGE, body, write(options))));
    }

    private static Replicas replicas(Document scale) {
        JsonObject tree = scale.tree();
        return new Replicas(
                (int) tree.integer("spec", "replicas"),
                (int) tree.integer("status", "replicas"),
                tree.string("status", "selector"));
    }

    @Override
    public <T extends HasMetadata> Deletion<T> delete(Kind<T> kind, ObjectKey key, DeleteOptions options) {
        Reply reply = partition.delete(permitted("delete", target(kind, key, "")), delete(options), requester);
        warn(reply.warnings());
        return switch (reply) {
            case Reply.Success success -> new Deletion<>(success.details().uid(), Optional.empty());
            case Reply.Shown shown -> Deletion.of(decode(kind, shown.document()));
        };
    }

    @Override
    public <T extends HasMetadata> List<T> deleteAll(Kind<T> kind, ListOptions selection, DeleteOptions options) {
        ListQuery query = new ListQuery(selection.labels(), selection.fields(), "", "", 0, "");
        String namespace =
                kind.requireScope(ObjectKey.of(selection.namespace(), "")).namespace();
        Target target = permitted("deletecollection", collection(kind, namespace));
        return decode(kind, partition.deleteCollection(target, query, delete(options), requester));
    }

    private static <T extends HasMetadata> List<T> decode(Kind<T> kind, Page page) {
        return page.items().stream().map(document -> decode(kind, document)).toList();
    }

    private static <T extends HasMetadata> T decode(Kind<T> kind, Document document) {
        return ModelCodec.decode(document.json(), kind.javaType());
    }

    /** Returns a target after a check that the user may use a verb on it. */
    private Target permitted(String verb, Target target) {
        return permitted(verb, target, target.name());
    }

    private Target permitted(String verb, Kind<?> kind, ListOptions options) {
        Target target = collection(kind, options.namespace());
        return permitted(
                verb, target, options.fields().exactValue("metadata.name").orElse(""));
    }

    private Target permitted(String verb, Target target, String name) {
        ResourceType type = target.type();
        partition
                .permissions()
                .require(Attributes.ofResource(
                        requester.user(),
                        verb,
                        type.group(),
                        target.version().name(),
                        type.plural(),
                        target.subresource(),
                        type.id().equals(Namespaces.ID) ? name : target.namespace(),
                        name));
        return target;
    }

    private Target target(Kind<?> kind, ObjectKey key, String subresource) {
        kind.requireName(key);
        Target target = resource(kind);
        if (subresource.equals("status") && !target.version().status()) {
            // an unknown path for built-in types, an unknown object for custom resources
            throw target.type().origin() == ResourceType.Origin.CUSTOM
                    ? Refusal.notFound(target.type(), key.name())
                    : Refusal.noSuchResource();
        }
        return new Target(target.type(), target.version(), key.namespace(), key.name(), subresource);
    }

    private Target collection(Kind<?> kind, String namespace) {
        return resource(kind).withName(namespace, "");
    }

    private Target resource(Kind<?> kind) {
        return partition.resource(kind.group(), kind.version(), kind.plural()).orElseThrow(Refusal::noSuchResource);
    }

    private dev.evenkeel.engine.internal.object.WriteOptions write(WriteOptions options) {
        String manager = options.fieldManager().isEmpty() ? fieldManager : options.fieldManager();
        return new dev.evenkeel.engine.internal.object.WriteOptions(
                manager,
                options.dryRun(),
                dev.evenkeel.engine.internal.object.WriteOptions.FieldValidation.WARN,
                options.force(),
                options.fence(),
                requester);
    }

    private static dev.evenkeel.engine.internal.write.DeleteOptions delete(DeleteOptions options) {
        return new dev.evenkeel.engine.internal.write.DeleteOptions(
                options.propagation()
                        .map(value ->
                                dev.evenkeel.engine.internal.write.DeleteOptions.Propagation.valueOf(value.name())),
                Optional.empty(),
                options.gracePeriod()
                        .map(period -> OptionalLong.of(period.toSeconds()))
                        .orElse(OptionalLong.empty()),
                options.uid(),
                options.resourceVersion(),
                options.dryRun(),
                options.fence());
    }

    private static Body body(HasMetadata object) {
        return Body.json(ModelCodec.encode(object));
    }

    private static <T extends HasMetadata> T shown(Kind<T> kind, Reply reply) {
        return decode(kind, document(reply));
    }

    private static Document document(Reply reply) {
        warn(reply.warnings());
        return switch (reply) {
            case Reply.Shown shown -> shown.document();
            case Reply.Success success ->
                throw new IllegalStateException("a write was answered without an object: " + success);
        };
    }

    private static void warn(List<String> warnings) {
        warnings.forEach(warning -> LOG.warn("{}", warning));
    }
}
