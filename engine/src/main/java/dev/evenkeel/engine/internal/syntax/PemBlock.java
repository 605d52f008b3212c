package dev.evenkeel.engine.internal.syntax;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.Optional;

/**
 * A block of a PEM text (RFC 7468). Blocks that cannot be read are passed over, as Go's {@code encoding/pem} does.
 *
 * @param type what its first line names, such as {@code CERTIFICATE}
 * @param headers whether it has any
 * @param content what the block encodes
 * @param rest the text behind the block
 */
public record PemBlock(String type, boolean headers, byte[] content, String rest) {
    private static final String BEGIN = "-----BEGIN ";
    private static final String DASHES = "-----";

    /** Returns the first block of a text. */
    public static Optional<PemBlock> first(byte[] pem) {
        return first(new String(pem, StandardCharsets.ISO_8859_1));
    }

    /** Returns true if the content can be read as X.509 certificates. */
    public boolean isCertificate() {
        try {
            CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(content));
            return content.length > 0;
        } catch (CertificateException e) {
            return false;
        }
    }

    /** Returns the next block. */
    public Optional<PemBlock> next() {
        return first(rest);
    }

    private static Optional<PemBlock> first(String text) {
        for (int begin = begin(text, 0); begin >= 0; begin = begin(text, begin + 1)) {
            int line = text.indexOf('\n', begin);
            if (line < 0) {
                return Optional.empty();
            }
            String first = text.substring(begin, line).stripTrailing();
            if (first.endsWith(DASHES) && first.length() >= BEGIN.length() + DASHES.length()) {
                Optional<PemBlock> block =
                        read(text, first.substring(BEGIN.length(), first.length() - DASHES.length()), line + 1);
                if (block.isPresent()) {
                    return block;
                }
            }
        }
        return Optional.empty();
    }

    private static int begin(String text, int from) {
        int begin = text.indexOf(BEGIN, from);
        while (begin > 0 && text.charAt(begin - 1) != '\n') {
            begin = text.indexOf(BEGIN, begin + 1);
        }
        return begin;
    }

    private static Optional<PemBlock> read(String text, String type, int start) {
        String last = "\n" + DASHES + "END " + type + DASHES;
        int end = text.indexOf(last, start - 1);
        if (end < 0) {
            return Optional.empty();
        }
        boolean headers = false;
        int from = start;
        for (int line = text.indexOf('\n', from); line >= 0 && line < end; line = text.indexOf('\n', from)) {
            if (text.substring(from, line).indexOf(':') < 0) {
                break;
            }
            headers = true;
            from = line + 1;
        }
        String body = text.substring(Math.min(from, Math.max(end, start)), Math.max(end, start));
        try {
            byte[] content = Base64.getDecoder().decode(body.replaceAll("\\s", ""));
            return Optional.of(new PemBlock(type, headers, content, text.substring(end + last.length())));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
