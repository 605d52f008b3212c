package dev.evenkeel.engine.internal.object;

/** Resource versions as clients write them: unsigned decimal numbers. */
public final class Revisions {
    private static final String GREATEST = Long.toUnsignedString(-1);

    private Revisions() {}

    /** Returns true if a text has ASCII digits only, and fits 64 bits without a sign. */
    public static boolean valid(String text) {
        int first = 0;
        for (int i = 0; i < text.length(); i++) {
            char digit = text.charAt(i);
            if (digit < '0' || digit > '9') {
                return false;
            }
            if (digit == '0' && first == i) {
                first = i + 1;
            }
        }
        int digits = text.length() - first;
        return !text.isEmpty()
                && (digits < GREATEST.length()
                        || (digits == GREATEST.length() && text.substring(first).compareTo(GREATEST) <= 0));
    }

    /** Returns upstream's error for a text that is not a number. */
    public static String syntaxError(String text) {
        return "strconv.ParseUint: parsing \"" + text + "\": invalid syntax";
    }
}
