package dev.evenkeel.server;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.ECGenParameterSpec;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * A certificate authority and a server certificate that live as long as the server: EC P-256, in memory only.
 *
 * <p>The JDK reads certificates but has no public way to make them, so this writes the few structures of RFC 5280 that a
 * server certificate consists of; P-256 because such keys are made in a millisecond, RSA keys in hundreds.
 *
 * @param keyStore holds the server's key and chain, under {@link #PASSWORD}
 * @param caPem what clients are to trust
 */
record Certificates(KeyStore keyStore, String caPem) {
    /** Of a key store that never leaves memory. */
    static final String PASSWORD = "memory";

    private static final byte[] ECDSA_SHA256 = Der.sequence(Der.oid("1.2.840.10045.4.3.2"));
    private static final Duration VALIDITY = Duration.ofDays(365);
    private static final Duration CLOCK_SKEW = Duration.ofHours(1);

    /** Certificates for a server that listens on an address. */
    static Certificates create(InetAddress address, Clock clock) {
        try {
            KeyPair ca = keys();
            KeyPair server = keys();
            byte[] caName = name("evenkeel-ca");
            Instant now = clock.instant();
            byte[] caBytes = certificate(caName, caName, ca.getPublic(), ca.getPrivate(), now, caExtensions(ca));
            byte[] serverBytes = certificate(
                    caName,
                    name("evenkeel"),
                    server.getPublic(),
                    ca.getPrivate(),
                    now,
                    serverExtensions(ca, server, address));
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            Certificate caCertificate = factory.generateCertificate(new ByteArrayInputStream(caBytes));
            Certificate certificate = factory.generateCertificate(new ByteArrayInputStream(serverBytes));
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            store.setKeyEntry(
                    "server", server.getPrivate(), PASSWORD.toCharArray(), new Certificate[] {certificate, caCertificate
                    });
            return new Certificates(store, pem(caBytes));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK cannot make certificates: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static KeyPair keys() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair();
    }

    private static byte[] certificate(
            byte[] issuer, byte[] subject, PublicKey key, PrivateKey signer, Instant now, byte[] extensions)
            throws GeneralSecurityException {
        byte[] serial = new byte[16];
        new SecureRandom().nextBytes(serial);
        serial[0] = (byte) ((serial[0] & 0x3F) | 0x40);
        byte[] body = Der.sequence(
                Der.explicit(0, Der.integer(new byte[] {2})),
                Der.integer(serial),
                ECDSA_SHA256,
                issuer,
                Der.sequence(Der.time(now.minus(CLOCK_SKEW)), Der.time(now.plus(VALIDITY))),
                subject,
                key.getEncoded(),
                Der.explicit(3, extensions));
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(signer);
        signature.update(body);
        return Der.sequence(body, ECDSA_SHA256, Der.bits(signature.sign()));
    }

    private static byte[] name(String commonName) {
        return Der.sequence(Der.set(Der.sequence(Der.oid("2.5.4.3"), Der.utf8(commonName))));
    }

    private static byte[] caExtensions(KeyPair ca) throws GeneralSecurityException {
        return Der.sequence(
                extension("2.5.29.19", true, Der.sequence(Der.bool(true))),
                // keyCertSign and cRLSign
                extension("2.5.29.15", true, Der.tagged(0x03, new byte[] {1, 0x06})),
                extension("2.5.29.14", false, Der.octets(keyId(ca))));
    }

    private static byte[] serverExtensions(KeyPair ca, KeyPair server, InetAddress address)
            throws GeneralSecurityException {
        return Der.sequence(
                extension("2.5.29.19", true, Der.sequence()),
                // digitalSignature
                extension("2.5.29.15", true, Der.tagged(0x03, new byte[] {7, (byte) 0x80})),
                // serverAuth
                extension("2.5.29.37", false, Der.sequence(Der.oid("1.3.6.1.5.5.7.3.1"))),
                extension("2.5.29.14", false, Der.octets(keyId(server))),
                extension("2.5.29.35", false, Der.sequence(Der.tagged(0x80, keyId(ca)))),
                extension("2.5.29.17", false, alternativeNames(address)));
    }

    private static byte[] extension(String oid, boolean critical, byte[] value) {
        return critical
                ? Der.sequence(Der.oid(oid), Der.bool(true), Der.octets(value))
                : Der.sequence(Der.oid(oid), Der.octets(value));
    }

    private static byte[] alternativeNames(InetAddress address) {
        Set<InetAddress> addresses = new LinkedHashSet<>();
        addresses.add(InetAddress.ofLiteral("127.0.0.1"));
        addresses.add(InetAddress.ofLiteral("::1"));
        addresses.add(address);
        byte[][] names = new byte[addresses.size() + 1][];
        names[0] = Der.tagged(0x82, "localhost".getBytes(StandardCharsets.US_ASCII));
        int i = 1;
        for (InetAddress each : addresses) {
            names[i++] = Der.tagged(0x87, each.getAddress());
        }
        return Der.sequence(names);
    }

    private static byte[] keyId(KeyPair keys) throws GeneralSecurityException {
        return java.util.Arrays.copyOf(
                MessageDigest.getInstance("SHA-256").digest(keys.getPublic().getEncoded()), 20);
    }

    private static String pem(byte[] der) {
        return "-----BEGIN CERTIFICATE-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der)
                + "\n-----END CERTIFICATE-----\n";
    }
}
