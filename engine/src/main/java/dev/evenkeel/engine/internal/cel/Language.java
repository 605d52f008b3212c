package dev.evenkeel.engine.internal.cel;

import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelIssue;
import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerBuilder;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.extensions.CelExtensions;
import dev.cel.extensions.CelListsExtensions;
import dev.cel.parser.CelMacro;
import dev.cel.parser.CelMacroExprFactory;
import dev.cel.parser.CelStandardMacro;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The language as configured by kube-apiserver: its macros, and the functions of its libraries. */
final class Language {
    private static final Set<CelListsExtensions.Function> LISTS =
            EnumSet.complementOf(EnumSet.of(CelListsExtensions.Function.SORT_BY));
    private static final CelOptions OPTIONS = CelOptions.current()
            .enableOptionalSyntax(true)
            .enableQuotedIdentifierSyntax(false)
            .enableHeterogeneousNumericComparisons(true)
            .maxParseRecursionDepth(250)
            .build();
    private static final int MOST_ERRORS = 100;
    private static final int LONGEST_LINE = 16_384;

    /** The function that sorts a list by another. */
    static final String SORT_BY_KEYS = "@sortByAssociatedKeys";

    private static final List<CelFunctionDecl> FUNCTIONS = Signatures.all();

    private Language() {}

    /**
     * Returns a compiler of expressions.
     *
     * @param variables the types of the variables, by name
     * @param structs the types of objects, by name
     */
    static CelCompiler compiler(Map<String, CelType> variables, Map<String, CelType> structs) {
        return compiler(variables, new Structs(ImmutableMap.copyOf(structs)), List.of());
    }

    /** Returns a compiler of expressions that may call more functions. */
    static CelCompiler compiler(Map<String, CelType> variables, CelTypeProvider types, List<CelFunctionDecl> more) {
        return builder(variables, types, more).build();
    }

    /** Returns a compiler of expressions that may also name values, {@code cel.bind(name, value, expression)}. */
    static CelCompiler binding(Map<String, CelType> variables, Map<String, CelType> structs) {
        return builder(variables, new Structs(ImmutableMap.copyOf(structs)), List.of())
                .addLibraries(CelExtensions.bindings())
                .build();
    }

    private static CelCompilerBuilder builder(
            Map<String, CelType> variables, CelTypeProvider types, List<CelFunctionDecl> more) {
        CelCompilerBuilder compiler = CelCompilerFactory.standardCelCompilerBuilder()
                .setOptions(OPTIONS)
                .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
                .addLibraries(
                        CelExtensions.optional(),
                        CelExtensions.comprehensions(),
                        CelExtensions.lists(LISTS),
                        CelExtensions.sets(OPTIONS))
                .addMacros(CelMacro.newReceiverMacro("sortBy", 2, Language::sortBy))
                .addFunctionDeclarations(FUNCTIONS)
                .addFunctionDeclarations(more)
                .setTypeProvider(types);
        variables.forEach(compiler::addVar);
        return compiler;
    }

    /**
     * Expands {@code list.sortBy(x, key)}: the keys are collected, then the list is sorted by them. The library's own
     * macro loses the type of the elements.
     */
    private static Optional<CelExpr> sortBy(
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
        return Optional.of(factory.newReceiverCall(SORT_BY_KEYS, list, keys));
    }

    /** The types of objects. */
    record Structs(ImmutableMap<String, CelType> byName) implements CelTypeProvider {
        @Override
        public ImmutableCollection<CelType> types() {
            return byName.values();
        }

        @Override
        public Optional<CelType> findType(String name) {
            return Optional.ofNullable(byName.get(name));
        }
    }

    /** Returns the compilation error of an expression; empty when it compiles. */
    static String error(CelValidationResult result) {
        return result.hasError() ? shown(result) : Literals.wrong(ast(result));
    }

    /**
     * Returns the first errors, by their place in the expression. Each is shown with its line, so that without limits a
     * short expression would have a message of many megabytes.
     */
    private static String shown(CelValidationResult result) {
        List<CelIssue> errors = result.getErrors().stream()
                .sorted(Comparator.comparingInt(
                                (CelIssue error) -> error.getSourceLocation().getLine())
                        .thenComparingInt(error -> error.getSourceLocation().getColumn()))
                .toList();
        List<String> lines = errors.stream()
                .filter(error -> !error.getMessage().startsWith(Wording.CONSEQUENCE))
                .limit(MOST_ERRORS)
                .map(error -> shown(error, result))
                .collect(Collectors.toCollection(ArrayList::new));
        if (errors.size() > MOST_ERRORS) {
            // upstream's parser stops at the first that is too many
            boolean syntax = lines.getFirst().contains(": Syntax error: ");
            lines.add((syntax ? 1 : errors.size() - MOST_ERRORS) + " more errors were truncated");
        }
        return String.join("\n", lines);
    }

    private static String shown(CelIssue error, CelValidationResult result) {
        int line = error.getSourceLocation().getLine();
        String source = line < 1 ? "" : result.getSource().getSnippet(line).orElse("");
        String message = Wording.of(error, source);
        if (line < 1 || message.startsWith(Wording.RECURSION)) { // of the whole, such as its length
            return "ERROR: <input>:-1:0: " + message;
        }
        String shown = error.toDisplayString(result.getSource());
        int end = shown.indexOf("\n | ");
        String place = shown.substring(0, shown.indexOf(": ", "ERROR: <input>:".length()) + 2);
        return place + message + (end < 0 || source.length() > LONGEST_LINE ? "" : shown.substring(end));
    }

    /** Returns the syntax tree of an expression without errors. */
    static CelAbstractSyntaxTree ast(CelValidationResult result) {
        try {
            return result.getAst();
        } catch (CelValidationException e) {
            throw new IllegalStateException("checked for errors before", e);
        }
    }
}
