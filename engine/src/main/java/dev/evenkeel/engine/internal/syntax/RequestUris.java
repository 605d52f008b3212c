package dev.evenkeel.engine.internal.syntax;

import com.google.re2j.Pattern;

/** URIs of requests: an absolute path, or a scheme and the rest; parsed like Go's ParseRequestURI. */
public final class RequestUris {
    private static final Pattern SCHEME = Pattern.compile("[a-zA-Z][a-zA-Z0-9+.-]*:");
    private static final Pattern HOST =
            Pattern.compile("(\\[[0-9a-fA-F:.]*(%25[^\\]]+)?\\]|[^\\[\\]:<>\"\\s\\\\^`{|}]*)(:[0-9]*)?");
    private static final Pattern BAD_ESCAPE = Pattern.compile("%($|.$|[^0-9a-fA-F]|.[^0-9a-fA-F])");

    private RequestUris() {}

    public static boolean isValid(String text) {
        if (text.isEmpty() || text.chars().anyMatch(c -> c < ' ' || c == 0x7f)) {
            return false;
        }
        if (text.equals("*")) {
            return true;
        }
        String rest = afterScheme(text);
        boolean scheme = rest.length() < text.length();
        if (!rest.startsWith("/")) {
            return scheme;
        }
        String path = rest.indexOf('?') < 0 ? rest : rest.substring(0, rest.indexOf('?'));
        if (scheme && path.startsWith("//")) {
            int end = path.indexOf('/', 2);
            String authority = end < 0 ? path.substring(2) : path.substring(2, end);
            path = end < 0 ? "" : path.substring(end);
            if (!HOST.matches(authority.substring(authority.lastIndexOf('@') + 1))) {
                return false;
            }
        }
        return !BAD_ESCAPE.matcher(path).find();
    }

    /** Returns true if the URL has a scheme and a host. */
    public static boolean hasSchemeAndHost(String text) {
        String rest = afterScheme(text);
        return isValid(text) && rest.length() < text.length() && rest.startsWith("//") && !rest.matches("//([/?].*)?");
    }

    private static String afterScheme(String text) {
        var scheme = SCHEME.matcher(text);
        return scheme.lookingAt() ? text.substring(scheme.end()) : text;
    }
}
