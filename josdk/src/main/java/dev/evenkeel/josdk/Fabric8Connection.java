package dev.evenkeel.josdk;

import dev.evenkeel.kubernetes.Connection;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.OAuthTokenProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** Converts the server and user of a fabric8 client to a connection. */
public final class Fabric8Connection {
    private Fabric8Connection() {}

    /**
     * Returns the connection that this configuration describes: its address, its authorities, its client certificate or
     * token. Proxies are ignored.
     *
     * @throws IllegalArgumentException when it has a user with a password, which servers no longer support
     * @throws UncheckedIOException when a file that it names cannot be read
     */
    public static Connection of(Config config) {
        if (present(config.getUsername())) {
            throw new IllegalArgumentException("the configuration has a user with a password, \"" + config.getUsername()
                    + "\": use a token or a client certificate");
        }
        Connection.Builder builder = Connection.to(URI.create(config.getMasterUrl()));
        builder.ca(pem(config.getCaCertData(), config.getCaCertFile()));
        String certificate = pem(config.getClientCertData(), config.getClientCertFile());
        if (!certificate.isEmpty()) {
            builder.clientCertificate(certificate, pem(config.getClientKeyData(), config.getClientKeyFile()));
        }
        OAuthTokenProvider tokens = config.getOauthTokenProvider();
        if (tokens != null) {
            // called each time: the token may change
            builder.tokens(tokens::getToken);
        } else if (present(config.getOauthToken()) || present(config.getAutoOAuthToken())) {
            builder.token(present(config.getOauthToken()) ? config.getOauthToken() : config.getAutoOAuthToken());
        }
        builder.insecure(config.isTrustCerts());
        if (present(config.getNamespace())) {
            builder.namespace(config.getNamespace());
        }
        return builder.build();
    }

    private static boolean present(@Nullable String text) {
        return text != null && !text.isEmpty();
    }

    private static String pem(@Nullable String data, @Nullable String file) {
        if (data != null && !data.isEmpty()) {
            // kubeconfigs have it in Base64, programs often in PEM
            return data.startsWith("-----")
                    ? data
                    : new String(Base64.getMimeDecoder().decode(data), StandardCharsets.UTF_8);
        }
        if (file == null || file.isEmpty()) {
            return "";
        }
        try {
            return Files.readString(Path.of(file));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file + ": " + e, e);
        }
    }
}
