package dev.evenkeel.engine.internal.cel;

import com.google.re2j.PatternSyntaxException;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelIssue;
import dev.cel.common.CelSource;
import dev.cel.common.CelSourceLocation;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.evenkeel.engine.internal.syntax.Re2;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Checks that constant durations, timestamps and patterns can be parsed, and that lists and maps have elements of one
 * type each.
 */
final class Literals {
    private final CelAbstractSyntaxTree ast;
    private final List<CelIssue> issues;
    private int formatted;

    private Literals(CelAbstractSyntaxTree ast, List<CelIssue> issues) {
        this.ast = ast;
        this.issues = issues;
    }

    /** Returns the error, as the compiler reports it; empty when there is none. */
    static String wrong(CelAbstractSyntaxTree ast) {
        List<CelIssue> issues = new ArrayList<>();
        new Literals(ast, issues).visit(ast.getExpr());
        return issues.isEmpty() ? "" : CelIssue.toDisplayString(issues, ast.getSource());
    }

    private void visit(CelExpr expr) {
        switch (expr.getKind()) {
            case SELECT -> visit(expr.select().operand());
            case CALL -> {
                CelExpr.CelCall call = expr.call();
                call.target().ifPresent(this::visit);
                // arguments of format may be of any types
                boolean mixed = call.function().equals("format");
                formatted += mixed ? 1 : 0;
                call.args().forEach(this::visit);
                formatted -= mixed ? 1 : 0;
                if (!call.args().isEmpty()
                        && !isValid(call.function(), call.args().getLast())) {
                    issue(call.args().getLast(), "invalid " + call.function() + " argument");
                }
            }
            case LIST -> {
                expr.list().elements().forEach(this::visit);
                if (expr.list().optionalIndices().isEmpty()) {
                    alike(expr.list().elements());
                }
            }
            case MAP -> {
                expr.map().entries().forEach(entry -> {
                    visit(entry.key());
                    visit(entry.value());
                });
                List<CelExpr.CelMap.Entry> entries = expr.map().entries();
                alike(entries.stream().map(CelExpr.CelMap.Entry::key).toList());
                if (entries.stream().noneMatch(CelExpr.CelMap.Entry::optionalEntry)) {
                    alike(entries.stream().map(CelExpr.CelMap.Entry::value).toList());
                }
            }
            case COMPREHENSION -> {
                CelExpr.CelComprehension loop = expr.comprehension();
                Stream.of(loop.iterRange(), loop.accuInit(), loop.loopCondition(), loop.loopStep(), loop.result())
                        .forEach(this::visit);
            }
            default -> {}
        }
    }

    private void alike(List<CelExpr> parts) {
        CelType first = parts.isEmpty() || formatted > 0 ? SimpleType.DYN : type(parts.getFirst());
        for (CelExpr part : parts) {
            CelType type = type(part);
            if (isKnown(first) && isKnown(type) && !first.isAssignableFrom(type) && !type.isAssignableFrom(first)) {
                issue(part, Wording.mismatch(first, type));
                return;
            }
        }
    }

    private CelType type(CelExpr expr) {
        return ast.getType(expr.id()).orElse(SimpleType.DYN);
    }

    private static boolean isKnown(CelType type) {
        return switch (type.kind()) {
            case DYN, ANY, TYPE_PARAM, NULL_TYPE, ERROR -> false;
            default -> type.parameters().stream().allMatch(Literals::isKnown);
        };
    }

    private static boolean isValid(String function, CelExpr argument) {
        if (argument.getKind() != Kind.CONSTANT || argument.constant().getKind() != CelConstant.Kind.STRING_VALUE) {
            return true;
        }
        String text = argument.constant().stringValue();
        return switch (function) {
            case "duration" -> Timestamps.goDuration(text).isPresent();
            case "timestamp" -> Timestamps.timestamp(text).isPresent();
            case "matches" -> {
                try {
                    Re2.compile(text);
                    yield true;
                } catch (PatternSyntaxException e) {
                    yield false;
                }
            }
            default -> true;
        };
    }

    private void issue(CelExpr at, String message) {
        CelSource source = ast.getSource();
        Integer offset = source.getPositionsMap().get(at.id());
        CelSourceLocation location = offset == null
                ? CelSourceLocation.NONE
                : source.getOffsetLocation(offset).orElse(CelSourceLocation.NONE);
        issues.add(CelIssue.formatError(at.id(), location, message));
    }
}
