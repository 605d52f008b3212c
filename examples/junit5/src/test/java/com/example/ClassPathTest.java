package com.example;

import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The API of the tests is in process: no server, no metrics and no certificates are added to the class path. */
class ClassPathTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "org.eclipse.jetty.server.Server",
                "io.micrometer.core.instrument.MeterRegistry",
                "com.nimbusds.jose.JWSObject",
                "org.bouncycastle.cert.X509CertificateHolder"
            })
    void isNotThere(String type) {
        assertThrows(ClassNotFoundException.class, () -> Class.forName(type));
    }
}
