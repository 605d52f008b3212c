package dev.evenkeel.engine.internal.cel;

import com.google.re2j.PatternSyntaxException;
import dev.evenkeel.engine.internal.syntax.Re2;

/**
 * The actual cost of a call, in the units of upstream: one for an operation on scalars, a tenth for a character that is
 * processed, more for patterns. It bounds evaluation and need not agree with upstream to the unit.
 */
final class RunningCost {
    private RunningCost() {}

    static long of(String function, Object[] arguments) {
        return switch (function) {
            case "matches", "find", "findAll" ->
                arguments.length > 1 ? tenth(size(arguments[0]) + 1) * quarter(programSize(arguments[1])) : 1;
            case "contains" -> arguments.length > 1 ? tenth(size(arguments[0])) * tenth(size(arguments[1])) : 1;
            case "validate" -> arguments.length > 1 ? tenth(size(arguments[1]) + 1) * 32 : 1;
            case "@in" -> arguments[1] instanceof ListValue list ? list.size() : 1;
            case "_==_", "_!=_", "_<_", "_<=_", "_>_", "_>=_" ->
                1 + tenth(Math.min(size(arguments[0]), size(arguments[1])));
            case "sets.contains", "sets.equivalent", "sets.intersects" ->
                1 + (long) size(arguments[0]) * size(arguments[1]);
            case "distinct" -> 1 + (long) size(arguments[0]) * size(arguments[0]);
            case "lists.range" -> arguments[0] instanceof Long end ? 1 + Math.clamp(end, 0, 1_000_000) : 1;
            case "isSorted",
                    "sum",
                    "min",
                    "max",
                    "indexOf",
                    "lastIndexOf",
                    "sort",
                    Language.SORT_BY_KEYS,
                    "reverse",
                    "flatten",
                    "slice",
                    "cel.@mapInsert" -> 1 + (long) size(arguments[0]);
            case "check" -> 350_000;
            case "_[_]", "size", "type", "dyn", "_?._", "_[?_]", "hasValue", "value" -> 1;
            default -> {
                long cost = 1;
                for (Object argument : arguments) {
                    cost += argument instanceof String || argument instanceof Octets ? tenth(size(argument)) : 0;
                }
                yield cost;
            }
        };
    }

    /** Returns the size of a pattern: of its program, if that is large, since each character may visit all of it. */
    private static int programSize(Object pattern) {
        if (!(pattern instanceof String text)) {
            return 1;
        }
        try {
            int program = Re2.size(text);
            return program > 1000 ? Math.max(program, text.length()) : text.length();
        } catch (PatternSyntaxException e) {
            return text.length();
        }
    }

    private static int size(Object value) {
        return switch (value) {
            case String text -> text.length();
            case Octets octets -> octets.bytes().length;
            case ListValue list -> list.size();
            case MapValue map -> map.size();
            default -> 1;
        };
    }

    private static long tenth(long size) {
        return (size + 9) / 10;
    }

    private static long quarter(long size) {
        return (size + 3) / 4;
    }
}
