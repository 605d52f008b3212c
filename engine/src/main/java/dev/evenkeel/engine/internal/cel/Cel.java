package dev.evenkeel.engine.internal.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelValidationResult;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OptionalType;
import dev.cel.compiler.CelCompiler;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.CompiledRule;
import dev.evenkeel.engine.internal.schema.RuleCompiler;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Compiles rules in CEL.
 *
 * <p>The problem: rules of schemas are written in CEL with Kubernetes' libraries, and clients depend on the behaviour
 * of kube-apiserver: which rules compile, what they may cost, which fields they see, which errors they give.
 *
 * <p>The solution: Google's library parses and checks the types; the result is evaluated here, because the library's
 * own runtime converts whole objects at every access, knows no list types, has no costs, and words its errors in its
 * own way.
 *
 * <p>Invariants:
 *
 * <ol>
 *   <li>Nothing of the language is loaded before a schema with rules is compiled.
 *   <li>Evaluating a rule changes nothing, copies nothing of the object, and ends: its cost is bounded.
 *   <li>The result of a rule depends on its arguments only: there is no clock, no randomness, no I/O.
 * </ol>
 *
 * <p>Concurrency: compiled rules are immutable; any thread may evaluate them. Compiling is done by one thread at a
 * time.
 *
 * <p>Cost: the first compilation loads some thousand classes and takes about 0.7 s of a processor; later ones take a
 * millisecond or more a rule, evaluating a small rule less than a microsecond. Compiled rules are cached for the
 * process by their source, so that an engine per test case compiles nothing twice.
 *
 * <p>Source of the semantics: kube-apiserver 1.36.
 */
public final class Cel implements RuleCompiler {
    public static final RuleCompiler RULES = new Cel();

    private static final String SELF = "self";
    private static final String OLD_SELF = "oldSelf";
    private final Memo<Compiled> compiled = new Memo<>();

    private Cel() {}

    @Override
    public Compiled compile(JsonObject schema, boolean resource) {
        return compiled.get(digest(schema, resource), () -> compileAll(schema, resource));
    }

    private static String digest(JsonObject schema, boolean resource) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(Json.write(schema));
            return HexFormat.of().formatHex(hash) + resource;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private static Compiled compileAll(JsonObject schema, boolean resource) {
        Map<String, CelType> structs = new HashMap<>();
        SchemaType shape = SchemaType.of(schema, resource, "selfType", structs);
        if (!shape.visible()) {
            return Compiled.INVISIBLE;
        }
        CelCompiler plain = compiler(shape.type(), shape.type(), structs);
        CelCompiler optional = null;
        List<CompiledRule> rules = new ArrayList<>();
        for (Object each : schema.array("x-kubernetes-validations")) {
            boolean optionalOld = Boolean.TRUE.equals(Json.at(each, "optionalOldSelf"));
            if (optionalOld && optional == null) {
                optional = compiler(shape.type(), OptionalType.create(shape.type()), structs);
            }
            CelCompiler compiler = optionalOld && optional != null ? optional : plain;
            rules.add(rule(
                    compiler, Json.string(each, "rule"), Json.string(each, "messageExpression"), shape, optionalOld));
        }
        return new Compiled(List.copyOf(rules), SchemaType.MAX_REQUEST / (shape.minSize() + 1));
    }

    private static CelCompiler compiler(CelType self, CelType oldSelf, Map<String, CelType> structs) {
        return Language.compiler(Map.of(SELF, self, OLD_SELF, oldSelf), structs);
    }

    private static CompiledRule rule(
            CelCompiler compiler, String rule, String message, SchemaType shape, boolean optionalOld) {
        CelValidationResult result = compiler.compile(rule);
        String error = error(result, CelKind.BOOL, "cel expression must evaluate to a bool", "compilation failed: ");
        if (!error.isEmpty()) {
            return broken(error);
        }
        CelAbstractSyntaxTree ast = Language.ast(result);
        boolean usesOld = ast.getReferenceMap().values().stream()
                .anyMatch(reference -> reference.name().equals(OLD_SELF));
        Planner planner = new Planner(ast, List.of(SELF, OLD_SELF));
        Planner.Step steps = planner.plan();
        Planner.Step messageSteps = null;
        int variables = planner.variables();
        String messageError = "";
        Optional<Long> messageCost = Optional.empty();
        if (!message.isBlank()) {
            CelValidationResult text = compiler.compile(message);
            messageError = error(
                    text,
                    CelKind.STRING,
                    "messageExpression must evaluate to a string",
                    "messageExpression compilation failed: ");
            if (messageError.isEmpty()) {
                CelAbstractSyntaxTree messageAst = Language.ast(text);
                Planner messagePlanner = new Planner(messageAst, List.of(SELF, OLD_SELF));
                messageSteps = messagePlanner.plan();
                variables = Math.max(variables, messagePlanner.variables());
                messageCost = Optional.of(StaticCost.most(messageAst, shape::size));
            }
        }
        Expression expression = new Expression(shape, steps, messageSteps, variables, optionalOld);
        return new CompiledRule(
                "", messageError, usesOld, StaticCost.most(ast, shape::size), messageCost, expression::evaluate);
    }

    private static CompiledRule broken(String error) {
        return new CompiledRule(
                error,
                "",
                false,
                0,
                Optional.empty(),
                (self, old, budget) -> new CompiledRule.Outcome.Failed("rule compile error: " + error));
    }

    private static String error(CelValidationResult result, CelKind wanted, String otherType, String prefix) {
        String error = Language.error(result);
        if (!error.isEmpty()) {
            return prefix + error;
        }
        return Language.ast(result).getResultType().kind() == wanted ? "" : otherType;
    }
}
