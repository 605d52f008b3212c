package dev.evenkeel.store.etcd;

import com.google.protobuf.ByteString;
import dev.evenkeel.engine.spi.Store;
import io.etcd.jetcd.api.KeyValue;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys of etcd: {@code /evenkeel/objects/COLLECTION/NAMESPACE/NAME}, such as {@code
 * /evenkeel/objects/default/deployments.apps/shop/web} or, without a namespace, {@code
 * /evenkeel/objects/default/nodes//a}. A percent sign and, in namespaces and names, a slash are escaped as in URLs.
 *
 * @param prefix begins and ends with a slash
 */
record Keys(String prefix) {
    private static final Logger LOG = LoggerFactory.getLogger(Keys.class);

    /** Returns the key that every commit writes: its revision is that of the last commit, whatever else etcd stores. */
    ByteString head() {
        return ByteString.copyFromUtf8(prefix + "head");
    }

    /** Returns the key that engines write to agree on who compacts. */
    ByteString compaction() {
        return ByteString.copyFromUtf8(prefix + "compaction");
    }

    /** Returns the beginning of the keys of all objects. */
    ByteString objects() {
        return ByteString.copyFromUtf8(prefix + "objects/");
    }

    /** Returns the beginning of the keys of a collection, or of one of its namespaces. */
    ByteString objects(String collection, String namespace) {
        String text = prefix + "objects/" + collection.replace("%", "%25") + "/";
        return ByteString.copyFromUtf8(namespace.isEmpty() ? text : text + escape(namespace) + "/");
    }

    ByteString of(Store.Key key) {
        return ByteString.copyFromUtf8(prefix + "objects/" + key.collection().replace("%", "%25") + "/"
                + escape(key.namespace()) + "/" + escape(key.name()));
    }

    /**
     * Returns the key of an object.
     *
     * @throws IllegalArgumentException when etcd's key is not one of an object
     */
    Store.Key parse(ByteString key) {
        String text = key.toStringUtf8();
        int begin = prefix.length() + "objects/".length();
        int name = text.lastIndexOf('/');
        int namespace = name < begin ? -1 : text.lastIndexOf('/', name - 1);
        if (namespace < begin) {
            throw new IllegalArgumentException("the key " + text + " is not one of an object");
        }
        return new Store.Key(
                text.substring(begin, namespace).replace("%25", "%"),
                unescape(text.substring(namespace + 1, name)),
                unescape(text.substring(name + 1)));
    }

    /** Returns the key of an object; empty when another program wrote the key, and it is none. */
    Optional<Store.Key> find(KeyValue stored) {
        try {
            return Optional.of(parse(stored.getKey()));
        } catch (IllegalArgumentException e) {
            LOG.error("a key of etcd is ignored: {}; delete it with etcdctl", e.getMessage());
            return Optional.empty();
        }
    }

    /** Returns the key after all keys with a prefix. */
    static ByteString end(ByteString prefix) {
        return prefix.substring(0, prefix.size() - 1).concat(ByteString.copyFrom(new byte[] {
            (byte) (prefix.byteAt(prefix.size() - 1) + 1) // of a slash
        }));
    }

    private static String escape(String text) {
        return text.indexOf('%') < 0 && text.indexOf('/') < 0
                ? text
                : text.replace("%", "%25").replace("/", "%2F");
    }

    private static String unescape(String text) {
        return text.indexOf('%') < 0 ? text : text.replace("%2F", "/").replace("%25", "%");
    }
}
