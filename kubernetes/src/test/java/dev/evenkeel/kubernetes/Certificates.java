package dev.evenkeel.kubernetes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.util.Base64;

/** Certificates made for tests, by the JDK's own tool. */
record Certificates(PrivateKey key, KeyStore store, String certificatePem) {
    static final char[] PASSWORD = "changeit".toCharArray();

    static Certificates selfSigned() {
        try {
            Path directory = Files.createTempDirectory("evenkeel-test");
            Path file = directory.resolve("store.p12");
            try {
                Process process = new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "keytool")
                                        .toString(),
                                "-J-XX:TieredStopAtLevel=1",
                                "-J-XX:+UseSerialGC",
                                "-genkeypair",
                                "-keyalg",
                                "EC",
                                "-alias",
                                "a",
                                "-dname",
                                "CN=test",
                                "-ext",
                                "san=ip:127.0.0.1",
                                "-keystore",
                                file.toString(),
                                "-storetype",
                                "PKCS12",
                                "-storepass",
                                new String(PASSWORD))
                        .redirectErrorStream(true)
                        .start();
                byte[] output = process.getInputStream().readAllBytes();
                if (process.waitFor() != 0) {
                    throw new IllegalStateException(new String(output, StandardCharsets.UTF_8));
                }
                KeyStore store = KeyStore.getInstance(file.toFile(), PASSWORD);
                return new Certificates(
                        (PrivateKey) store.getKey("a", PASSWORD),
                        store,
                        pem("CERTIFICATE", store.getCertificate("a").getEncoded()));
            } finally {
                Files.deleteIfExists(file);
                Files.delete(directory);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (GeneralSecurityException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static String pem(String label, byte[] content) {
        return "-----BEGIN " + label + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content) + "\n-----END " + label
                + "-----\n";
    }
}
