package dev.evenkeel.engine.internal;

import dev.evenkeel.client.Patch;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.Partition;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.access.FlowConfiguration;
import dev.evenkeel.engine.internal.access.Permissions;
import dev.evenkeel.engine.internal.admission.PolicyAdmission;
import dev.evenkeel.engine.internal.admission.RegisteredType;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.internal.object.Document;
import dev.evenkeel.engine.internal.object.Reply;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.read.ListQuery;
import dev.evenkeel.engine.internal.read.Page;
import dev.evenkeel.engine.internal.read.WatchQuery;
import dev.evenkeel.engine.internal.read.WatchStream;
import dev.evenkeel.engine.internal.service.PrivateObjects;
import dev.evenkeel.engine.internal.service.RemoteApis;
import dev.evenkeel.engine.internal.service.ServerConditions;
import dev.evenkeel.engine.internal.type.Requester;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.internal.type.Types;
import dev.evenkeel.engine.internal.write.DeleteOptions;
import dev.evenkeel.engine.spi.Store;
import java.net.URI;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The verbs of the API over encoded bodies.
 *
 * <p>Servers translate their protocol into these calls, and {@link Partition#client(String)} translates model objects.
 * Every refusal is a {@link dev.evenkeel.client.ApiException} with the status that a Kubernetes API server would send.
 */
public interface ResourceApi extends Partition {
    /** Returns the verbs of a partition of an {@link Engine}. */
    static ResourceApi of(Partition partition) {
        return (ResourceApi) partition;
    }

    Types types();

    /** Returns what the program registered for a type; empty for types of other origins. */
    Optional<RegisteredType> registered(ResourceType type);

    /**
     * Returns the resource of a group, version and plural name, also if its definition was established by another engine
     * on the store just now; empty when it is not served.
     */
    Optional<Target> resource(String group, String version, String plural);

    /** Returns why the store cannot be used fully now; empty when it can. */
    Optional<Store.Outage> outage();

    /** Returns the permissions of users. Servers check each request; the verbs only check what depends on content. */
    Permissions permissions();

    /** Returns the flow schemas and priority levels, by which servers limit requests. */
    FlowConfiguration flows();

    /** Returns the API services that other servers serve, by {@code group/version}. */
    Map<String, RemoteApis.Api> remoteApis();

    /** Returns where the server of an API is; empty if its service has no endpoint. */
    Optional<URI> address(RemoteApis.Api api);

    /** Lets the engine ask servers of APIs if they can be used. */
    void probeApis(ServerConditions.Probe probe);

    /**
     * Lets the engine look again at what may change without an event: servers of APIs, and namespaces whose content could
     * not be deleted.
     */
    void recheck();

    /** Returns the objects of the partition that no request can read, such as keys. */
    PrivateObjects privateObjects();

    /** Reads an object; one that the type's own rules hide from the user is not found. */
    Document get(Target target, String resourceVersion, User user);

    /** Lists objects of the target's namespace, or of all, which the type's own rules show to the user. */
    Page list(Target target, ListQuery query, User user);

    /**
     * Watches objects of the target's namespace, or of all; of one object when the target has a name. An object that the
     * type's own rules hide from the user, from then on, is DELETED.
     *
     * @param onReady called, from any thread, when a poll that found nothing may find something; must not block
     */
    WatchStream watch(Target target, WatchQuery query, User user, Runnable onReady);

    /**
     * Asks the policies and webhooks if a user may connect to what an object stands for.
     *
     * @param target names the object and the subresource
     * @param connection the options of the connection, with their kind
     * @return the options, as webhooks have changed them
     */
    PolicyAdmission.Admitted<JsonObject> connect(Target target, JsonObject connection, WriteOptions options);

    /** Creates an object; the target has no name, or the one of the body. */
    Reply create(Target target, Body body, WriteOptions options);

    /** Replaces an object, or the part that a subresource shows. */
    Reply update(Target target, Body body, WriteOptions options);

    /** Changes an object, or the part that a subresource shows. */
    Reply patch(Target target, Patch.Type patchType, Body body, WriteOptions options);

    /**
     * Changes an object by a function from the present object to the wanted one; creates it when there is none.
     *
     * @param wanted receives a copy of the object that may be changed and returned, or null when there is none; called again
     *     when another write was faster
     */
    Reply change(Target target, WriteOptions options, Function<? super @Nullable JsonObject, JsonObject> wanted);

    /** Returns the objects with an owner reference to this uid, in the storage versions of their types, in order. */
    List<Target> dependents(String uid);

    /** Deletes an object. */
    Reply delete(Target target, DeleteOptions options, Requester requester);

    /** Deletes all selected objects, and answers with them as they were. */
    Page deleteCollection(Target target, ListQuery query, DeleteOptions options, Requester requester);

    /**
     * Restores an object in place of an existing one, with its uid, its status, its creation time and its deletion
     * timestamp, if it has them; absent ones are set as by a create. It is validated, but passes no admission, and its
     * namespace need not exist. For backups and tests; not available over HTTP.
     *
     * @param target has no name, or the one of the body
     * @param fieldManager owns the fields of an object without managedFields
     */
    Document restore(Target target, Body body, String fieldManager);

    /**
     * Sets the certificate of the server's authority, in PEM, for pods: namespaces get it in a config map, where they get
     * service accounts.
     */
    void publish(String rootCertificate);

    /** Returns the columns of the table of what the target shows. */
    List<ResourceType.Column> columns(Target target);

    /** Returns the table row of what the target shows. */
    Row row(Target target, JsonObject object);

    /** Returns the order of the rows of tables; empty for that of lists. */
    Optional<Comparator<JsonObject>> rowOrder(ResourceType type, ResourceType.Version version);

    /** Returns the metadata of an object where only that is shown; the tree may be changed. */
    JsonObject partial(Target target, JsonObject metadata);

    /**
     * A row of a table.
     *
     * @param cells one for each column of the version
     * @param conditions such as {@code Completed}, which upstream adds to rows of pods; trees
     */
    record Row(List<@Nullable Object> cells, List<@Nullable Object> conditions) {}

    /**
     * Returns the value derived from the present types under a name, computing it if absent; kept until they change.
     */
    <T> T derived(Object name, Supplier<T> maker);
}
