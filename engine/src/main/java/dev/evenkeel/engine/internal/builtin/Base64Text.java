package dev.evenkeel.engine.internal.builtin;

/** Checks padded base64 without decoding it. */
final class Base64Text {
    private Base64Text() {}

    /**
     * Returns the position at which Go reports that a text is not padded standard base64; -1 when the text is valid.
     */
    static int firstBadByte(String text) {
        int length = text.length();
        int end = length;
        while (end > 0 && length - end < 2 && text.charAt(end - 1) == '=') {
            end--;
        }
        for (int i = 0; i < end; i++) {
            char c = text.charAt(i);
            boolean good = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '/' && c <= '9') || c == '+';
            if (!good) {
                return i;
            }
        }
        int pads = length - end;
        int last = end % 4; // characters in the last group, which needs padding unless it is empty
        if (pads == 0) {
            return last == 0 ? -1 : end - last;
        }
        if (last < 2) {
            return end;
        }
        return length % 4 == 0 ? -1 : Math.min(length, end + 4 - last);
    }
}
