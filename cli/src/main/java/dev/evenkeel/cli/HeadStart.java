package dev.evenkeel.cli;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import java.util.Locale;
import java.util.Optional;
import org.eclipse.jetty.http.MimeTypes;

/**
 * Begins a part of the start of a server that does not depend on its options, while the main thread reads these and
 * fills the engine.
 *
 * <p>The first key of a certificate lets the JDK calculate a table of points of the curve: a fifth of the time until a
 * server is ready. Jetty's table of media types asks for all locales of the JDK, which takes a tenth. The JVM does both
 * once, and lets a thread that comes later wait for the result.
 */
final class HeadStart {
    private HeadStart() {}

    /** Begins if the arguments start a server; returns the thread. */
    static Optional<Thread> of(String... arguments) {
        return arguments.length > 0 && arguments[0].equals("server")
                ? Optional.of(
                        Thread.ofPlatform().daemon().name("evenkeel-head-start").start(HeadStart::prepare))
                : Optional.empty();
    }

    private static void prepare() {
        prepareKeys();
        boolean _ = MimeTypes.isKnownLocale(Locale.ROOT);
    }

    private static void prepareKeys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            KeyPair _ = generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK cannot make keys: " + e.getMessage(), e);
        }
    }
}
