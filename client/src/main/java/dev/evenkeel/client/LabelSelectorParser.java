package dev.evenkeel.client;

import dev.evenkeel.client.LabelSelector.Requirement;
import dev.evenkeel.client.LabelSelector.Requirement.Operator;
import dev.evenkeel.client.internal.LabelSyntax;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The grammar of label selectors, with upstream's messages: which of them begin with
 * {@code unable to parse requirement:} depends on whether the error is inside a requirement or between two.
 */
final class LabelSelectorParser {
    private static final Pattern TOKEN = Pattern.compile("[=!]=|[=!(),><]|[^=!(),>< \\t\\r\\n]+");
    private static final String END = "";

    /** Thrown inside a requirement; its message still lacks the beginning. */
    private static final class Misfit extends RuntimeException {
        Misfit(String message) {
            super(message, null, false, false);
        }
    }

    private final Matcher tokens;
    private String current;

    LabelSelectorParser(String text) {
        tokens = TOKEN.matcher(text);
        current = scan();
    }

    private String scan() {
        return tokens.find() ? tokens.group() : END;
    }

    private String take() {
        String taken = current;
        current = taken.equals(END) ? END : scan();
        return taken;
    }

    private static boolean isWord(String token) {
        return !token.isEmpty() && "=!(),><".indexOf(token.charAt(0)) < 0;
    }

    List<Requirement> parse() {
        List<Requirement> requirements = new ArrayList<>();
        if (current.equals(END)) {
            return requirements;
        }
        if (!startsRequirement()) {
            throw ApiException.badRequest(found(current, "!, identifier, or 'end of string'"));
        }
        while (true) {
            requirements.add(requirement());
            String separator = take();
            if (separator.equals(END)) {
                return requirements;
            }
            if (!separator.equals(",")) {
                throw ApiException.badRequest(found(separator, "',' or 'end of string'"));
            }
            if (!startsRequirement()) {
                throw ApiException.badRequest(found(current, "identifier after ','"));
            }
        }
    }

    private boolean startsRequirement() {
        return isWord(current) || current.equals("!");
    }

    private static String found(String token, String expected) {
        return "found '" + token + "', expected: " + expected;
    }

    private Requirement requirement() {
        try {
            if (current.equals("!")) {
                take();
                return new Requirement(key(), Operator.DOES_NOT_EXIST, List.of());
            }
            String key = key();
            if (endsRequirement()) {
                return new Requirement(key, Operator.EXISTS, List.of());
            }
            Operator operator = operator();
            boolean set = operator == Operator.IN || operator == Operator.NOT_IN;
            return new Requirement(key, operator, set ? values() : List.of(endsRequirement() ? "" : word()));
        } catch (Misfit | BadRequestException e) {
            throw ApiException.badRequest("unable to parse requirement: " + e.getMessage());
        }
    }

    private boolean endsRequirement() {
        return current.equals(END) || current.equals(",");
    }

    private String word() {
        String token = take();
        if (!isWord(token)) {
            throw new Misfit(found(token, "identifier"));
        }
        return token;
    }

    private String key() {
        String key = word();
        List<String> errors = LabelSyntax.keyErrors(key);
        if (!errors.isEmpty()) {
            // upstream has no field to name here, and prints that
            throw new Misfit(LabelSelector.invalid("<nil>", key, String.join("; ", errors)));
        }
        return key;
    }

    private Operator operator() {
        String token = take();
        return switch (token) {
            case "in" -> Operator.IN;
            case "notin" -> Operator.NOT_IN;
            case "=", "==" -> Operator.EQUALS;
            case "!=" -> Operator.NOT_EQUALS;
            case ">" -> Operator.GREATER_THAN;
            case "<" -> Operator.LESS_THAN;
            default -> throw new Misfit(found(token, "in, notin, =, ==, !=, gt, lt"));
        };
    }

    /** Parses values; empty places between commas are empty values. */
    private List<String> values() {
        String open = take();
        if (!open.equals("(")) {
            throw new Misfit("found '" + open + "' expected: '('");
        }
        if (!isWord(current) && !current.equals(",") && !current.equals(")")) {
            throw new Misfit(found(current, "',', ')' or identifier"));
        }
        TreeSet<String> values = new TreeSet<>();
        while (true) {
            boolean given = isWord(current);
            values.add(given ? take() : "");
            String separator = take();
            if (separator.equals(")")) {
                return List.copyOf(values);
            }
            if (!separator.equals(",")) {
                throw new Misfit(found(separator, given ? "',' or ')'" : "',', or identifier"));
            }
        }
    }
}
