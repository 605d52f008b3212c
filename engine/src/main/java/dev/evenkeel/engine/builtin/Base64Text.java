package dev.evenkeel.engine.builtin;

/** Checks padded base64 without decoding it. */
final class Base64Text {
    private Base64Text() {}

    /** The position at which a text stops being padded standard base64; -1 when all of it is. */
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
        return length % 4 == 0 ? -1 : end;
    }
}
