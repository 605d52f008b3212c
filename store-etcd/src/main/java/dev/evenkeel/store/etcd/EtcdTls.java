package dev.evenkeel.store.etcd;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Files for connections to etcd by TLS, all in PEM.
 *
 * @param authority certificates of the authorities that sign those of etcd; empty for those that the Java runtime trusts
 * @param certificate the certificate of this client; empty for none
 * @param key its private key, in PKCS #8; present if and only if there is a certificate
 */
public record EtcdTls(Optional<Path> authority, Optional<Path> certificate, Optional<Path> key) {
    /**
     * Creates the settings.
     *
     * @throws IllegalArgumentException when only one of certificate and key is given
     */
    public EtcdTls {
        if (certificate.isPresent() != key.isPresent()) {
            throw new IllegalArgumentException("certificate and key: both are needed for a client certificate");
        }
    }

    /** Returns settings that trust an authority, without a client certificate. */
    public static EtcdTls trusting(Path authority) {
        return new EtcdTls(Optional.of(authority), Optional.empty(), Optional.empty());
    }

    /** Returns a copy with a client certificate. */
    public EtcdTls client(Path certificateFile, Path keyFile) {
        return new EtcdTls(authority, Optional.of(certificateFile), Optional.of(keyFile));
    }
}
