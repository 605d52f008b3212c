package dev.evenkeel.access.internal;

import dev.evenkeel.client.internal.tls.CertificateAuthority;
import dev.evenkeel.engine.User;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;

/** Authenticates users by client certificates: the common name is the user, the organisations are the groups. */
final class ClientCertificates {
    private static final List<String> CLIENT_USAGES = List.of("1.3.6.1.5.5.7.3.2", "2.5.29.37.0");

    private final Set<TrustAnchor> anchors;
    private final InstantSource clock;

    /**
     * Trusts the authorities of a text.
     *
     * @throws IllegalArgumentException when it contains no certificate
     */
    ClientCertificates(String caPem, InstantSource clock) {
        anchors = CertificateAuthority.trusted(caPem).stream()
                .map(certificate -> new TrustAnchor(certificate, null))
                .collect(Collectors.toUnmodifiableSet());
        this.clock = clock;
    }

    /** Returns the user of a chain; empty when it is not valid now for clients, or names no user. */
    Optional<User> user(List<X509Certificate> chain) {
        if (chain.isEmpty() || !verified(chain)) {
            return Optional.empty();
        }
        try {
            return user(chain.getFirst());
        } catch (InvalidNameException | GeneralSecurityException e) {
            return Optional.empty();
        }
    }

    private boolean verified(List<X509Certificate> chain) {
        try {
            List<String> usages = chain.getFirst().getExtendedKeyUsage();
            if (usages != null && usages.stream().noneMatch(CLIENT_USAGES::contains)) {
                return false;
            }
            PKIXParameters parameters = new PKIXParameters(anchors);
            parameters.setRevocationEnabled(false);
            parameters.setDate(Date.from(clock.instant()));
            List<X509Certificate> path = new ArrayList<>(chain);
            path.removeIf(
                    certificate -> anchors.stream().anyMatch(anchor -> certificate.equals(anchor.getTrustedCert())));
            CertPathValidator.getInstance("PKIX")
                    .validate(CertificateFactory.getInstance("X.509").generateCertPath(path), parameters);
            return !path.isEmpty();
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    private static Optional<User> user(X509Certificate certificate)
            throws InvalidNameException, GeneralSecurityException {
        String name = "";
        List<String> groups = new ArrayList<>();
        for (Rdn rdn : new LdapName(certificate.getSubjectX500Principal().getName()).getRdns()) {
            if (rdn.getType().equalsIgnoreCase("CN")) {
                name = String.valueOf(rdn.getValue());
            } else if (rdn.getType().equalsIgnoreCase("O")) {
                groups.add(String.valueOf(rdn.getValue()));
            }
        }
        if (name.isEmpty()) {
            return Optional.empty();
        }
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
        String id = "X509SHA256=" + HexFormat.of().formatHex(digest);
        return Optional.of(new User(name, "", groups, Map.of("authentication.kubernetes.io/credential-id", List.of(id)))
                .authenticated());
    }
}
