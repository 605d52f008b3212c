package dev.evenkeel.engine.internal.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The estimated cost of an expression, computed before it is run.
 *
 * <p>The problem: a definition whose rules could take unlimited time on some object must be refused when it is written,
 * and a definition that kube-apiserver accepts must not be. The estimate therefore has to be upstream's, number for
 * number, oddities included.
 *
 * <p>The solution: a walk over the checked expression adds up the costs of its parts between best and worst case. Sizes
 * come from constants, from the schema by the path on which a value was reached, or from the function that returned it;
 * macros are loops, and their step is counted once for each element of the range. A function without a size of its own
 * costs one.
 *
 * <p>Oddities that are upstream's: integers and booleans reached by a path have size 0, and so comparing them is free;
 * an element of a list that was created by a macro has the size of the value that the rule is about.
 *
 * <p>Source of the semantics: the cost model of cel-go 0.26 with the estimates of kube-apiserver 1.36.
 */
final class StaticCost {
    private static final double PER_CHARACTER = 0.1;
    private static final double PER_PATTERN_CHARACTER = 0.25;
    private static final int FORMAT_PATTERN = 128;

    /** A variable of a macro: its path, and the known sizes of itself and of its elements. */
    private record Local(
            List<String> path,
            @Nullable CostRange size,
            @Nullable Entries entries) {}

    /** Sizes of the keys and values of a container. */
    private record Entries(boolean list, CostRange key, CostRange value) {
        static @Nullable Entries or(@Nullable Entries a, @Nullable Entries b) {
            return a == null || b == null ? null : new Entries(a.list, a.key.or(b.key), a.value.or(b.value));
        }
    }

    /** The cost of a call, and the size of its result. */
    private record Estimate(CostRange cost, @Nullable CostRange size) {
        static Estimate of(CostRange cost) {
            return new Estimate(cost, null);
        }

        Estimate plus(CostRange more) {
            return new Estimate(cost.plus(more), size);
        }
    }

    private final CelAbstractSyntaxTree ast;
    private final Sizes limits;
    private final Map<Long, List<String>> paths = new HashMap<>();
    private final Map<Long, CostRange> sizes = new HashMap<>();
    private final Map<Long, Entries> entries = new HashMap<>();
    private final Map<String, Deque<Local>> locals = new HashMap<>();

    /** The sizes that the values of variables may have. */
    interface Sizes {
        /**
         * Returns the size of a value; null when it is unspecified.
         *
         * @param path the name of the variable, then of fields; {@code @items}, {@code @values} and {@code @keys} stand for
         *     any part of a container
         */
        @Nullable
        CostRange of(List<String> path);
    }

    private StaticCost(CelAbstractSyntaxTree ast, Sizes limits) {
        this.ast = ast;
        this.limits = limits;
    }

    /**
     * Returns the maximum cost of an expression.
     *
     * @param ast checked
     * @param limits of the values that it is about
     */
    static long most(CelAbstractSyntaxTree ast, Sizes limits) {
        return new StaticCost(ast, limits).cost(ast.getExpr()).max();
    }

    private CostRange cost(CelExpr expr) {
        return switch (expr.getKind()) {
            case IDENT -> ident(expr);
            case SELECT -> select(expr);
            case CALL -> call(expr);
            case LIST -> list(expr);
            case MAP -> map(expr);
            case COMPREHENSION -> isBinding(expr.comprehension()) ? binding(expr) : loop(expr);
            default -> CostRange.ZERO;
        };
    }

    private CostRange ident(CelExpr expr) {
        String name = expr.ident().name();
        Local local = local(name);
        paths.put(expr.id(), local == null ? List.of(name) : local.path);
        return CostRange.ONE;
    }

    private CostRange select(CelExpr expr) {
        CelExpr operand = expr.select().operand();
        CostRange cost = cost(operand);
        if (expr.select().testOnly()) {
            return cost;
        }
        CelKind kind = type(operand).kind();
        if (kind == CelKind.MAP || kind == CelKind.STRUCT || kind == CelKind.TYPE_PARAM) {
            cost = cost.plus(CostRange.ONE);
        }
        paths.put(expr.id(), longer(path(operand), expr.select().field()));
        return cost;
    }

    private CostRange call(CelExpr expr) {
        CelExpr.CelCall call = expr.call();
        List<CelExpr> arguments = call.args();
        if (call.function().equals("dyn")) {
            CostRange cost = cost(arguments.getFirst()).plus(CostRange.ONE);
            take(expr, arguments.getFirst());
            return cost;
        }
        List<CostRange> costs = new ArrayList<>();
        arguments.forEach(argument -> costs.add(cost(argument)));
        List<String> overloads = ast.getReference(expr.id())
                .map(reference -> List.copyOf(reference.overloadIds()))
                .orElse(List.of());
        if (overloads.isEmpty()) {
            return CostRange.ZERO;
        }
        CelExpr target = call.target().orElse(null);
        CostRange sum = target == null ? CostRange.ZERO : cost(target);
        CostRange most = CostRange.NONE;
        CostRange size = null;
        for (String overload : overloads) {
            Estimate estimate = estimate(expr, overload, target, arguments, costs);
            most = most.or(estimate.cost);
            if (estimate.size != null) {
                size = size == null ? estimate.size : size.or(estimate.size);
            }
            boolean list = overload.equals("index_list");
            if (list || overload.equals("index_map")) {
                Entries inner = entries(arguments.getFirst());
                size = inner == null ? null : inner.value;
                paths.put(expr.id(), longer(path(arguments.getFirst()), list ? "@items" : "@values"));
            }
            if (size == null) {
                size = size(expr);
            }
        }
        remember(expr, size);
        return sum.plus(most);
    }

    private Estimate estimate(
            CelExpr expr, String overload, @Nullable CelExpr target, List<CelExpr> arguments, List<CostRange> costs) {
        CostRange all = costs.stream().reduce(CostRange.ZERO, CostRange::plus);
        return switch (overload) {
            case "logical_or", "logical_and" ->
                Estimate.of(new CostRange(costs.getFirst().min(), all.max()));
            case "conditional" -> {
                CelExpr yes = arguments.get(1);
                CelExpr no = arguments.get(2);
                remember(expr, Entries.or(entries(yes), entries(no)));
                yield new Estimate(
                        costs.getFirst().plus(costs.get(1).or(costs.get(2))),
                        sizeOrUnknown(yes).or(sizeOrUnknown(no)));
            }
            default -> {
                Estimate known = known(expr.call().function(), target, arguments);
                yield (known == null ? standard(expr, overload, target, arguments) : known).plus(all);
            }
        };
    }

    /** Returns the estimate of a function of the language, without the costs of its arguments. */
    private Estimate standard(CelExpr expr, String overload, @Nullable CelExpr target, List<CelExpr> arguments) {
        CostRange first = arguments.isEmpty() ? CostRange.UNKNOWN : sizeOrUnknown(arguments.getFirst());
        CostRange second = arguments.size() < 2 ? CostRange.UNKNOWN : sizeOrUnknown(arguments.get(1));
        CostRange text = target == null ? CostRange.UNKNOWN : sizeOrUnknown(target);
        CostRange walk = first.times(PER_CHARACTER);
        return switch (overload) {
            case "starts_with_string", "ends_with_string" -> Estimate.of(walk);
            case "string_to_bytes" -> new Estimate(walk, new CostRange(first.min(), CostRange.times(first.max(), 4)));
            case "bytes_to_string" -> new Estimate(walk, new CostRange(first.min() / 4, first.max()));
            case "in_list" -> Estimate.of(second);
            case "matches_string" ->
                Estimate.of(text.plus(CostRange.ONE).times(PER_CHARACTER).times(first.times(PER_PATTERN_CHARACTER)));
            case "contains_string" -> Estimate.of(text.times(PER_CHARACTER).times(walk));
            case "string.format(list<dyn>) string" -> Estimate.of(text.times(PER_CHARACTER));
            case "add_string", "add_bytes", "add_list" -> {
                CostRange size = first.plus(second);
                remember(expr, Entries.or(entries(arguments.getFirst()), entries(arguments.get(1))));
                yield new Estimate(overload.equals("add_list") ? CostRange.ONE : size.times(PER_CHARACTER), size);
            }
            case "less_string",
                    "less_equals_string",
                    "greater_string",
                    "greater_equals_string",
                    "less_bytes",
                    "less_equals_bytes",
                    "greater_bytes",
                    "greater_equals_bytes",
                    "equals",
                    "not_equals" -> {
                long most = Math.min(first.max(), second.max());
                yield Estimate.of(new CostRange(most > 0 ? 1 : 0, most).times(PER_CHARACTER));
            }
            default -> Estimate.of(CostRange.ONE);
        };
    }

    /** Returns the estimate of a function of Kubernetes by name, without the costs of its arguments. */
    private @Nullable Estimate known(String function, @Nullable CelExpr target, List<CelExpr> arguments) {
        CostRange first = arguments.isEmpty() ? CostRange.ZERO : sizeOrLimit(arguments.getFirst());
        CostRange walk = first.times(PER_CHARACTER);
        if (target == null) {
            return switch (function) {
                case "url" -> new Estimate(walk, first);
                case "cidr", "ip", "isIP", "isCIDR", "quantity", "isQuantity", "semver", "isSemver" ->
                    Estimate.of(walk);
                case "ip.isCanonical" -> Estimate.of(first.times(2 * PER_CHARACTER));
                case "_==_" -> opaqueEquality(arguments);
                default -> null;
            };
        }
        CostRange size = sizeOrLimit(target);
        return switch (function) {
            case "isSorted", "sum", "max", "min", "indexOf", "lastIndexOf" -> Estimate.of(perElement(target));
            case "lowerAscii", "upperAscii", "substring", "trim" -> new Estimate(size.times(PER_CHARACTER), size);
            case "replace" ->
                new Estimate(size.times(2 * PER_CHARACTER), replaced(size, first, sizeOrLimit(arguments.get(1))));
            case "split" -> {
                long most = size.max();
                if (arguments.size() > 1
                        && arguments.get(1).getKind() == Kind.CONSTANT
                        && arguments.get(1).constant().getKind() == CelConstant.Kind.INT64_VALUE) {
                    long limit = arguments.get(1).constant().int64Value();
                    most = limit < 0 ? CostRange.MOST : limit;
                }
                yield new Estimate(size.times(2 * PER_CHARACTER), new CostRange(0, most));
            }
            case "join" -> joined(target, arguments);
            case "find", "findAll" -> {
                CostRange text = size.plus(CostRange.ONE).times(PER_CHARACTER);
                yield new Estimate(text.times(first.times(PER_PATTERN_CHARACTER)), new CostRange(0, size.max()));
            }
            case "containsIP", "containsCIDR" -> {
                CostRange address = new CostRange(4, 16);
                CostRange cost = address.plus(address).times(PER_CHARACTER);
                if (function.equals("containsCIDR")) {
                    cost = cost.plus(address.times(PER_CHARACTER)).plus(CostRange.ONE);
                }
                boolean parsed = type(arguments.getFirst()).kind() == CelKind.STRING;
                yield Estimate.of(parsed ? cost.plus(walk) : cost);
            }
            case "validate" -> Estimate.of(walk.times(FORMAT_PATTERN * PER_PATTERN_CHARACTER));
            default -> null;
        };
    }

    private @Nullable Estimate opaqueEquality(List<CelExpr> arguments) {
        CelType type = type(arguments.getFirst());
        if (arguments.size() != 2 || !type.equals(type(arguments.get(1)))) {
            return null;
        }
        return switch (type.name()) {
            case Signatures.IP, Signatures.CIDR, Signatures.QUANTITY, Signatures.SEMVER -> Estimate.of(CostRange.ONE);
            case Signatures.FORMAT -> Estimate.of(new CostRange(1, 64).times(PER_CHARACTER));
            case Signatures.URL -> {
                CostRange size = size(arguments.get(1));
                yield Estimate.of((size == null ? CostRange.ONE : new CostRange(1, size.max())).times(PER_CHARACTER));
            }
            default -> null;
        };
    }

    private CostRange perElement(CelExpr target) {
        Element element = element(target);
        if (element == null) {
            return sizeOrLimit(target).times(PER_CHARACTER);
        }
        CostRange cost = CostRange.ONE;
        if (element.type.kind() == CelKind.STRING || element.type.kind() == CelKind.BYTES) {
            cost = cost.plus(element.size.times(PER_CHARACTER));
        }
        return sizeOrLimit(target).times(cost);
    }

    private Estimate joined(CelExpr target, List<CelExpr> arguments) {
        CostRange list = sizeOrLimit(target);
        Element element = element(target);
        CostRange size = element == null ? CostRange.ZERO : list.times(element.size);
        if (!arguments.isEmpty()) {
            CostRange separators = new CostRange(Math.max(0, list.min() - 1), Math.max(0, list.max() - 1));
            size = size.plus(sizeOrLimit(arguments.getFirst()).times(separators));
        }
        return new Estimate(size.times(PER_CHARACTER), size);
    }

    private static CostRange replaced(CostRange text, CostRange what, CostRange with) {
        boolean shrinks = with.max() <= what.min();
        boolean grows = what.max() <= with.min();
        CostRange count = new CostRange(count(text.min(), what.max(), grows), count(text.max(), what.min(), shrinks));
        return count.times(with)
                .plus(new CostRange(
                        what.max() == 0 || grows ? text.min() : 0, what.min() == 0 || shrinks ? text.max() : 0));
    }

    /** Returns how often a part of a size occurs in a text, unless replacing it is not counted. */
    private static long count(long text, long part, boolean uncounted) {
        if (part == 0) {
            return CostRange.plus(text, 1);
        }
        return uncounted ? 0 : Math.ceilDiv(text, part);
    }

    /** The elements of a list: their type, and their size according to the schema. */
    private record Element(CelType type, CostRange size) {}

    private @Nullable Element element(CelExpr list) {
        CelType type = type(list);
        if (type.parameters().isEmpty()) {
            return null;
        }
        List<String> path = shown(list);
        CostRange size = path.isEmpty() ? null : limit(longer(path, "@items"));
        return new Element(type.parameters().get(0), size == null ? CostRange.UNKNOWN : size);
    }

    private CostRange list(CelExpr expr) {
        CostRange cost = CostRange.exactly(10);
        CostRange item = expr.list().elements().isEmpty() ? new CostRange(0, 0) : CostRange.NONE;
        for (CelExpr element : expr.list().elements()) {
            cost = cost.plus(cost(element));
            item = item.or(sizeOrUnknown(element));
        }
        entries.put(expr.id(), new Entries(true, CostRange.ONE, item));
        return cost;
    }

    private CostRange map(CelExpr expr) {
        CostRange cost = CostRange.exactly(30);
        CostRange key = expr.map().entries().isEmpty() ? new CostRange(0, 0) : CostRange.NONE;
        CostRange value = key;
        for (CelExpr.CelMap.Entry entry : expr.map().entries()) {
            cost = cost.plus(cost(entry.key())).plus(cost(entry.value()));
            key = key.or(sizeOrUnknown(entry.key()));
            value = value.or(sizeOrUnknown(entry.value()));
        }
        entries.put(expr.id(), new Entries(false, key, value));
        return cost;
    }

    /** Returns true if a loop has no range and only names a value. */
    private static boolean isBinding(CelExpr.CelComprehension loop) {
        return loop.iterRange().getKind() == Kind.LIST
                && loop.iterRange().list().elements().isEmpty()
                && loop.loopCondition().getKind() == Kind.CONSTANT
                && loop.loopCondition().constant().getKind() == CelConstant.Kind.BOOLEAN_VALUE
                && !loop.loopCondition().constant().booleanValue()
                && !isAccumulator(loop.accuVar());
    }

    private static boolean isAccumulator(String name) {
        return name.equals("__result__") || name.equals("@result");
    }

    private CostRange binding(CelExpr expr) {
        CelExpr.CelComprehension loop = expr.comprehension();
        CostRange cost = cost(loop.iterRange()).plus(cost(loop.accuInit()));
        CelExpr start = loop.accuInit();
        push(loop.accuVar(), new Local(path(start), size(start), entries(start)));
        cost = cost.plus(cost(loop.result()));
        pop(loop.accuVar());
        take(expr, loop.result());
        return cost;
    }

    private CostRange loop(CelExpr expr) {
        CelExpr.CelComprehension loop = expr.comprehension();
        CelExpr range = loop.iterRange();
        CostRange cost = cost(range).plus(cost(loop.accuInit()));
        CelExpr start = loop.accuInit();
        push(loop.accuVar(), new Local(path(start), size(start), entries(start)));
        Entries inner = entries(range);
        boolean list = inner == null ? type(range).kind() == CelKind.LIST : inner.list;
        CostRange key = inner == null ? null : inner.key;
        CostRange value = inner == null ? null : inner.value;
        boolean two = !loop.iterVar2().isEmpty();
        if (two) {
            push(loop.iterVar(), new Local(longer(path(range), list ? "@indices" : "@keys"), key, null));
            push(loop.iterVar2(), new Local(longer(path(range), list ? "@items" : "@values"), value, null));
        } else {
            push(loop.iterVar(), new Local(longer(path(range), list ? "@items" : "@keys"), list ? value : key, null));
        }
        CostRange turn = cost(loop.loopCondition()).plus(cost(loop.loopStep()));
        pop(loop.iterVar());
        if (two) {
            pop(loop.iterVar2());
        }
        cost = cost.plus(cost(loop.result()));
        pop(loop.accuVar());
        CostRange count = sizeOrUnknown(range);
        cost = cost.plus(count.times(turn));
        switch (loop.accuInit().getKind()) {
            case CONSTANT -> remember(expr, size(start));
            case LIST, MAP -> {
                sizes.put(expr.id(), count);
                remember(expr, entries(loop.loopStep()));
            }
            default -> {}
        }
        return cost;
    }

    private void push(String name, Local local) {
        locals.computeIfAbsent(name, unused -> new ArrayDeque<>()).push(local);
    }

    private void pop(String name) {
        locals.getOrDefault(name, new ArrayDeque<>()).pop();
    }

    private @Nullable Local local(String name) {
        Deque<Local> stack = locals.get(name);
        return stack == null ? null : stack.peek();
    }

    private CelType type(CelExpr expr) {
        return ast.getType(expr.id()).orElse(SimpleType.DYN);
    }

    private List<String> path(CelExpr expr) {
        if (expr.getKind() == Kind.IDENT) {
            Local local = local(expr.ident().name());
            if (local != null) {
                return local.path;
            }
        }
        return paths.getOrDefault(expr.id(), List.of());
    }

    /** Returns the path if it begins at a variable of the rule. */
    private List<String> shown(CelExpr expr) {
        List<String> path = path(expr);
        return !path.isEmpty() && isAccumulator(path.getFirst()) ? List.of() : path;
    }

    private static List<String> longer(List<String> path, String step) {
        List<String> longer = new ArrayList<>(path);
        longer.add(step);
        return longer;
    }

    private @Nullable CostRange limit(List<String> path) {
        return path.isEmpty() ? null : limits.of(path);
    }

    private @Nullable CostRange size(CelExpr expr) {
        CostRange known = sizes.getOrDefault(expr.id(), literal(expr));
        if (known != null) {
            return known;
        }
        CostRange limit = limit(path(expr));
        if (limit != null) {
            sizes.put(expr.id(), limit);
            return limit;
        }
        if (isScalar(type(expr))) {
            return CostRange.ONE;
        }
        if (expr.getKind() == Kind.IDENT) {
            Local local = local(expr.ident().name());
            return local == null ? null : local.size;
        }
        return null;
    }

    private static @Nullable CostRange literal(CelExpr expr) {
        return switch (expr.getKind()) {
            case CONSTANT ->
                CostRange.exactly(
                        switch (expr.constant().getKind()) {
                            case STRING_VALUE -> Texts.size(expr.constant().stringValue());
                            case BYTES_VALUE -> expr.constant().bytesValue().size();
                            default -> 1;
                        });
            case LIST -> CostRange.exactly(expr.list().elements().size());
            case MAP -> CostRange.exactly(expr.map().entries().size());
            default -> null;
        };
    }

    private static boolean isScalar(CelType type) {
        return switch (type.kind()) {
            case BOOL, DOUBLE, DURATION, INT, TIMESTAMP, UINT -> true;
            case OPAQUE ->
                type.name().equals("optional_type")
                        && !type.parameters().isEmpty()
                        && isScalar(type.parameters().get(0));
            default -> false;
        };
    }

    private CostRange sizeOrUnknown(CelExpr expr) {
        return Optional.ofNullable(size(expr)).orElse(CostRange.UNKNOWN);
    }

    /** Returns the size as functions of Kubernetes see it: also by the path of a value created by a macro. */
    private CostRange sizeOrLimit(CelExpr expr) {
        return Optional.ofNullable(size(expr))
                .or(() -> Optional.ofNullable(limit(shown(expr))))
                .orElse(CostRange.UNKNOWN);
    }

    private @Nullable Entries entries(CelExpr expr) {
        Entries known = entries.get(expr.id());
        if (known == null && expr.getKind() == Kind.IDENT) {
            Local local = local(expr.ident().name());
            return local == null ? null : local.entries;
        }
        return known;
    }

    private void remember(CelExpr expr, @Nullable Entries value) {
        if (value != null) {
            entries.put(expr.id(), value);
        }
    }

    private void remember(CelExpr expr, @Nullable CostRange size) {
        if (size != null) {
            sizes.put(expr.id(), size);
        }
    }

    private void take(CelExpr to, CelExpr from) {
        remember(to, size(from));
        remember(to, entries(from));
    }
}
