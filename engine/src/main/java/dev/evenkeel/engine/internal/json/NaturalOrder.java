package dev.evenkeel.engine.internal.json;

import java.util.Comparator;
import java.util.function.IntPredicate;

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
        int at = 0;
        while (at < end && left.charAt(at) == right.charAt(at)) {
            at++;
        }
        return at < end ? compareFrom(left, right, at) : Integer.compare(left.length(), right.length());
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
        int leftEnd = span(left, at, Character::isDigit);
        int rightEnd = span(right, at, Character::isDigit);
        // leading zeros do not count
        boolean continues = continuesNumber(left, at);
        int leftStart = continues ? at : span(left, at, c -> c == '0');
        int rightStart = continues ? at : span(right, at, c -> c == '0');
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

    /** Returns the end of the characters of a kind. */
    static int span(String text, int from, IntPredicate kind) {
        int end = from;
        while (end < text.length() && kind.test(text.charAt(end))) {
            end++;
        }
        return end;
    }
}
