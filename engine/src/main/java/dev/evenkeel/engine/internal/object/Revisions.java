package dev.evenkeel.engine.internal.object;

/** Resource versions as clients write them: unsigned decimal numbers. */
public final class Revisions {
    private Revisions() {}

    /** Whether a text is a number that fits. */
    public static boolean valid(String text) {
        try {
            Long.parseUnsignedLong(text);
            return !text.startsWith("+");
        } catch (NumberFormatException e) {
            return false;
        }
    }

    /** What upstream says about a text that is none. */
    public static String syntaxError(String text) {
        return "strconv.ParseUint: parsing \"" + text + "\": invalid syntax";
    }
}
