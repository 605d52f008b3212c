package dev.evenkeel.benchmarks;

import dev.evenkeel.client.Manifests;
import dev.evenkeel.client.ModelCodec;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;

/**
 * The objects that caches are filled with: ConfigMaps of 1,160 bytes on the server, a hundred to a namespace, with
 * labels one of which is shared by a hundred objects.
 */
final class Fixture {
    /** The size of each object on the server. */
    static final int BYTES = 1_160;

    /** The label that a hundred objects share. */
    static final String APP = "app";

    /** The annotation with the time at which an object was sent, in nanoseconds of {@link System#nanoTime}. */
    static final String STAMP = "stamp";

    /** The number of objects in a namespace. */
    static final int TOGETHER = 100;

    /** The size of the fields added by a server: uid, version, time and managed fields. */
    private static final int ADDED = 386;

    private Fixture() {}

    /** Returns the metadata of another object, in the default namespace. */
    static ObjectMeta named(String name) {
        return new ObjectMetaBuilder().withNamespace("default").withName(name).build();
    }

    static <T extends HasMetadata> T parse(Class<T> type, String yaml) {
        return ModelCodec.convert(Manifests.parse(yaml).getFirst(), type);
    }

    static String namespace(int number) {
        return "namespace-%04d".formatted(number / TOGETHER);
    }

    /** Returns the value of {@link #APP}; objects of one value are in many namespaces. */
    static String app(int number, int objects) {
        return "app-%04d".formatted(number % Math.max(1, objects / TOGETHER));
    }

    /** Returns an object as it is sent. */
    static byte[] sent(int number, int objects, long stamp) {
        return json(number, objects, stamp, "", BYTES - ADDED);
    }

    /** Returns an object as a server returns it. */
    static byte[] kept(int number, int objects, long version) {
        return json(
                number,
                objects,
                version,
                ",\"uid\":\"00000000-0000-4000-8000-%012d\",\"resourceVersion\":\"%d\"".formatted(number, version)
                        + ",\"creationTimestamp\":\"2026-01-01T00:00:00Z\"",
                BYTES);
    }

    private static byte[] json(int number, int objects, long stamp, String metadata, int bytes) {
        String head =
                "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"" + StoredObjects.name(number)
                        + "\",\"namespace\":\"" + namespace(number) + "\"" + metadata + ",\"labels\":{\"app\":\""
                        + app(number, objects) + "\",\"tier\":\"" + (number % 3 == 0 ? "front" : "back") + "\"},"
                        + "\"annotations\":{\"stamp\":\"%019d\"}},\"data\":{\"text\":\"".formatted(stamp);
        return StoredObjects.padded(head, "\"}}", bytes);
    }
}
