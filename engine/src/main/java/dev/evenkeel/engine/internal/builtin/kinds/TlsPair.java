package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.syntax.PemBlock;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Checks that a certificate and a key can be read, as Go's TLS library does, up to the form of what they encode. */
final class TlsPair {
    private static final int SEQUENCE = 0x30;
    private static final String CERTIFICATE = "CERTIFICATE";
    private static final String KEY = "PRIVATE KEY";

    private TlsPair() {}

    /**
     * Returns the first problem of a pair; empty if none is found. A key is not read, nor compared with the
     * certificate.
     *
     * @param certificate the certificate and the ones that signed it
     * @param key the private key
     */
    static Optional<String> problem(byte[] certificate, byte[] key) {
        List<PemBlock> certificates = blocks(certificate);
        Optional<PemBlock> first = certificates.stream()
                .filter(block -> block.type().equals(CERTIFICATE))
                .findFirst();
        if (first.isEmpty()) {
            return Optional.of("tls: failed to find " + noCertificate(types(certificates)));
        }
        List<PemBlock> keys = blocks(key);
        Optional<PemBlock> secret =
                keys.stream().filter(block -> isKey(block.type())).findFirst();
        if (secret.isEmpty()) {
            return Optional.of("tls: " + noKey(types(keys)));
        }
        if (!first.get().isCertificate()) {
            return Optional.of("x509: malformed certificate");
        }
        return isSequence(secret.get().content()) ? Optional.empty() : Optional.of("tls: failed to parse private key");
    }

    private static String noCertificate(List<String> types) {
        if (types.isEmpty()) {
            return "any PEM data in certificate input";
        }
        return types.size() == 1 && types.getFirst().endsWith(KEY)
                ? "certificate PEM data in certificate input, but did find a private key; PEM inputs may have been"
                        + " switched"
                : "\"CERTIFICATE\" PEM block in certificate input after skipping PEM blocks of the following types: ["
                        + String.join(" ", types) + "]";
    }

    private static String noKey(List<String> types) {
        if (types.isEmpty()) {
            return "failed to find any PEM data in key input";
        }
        return types.equals(List.of(CERTIFICATE))
                ? "found a certificate rather than a key in the PEM for the private key"
                : "failed to find PEM block with type ending in \"PRIVATE KEY\" in key input after skipping PEM blocks"
                        + " of the following types: [" + String.join(" ", types) + "]";
    }

    private static boolean isKey(String type) {
        return type.equals(KEY) || type.endsWith(" " + KEY);
    }

    private static List<String> types(List<PemBlock> blocks) {
        return blocks.stream().map(PemBlock::type).toList();
    }

    private static List<PemBlock> blocks(byte[] pem) {
        return Stream.iterate(PemBlock.first(pem), Optional::isPresent, block -> block.flatMap(PemBlock::next))
                .flatMap(Optional::stream)
                .toList();
    }

    /** Returns whether bytes may encode a sequence, as every form of a key is. */
    private static boolean isSequence(byte[] bytes) {
        return bytes.length > 2 && bytes[0] == SEQUENCE;
    }
}
