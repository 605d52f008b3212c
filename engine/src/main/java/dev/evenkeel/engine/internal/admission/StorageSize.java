package dev.evenkeel.engine.internal.admission;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.engine.internal.builtin.ProtobufFormat;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.object.StoredObject;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.ResourceType.Origin;
import dev.evenkeel.engine.internal.type.Target;
import java.util.Optional;
import java.util.Set;

/**
 * The size of a write as the etcd of a Kubernetes API server counts it.
 *
 * <p>The problem: upstream has no limit of its own for a stored object. Its etcd refuses a request of more than 1.5 MiB,
 * and its client of etcd sends none of more than 2 MiB. Both count the encoded transaction: the object in its storage
 * encoding, which is protobuf for built-in kinds and JSON for definitions, API services and custom resources, and its key
 * in the condition and in each operation. A client that sees an object accepted here must see it accepted there, whatever
 * the store of this engine holds, so the size is calculated rather than measured.
 *
 * <p>Cost: nothing for objects of less than a 32nd of the limit in JSON, which cannot exceed it in another encoding; larger
 * ones of built-in kinds are encoded a second time.
 */
final class StorageSize {
    /** The factor by which an object can be larger than in JSON in another encoding: where it lists empty structs. */
    private static final int LARGEST_GROWTH = 32;

    /** By how much the client's limit exceeds the server's. */
    private static final int CLIENT_EXTRA = 512 * 1024;

    private static final Set<String> GROUPS_IN_JSON = Set.of("apiextensions.k8s.io", "apiregistration.k8s.io");

    /** The header of a request in etcd's log, with its identifier. */
    private static final int HEADER = 3 + 11;

    private StorageSize() {}

    /** Returns whether an object may be larger than the limit; false saves {@link #refusal}. */
    static boolean isSuspect(byte[] json, int limit) {
        return json.length > limit / LARGEST_GROWTH;
    }

    /**
     * Returns why an object cannot be stored; empty if it can.
     *
     * @param object the object in its storage version
     * @param create whether it is new
     */
    static Optional<ApiException> refusal(StoredObject object, Target target, boolean create, int limit) {
        ResourceType type = target.type();
        if (type.origin() == Origin.REGISTERED) {
            int size = object.bytes().length;
            return size > limit
                    ? Optional.of(Refusal.tooLarge("the object takes " + size + " bytes: limit is " + limit))
                    : Optional.empty();
        }
        long transaction = transaction(keyLength(target), value(object.bytes(), type), create);
        if (transaction > (long) limit + CLIENT_EXTRA) {
            return Optional.of(Refusal.internal(
                    "rpc error: code = ResourceExhausted desc = trying to send message larger than max (" + transaction
                            + " vs. " + (limit + CLIENT_EXTRA) + ")"));
        }
        return HEADER + field(transaction) > limit
                ? Optional.of(Refusal.internal("etcdserver: request is too large"))
                : Optional.empty();
    }

    /** Returns the length of the object as upstream stores it. */
    private static long value(byte[] json, ResourceType type) {
        if (type.origin() == Origin.BUILT_IN && !GROUPS_IN_JSON.contains(type.group())) {
            JsonObject tree = Json.parseObject(json, StoredObject.TRUSTED);
            if (ProtobufFormat.covers(tree.string("apiVersion"), tree.string("kind"))) {
                return ProtobufFormat.encode(tree).length;
            }
        }
        long escaped = 1; // the line feed at the end
        for (byte octet : json) {
            if (octet == '<' || octet == '>' || octet == '&') {
                escaped += 5;
            }
        }
        return json.length + escaped;
    }

    private static int keyLength(Target target) {
        ResourceType type = target.type();
        String prefix = type.origin() == Origin.CUSTOM ? type.group() + "/" : "";
        String namespace = target.namespace().isEmpty() ? "" : target.namespace() + "/";
        return ("/registry/" + prefix + type.plural() + "/" + namespace + target.name()).length();
    }

    /** Returns the length of the transaction: a condition, a put, and for a change a read if the condition fails. */
    private static long transaction(long key, long value, boolean create) {
        long condition = 2 + field(key) + (create ? 2 : 5);
        long put = field(field(field(key) + field(value)));
        long read = create ? 0 : field(field(field(key)));
        return field(condition) + put + read;
    }

    /** Returns the length of a field with content of this length: its tag, its length and its content. */
    private static long field(long length) {
        return 1 + (70 - Long.numberOfLeadingZeros(Math.max(1, length))) / 7 + length;
    }
}
