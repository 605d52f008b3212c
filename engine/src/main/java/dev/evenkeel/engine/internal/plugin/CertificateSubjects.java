package dev.evenkeel.engine.internal.plugin;

import dev.evenkeel.engine.internal.admission.Write;
import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Set;
import javax.naming.InvalidNameException;
import javax.naming.directory.Attribute;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.security.auth.x500.X500Principal;

/**
 * The plugin CertificateSubjectRestriction: refuses requests for certificates of clients in the group {@code
 * system:masters}, whose rights no role could limit.
 */
record CertificateSubjects() implements Plugin {
    private static final String SIGNER = "kubernetes.io/kube-apiserver-client";
    private static final int SEQUENCE = 0x30;
    private static final int INTEGER = 0x02;

    @Override
    public Set<String> types() {
        return Set.of("certificatesigningrequests.certificates.k8s.io");
    }

    @Override
    public void validate(Write write) {
        if (!Plugin.creates(write) || !write.tree().string("spec", "signerName").equals(SIGNER)) {
            return;
        }
        boolean master;
        try {
            master = isMaster(subject(write.tree().string("spec", "request")));
        } catch (IllegalArgumentException | InvalidNameException | java.nio.BufferUnderflowException e) {
            throw Plugin.refuse(write, "failed to parse CSR: " + e.getMessage());
        }
        if (master) {
            throw Plugin.refuse(write, "use of " + SIGNER + " signer with system:masters group is not allowed");
        }
    }

    private static boolean isMaster(X500Principal subject) throws InvalidNameException {
        for (Rdn part : new LdapName(subject.getName()).getRdns()) {
            Attribute organization = part.toAttributes().get("O");
            if (organization != null && organization.contains("system:masters")) {
                return true;
            }
        }
        return false;
    }

    /** Returns the subject of a request: PEM in Base64, in it a CertificationRequest of RFC 2986. */
    private static X500Principal subject(String request) {
        String pem = new String(Base64.getDecoder().decode(request), StandardCharsets.US_ASCII);
        int begin = pem.indexOf("REQUEST-----");
        int end = pem.indexOf("-----END");
        if (begin < 0 || end < begin) {
            throw new IllegalArgumentException("PEM block type must be CERTIFICATE REQUEST");
        }
        ByteBuffer der =
                ByteBuffer.wrap(Base64.getMimeDecoder().decode(pem.substring(begin + "REQUEST-----".length(), end)));
        var unusedRequest = enter(der, SEQUENCE);
        var unusedInformation = enter(der, SEQUENCE);
        int version = enter(der, INTEGER);
        byte[] rest = new byte[der.remaining() - version];
        der.get(der.position() + version, rest);
        return new X500Principal(new ByteArrayInputStream(rest));
    }

    /** Moves to the content of the next value, and returns its length. */
    private static int enter(ByteBuffer der, int tag) {
        if ((der.get() & 0xff) != tag) {
            throw new IllegalArgumentException("asn1: structure error: tags don't match");
        }
        int length = der.get() & 0xff;
        if (length > 0x80 && length <= 0x83) {
            int octets = length - 0x80;
            length = 0;
            for (int i = 0; i < octets; i++) {
                length = (length << 8) | (der.get() & 0xff);
            }
        }
        if (length > der.remaining()) {
            throw new IllegalArgumentException("asn1: syntax error: data truncated");
        }
        return length;
    }
}
