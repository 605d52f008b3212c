package dev.evenkeel.client;

import java.util.HexFormat;

/** Quotes text in double quotes as Go's {@code %q} does. */
final class GoQuote {
    private static final HexFormat HEX = HexFormat.of();

    private GoQuote() {}

    static String of(String text) {
        StringBuilder out = new StringBuilder(text.length() + 2).append('"');
        text.codePoints().forEach(c -> append(out, c));
        return out.append('"').toString();
    }

    private static void append(StringBuilder out, int c) {
        switch (c) {
            case '"' -> out.append("\\\"");
            case '\\' -> out.append("\\\\");
            case 7 -> out.append("\\a");
            case '\b' -> out.append("\\b");
            case '\f' -> out.append("\\f");
            case '\n' -> out.append("\\n");
            case '\r' -> out.append("\\r");
            case '\t' -> out.append("\\t");
            case 11 -> out.append("\\v");
            default -> {
                if (isPrintable(c)) {
                    out.appendCodePoint(c);
                } else if (c < 0x80) {
                    out.append("\\x").append(HEX.toHexDigits((byte) c));
                } else if (c < 0x10000) {
                    out.append("\\u").append(HEX.toHexDigits((char) c));
                } else {
                    out.append("\\U").append(HEX.toHexDigits(c));
                }
            }
        }
    }

    private static boolean isPrintable(int c) {
        return c == ' '
                || switch (Character.getType(c)) {
                    case Character.CONTROL,
                            Character.FORMAT,
                            Character.SURROGATE,
                            Character.PRIVATE_USE,
                            Character.UNASSIGNED,
                            Character.LINE_SEPARATOR,
                            Character.PARAGRAPH_SEPARATOR,
                            Character.SPACE_SEPARATOR -> false;
                    default -> true;
                };
    }
}
