package dev.evenkeel.client.internal.tls;

import dev.evenkeel.client.ServerCertificate;
import dev.evenkeel.client.internal.IpLiteral;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * A private certificate authority: EC P-256.
 *
 * <p>The JDK reads certificates but has no public way to create them, so this writes the few structures of RFC 5280
 * that a server certificate consists of; P-256 because such keys are created in a millisecond, RSA keys in hundreds.
 *
 * @param key key that it signs with
 * @param certificate certificate that clients trust
 */
public record CertificateAuthority(PrivateKey key, X509Certificate certificate) {
    private static final byte[] ECDSA_SHA256 = Der.sequence(Der.oid("1.2.840.10045.4.3.2"));

    /** Allows for clock skew: certificates are valid a little before they are issued. */
    private static final Duration CLOCK_SKEW = Duration.ofHours(1);

    /** Returns a new one; its name is for humans. */
    public static CertificateAuthority create(String name, Instant now, Duration life) {
        try {
            KeyPair keys = keys();
            byte[] subject = name(name);
            byte[] certificate = certificate(
                    subject, subject, keys.getPublic(), keys.getPrivate(), now, life, extensions(keys.getPublic()));
            return new CertificateAuthority(keys.getPrivate(), Pem.certificate(certificate));
        } catch (GeneralSecurityException e) {
            throw unable(e);
        }
    }

    /**
     * Reads the texts of {@link #certificatePem} and {@link #keyPem}.
     *
     * @throws IllegalArgumentException when they are malformed
     */
    public static CertificateAuthority of(String certificatePem, String keyPem) {
        return new CertificateAuthority(
                Pem.key(keyPem), Pem.certificates(certificatePem).getFirst());
    }

    /**
     * Returns a certificate for a server, with a key of its own; its name is for humans.
     *
     * @param hosts by which it is reached: names and addresses
     */
    public ServerCertificate issue(String name, Collection<String> hosts, Instant now, Duration life) {
        if (hosts.isEmpty()) {
            throw new IllegalArgumentException("hosts: must have at least one name or address");
        }
        try {
            KeyPair keys = keys();
            byte[] issuer = certificate.getSubjectX500Principal().getEncoded();
            byte[] extensions = extensions(keys.getPublic(), hosts);
            byte[] der = certificate(issuer, name(name), keys.getPublic(), key, now, life, extensions);
            return new ServerCertificate(keys.getPrivate(), List.of(Pem.certificate(der), certificate));
        } catch (GeneralSecurityException e) {
            throw unable(e);
        }
    }

    /**
     * Returns the certificates of a text such as a {@code caBundle}: at least one.
     *
     * @throws IllegalArgumentException when there are none
     */
    public static List<X509Certificate> trusted(String pem) {
        return Pem.certificates(pem);
    }

    /** Returns the certificate that clients trust, such as for a {@code caBundle}. */
    public String certificatePem() {
        return Pem.text(certificate);
    }

    /** Returns the private key, to be kept secret. */
    public String keyPem() {
        return Pem.text(key);
    }

    public Instant ends() {
        return certificate.getNotAfter().toInstant();
    }

    public Instant begins() {
        return certificate.getNotBefore().toInstant();
    }

    /** Returns a text without the key. */
    @Override
    public String toString() {
        return certificate.getSubjectX500Principal() + ", " + begins() + " to " + ends();
    }

    private static IllegalStateException unable(GeneralSecurityException e) {
        return new IllegalStateException("this JDK cannot make certificates: " + e.getMessage(), e);
    }

    private static KeyPair keys() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair();
    }

    private static byte[] certificate(
            byte[] issuer, byte[] name, PublicKey key, PrivateKey signer, Instant now, Duration life, byte[] extensions)
            throws GeneralSecurityException {
        byte[] serial = new byte[16];
        new SecureRandom().nextBytes(serial);
        serial[0] = (byte) ((serial[0] & 0x3F) | 0x40);
        byte[] body = Der.sequence(
                Der.explicit(0, Der.integer(new byte[] {2})),
                Der.integer(serial),
                ECDSA_SHA256,
                issuer,
                Der.sequence(Der.time(now.minus(CLOCK_SKEW)), Der.time(now.plus(life))),
                name,
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

    private static byte[] extensions(PublicKey own) throws GeneralSecurityException {
        return Der.sequence(
                extension("2.5.29.19", true, Der.sequence(Der.bool(true))),
                // keyCertSign and cRLSign
                extension("2.5.29.15", true, Der.tagged(0x03, new byte[] {1, 0x06})),
                extension("2.5.29.14", false, Der.octets(keyId(own))));
    }

    private byte[] extensions(PublicKey server, Collection<String> hosts) throws GeneralSecurityException {
        return Der.sequence(
                extension("2.5.29.19", true, Der.sequence()),
                // digitalSignature
                extension("2.5.29.15", true, Der.tagged(0x03, new byte[] {7, (byte) 0x80})),
                // serverAuth
                extension("2.5.29.37", false, Der.sequence(Der.oid("1.3.6.1.5.5.7.3.1"))),
                extension("2.5.29.14", false, Der.octets(keyId(server))),
                extension("2.5.29.35", false, Der.sequence(Der.tagged(0x80, keyId(certificate.getPublicKey())))),
                extension("2.5.29.17", false, alternativeNames(hosts)));
    }

    private static byte[] extension(String oid, boolean critical, byte[] value) {
        return critical
                ? Der.sequence(Der.oid(oid), Der.bool(true), Der.octets(value))
                : Der.sequence(Der.oid(oid), Der.octets(value));
    }

    private static byte[] alternativeNames(Collection<String> hosts) {
        return Der.sequence(hosts.stream()
                .distinct()
                .map(CertificateAuthority::alternativeName)
                .toArray(byte[][]::new));
    }

    private static byte[] alternativeName(String host) {
        return IpLiteral.parse(host)
                .map(address -> Der.tagged(0x87, address.getAddress()))
                .orElseGet(() -> Der.tagged(0x82, host.getBytes(StandardCharsets.US_ASCII)));
    }

    private static byte[] keyId(PublicKey key) throws GeneralSecurityException {
        return Arrays.copyOf(MessageDigest.getInstance("SHA-256").digest(key.getEncoded()), 20);
    }
}
