package dev.evenkeel.engine.internal.object;

/** Resource versions as clients write them: unsigned decimal numbers. */
public final class Revisions {
    private Revisions() {}

    /** Returns true if a text has ASCII digits only, and fits 64 bits without a sign. */
    public static boolean valid(String text) {
        if (text.isEmpty()) {
            return false; // new objects have none: no exception for them
        }
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        try {
            var unused = Long.parseUnsignedLong(text);
            return true;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    /** Returns upstream's error for a text that is not a number. */
    public static String syntaxError(String text) {
        return "strconv.ParseUint: parsing \"" + text + "\": invalid syntax";
    }
}
