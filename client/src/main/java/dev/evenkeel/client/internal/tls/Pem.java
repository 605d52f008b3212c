package dev.evenkeel.client.internal.tls;

import java.io.ByteArrayInputStream;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/** Certificates and keys as text. */
public final class Pem {
    private static final String CERTIFICATE = "CERTIFICATE";
    private static final String KEY = "PRIVATE KEY";

    private Pem() {}

    public static String text(X509Certificate certificate) {
        try {
            return block(CERTIFICATE, certificate.getEncoded());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a certificate that was read or made can be written: " + e.getMessage(), e);
        }
    }

    /** Returns the key in PKCS 8. */
    public static String text(PrivateKey key) {
        return block(KEY, key.getEncoded());
    }

    private static String block(String label, byte[] der) {
        return "-----BEGIN " + label + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der)
                + "\n-----END " + label + "-----\n";
    }

    /** Returns all certificates of a text, at least one. */
    public static List<X509Certificate> certificates(String pem) {
        return blocks(pem, CERTIFICATE).stream().map(Pem::certificate).toList();
    }

    static X509Certificate certificate(byte[] der) {
        try {
            Certificate certificate =
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der));
            return (X509Certificate) certificate;
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("no certificate: " + e.getMessage(), e);
        }
    }

    /** Returns the key of a text: EC, PKCS 8. */
    public static PrivateKey key(String pem) {
        try {
            return KeyFactory.getInstance("EC")
                    .generatePrivate(new PKCS8EncodedKeySpec(blocks(pem, KEY).getFirst()));
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("no EC key in PKCS 8: " + e.getMessage(), e);
        }
    }

    private static List<byte[]> blocks(String pem, String label) {
        String begin = "-----BEGIN " + label + "-----";
        String end = "-----END " + label + "-----";
        List<byte[]> blocks = new ArrayList<>();
        int from = pem.indexOf(begin);
        while (from >= 0) {
            int to = pem.indexOf(end, from);
            if (to < 0) {
                throw new IllegalArgumentException("not PEM: \"" + begin + "\" without \"" + end + "\"");
            }
            blocks.add(Base64.getMimeDecoder().decode(pem.substring(from + begin.length(), to)));
            from = pem.indexOf(begin, to);
        }
        if (blocks.isEmpty()) {
            throw new IllegalArgumentException("not PEM: missing \"" + begin + "\"");
        }
        return blocks;
    }
}
