package dev.evenkeel.engine.internal.syntax;

import java.io.ByteArrayOutputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/**
 * The parts of a URL that the rules of webhooks are about, as Go's {@code net/url} finds them: it takes more texts for
 * URLs than {@link java.net.URI} does.
 *
 * @param scheme in lower case; empty when there is none
 * @param user user information, as it is written
 * @param host with its port; empty when there is none
 * @param query as it is written, without its question mark; empty when there is none
 * @param fragment without escapes; empty when there is none
 */
public record WebUrl(String scheme, Optional<String> user, String host, String query, String fragment) {
    private static final WebUrl STAR = new WebUrl("", Optional.empty(), "", "", "");
    private static final String PLAIN = "-_.~";
    private static final String IN_HOSTS = "!$&'()*+,;=:[]<>\"";
    private static final String IN_USERS = ":!$&'()*+,;=%@";

    /** Parses a URL; the reason of an exception is Go's, its input is what Go shows. */
    public static WebUrl parse(String text) throws URISyntaxException {
        int hash = text.indexOf('#');
        WebUrl url = withoutFragment(hash < 0 ? text : text.substring(0, hash));
        String fragment = hash < 0 ? "" : unescaped(text, text.substring(hash + 1), false);
        return new WebUrl(url.scheme, url.user, url.host, url.query, fragment);
    }

    private static WebUrl withoutFragment(String text) throws URISyntaxException {
        if (text.chars().anyMatch(c -> c < ' ' || c == 0x7f)) {
            throw new URISyntaxException(text, "net/url: invalid control character in URL");
        }
        if (text.equals("*")) {
            return STAR;
        }
        int colon = schemeEnd(text);
        if (colon == 0) {
            throw new URISyntaxException(text, "missing protocol scheme");
        }
        String scheme = colon < 0 ? "" : text.substring(0, colon).toLowerCase(Locale.ROOT);
        String rest = text.substring(colon + 1);
        int mark = rest.indexOf('?');
        String query = mark < 0 ? "" : rest.substring(mark + 1);
        String address = mark < 0 ? rest : rest.substring(0, mark);
        if (!address.startsWith("/")) {
            if (scheme.isEmpty() && address.split("/", 2)[0].contains(":")) {
                throw new URISyntaxException(text, "first path segment in URL cannot contain colon");
            }
            if (scheme.isEmpty()) {
                unescaped(text, address, false);
            }
            return new WebUrl(scheme, Optional.empty(), "", query, "");
        }
        if (!address.startsWith("//") || (scheme.isEmpty() && address.startsWith("///"))) {
            unescaped(text, address, false);
            return new WebUrl(scheme, Optional.empty(), "", query, "");
        }
        int slash = address.indexOf('/', 2);
        String authority = address.substring(2, slash < 0 ? address.length() : slash);
        int at = authority.lastIndexOf('@');
        String host = host(text, authority.substring(at + 1));
        Optional<String> user = at < 0 ? Optional.empty() : Optional.of(user(text, authority.substring(0, at)));
        unescaped(text, slash < 0 ? "" : address.substring(slash), false);
        return new WebUrl(scheme, user, host, query, "");
    }

    /** Returns the index of the colon after the scheme, or -1 if there is no scheme. */
    private static int schemeEnd(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == ':') {
                return i;
            }
            boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            if (!letter && (i == 0 || "0123456789+-.".indexOf(c) < 0)) {
                return -1;
            }
        }
        return -1;
    }

    private static String user(String url, String user) throws URISyntaxException {
        if (!user.chars().allMatch(c -> isPlain(c) || IN_USERS.indexOf(c) >= 0)) {
            throw new URISyntaxException(url, "net/url: invalid userinfo");
        }
        unescaped(url, user, false);
        return user;
    }

    private static String host(String url, String host) throws URISyntaxException {
        int port = host.lastIndexOf(':');
        if (host.lastIndexOf('[') >= 0) {
            int end = host.lastIndexOf(']');
            if (end < 0) {
                throw new URISyntaxException(url, "missing ']' in host");
            }
            port = end + 1;
        }
        String after = port < 0 ? "" : host.substring(port);
        if (!after.matches("(:[0-9]*)?")) {
            throw new URISyntaxException(url, "invalid port \"" + after + "\" after host");
        }
        return unescaped(url, host, true);
    }

    /** Returns a part of a URL without its escapes. */
    private static String unescaped(String url, String part, boolean inHost) throws URISyntaxException {
        byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream plain = new ByteArrayOutputStream(bytes.length);
        for (int i = 0; i < bytes.length; i++) {
            int c = bytes[i] & 0xff;
            if (c == '%') {
                int high = i + 1 < bytes.length ? Character.digit(bytes[i + 1], 16) : -1;
                int low = i + 2 < bytes.length ? Character.digit(bytes[i + 2], 16) : -1;
                int value = high * 16 + low;
                if (high < 0 || low < 0 || (inHost && high < 8 && value != '%')) {
                    String escape = new String(bytes, i, Math.min(3, bytes.length - i), StandardCharsets.UTF_8);
                    throw new URISyntaxException(url, "invalid URL escape \"" + escape + "\"");
                }
                plain.write(value);
                i += 2;
            } else if (inHost && c < 0x80 && !isPlain(c) && IN_HOSTS.indexOf(c) < 0) {
                throw new URISyntaxException(url, "invalid character \"" + (char) c + "\" in host name");
            } else {
                plain.write(c);
            }
        }
        return plain.toString(StandardCharsets.UTF_8);
    }

    private static boolean isPlain(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || PLAIN.indexOf(c) >= 0;
    }
}
