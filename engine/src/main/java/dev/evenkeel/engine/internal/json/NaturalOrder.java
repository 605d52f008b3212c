package dev.evenkeel.engine.internal.json;

import java.util.Comparator;

/**
 * Compares keys in natural order: numbers in keys are compared as numbers ({@code a2} before {@code a10}), other
 * characters come before letters.
 */
final class NaturalOrder implements Comparator<String> {
    static final NaturalOrder INSTANCE = new NaturalOrder();

    private NaturalOrder() {}

    @Override
    public int compare(String left, String right) {
        int end = Math.min(left.length(), right.length());
        for (int i = 0; i < end; i++) {
            char l = left.charAt(i);
            char r = right.charAt(i);
            if (l != r) {
                return compareFrom(left, right, i);
            }
        }
        return Integer.compare(left.length(), right.length());
    }

    private static int compareFrom(String left, String right, int at) {
        char l = left.charAt(at);
        char r = right.charAt(at);
        boolean letter = Character.isLetter(l);
        if (letter && Character.isLetter(r)) {
            return Character.compare(l, r);
        }
        if (letter || Character.isLetter(r)) {
            // after a digit, the number continues in the other key, which is therefore greater
            boolean number = at > 0 && Character.isDigit(left.charAt(at - 1));
            return letter == number ? -1 : 1;
        }
        int numbers = compareNumbers(left, right, at);
        return numbers != 0 ? numbers : Character.compare(l, r);
    }

    private static int compareNumbers(String left, String right, int at) {
        int leftEnd = digits(left, at);
        int rightEnd = digits(right, at);
        int leftStart = at;
        int rightStart = at;
        if (!continuesNumber(left, at)) {
            // leading zeros do not count
            leftStart = zeros(left, at, leftEnd);
            rightStart = zeros(right, at, rightEnd);
        }
        int length = Integer.compare(leftEnd - leftStart, rightEnd - rightStart);
        int value = length != 0
                ? length
                : left.substring(leftStart, leftEnd).compareTo(right.substring(rightStart, rightEnd));
        return value != 0 ? value : Integer.compare(leftEnd, rightEnd);
    }

    /** Returns true if the preceding digits, which both keys share, are the beginning of the number. */
    private static boolean continuesNumber(String text, int at) {
        for (int i = at - 1; i >= 0 && Character.isDigit(text.charAt(i)); i--) {
            if (text.charAt(i) != '0') {
                return true;
            }
        }
        return false;
    }

    private static int digits(String text, int from) {
        int end = from;
        while (end < text.length() && Character.isDigit(text.charAt(end))) {
            end++;
        }
        return end;
    }

    private static int zeros(String text, int from, int end) {
        int start = from;
        while (start < end && text.charAt(start) == '0') {
            start++;
        }
        return start;
    }
}
