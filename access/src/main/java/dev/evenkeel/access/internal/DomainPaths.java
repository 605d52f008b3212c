package dev.evenkeel.access.internal;

import dev.evenkeel.engine.internal.json.GoTypes;
import dev.evenkeel.engine.internal.syntax.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Names that begin with a domain, such as {@code example.com/scope}. */
final class DomainPaths {
    private static final String PATH = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
    private static final Pattern VALID = Pattern.compile(PATH);

    private DomainPaths() {}

    /** Returns what is wrong with a text that is not empty, in upstream's words; empty if nothing is. */
    static String error(String field, String text) {
        int slash = text.indexOf('/');
        if (slash <= 0 || slash == text.length() - 1) {
            return invalid(field, text, "must be a domain-prefixed path (such as \"acme.io/foo\")");
        }
        List<String> errors = new ArrayList<>();
        String host = text.substring(0, slash);
        Names.subdomain(host).forEach(error -> errors.add(invalid(field, host, error)));
        String path = text.substring(slash + 1);
        if (!VALID.matcher(path).matches()) {
            errors.add(invalid(field, path, "Invalid path (regex used for validation is '" + PATH + "')"));
        }
        return errors.size() > 1 ? "[" + String.join(", ", errors) + "]" : String.join("", errors);
    }

    private static String invalid(String field, String value, String error) {
        return field + ": Invalid value: " + GoTypes.quoted(value) + ": " + error;
    }
}
