package dev.evenkeel.engine.internal.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.types.CelKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Converts a checked expression into steps: variables become slots of the frame, functions are looked up, constants are
 * computed.
 */
final class Planner {
    /** A part of a compiled expression. */
    @FunctionalInterface
    interface Step {
        /** Evaluates to a value or a {@link Problem}. */
        Object in(Frame frame);
    }

    private final CelAbstractSyntaxTree ast;
    private final Map<String, Integer> scope = new HashMap<>();
    private int variables;

    Planner(CelAbstractSyntaxTree ast, List<String> variables) {
        this.ast = ast;
        variables.forEach(this::declare);
    }

    Step plan() {
        return plan(ast.getExpr());
    }

    int variables() {
        return variables;
    }

    private int declare(String name) {
        scope.put(name, variables);
        return variables++;
    }

    private Step plan(CelExpr expr) {
        return switch (expr.getKind()) {
            case CONSTANT -> constant(value(expr.constant()));
            case IDENT -> ident(expr);
            case SELECT -> select(expr);
            case CALL -> call(expr);
            case LIST -> list(expr.list());
            case MAP -> map(expr.map());
            case STRUCT -> struct(expr.struct());
            case COMPREHENSION -> comprehension(expr.comprehension());
            default -> constant(new Problem("unsupported expression"));
        };
    }

    private static Step constant(Object value) {
        return frame -> value;
    }

    private static Object value(CelConstant constant) {
        return switch (constant.getKind()) {
            case BOOLEAN_VALUE -> constant.booleanValue();
            case INT64_VALUE -> constant.int64Value();
            case UINT64_VALUE -> new Unsigned(constant.uint64Value().longValue());
            case DOUBLE_VALUE -> constant.doubleValue();
            case STRING_VALUE -> constant.stringValue();
            case BYTES_VALUE -> new Octets(constant.bytesValue().toByteArray());
            default -> Nothing.NULL;
        };
    }

    private Step ident(CelExpr expr) {
        Integer place = scope.get(expr.ident().name());
        if (place != null) {
            int at = place;
            return frame -> {
                frame.charge(1);
                return frame.variables[at];
            };
        }
        // an identifier that is not a variable names a type
        return constant(new TypeName(ast.getReference(expr.id())
                .map(reference -> reference.name())
                .orElse(expr.ident().name())));
    }

    private Step select(CelExpr expr) {
        Integer variable = ast.getReference(expr.id())
                .map(reference -> scope.get(reference.name()))
                .orElse(null);
        if (variable != null) { // a name with a dot
            int at = variable;
            return frame -> frame.variables[at];
        }
        Step operand = plan(expr.select().operand());
        String field = expr.select().field();
        if (expr.select().testOnly()) {
            return frame -> has(operand.in(frame), field);
        }
        return frame -> {
            frame.charge(1);
            return select(operand.in(frame), field);
        };
    }

    private static Object has(Object operand, String field) {
        return switch (operand) {
            case Problem problem -> problem;
            case MapValue map -> map.find(field) != null;
            case Optional<?> optional -> optional.isPresent() && Boolean.TRUE.equals(has(optional.get(), field));
            default -> Problem.NO_SUCH_OVERLOAD;
        };
    }

    private static Object select(Object operand, String field) {
        return switch (operand) {
            case Problem problem -> problem;
            case MapValue map -> map.get(field);
            case Optional<?> optional -> Arithmetic.optionalIndex(optional, field);
            default -> Problem.NO_SUCH_OVERLOAD;
        };
    }

    private Step call(CelExpr expr) {
        CelExpr.CelCall call = expr.call();
        List<CelExpr> arguments = new ArrayList<>();
        call.target().ifPresent(arguments::add);
        arguments.addAll(call.args());
        String name = call.function();
        Step[] steps = arguments.stream().map(this::plan).toArray(Step[]::new);
        Step special = special(name, steps);
        if (special != null) {
            return special;
        }
        Library.Call function = Library.find(name);
        if (function == null) {
            return constant(new Problem("unbound function: " + name));
        }
        if (name.equals("sum")) {
            Object zero = zero(ast.getType(expr.id()).map(type -> type.kind()).orElse(CelKind.INT));
            return strict(name, steps, a -> a[0] instanceof ListValue l && l.size() == 0 ? zero : function.of(a));
        }
        return strict(name, steps, function);
    }

    /** Returns the step of a function that does not evaluate all its arguments, or accepts problems. */
    private static @Nullable Step special(String name, Step[] steps) {
        return switch (name) {
            case "_&&_" -> frame -> junction(frame, steps, false);
            case "_||_" -> frame -> junction(frame, steps, true);
            case "_?_:_" ->
                frame -> switch (steps[0].in(frame)) {
                    case Boolean condition -> (condition ? steps[1] : steps[2]).in(frame);
                    case Problem problem -> problem;
                    default -> Problem.NO_SUCH_OVERLOAD;
                };
            case "@not_strictly_false" -> frame -> !Boolean.FALSE.equals(steps[0].in(frame));
            case "_?._", "_[?_]" -> strict(name, steps, a -> Arithmetic.optionalIndex(a[0], a[1]));
            case "or", "orValue" ->
                frame -> switch (steps[0].in(frame)) {
                    case Optional<?> optional
                    when optional.isPresent() -> name.equals("or") ? optional : optional.get();
                    case Optional<?> unused -> steps[1].in(frame);
                    case Problem problem -> problem;
                    default -> Problem.NO_SUCH_OVERLOAD;
                };
            default -> null;
        };
    }

    private static Object zero(CelKind kind) {
        return switch (kind) {
            case DOUBLE -> 0.0;
            case UINT -> new Unsigned(0);
            case DURATION -> Duration.ZERO;
            default -> 0L;
        };
    }

    /** Returns a step that evaluates all arguments; the first problem among them is the result. */
    private static Step strict(String name, Step[] steps, Library.Call function) {
        return frame -> {
            Object[] arguments = new Object[steps.length];
            for (int i = 0; i < steps.length; i++) {
                arguments[i] = steps[i].in(frame);
                if (arguments[i] instanceof Problem) {
                    return arguments[i];
                }
            }
            frame.charge(RunningCost.of(name, arguments));
            return function.of(arguments);
        };
    }

    /** Evaluates a conjunction or disjunction: one operand that decides outweighs a problem of the other. */
    private static Object junction(Frame frame, Step[] steps, boolean decides) {
        Object result = !decides;
        for (Step step : steps) {
            Object operand = step.in(frame);
            if (operand instanceof Boolean bool) {
                if (bool == decides) {
                    return decides;
                }
            } else if (!(result instanceof Problem)) {
                result = operand instanceof Problem ? operand : Problem.NO_SUCH_OVERLOAD;
            }
        }
        return result;
    }

    private Step list(CelExpr.CelList list) {
        Step[] steps = list.elements().stream().map(this::plan).toArray(Step[]::new);
        List<Integer> optional = list.optionalIndices();
        return frame -> {
            frame.charge(10 + steps.length);
            List<Object> elements = new ArrayList<>(steps.length);
            for (int i = 0; i < steps.length; i++) {
                Object element = steps[i].in(frame);
                if (element instanceof Problem) {
                    return element;
                }
                if (optional.contains(i) && element instanceof Optional<?> present) {
                    present.ifPresent(elements::add);
                } else {
                    elements.add(element);
                }
            }
            return ListValue.of(elements);
        };
    }

    private Step map(CelExpr.CelMap map) {
        Step[] keys = map.entries().stream().map(entry -> plan(entry.key())).toArray(Step[]::new);
        Step[] values = map.entries().stream().map(entry -> plan(entry.value())).toArray(Step[]::new);
        List<Boolean> optional =
                map.entries().stream().map(CelExpr.CelMap.Entry::optionalEntry).toList();
        return frame -> {
            frame.charge(30 + keys.length);
            Map<Object, Object> entries = LinkedHashMap.newLinkedHashMap(keys.length);
            for (int i = 0; i < keys.length; i++) {
                Object key = keys[i].in(frame);
                Object value = values[i].in(frame);
                if (key instanceof Problem || value instanceof Problem) {
                    return key instanceof Problem ? key : value;
                }
                if (optional.get(i) && value instanceof Optional<?> present) {
                    if (present.isEmpty()) {
                        continue;
                    }
                    value = present.get();
                }
                if (entries.putIfAbsent(Equality.key(key), value) != null) {
                    return new Problem("Failed with repeated key");
                }
            }
            return MapValue.of(entries);
        };
    }

    private Step struct(CelExpr.CelStruct struct) {
        String type = struct.messageName();
        String[] fields =
                struct.entries().stream().map(CelExpr.CelStruct.Entry::fieldKey).toArray(String[]::new);
        Step[] values =
                struct.entries().stream().map(entry -> plan(entry.value())).toArray(Step[]::new);
        List<Boolean> optional = struct.entries().stream()
                .map(CelExpr.CelStruct.Entry::optionalEntry)
                .toList();
        return frame -> {
            frame.charge(40);
            Map<Object, Object> entries = LinkedHashMap.newLinkedHashMap(fields.length);
            for (int i = 0; i < fields.length; i++) {
                Object value = values[i].in(frame);
                if (value instanceof Problem) {
                    return value;
                }
                if (!optional.get(i)) {
                    entries.put(fields[i], value);
                } else if (value instanceof Optional<?> present && present.isPresent()) {
                    entries.put(fields[i], present.get());
                }
            }
            return new StructValue(type, entries);
        };
    }

    private Step comprehension(CelExpr.CelComprehension loop) {
        Step range = plan(loop.iterRange());
        Step start = plan(loop.accuInit());
        Map<String, Integer> outer = new HashMap<>(scope);
        int accumulator = declare(loop.accuVar());
        // the result sees the accumulator, but not the variables of the loop
        Step result = plan(loop.result());
        int first = declare(loop.iterVar());
        int second = loop.iterVar2().isEmpty() ? -1 : declare(loop.iterVar2());
        Step condition = plan(loop.loopCondition());
        Step step = plan(loop.loopStep());
        scope.clear();
        scope.putAll(outer);
        return frame -> {
            Object values = range.in(frame);
            if (values instanceof Problem) {
                return values;
            }
            MapValue map = values instanceof MapValue entries ? entries : null;
            if (map == null && !(values instanceof ListValue)) {
                return Problem.NO_SUCH_OVERLOAD;
            }
            ListValue list = map == null ? (ListValue) values : ListValue.of(map.keys());
            int size = list.size();
            frame.variables[accumulator] = start.in(frame);
            for (int i = 0; i < size; i++) {
                frame.charge(1);
                if (second < 0) {
                    frame.variables[first] = list.get(i);
                } else {
                    frame.variables[first] = map == null ? (Object) (long) i : list.get(i);
                    frame.variables[second] = map == null ? list.get(i) : map.get(list.get(i));
                }
                if (!Boolean.TRUE.equals(condition.in(frame))) {
                    break;
                }
                frame.variables[accumulator] = step.in(frame);
            }
            return result.in(frame);
        };
    }
}
