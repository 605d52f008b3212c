package dev.evenkeel.policy.internal.selector;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * The content-addressed names of IP sets. Equal contents have equal names on all hosts and after each restart, without
 * an allocator: a prefix for the kind of content, and the SHA-224 of prefix and content in base64url.
 */
public final class IpSetId {
    private IpSetId() {}

    /** Returns the name of the set of addresses of everything that a selector matches. */
    public static String of(Selector selector) {
        return id("s", selector.text());
    }

    /**
     * Returns the name of the set of addresses with the number of a named port, of everything that a selector matches.
     *
     * @param protocol the protocol, in lower case
     */
    public static String ofNamedPort(Selector selector, String protocol, String port) {
        return id("n", of(selector) + "," + protocol + "," + port);
    }

    /** Returns the name of the set of addresses and ports of a Service. */
    public static String ofService(String namespace, String name) {
        return id("svc", namespace + "/" + name);
    }

    /** Returns the name of the set of addresses of a Service. */
    public static String ofServiceAddresses(String namespace, String name) {
        return id("svcnoport", namespace + "/" + name);
    }

    private static String id(String prefix, String content) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-224")
                    .digest((prefix + ":" + content).getBytes(StandardCharsets.UTF_8));
            return prefix + ":" + Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("SHA-224 is missing in this Java runtime", e);
        }
    }
}
