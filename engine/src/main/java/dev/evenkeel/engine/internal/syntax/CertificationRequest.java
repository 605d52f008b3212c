package dev.evenkeel.engine.internal.syntax;

import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import javax.security.auth.x500.X500Principal;

/**
 * A request for a certificate (PKCS 10, RFC 2986). Its errors are in the words of Go's {@code encoding/asn1} and {@code
 * crypto/x509}.
 *
 * @param subject whom the certificate is to be about
 * @param information what is signed
 * @param key the public key, as a SubjectPublicKeyInfo
 * @param algorithm of the signature: the content of an object identifier, in hexadecimal digits
 * @param signature of the information, by the key
 */
public record CertificationRequest(
        X500Principal subject, byte[] information, byte[] key, String algorithm, byte[] signature) {
    private static final String TYPE = "CERTIFICATE REQUEST";
    private static final int INTEGER = 0x02;
    private static final int BITS = 0x03;
    private static final int IDENTIFIER = 0x06;
    private static final int SEQUENCE = 0x30;
    private static final int LONGEST = 1 << 23;

    /** A way to sign: its name here, the kind of its keys, and the error of a wrong signature. */
    private record Scheme(String name, String keys, String error) {}

    private static final Map<String, Scheme> SCHEMES = Map.of(
            "2a864886f70d010105", rsa("SHA1"),
            "2a864886f70d01010b", rsa("SHA256"),
            "2a864886f70d01010c", rsa("SHA384"),
            "2a864886f70d01010d", rsa("SHA512"),
            "2a8648ce3d040302", ecdsa("SHA256"),
            "2a8648ce3d040303", ecdsa("SHA384"),
            "2a8648ce3d040304", ecdsa("SHA512"),
            "2b6570", new Scheme("Ed25519", "Ed25519", "x509: Ed25519 verification failure"));

    private static Scheme rsa(String digest) {
        return new Scheme(digest + "withRSA", "RSA", "crypto/rsa: verification error");
    }

    private static Scheme ecdsa(String digest) {
        return new Scheme(digest + "withECDSA", "EC", "x509: ECDSA verification failure");
    }

    /** Returns the request of a PEM text; an exception says why it has none. */
    public static CertificationRequest parse(byte[] pem) {
        PemBlock block = PemBlock.first(pem)
                .filter(found -> found.type().equals(TYPE))
                .orElseThrow(() -> new IllegalArgumentException("PEM block type must be " + TYPE));
        ByteBuffer rest = ByteBuffer.wrap(block.content());
        ByteBuffer request = element(rest, SEQUENCE, "certificateRequest");
        if (rest.hasRemaining()) {
            throw syntax("trailing data");
        }
        ByteBuffer whole = request.duplicate();
        ByteBuffer information = element(request, SEQUENCE, "tbsCertificateRequest");
        byte[] signed = bytes(whole, request.position() - whole.position());
        ByteBuffer algorithm = element(request, SEQUENCE, "AlgorithmIdentifier");
        ByteBuffer identifier = element(algorithm, IDENTIFIER, "ObjectIdentifier");
        ByteBuffer signature = element(request, BITS, "BitString");
        element(information, INTEGER, "");
        byte[] subject = whole(information, SEQUENCE, "RawValue");
        byte[] key = whole(information, SEQUENCE, "publicKeyInfo");
        if (!signature.hasRemaining()) {
            throw syntax("zero length BIT STRING");
        }
        return new CertificationRequest(
                new X500Principal(new ByteArrayInputStream(subject)),
                signed,
                key,
                HexFormat.of().formatHex(bytes(identifier, identifier.remaining())),
                bytes(signature.position(signature.position() + 1), signature.remaining()));
    }

    /** Returns why the signature is not that of the key; empty when it is. */
    public Optional<String> wrongSignature() {
        Scheme scheme = SCHEMES.get(algorithm);
        if (scheme == null) {
            return Optional.of("x509: cannot verify signature: algorithm unimplemented");
        }
        try {
            Signature check = Signature.getInstance(scheme.name);
            check.initVerify(KeyFactory.getInstance(scheme.keys).generatePublic(new X509EncodedKeySpec(key)));
            check.update(information);
            return check.verify(signature) ? Optional.empty() : Optional.of(scheme.error);
        } catch (GeneralSecurityException e) {
            return Optional.of(scheme.error);
        }
    }

    private static byte[] whole(ByteBuffer from, int tag, String type) {
        ByteBuffer start = from.duplicate();
        element(from, tag, type);
        return bytes(start, from.position() - start.position());
    }

    private static byte[] bytes(ByteBuffer from, int count) {
        byte[] bytes = new byte[count];
        from.duplicate().get(bytes);
        return bytes;
    }

    /** Returns the content of the next element, and moves behind it. */
    private static ByteBuffer element(ByteBuffer from, int tag, String type) {
        if (!from.hasRemaining()) {
            throw syntax("sequence truncated");
        }
        int start = from.position();
        int found = from.get() & 0xff;
        int length = length(from);
        if (found != tag) {
            throw structure(String.format(
                    Locale.ROOT,
                    "tags don't match (%d vs {class:%d tag:%d length:%d isCompound:%b}) {optional:false explicit:false"
                            + " application:false private:false defaultValue:<nil> tag:<nil> stringType:0 timeType:0"
                            + " set:false omitEmpty:false} %s @%d",
                    tag & 0x1f,
                    found >> 6,
                    found & 0x1f,
                    length,
                    (found & 0x20) != 0,
                    type,
                    from.position() - start));
        }
        if (length > from.remaining()) {
            throw syntax("data truncated");
        }
        ByteBuffer content = from.slice(from.position(), length);
        from.position(from.position() + length);
        return content;
    }

    private static int length(ByteBuffer from) {
        int first = octet(from);
        if (first < 0x80) {
            return first;
        }
        if (first == 0x80) {
            throw syntax("indefinite length found (not DER)");
        }
        int length = 0;
        for (int i = 0; i < (first & 0x7f); i++) {
            int octet = octet(from);
            if (length >= LONGEST) {
                throw structure("length too large");
            }
            length = (length << 8) | octet;
            if (length == 0) {
                throw structure("superfluous leading zeros in length");
            }
        }
        if (length < 0x80) {
            throw structure("non-minimal length");
        }
        return length;
    }

    private static int octet(ByteBuffer from) {
        if (!from.hasRemaining()) {
            throw syntax("truncated tag or length");
        }
        return from.get() & 0xff;
    }

    private static IllegalArgumentException syntax(String reason) {
        return new IllegalArgumentException("asn1: syntax error: " + reason);
    }

    private static IllegalArgumentException structure(String reason) {
        return new IllegalArgumentException("asn1: structure error: " + reason);
    }
}
