package dev.evenkeel.engine.internal.syntax;

import dev.evenkeel.engine.internal.json.GoTypes;
import java.io.ByteArrayOutputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The parts of a URL, as Go's {@code net/url} finds them: it takes other texts for URLs than {@link java.net.URI} does.
 *
 * @param scheme in lower case; empty when there is none
 * @param user user information; empty when there is none
 * @param host with its port, without escapes; empty when there is none
 * @param path with escapes
 * @param query as it is written, without its question mark; empty when there is none
 * @param fragment without escapes; empty when there is none
 * @param text the whole URL in its normal form
 */
public record WebUrl(
        String scheme, Optional<String> user, String host, String path, String query, String fragment, String text) {
    private static final String ESCAPED_PERCENT = "%25";
    private static final String HEX = "0123456789ABCDEF";

    /** A part of a URL: the characters that are not escaped there, in addition to letters and digits. */
    private enum Part {
        USER("-_.~$&+,;="),
        HOST("-_.~!$&'()*+,;=:[]<>\""),
        ZONE("-_.~!$&'()*+,;=:[]<>\""),
        PATH("-_.~$&+,/:;=@"),
        QUERY("-_.~"),
        FRAGMENT("-_.~$&+,/:;=?@!()*");

        private final String plain;

        Part(String plain) {
            this.plain = plain;
        }

        boolean escapes(int c) {
            boolean letterOrDigit = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            return !letterOrDigit && plain.indexOf(c) < 0;
        }
    }

    /** Characters that may be written without an escape in addition. */
    private static final String TOLERATED = "!$&'()*+,;=:@[]%";

    private static final String IN_USERS = "-._:~!$&'()*+,;=%@";

    /** Parses a URL; the reason of an exception is Go's, its input is what Go shows. */
    public static WebUrl parse(String text) throws URISyntaxException {
        int hash = text.indexOf('#');
        String start = hash < 0 ? text : text.substring(0, hash);
        String fragment = hash < 0 ? "" : text.substring(hash + 1);
        return new Reader(start, false).read(text, fragment);
    }

    /**
     * Parses a URL as a server finds it in a request: with a scheme, or beginning with a slash. It has no fragment.
     *
     * @see #parse
     */
    public static WebUrl parseRequest(String text) throws URISyntaxException {
        return new Reader(text, true).read(text, "");
    }

    /** Returns true if a text is a URL as a server finds it in a request. */
    public static boolean isRequest(String text) {
        try {
            parseRequest(text);
            return true;
        } catch (URISyntaxException e) {
            return false;
        }
    }

    /** Returns the text of an error about a URL. */
    public static String message(URISyntaxException error) {
        return "parse " + GoTypes.quoted(error.getInput()) + ": " + error.getReason();
    }

    /** Returns the host without its port, and without the brackets of an IPv6 address. */
    public String hostname() {
        int colon = portColon();
        String name = colon < 0 ? host : host.substring(0, colon);
        return name.startsWith("[") && name.endsWith("]") ? name.substring(1, name.length() - 1) : name;
    }

    /** Returns the port; empty when there is none. */
    public String port() {
        int colon = portColon();
        return colon < 0 ? "" : host.substring(colon + 1);
    }

    private int portColon() {
        int colon = host.lastIndexOf(':');
        return colon >= 0 && isPort(host.substring(colon)) ? colon : -1;
    }

    private static boolean isPort(String text) {
        return text.isEmpty() || (text.charAt(0) == ':' && text.chars().skip(1).allMatch(c -> c >= '0' && c <= '9'));
    }

    /** Returns the values in the query by name, without escapes; malformed ones are left out. */
    public Map<String, List<String>> values() {
        Map<String, List<String>> values = new LinkedHashMap<>();
        for (String pair : query.split("&", -1)) {
            int equals = pair.indexOf('=');
            if (pair.isEmpty() || pair.contains(";")) {
                continue;
            }
            try {
                String name = unescaped(query, equals < 0 ? pair : pair.substring(0, equals), Part.QUERY);
                String value = equals < 0 ? "" : unescaped(query, pair.substring(equals + 1), Part.QUERY);
                values.computeIfAbsent(name, unused -> new ArrayList<>()).add(value);
            } catch (URISyntaxException e) {
                // as Go does
            }
        }
        return values;
    }

    /** The state of parsing. */
    private static final class Reader {
        private final String whole;
        private final boolean request;
        private String scheme = "";
        private Optional<String> user = Optional.empty();
        private String host = "";
        private String opaque = "";
        private String path = "";
        private String query = "";
        private boolean mark;
        private boolean withoutHost;

        Reader(String whole, boolean request) {
            this.whole = whole;
            this.request = request;
        }

        WebUrl read(String text, String fragment) throws URISyntaxException {
            read();
            String plain = unescaped(text, fragment, Part.FRAGMENT);
            return new WebUrl(scheme, user, host, path, query, plain, text(escaped(fragment, Part.FRAGMENT)));
        }

        private void read() throws URISyntaxException {
            if (whole.chars().anyMatch(c -> c < ' ' || c == 0x7f)) {
                throw wrong("net/url: invalid control character in URL");
            }
            if (whole.isEmpty() && request) {
                throw wrong("empty url");
            }
            if (whole.equals("*")) {
                path = "*";
                return;
            }
            int colon = schemeEnd();
            if (colon == 0) {
                throw wrong("missing protocol scheme");
            }
            scheme = colon < 0 ? "" : whole.substring(0, colon).toLowerCase(Locale.ROOT);
            String rest = whole.substring(colon + 1);
            int question = rest.indexOf('?');
            if (question >= 0) {
                mark = true;
                query = rest.substring(question + 1);
                rest = rest.substring(0, question);
            }
            if (!rest.startsWith("/")) {
                if (!scheme.isEmpty()) {
                    opaque = rest;
                    return;
                }
                if (request) {
                    throw wrong("invalid URI for request");
                }
                if (rest.split("/", 2)[0].contains(":")) {
                    throw wrong("first path segment in URL cannot contain colon");
                }
            }
            boolean authority = !scheme.isEmpty() || (!request && !rest.startsWith("///"));
            if (authority && rest.startsWith("//")) {
                int slash = rest.indexOf('/', 2);
                authority(rest.substring(2, slash < 0 ? rest.length() : slash));
                rest = slash < 0 ? "" : rest.substring(slash);
            } else {
                withoutHost = !scheme.isEmpty() && rest.startsWith("/");
            }
            unescaped(whole, rest, Part.PATH);
            path = escaped(rest, Part.PATH);
        }

        private URISyntaxException wrong(String reason) {
            return new URISyntaxException(whole, reason);
        }

        /** Returns the index of the colon after the scheme, or -1 if there is no scheme. */
        private int schemeEnd() {
            for (int i = 0; i < whole.length(); i++) {
                char c = whole.charAt(i);
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

        private void authority(String text) throws URISyntaxException {
            int at = text.lastIndexOf('@');
            host = host(text.substring(at + 1));
            if (at < 0) {
                return;
            }
            String before = text.substring(0, at);
            if (!before.chars().allMatch(c -> !Part.QUERY.escapes(c) || IN_USERS.indexOf(c) >= 0)) {
                throw wrong("net/url: invalid userinfo");
            }
            int colon = before.indexOf(':');
            String name = userPart(colon < 0 ? before : before.substring(0, colon));
            user = Optional.of(colon < 0 ? name : name + ":" + userPart(before.substring(colon + 1)));
        }

        private String userPart(String part) throws URISyntaxException {
            unescaped(whole, part, Part.USER);
            return normalized(part, Part.USER);
        }

        private String host(String text) throws URISyntaxException {
            int bracket = text.lastIndexOf('[');
            if (bracket > 0) {
                throw wrong("invalid IP-literal");
            }
            if (bracket == 0) {
                return literal(text);
            }
            // a list of hosts, as addresses of databases have it, but not in the schemes of the web
            boolean web = scheme.equals("http") || scheme.equals("https");
            int colon = web ? text.indexOf(':') : text.lastIndexOf(':');
            checkPort(colon < 0 ? "" : text.substring(colon));
            return unescaped(whole, text, Part.HOST);
        }

        private String literal(String text) throws URISyntaxException {
            int end = text.lastIndexOf(']');
            if (end < 0) {
                throw wrong("missing ']' in host");
            }
            String port = text.substring(end + 1);
            checkPort(port);
            String inside = text.substring(1, end);
            int percent = inside.indexOf(ESCAPED_PERCENT);
            String address = unescaped(whole, percent < 0 ? inside : inside.substring(0, percent), Part.HOST);
            String zone = percent < 0 ? "" : unescaped(whole, inside.substring(percent), Part.ZONE);
            try {
                if (AddressText.parse(address + zone).bytes().length == 4) {
                    throw wrong("invalid IP-literal");
                }
            } catch (AddressText.MalformedException e) {
                throw wrong("invalid host: " + e.getMessage());
            }
            return "[" + address + zone + "]" + port;
        }

        private void checkPort(String port) throws URISyntaxException {
            if (!isPort(port)) {
                throw wrong("invalid port " + GoTypes.quoted(port) + " after host");
            }
        }

        private String text(String fragment) {
            StringBuilder text = new StringBuilder();
            if (!scheme.isEmpty()) {
                text.append(scheme).append(':');
            }
            if (opaque.isEmpty()) {
                boolean hasHost = !host.isEmpty() || user.isPresent();
                if ((!scheme.isEmpty() && !withoutHost && !path.isEmpty()) || hasHost) {
                    text.append("//");
                }
                user.ifPresent(each -> text.append(each).append('@'));
                text.append(escaped(host.getBytes(StandardCharsets.UTF_8), Part.HOST));
                if (text.isEmpty() && path.split("/", 2)[0].contains(":")) {
                    text.append("./");
                }
                text.append(path);
            } else {
                text.append(opaque);
            }
            if (mark) {
                text.append('?').append(query);
            }
            return (fragment.isEmpty() ? text : text.append('#').append(fragment)).toString();
        }
    }

    /** Returns a part of a URL with escapes where it needs them: as it is, if it has them already. */
    private static String escaped(String part, Part place) {
        boolean valid = part.chars().allMatch(c -> TOLERATED.indexOf(c) >= 0 || !place.escapes(c));
        return valid ? part : normalized(part, place);
    }

    /** Returns a part with those escapes that it needs. */
    private static String normalized(String part, Part place) {
        return escaped(bytes(part, place), place);
    }

    private static String escaped(byte[] bytes, Part place) {
        StringBuilder text = new StringBuilder(bytes.length);
        for (byte each : bytes) {
            int c = each & 0xff;
            if (place.escapes(c)) {
                text.append('%').append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 15));
            } else {
                text.append((char) c);
            }
        }
        return text.toString();
    }

    /** Returns a part of a URL without its escapes. */
    private static String unescaped(String url, String part, Part place) throws URISyntaxException {
        byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
        boolean inHost = place == Part.HOST || place == Part.ZONE;
        for (int i = 0; i < bytes.length; i++) {
            int c = bytes[i] & 0xff;
            if (c == '%') {
                int value = escape(bytes, i);
                if (value < 0 || (value != '%' && !isEscapable(value, place))) {
                    String escape = new String(bytes, i, Math.min(3, bytes.length - i), StandardCharsets.UTF_8);
                    throw new URISyntaxException(url, "invalid URL escape " + GoTypes.quoted(escape));
                }
                i += 2;
            } else if (inHost && c < 0x80 && place.escapes(c)) {
                String character = GoTypes.quoted(String.valueOf((char) c));
                throw new URISyntaxException(url, "invalid character " + character + " in host name");
            }
        }
        return new String(bytes(part, place), StandardCharsets.UTF_8);
    }

    /** Returns true if a part can have a byte in an escape: in hosts only what cannot be written without one. */
    private static boolean isEscapable(int value, Part place) {
        return switch (place) {
            case HOST -> value >= 0x80;
            case ZONE -> value == ' ' || !Part.HOST.escapes(value);
            default -> true;
        };
    }

    /** Returns the byte that an escape stands for; negative when it is malformed. */
    private static int escape(byte[] bytes, int at) {
        int high = at + 2 < bytes.length ? Character.digit(bytes[at + 1], 16) : -1;
        int low = at + 2 < bytes.length ? Character.digit(bytes[at + 2], 16) : -1;
        return high < 0 || low < 0 ? -1 : high * 16 + low;
    }

    /** Returns the bytes of a part whose escapes are well-formed. */
    private static byte[] bytes(String part, Part place) {
        byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream plain = new ByteArrayOutputStream(bytes.length);
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '%') {
                plain.write(escape(bytes, i));
                i += 2;
            } else {
                plain.write(bytes[i] == '+' && place == Part.QUERY ? ' ' : bytes[i]);
            }
        }
        return plain.toByteArray();
    }
}
