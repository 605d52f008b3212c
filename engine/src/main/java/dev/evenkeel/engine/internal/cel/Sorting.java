package dev.evenkeel.engine.internal.cel;

import com.google.common.collect.ImmutableList;
import dev.cel.common.ast.CelExpr;
import dev.cel.parser.CelMacro;
import dev.cel.parser.CelMacroExprFactory;
import java.util.Optional;

/**
 * The macro {@code list.sortBy(x, key)}: the keys are collected, then the list is sorted by them. The library's own
 * macro loses the type of the elements.
 */
final class Sorting {
    /** The function that sorts a list by another. */
    static final String BY_KEYS = "@sortByAssociatedKeys";

    static final CelMacro SORT_BY = CelMacro.newReceiverMacro("sortBy", 2, Sorting::expand);

    private Sorting() {}

    private static Optional<CelExpr> expand(
            CelMacroExprFactory factory, CelExpr list, ImmutableList<CelExpr> arguments) {
        if (arguments.getFirst().getKind() != CelExpr.ExprKind.Kind.IDENT) {
            return Optional.of(factory.reportError("sortBy() variable name must be a simple identifier"));
        }
        String accumulator = factory.getAccumulatorVarName();
        CelExpr keys = factory.fold(
                arguments.getFirst().ident().name(),
                factory.copy(list),
                accumulator,
                factory.newList(),
                factory.newBoolLiteral(true),
                factory.newGlobalCall("_+_", factory.newIdentifier(accumulator), factory.newList(arguments.get(1))),
                factory.newIdentifier(accumulator));
        return Optional.of(factory.newReceiverCall(BY_KEYS, list, keys));
    }
}
