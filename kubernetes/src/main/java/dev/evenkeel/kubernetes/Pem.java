package dev.evenkeel.kubernetes;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
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
    private static final byte[] VERSION = {2, 1, 0};
    private static final byte[] RSA = {
        0x30, 13, 6, 9, 0x2A, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xF7, 13, 1, 1, 1, 5, 0
    };
    private static final byte[] EC = {6, 7, 0x2A, (byte) 0x86, 0x48, (byte) 0xCE, 0x3D, 2, 1};
    private static final int SEQUENCE = 0x30;
    private static final int OCTETS = 4;
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
                    return key(envelope(der(SEQUENCE, EC, curve(block.content, what)), block.content), what, "EC");
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
        return der(SEQUENCE, VERSION, algorithm, der(OCTETS, key));
    }

    private static byte[] der(int tag, byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(length + 6);
        out.write(tag);
        if (length < 0x80) {
            out.write(length);
        } else {
            int bytes = (39 - Integer.numberOfLeadingZeros(length)) / 8;
            out.write(0x80 | bytes);
            for (int i = bytes - 1; i >= 0; i--) {
                out.write(length >>> (8 * i));
            }
        }
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    /** Returns the curve that a SEC 1 key names: the content of its element [0]. */
    private static byte[] curve(byte[] sec1, String what) {
        int[] at = {0};
        int end = enter(sec1, at, SEQUENCE, what);
        while (at[0] < end) {
            int tag = sec1[at[0]] & 0xFF;
            int stop = enter(sec1, at, tag, what);
            if (tag == CURVE) {
                return java.util.Arrays.copyOfRange(sec1, at[0], stop);
            }
            at[0] = stop;
        }
        throw new IllegalArgumentException(what + ": the EC key does not name its curve; convert it to PKCS#8");
    }

    /** Steps into an element; returns its end. */
    private static int enter(byte[] der, int[] at, int tag, String what) {
        int i = at[0];
        if (i + 2 > der.length || (der[i] & 0xFF) != tag) {
            throw new IllegalArgumentException(what + ": the EC key is damaged");
        }
        int length = der[i + 1] & 0xFF;
        i += 2;
        if (length >= 0x80) {
            int bytes = length & 0x7F;
            length = 0;
            for (int k = 0; k < bytes && i < der.length; k++) {
                length = (length << 8) | (der[i++] & 0xFF);
            }
        }
        if (length < 0 || length > der.length - i) {
            throw new IllegalArgumentException(what + ": the EC key is damaged");
        }
        at[0] = i;
        return i + length;
    }
}
