package dev.evenkeel.store.etcd;

import java.net.URI;
import java.net.URISyntaxException;

/** The address of a member of etcd. */
record Endpoint(String host, int port, boolean tls) {
    private static final int DEFAULT_PORT = 2379;

    /**
     * Parses {@code http://host:port}, {@code https://host:port} or {@code host:port}; the port may be absent.
     *
     * @throws IllegalArgumentException when the text is none of these
     */
    static Endpoint parse(String text) {
        try {
            URI uri = new URI(text.contains("://") ? text : "http://" + text);
            boolean known = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
            boolean bare = uri.getPath().isEmpty() || uri.getPath().equals("/");
            if (known && bare && uri.getHost() != null && uri.getUserInfo() == null && uri.getQuery() == null) {
                return new Endpoint(
                        uri.getHost(),
                        uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort(),
                        uri.getScheme().equals("https"));
            }
        } catch (URISyntaxException e) {
            // refused below
        }
        throw new IllegalArgumentException("endpoint \"" + text
                + "\": must be http://HOST:PORT or https://HOST:PORT, such as http://127.0.0.1:2379");
    }

    @Override
    public String toString() {
        return (tls ? "https://" : "http://") + host + ":" + port;
    }
}
