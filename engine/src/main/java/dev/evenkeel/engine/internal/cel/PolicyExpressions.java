package dev.evenkeel.engine.internal.cel;

import com.google.common.collect.ImmutableMap;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelValidationResult;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.navigation.CelNavigableAst;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypes;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.cel.common.types.StructTypeReference;
import dev.cel.compiler.CelCompiler;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.RuleBudget;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The expressions of an admission policy, over {@code object}, {@code oldObject}, {@code request}, {@code
 * namespaceObject}, {@code authorizer}, {@code params} if the policy has parameters, and {@code variables} if it declares
 * some. Mutations also construct objects, {@code Object{...}} and {@code JSONPatch{...}}.
 *
 * <p>A variable sees those before it; it is evaluated at most once for each {@link Evaluation}, and only when an
 * expression needs it. An expression is compiled on first use.
 *
 * <p>Thread-safe; cached for the process by its source. Semantics and messages: kube-apiserver 1.36.
 */
public final class PolicyExpressions {
    private static final String VARIABLES = "variables";
    private static final List<String> SLOTS = List.of(
            "object",
            "oldObject",
            "request",
            "namespaceObject",
            "params",
            VARIABLES,
            AccessQuery.VARIABLE,
            AccessQuery.REQUEST);
    private static final String OBJECT = "Object";
    private static final List<CelFunctionDecl> MUTATION_FUNCTIONS = Signatures.ofMutations();
    private static final Memo<PolicyExpressions> KEPT = new Memo<>();

    private final Map<String, CelType> globals;
    private final Map<String, CelType> structs;
    private final Map<String, Compiled> variables = new LinkedHashMap<>();
    private final CelCompiler compiler;
    private final Memo<Compiled> compiled = new Memo<>();
    private final Memo<Compiled> mutations = new Memo<>();

    /** A variable of a policy. */
    public record Variable(String name, String expression) {}

    /** The values that expressions see; null where there is none. */
    public record Inputs(
            @Nullable JsonObject object,
            @Nullable JsonObject oldObject,
            JsonObject request,
            @Nullable JsonObject namespace,
            @Nullable JsonObject params,
            AccessQuery.ResourceCheck access) {}

    /** The result of an expression. */
    public sealed interface Result {
        /**
         * A boolean, text, number, or an empty value for null and for values of other types; of a mutation the
         * constructed JSON.
         */
        record Known(Optional<Object> value) implements Result {}

        /** The expression could not be evaluated. */
        record Failed(String reason) implements Result {}

        /** The budget was exceeded; no further expression may be evaluated. */
        record Exceeded() implements Result {
            public static final String REASON =
                    "validation failed due to running out of cost budget, no further validation rules will be run";
        }
    }

    private record Compiled(String error, CelType type, Planner.Step step, int slots) {}

    private PolicyExpressions(List<Variable> declared, boolean params) {
        this.structs = new HashMap<>();
        this.globals = new HashMap<>();
        CelType dyn = SimpleType.DYN;
        globals.putAll(Map.of("object", dyn, "oldObject", dyn, "namespaceObject", dyn));
        globals.put("request", Condition.requestType(structs));
        globals.putAll(AccessQuery.TYPES);
        if (params) {
            globals.put("params", dyn);
        }
        CelCompiler next = declared.isEmpty() ? Language.compiler(globals, structs) : withVariables();
        for (Variable variable : declared) {
            Compiled value = compile(next, variable.expression());
            variables.put(variable.name(), value);
            next = withVariables();
        }
        this.compiler = next;
    }

    private CelCompiler withVariables() {
        Map<String, CelType> types = new HashMap<>();
        variables.forEach((name, value) -> types.put(name, value.type()));
        String name = "kubernetes." + VARIABLES;
        ImmutableMap<String, CelType> fields = ImmutableMap.copyOf(types);
        structs.put(name, StructType.create(name, fields.keySet(), field -> Optional.ofNullable(fields.get(field))));
        globals.put(VARIABLES, StructTypeReference.create(name));
        return Language.compiler(globals, structs);
    }

    /** Returns the expressions of a policy with these variables, with or without parameters. */
    public static PolicyExpressions of(List<Variable> variables, boolean params) {
        return KEPT.get(params + " " + variables, () -> new PolicyExpressions(variables, params));
    }

    /** Returns the error of a variable's expression; empty when it compiles. */
    public String variableError(String name) {
        Compiled value = variables.get(name);
        return value == null ? "" : value.error();
    }

    /** Returns why an expression is not a boolean; empty when it is. */
    public String booleanError(String expression) {
        return error(expression, "bool", List.of(CelKind.BOOL));
    }

    /** Returns why the expression of a message is not a text; empty when it is. Messages cannot ask for permissions. */
    public String messageError(String expression) {
        Map<String, CelType> visible = new HashMap<>(globals);
        visible.keySet().removeAll(AccessQuery.TYPES.keySet());
        return error(compile(Language.compiler(visible, structs), expression), "string", List.of(CelKind.STRING));
    }

    /** Returns why an expression is neither a text nor null; empty when it is one of them. */
    public String textOrNullError(String expression) {
        return error(expression, "one of [string null_type]", List.of(CelKind.STRING, CelKind.NULL_TYPE));
    }

    private String error(String expression, String wanted, List<CelKind> kinds) {
        return error(compiled(expression), wanted, kinds);
    }

    private static String error(Compiled found, String wanted, List<CelKind> kinds) {
        if (!found.error().isEmpty()) {
            return found.error();
        }
        return kinds.contains(found.type().kind()) ? "" : Wording.result(wanted, found.type());
    }

    /** Returns why an expression does not construct an object to apply; empty when it does. */
    public String objectError(String expression) {
        return mutationError(expression, OBJECT);
    }

    /** Returns why an expression does not construct the operations of a JSON Patch; empty when it does. */
    public String patchError(String expression) {
        return mutationError(expression, "list(" + StructValue.PATCH + ")");
    }

    private String mutationError(String expression, String wanted) {
        Compiled found = mutation(expression);
        if (!found.error().isEmpty()) {
            return found.error();
        }
        String type = CelTypes.format(found.type());
        return type.equals(wanted) ? "" : "must evaluate to " + wanted + " but got " + type;
    }

    private Compiled mutation(String expression) {
        return mutations.get(expression, () -> {
            Map<String, CelType> types = new HashMap<>(structs);
            CelType text = SimpleType.STRING;
            CelType dyn = SimpleType.DYN;
            Map<String, Map<String, CelType>> constructed = new HashMap<>();
            constructed.put(OBJECT, new HashMap<>());
            constructed.put(
                    StructValue.PATCH, new HashMap<>(Map.of("op", text, "path", text, "from", text, "value", dyn)));
            CelValidationResult parsed = compiler.parse(expression);
            if (!parsed.hasError()) {
                CelNavigableAst.fromAst(Language.ast(parsed))
                        .getRoot()
                        .allNodes()
                        .map(node -> node.expr())
                        .filter(expr -> expr.getKind() == CelExpr.ExprKind.Kind.STRUCT)
                        .map(CelExpr::struct)
                        .forEach(struct -> declare(constructed, struct));
            }
            constructed.forEach((name, fields) -> types.put(name, struct(name, fields)));
            return compile(
                    Language.compiler(globals, new Language.Structs(ImmutableMap.copyOf(types)), MUTATION_FUNCTIONS),
                    expression);
        });
    }

    /** Declares the fields of a constructed object: any of an object; of an operation only those that it has. */
    private static void declare(Map<String, Map<String, CelType>> constructed, CelExpr.CelStruct struct) {
        String name = struct.messageName();
        boolean operation = name.equals(StructValue.PATCH);
        if (operation || name.equals(OBJECT) || name.startsWith(OBJECT + ".")) {
            Map<String, CelType> fields = constructed.computeIfAbsent(name, unused -> new HashMap<>());
            CelType type = operation ? OpaqueType.create("") : SimpleType.DYN;
            struct.entries().forEach(entry -> fields.putIfAbsent(entry.fieldKey(), type));
        }
    }

    /** Returns the type of constructed objects, which have the fields that are set. */
    private static StructType struct(String name, Map<String, CelType> fields) {
        ImmutableMap<String, CelType> types = ImmutableMap.copyOf(fields);
        return StructType.create(name, types.keySet(), field -> Optional.ofNullable(types.get(field)));
    }

    private Compiled compiled(String expression) {
        return compiled.get(expression, () -> compile(compiler, expression));
    }

    private static Compiled compile(CelCompiler compiler, String expression) {
        CelValidationResult result = compiler.compile(expression);
        String error = Language.error(result);
        if (!error.isEmpty()) {
            return new Compiled("compilation failed: " + error, SimpleType.DYN, frame -> new Problem(error), 0);
        }
        CelAbstractSyntaxTree ast = Language.ast(result);
        Planner planner = new Planner(ast, SLOTS);
        Planner.Step step = planner.plan();
        return new Compiled("", ast.getResultType(), step, planner.variables());
    }

    /** Starts an evaluation, whose costs are charged to the budget. */
    public Evaluation evaluate(Inputs inputs, RuleBudget budget) {
        return new Evaluation(inputs, budget);
    }

    /** Evaluates expressions over the same values. Confined to one thread. */
    public final class Evaluation {
        private final List<Object> values;
        private final RuleBudget budget;

        private Evaluation(Inputs inputs, RuleBudget budget) {
            this.budget = budget;
            this.values = new ArrayList<>();
            values.add(Untyped.read(inputs.object()));
            values.add(Untyped.read(inputs.oldObject()));
            values.add(Untyped.read(inputs.request()));
            values.add(Untyped.read(inputs.namespace()));
            values.add(Untyped.read(inputs.params()));
            values.add(new Variables(this));
            values.add(inputs.access().by());
            values.add(inputs.access());
        }

        /** Evaluates a mutation, which constructs an object or a list of operations. */
        public Result json(String expression) {
            Compiled found = mutation(expression);
            if (!found.error().isEmpty()) {
                return new Result.Failed(found.error());
            }
            try {
                Object value = run(found);
                if (budget.isExceeded()) {
                    return new Result.Exceeded();
                }
                Optional<String> misnamed =
                        value instanceof ListValue list ? misnamed(list) : StructValue.misnamed(value, OBJECT);
                return misnamed.isPresent()
                        ? new Result.Failed("type mismatch: " + misnamed.get())
                        : new Result.Known(Optional.ofNullable(Untyped.write(value)));
            } catch (IllegalArgumentException e) {
                return new Result.Failed("expression '" + expression + "' resulted in error: " + e.getMessage());
            } catch (Frame.Exhausted e) {
                return exhausted();
            }
        }

        private static Optional<String> misnamed(ListValue operations) {
            for (int i = 0; i < operations.size(); i++) {
                if (operations.get(i) instanceof StructValue operation
                        && operation.find("value") instanceof StructValue value) {
                    Optional<String> found = StructValue.misnamed(value, value.type());
                    if (found.isPresent()) {
                        return found;
                    }
                }
            }
            return Optional.empty();
        }

        /** Evaluates an expression. */
        public Result value(String expression) {
            Compiled found = compiled(expression);
            if (!found.error().isEmpty()) {
                return new Result.Failed("compilation error: " + found.error());
            }
            try {
                Object result = run(found);
                if (budget.isExceeded()) {
                    return new Result.Exceeded();
                }
                return switch (result) {
                    case Problem problem -> new Result.Failed(problem.text());
                    case Boolean known -> new Result.Known(Optional.of(known));
                    case String known -> new Result.Known(Optional.of(known));
                    case Long known -> new Result.Known(Optional.of(known));
                    default -> new Result.Known(Optional.empty());
                };
            } catch (Frame.Exhausted e) {
                return exhausted();
            }
        }

        private Result exhausted() {
            return budget.isExceeded()
                    ? new Result.Exceeded()
                    : new Result.Failed("operation cancelled: actual cost limit exceeded");
        }

        private Object run(Compiled expression) {
            Frame frame = new Frame(expression.slots(), Math.min(budget.left(), RuleBudget.PER_RULE));
            for (int i = 0; i < values.size(); i++) {
                frame.variables[i] = values.get(i);
            }
            try {
                return expression.step().in(frame);
            } finally {
                budget.take(frame.cost());
            }
        }
    }

    /** The variables of a policy, evaluated when they are read. */
    private final class Variables implements MapValue {
        private final Evaluation evaluation;
        private final Map<Object, Object> known = new HashMap<>();

        Variables(Evaluation evaluation) {
            this.evaluation = evaluation;
        }

        @Override
        public int size() {
            return variables.size();
        }

        @Override
        public List<Object> keys() {
            return List.copyOf(variables.keySet());
        }

        @Override
        public @Nullable Object find(Object key) {
            if (!(key instanceof String name) || !variables.containsKey(name)) {
                return null;
            }
            Object value = known.get(name);
            if (value == null) {
                value = evaluation.run(variables.get(name));
                if (value instanceof Problem problem) {
                    value = new Problem("composited variable \"" + name + "\" fails to evaluate: " + problem.text());
                }
                known.put(name, value);
            }
            return value;
        }
    }
}
