package dev.evenkeel.engine.internal.cel;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import dev.cel.common.CelIssue;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypes;
import dev.cel.common.types.SimpleType;
import java.util.Map;

/** Words the errors of the compiler as the one in Go does, which kube-apiserver has: clients compare and show them. */
final class Wording {
    /** Begins an error that upstream does not report after the error which caused it. */
    static final String CONSEQUENCE = "Message type resolution failure";

    /** Begins the error of an expression that is nested too deep. */
    static final String RECURSION = "expression recursion limit exceeded";

    private static final Pattern AFTER_END = Pattern.compile("expecting \\{<EOF>, [^\n]*\\}");
    private static final Pattern SYNTAX =
            Pattern.compile("^(mismatched input|extraneous input|no viable|token recog|missing )");
    private static final Pattern RESERVED = Pattern.compile("no viable alternative at input '\\.(true|false|null)'");
    private static final Pattern CANDIDATES = Pattern.compile(" \\(candidates: [^\n]*\\)");
    private static final Pattern TYPE_VARIABLE = Pattern.compile("%T(\\d+)");
    private static final Pattern MACRO = Pattern.compile("\\.(\\w+)\\s*\\(");

    /** The names of types in errors of the checker, which shortens some. */
    private static final Map<String, String> TYPES = Map.of(
            "*error*", "!error!",
            "google.protobuf.Duration", "duration",
            "google.protobuf.Timestamp", "timestamp",
            "google.protobuf.Any", "any");

    private Wording() {}

    /**
     * Returns the message of an error.
     *
     * @param line the line of the expression that it is about
     */
    static String of(CelIssue error, String line) {
        String message = error.getMessage();
        if (message.startsWith("For input string: ")) {
            return "invalid int literal";
        }
        if (message.startsWith("String value ") && message.contains(" exceeds range of unsigned long")) {
            return "invalid uint literal";
        }
        if (message.startsWith("Expression code point size")) {
            return "e" + message.substring(1);
        }
        if (message.startsWith("Expression recursion limit exceeded")) {
            return RECURSION + ": 250";
        }
        if (message.equals("unsupported syntax '`'")) {
            return "unsupported syntax: '`'";
        }
        if (message.equals("The argument must be a simple name")) {
            return macro(line, error.getSourceLocation().getColumn());
        }
        if (SYNTAX.matcher(message).lookingAt()) {
            String expected = AFTER_END.matcher(message).replaceAll("expecting <EOF>");
            return "Syntax error: "
                    + RESERVED.matcher(expected)
                            .replaceAll("mismatched input '$1' expecting IDENTIFIER")
                            .replace("'%%'", "'%'");
        }
        return types(CANDIDATES.matcher(message).replaceAll(""));
    }

    /** Returns the error of the variable of a macro, which depends on the macro. */
    private static String macro(String line, int column) {
        String name = "";
        Matcher matcher = MACRO.matcher(line.substring(0, Math.min(column, line.length())));
        while (matcher.find()) {
            name = matcher.group(1);
        }
        return name.equals("map") || name.equals("filter")
                ? "argument is not an identifier"
                : "argument must be a simple name";
    }

    private static String types(String message) {
        if (!message.startsWith("found no matching overload") && !message.startsWith("expected type")) {
            return message;
        }
        String worded = message;
        for (Map.Entry<String, String> type : TYPES.entrySet()) {
            worded = worded.replace(type.getKey(), type.getValue());
        }
        return TYPE_VARIABLE.matcher(worded).replaceAll("_var$1");
    }

    /** Returns the error of an element of a list or map that has not the type of the first. */
    static String mismatch(CelType expected, CelType found) {
        return types("expected type '" + CelTypes.format(expected) + "' but found '" + CelTypes.format(found) + "'");
    }

    /** Returns the error of an expression that results in another type. */
    static String result(String wanted, CelType found) {
        return "must evaluate to " + wanted + " but got "
                + (found.equals(SimpleType.NULL_TYPE) ? "null_type" : CelTypes.format(found));
    }
}
