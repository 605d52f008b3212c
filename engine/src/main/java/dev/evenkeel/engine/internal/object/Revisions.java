package dev.evenkeel.engine.internal.object;

/** Resource versions as clients write them: unsigned decimal numbers. */
public final class Revisions {
    private Revisions() {}

    /** Returns true if a text is a number that fits. */
    public static boolean valid(String text) {
        try {
            Long.parseUnsignedLong(text);
            return !text.startsWith("+");
        } catch (NumberFormatException e) {
            return false;
        }
    }

    /** Returns upstream's error for a text that is not a number. */
    public static String syntaxError(String text) {
        return "strconv.ParseUint: parsing \"" + text + "\": invalid syntax";
    }
}
