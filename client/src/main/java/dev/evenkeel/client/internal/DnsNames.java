package dev.evenkeel.client.internal;

/** Syntax of DNS names, as namespaces, leases and groups have them. */
public final class DnsNames {
    public static final int MAX_LABEL = 63;

    public static final int MAX_SUBDOMAIN = 253;

    private DnsNames() {}

    /**
     * Returns whether it is a lowercase RFC 1123 label: {@code a-z0-9-}, beginning and ending with a letter or digit.
     */
    public static boolean isLabel(String text) {
        return text.length() <= MAX_LABEL && text.indexOf('.') < 0 && isOfLabels(text);
    }

    /** Returns whether it is a lowercase RFC 1123 subdomain: labels with dots between them. */
    public static boolean isSubdomain(String text) {
        return text.length() <= MAX_SUBDOMAIN && isOfLabels(text);
    }

    /** Returns whether it is labels with dots between them, of whatever length. */
    static boolean isOfLabels(String text) {
        boolean open = false;
        char before = '.';
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isLowerAlphanumeric(c)) {
                open = true;
            } else if (c == '.') {
                if (!isLowerAlphanumeric(before)) {
                    return false;
                }
                open = false;
            } else if (c != '-' || !open) {
                return false;
            }
            before = c;
        }
        return isLowerAlphanumeric(before);
    }

    static boolean isLowerAlphanumeric(char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    }
}
