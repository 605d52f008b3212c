package dev.evenkeel.kubernetes;

/** The header of warnings: {@code 299 - "text"}. */
final class WarningHeader {
    private WarningHeader() {}

    /** Returns its text; the whole header when it has another form. */
    static String text(String header) {
        int from = header.indexOf('"');
        int to = header.lastIndexOf('"');
        if (from < 0 || to == from) {
            return header;
        }
        StringBuilder text = new StringBuilder(to - from);
        for (int i = from + 1; i < to; i++) {
            char c = header.charAt(i);
            text.append(c == '\\' && i + 1 < to ? header.charAt(++i) : c);
        }
        return text.toString();
    }
}
