package dev.evenkeel.engine.internal.plugin;

import dev.evenkeel.engine.internal.admission.Write;
import dev.evenkeel.engine.internal.syntax.CertificationRequest;
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
            byte[] request = Base64.getDecoder().decode(write.tree().string("spec", "request"));
            master = isMaster(CertificationRequest.parse(request).subject());
        } catch (IllegalArgumentException | InvalidNameException e) {
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
}
