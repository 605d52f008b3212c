package dev.evenkeel.engine.internal.cel;

import com.google.common.collect.ImmutableMap;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelValidationResult;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.cel.common.types.StructTypeReference;
import dev.cel.compiler.CelCompiler;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.RuleBudget;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A condition on a write, as in {@code matchConditions} of webhooks: an expression over {@code object}, {@code
 * oldObject}, {@code request} and {@code authorizer} that is true or false.
 *
 * <p>The types of the objects are unknown at compilation; the request has the fields of {@code admission.k8s.io/v1},
 * except {@code uid} and the objects.
 *
 * <p>Immutable; any thread may evaluate it. It is compiled once for the process. Semantics, costs and messages:
 * kube-apiserver 1.36.
 */
public final class Condition {
    /** The total cost that the conditions of one webhook may have. */
    public static final long BUDGET = 2_500_000;

    private static final List<String> VARIABLES =
            List.of("object", "oldObject", "request", AccessQuery.VARIABLE, AccessQuery.REQUEST);
    private static final Memo<Condition> KEPT = new Memo<>();

    private final String error;
    private final Planner.Step step;
    private final int variables;

    private Condition(String error, Planner.Step step, int variables) {
        this.error = error;
        this.step = step;
        this.variables = variables;
    }

    public sealed interface Result {
        /** The condition is true or false. */
        record Known(boolean holds) implements Result {}

        /** The condition could not be evaluated. */
        record Failed(String reason) implements Result {}

        /** The budget is spent; no further condition may be evaluated. */
        record Exhausted() implements Result {}
    }

    /** Compiles an expression, unless it is cached. */
    public static Condition of(String expression) {
        return KEPT.get(expression, () -> compile(expression));
    }

    private static Condition compile(String expression) {
        CelValidationResult result = Environment.COMPILER.compile(expression);
        String error = Language.error(result);
        if (!error.isEmpty()) {
            return broken("compilation failed: " + error);
        }
        CelAbstractSyntaxTree ast = Language.ast(result);
        if (ast.getResultType().kind() != CelKind.BOOL) {
            return broken(Wording.result("bool", ast.getResultType()));
        }
        Planner planner = new Planner(ast, VARIABLES);
        return new Condition("", planner.plan(), planner.variables());
    }

    private static Condition broken(String error) {
        return new Condition(error, unused -> new Problem(error), 0);
    }

    /** Returns the compilation error; empty when the condition compiles. */
    public String error() {
        return error;
    }

    /** Evaluates the condition for a sender that may do everything. */
    public Result evaluate(@Nullable Object object, @Nullable Object oldObject, JsonObject request, RuleBudget budget) {
        return evaluate(object, oldObject, request, AccessQuery.NONE.check("", "", "", "", ""), budget);
    }

    /**
     * Evaluates the condition.
     *
     * @param object the object after the write; null for a delete
     * @param oldObject the object before the write; null for a create
     * @param request the request
     * @param access the check of the request's resource
     * @param budget the remaining cost; is charged
     */
    public Result evaluate(
            @Nullable Object object,
            @Nullable Object oldObject,
            JsonObject request,
            AccessQuery.ResourceCheck access,
            RuleBudget budget) {
        if (!error.isEmpty()) {
            return new Result.Failed("compilation error: " + error);
        }
        boolean tight = budget.left() < RuleBudget.PER_RULE;
        Frame frame = new Frame(variables, Math.min(budget.left(), RuleBudget.PER_RULE));
        frame.variables[0] = Untyped.read(object);
        frame.variables[1] = Untyped.read(oldObject);
        frame.variables[2] = Untyped.read(request);
        frame.variables[3] = access.by();
        frame.variables[4] = access;
        try {
            return switch (step.in(frame)) {
                case Boolean holds -> new Result.Known(holds);
                case Problem problem -> new Result.Failed(problem.text());
                default -> new Result.Failed(Problem.NO_SUCH_OVERLOAD.text());
            };
        } catch (Frame.Exhausted e) {
            return tight
                    ? new Result.Exhausted()
                    : new Result.Failed("operation cancelled: actual cost limit exceeded");
        } finally {
            budget.take(frame.cost());
        }
    }

    /** The type environment of expressions; created on first use. */
    private static final class Environment {
        static final CelCompiler COMPILER = compiler();

        private static CelCompiler compiler() {
            Map<String, CelType> structs = new HashMap<>();
            CelType request = requestType(structs);
            Map<String, CelType> variables = new HashMap<>(AccessQuery.TYPES);
            variables.putAll(Map.of("object", SimpleType.DYN, "oldObject", SimpleType.DYN, "request", request));
            return Language.compiler(variables, structs);
        }
    }

    /** Returns the type of the request, and adds its parts to the types by name. */
    static CelType requestType(Map<String, CelType> structs) {
        CelType text = SimpleType.STRING;
        CelType texts = ListType.create(text);
        CelType kind = struct(structs, "GroupVersionKind", Map.of("group", text, "version", text, "kind", text));
        CelType resource =
                struct(structs, "GroupVersionResource", Map.of("group", text, "version", text, "resource", text));
        CelType user = struct(
                structs,
                "UserInfo",
                Map.of("username", text, "uid", text, "groups", texts, "extra", MapType.create(text, texts)));
        Map<String, CelType> fields = new HashMap<>();
        for (String field : List.of("subResource", "requestSubResource", "name", "namespace", "operation")) {
            fields.put(field, text);
        }
        fields.putAll(Map.of("kind", kind, "requestKind", kind, "resource", resource, "requestResource", resource));
        fields.putAll(Map.of("userInfo", user, "dryRun", SimpleType.BOOL, "options", SimpleType.DYN));
        return struct(structs, "AdmissionRequest", fields);
    }

    private static CelType struct(Map<String, CelType> structs, String kind, Map<String, CelType> fields) {
        String name = "kubernetes." + kind;
        ImmutableMap<String, CelType> types = ImmutableMap.copyOf(fields);
        structs.put(name, StructType.create(name, types.keySet(), field -> Optional.ofNullable(types.get(field))));
        return StructTypeReference.create(name);
    }
}
