package dev.evenkeel.kubernetes;

import dev.evenkeel.client.internal.tls.Der;
import java.io.ByteArrayInputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Certificates and keys in PEM.
 *
 * <p>The JDK reads keys in PKCS#8. The older forms, PKCS#1 for RSA and SEC 1 for elliptic curves, are the content of
 * PKCS#8: they are put into that envelope, which is a version, the algorithm, and the key as an octet string.
 */
final class Pem {
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \\1-----", Pattern.DOTALL);
    private static final byte[] VERSION = Der.integer(new byte[] {0});
    private static final byte[] NULL = Der.tagged(5);
    private static final byte[] RSA = Der.sequence(Der.oid("1.2.840.113549.1.1.1"), NULL);
    private static final byte[] EC = Der.oid("1.2.840.10045.2.1");
    private static final int SEQUENCE = 0x30;
    private static final int CURVE = 0xA0;

    private record Block(String label, byte[] content) {}

    private Pem() {}

    /** Returns the certificates of a text, at least one. */
    static List<Certificate> certificates(String pem, String what) {
        List<Certificate> certificates = new ArrayList<>();
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            for (Block block : blocks(pem, what)) {
                if (block.label.endsWith("CERTIFICATE")) {
                    certificates.add(factory.generateCertificate(new ByteArrayInputStream(block.content)));
                }
            }
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException(what + ": a certificate cannot be read: " + e.getMessage(), e);
        }
        if (certificates.isEmpty()) {
            throw new IllegalArgumentException(what + ": no -----BEGIN CERTIFICATE----- in it");
        }
        return certificates;
    }

    /** Returns the private key of a text. */
    static PrivateKey privateKey(String pem, String what) {
        for (Block block : blocks(pem, what)) {
            switch (block.label) {
                case "PRIVATE KEY" -> {
                    return key(block.content, what, "RSA", "EC", "Ed25519", "Ed448");
                }
                case "RSA PRIVATE KEY" -> {
                    return key(envelope(RSA, block.content), what, "RSA");
                }
                case "EC PRIVATE KEY" -> {
                    byte[] algorithm = Der.sequence(EC, curve(block.content, what));
                    return key(envelope(algorithm, block.content), what, "EC");
                }
                case "ENCRYPTED PRIVATE KEY" ->
                    throw new IllegalArgumentException(what + ": the key is encrypted; take off its pass phrase");
                default -> {
                    // EC PARAMETERS, a certificate in the same file
                }
            }
        }
        throw new IllegalArgumentException(what
                + ": no private key in it; -----BEGIN PRIVATE KEY-----, RSA PRIVATE KEY and EC PRIVATE KEY are known");
    }

    private static PrivateKey key(byte[] pkcs8, String what, String... algorithms) {
        for (String algorithm : algorithms) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
            } catch (InvalidKeySpecException e) {
                // a key of another algorithm
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
        }
        throw new IllegalArgumentException(what + ": the private key is none of " + String.join(", ", algorithms));
    }

    private static List<Block> blocks(String pem, String what) {
        List<Block> blocks = new ArrayList<>();
        Matcher matcher = BLOCK.matcher(pem);
        while (matcher.find()) {
            String body = matcher.group(2);
            if (body.contains("Proc-Type")) {
                throw new IllegalArgumentException(what + ": the key is encrypted; take off its pass phrase");
            }
            try {
                blocks.add(new Block(
                        matcher.group(1), Base64.getMimeDecoder().decode(body.getBytes(StandardCharsets.US_ASCII))));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(what + ": " + matcher.group(1) + " is not base64", e);
            }
        }
        return blocks;
    }

    private static byte[] envelope(byte[] algorithm, byte[] key) {
        return Der.sequence(VERSION, algorithm, Der.octets(key));
    }

    /** Returns the curve that a SEC 1 key names: the content of its element [0]. */
    private static byte[] curve(byte[] sec1, String what) {
        try {
            ByteBuffer der = ByteBuffer.wrap(sec1);
            if (der.get() == SEQUENCE) {
                for (ByteBuffer key = content(der); key.hasRemaining(); ) {
                    int tag = key.get() & 0xFF;
                    ByteBuffer content = content(key);
                    if (tag == CURVE) {
                        byte[] curve = new byte[content.remaining()];
                        content.get(curve);
                        return curve;
                    }
                }
                throw new IllegalArgumentException(what + ": the EC key does not name its curve; convert it to PKCS#8");
            }
        } catch (BufferUnderflowException | IndexOutOfBoundsException e) {
            // damaged as well
        }
        throw new IllegalArgumentException(what + ": the EC key is damaged");
    }

    /** Passes the length and content of an element, and returns the content. */
    private static ByteBuffer content(ByteBuffer der) {
        int length = der.get() & 0xFF;
        if (length >= 0x80) {
            int bytes = length & 0x7F;
            length = 0;
            for (; bytes > 0; bytes--) {
                length = (length << 8) | (der.get() & 0xFF);
            }
        }
        ByteBuffer content = der.slice(der.position(), length);
        der.position(der.position() + length);
        return content;
    }
}
