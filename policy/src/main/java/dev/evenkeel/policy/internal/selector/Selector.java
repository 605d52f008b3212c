package dev.evenkeel.policy.internal.selector;

import dev.evenkeel.graph.LabelPredicate;
import dev.evenkeel.policy.internal.sharing.Shared;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A selector of labelled things, such as {@code app == "web" && !has(canary)}.
 *
 * <p>A selector is identified by its {@link #text canonical text}: two texts that differ only in blanks, quotes,
 * redundant parentheses, double negations, or the order and repetition of values of a set are the same selector. Operands
 * of {@code &&} and {@code ||} keep their order and nesting, so their text is the one that other implementations of this
 * language calculate, and so is the name of the {@link IpSetId IP set} that is derived from it.
 *
 * <p>The canonical text parses to an equal selector. An absent label fulfils {@code !=} and {@code not in}, and no other
 * comparison.
 *
 * <p>Immutable; equal when the canonical texts are. Matching takes time proportional to the text and allocates nothing.
 */
public final class Selector implements LabelPredicate {
    /** The longest name of a label. */
    static final int LONGEST_LABEL = 512;

    /** The deepest nesting of operators: evaluation is recursive. */
    static final int DEEPEST = 100;

    private static final Pattern LABEL = Pattern.compile("[A-Za-z0-9_./-]{1," + LONGEST_LABEL + "}");
    private static final Selector ALL = new Selector(new All());

    private final Node node;
    private final String text;

    private Selector(Node node) {
        if (depth(node) > DEEPEST) {
            throw new IllegalArgumentException("selector: operators are nested more than " + DEEPEST + " deep");
        }
        this.node = node;
        StringBuilder canonical = new StringBuilder();
        append(node, canonical);
        text = canonical.toString();
    }

    /**
     * Reads a selector; blank text is {@code all()}.
     *
     * @throws IllegalArgumentException if the text is not a selector; the message has the column
     */
    public static Selector parse(String text) {
        return text.isBlank() && text.indexOf('\n') < 0
                ? ALL
                : Shared.of(new Selector(new SelectorParser(text).parse()));
    }

    /** Returns the selector {@code all()}, which matches everything. */
    public static Selector all() {
        return ALL;
    }

    /** Returns the selector of things that have a label. */
    public static Selector has(String label) {
        return new Selector(new Has(label(label)));
    }

    /** Returns the selector of things with a value of a label. */
    public static Selector equal(String label, String value) {
        return new Selector(new Compare(label(label), Operator.EQUAL, value(value)));
    }

    /** Returns the selector of things with one of the values of a label. */
    public static Selector in(String label, List<String> values) {
        return new Selector(new Member(label(label), false, values(values)));
    }

    /** Returns the selector of things that have none of the values of a label, or lack the label. */
    public static Selector notIn(String label, List<String> values) {
        return new Selector(new Member(label(label), true, values(values)));
    }

    /** Returns the negation. */
    public Selector negate() {
        return new Selector(not(node));
    }

    /** Returns the conjunction of selectors: the only one itself, {@code all()} for none. */
    public static Selector and(List<Selector> operands) {
        return switch (operands.size()) {
            case 0 -> ALL;
            case 1 -> operands.getFirst();
            default ->
                new Selector(
                        new And(operands.stream().map(operand -> operand.node).toList()));
        };
    }

    /**
     * Returns this selector with other names of labels, and with other selectors in the place of {@code all()} and
     * {@code global()}.
     */
    public Selector rewrite(UnaryOperator<String> labels, Selector all, Selector global) {
        return new Selector(rewrite(node, labels, all.node, global.node));
    }

    /** Returns whether something with these labels is selected. */
    @Override
    public boolean matches(UnaryOperator<@Nullable String> labels) {
        return matches(node, labels);
    }

    /** Returns whether something with these labels is selected. */
    public boolean matches(Map<String, String> labels) {
        return matches(node, labels::get);
    }

    /** Returns the names of the labels that the selector mentions. */
    @Override
    public Set<String> names() {
        return switch (node) {
            case Has has -> Set.of(has.label());
            case Compare compare -> Set.of(compare.label());
            case Member member -> Set.of(member.label());
            default -> {
                Set<String> names = new HashSet<>();
                collectNames(node, names);
                yield names;
            }
        };
    }

    private static void collectNames(Node node, Set<String> names) {
        switch (node) {
            case All unused -> {
                // mentions none
            }
            case Global unused -> {
                // mentions none
            }
            case Has has -> names.add(has.label());
            case Compare compare -> names.add(compare.label());
            case Member member -> names.add(member.label());
            case Not not -> collectNames(not.operand(), names);
            case And and -> and.operands().forEach(operand -> collectNames(operand, names));
            case Or or -> or.operands().forEach(operand -> collectNames(operand, names));
        }
    }

    /**
     * Returns labels that everything selected has, each with the values of which it has one; an empty set stands for any
     * value. Not all such labels: an over-approximation, which finds candidates.
     */
    @Override
    public Map<String, Set<String>> required() {
        return required(node, false);
    }

    private static Map<String, Set<String>> required(Node node, boolean negated) {
        return switch (node) {
            case All unused -> Map.of();
            case Global unused -> Map.of();
            case Has has -> negated ? Map.of() : Map.of(has.label(), Set.of());
            case Compare compare -> required(compare, negated);
            case Member member ->
                member.not() == negated && !member.values().isEmpty()
                        ? Map.of(member.label(), Set.copyOf(member.values()))
                        : Map.of();
            case Not not -> required(not.operand(), !negated);
            case And and -> negated ? any(and.operands(), true) : each(and.operands(), false);
            case Or or -> negated ? each(or.operands(), true) : any(or.operands(), false);
        };
    }

    private static Map<String, Set<String>> required(Compare compare, boolean negated) {
        return switch (compare.operator()) {
            case EQUAL -> negated ? Map.of() : Map.of(compare.label(), Set.of(compare.value()));
            case NOT_EQUAL -> negated ? Map.of(compare.label(), Set.of(compare.value())) : Map.of();
            case CONTAINS, STARTS_WITH, ENDS_WITH -> negated ? Map.of() : Map.of(compare.label(), Set.of());
        };
    }

    /** Returns what all operands together require. */
    private static Map<String, Set<String>> each(List<Node> operands, boolean negated) {
        Map<String, Set<String>> all = new HashMap<>();
        for (Node operand : operands) {
            required(operand, negated).forEach((label, values) -> all.merge(label, values, Selector::fewer));
        }
        return all;
    }

    /** Returns the smaller of two necessary sets of values, of which an empty one is the set of all. */
    private static Set<String> fewer(Set<String> left, Set<String> right) {
        return left.isEmpty() || (!right.isEmpty() && right.size() < left.size()) ? right : left;
    }

    /** Returns what each of the operands requires. */
    private static Map<String, Set<String>> any(List<Node> operands, boolean negated) {
        Map<String, Set<String>> all = new HashMap<>(required(operands.getFirst(), negated));
        for (Node operand : operands.subList(1, operands.size())) {
            Map<String, Set<String>> other = required(operand, negated);
            all.keySet().retainAll(other.keySet());
            all.replaceAll((label, values) -> both(values, other.getOrDefault(label, Set.of())));
        }
        return all;
    }

    private static Set<String> both(Set<String> left, Set<String> right) {
        if (left.isEmpty() || right.isEmpty()) {
            return Set.of();
        }
        Set<String> all = new HashSet<>(left);
        all.addAll(right);
        return all;
    }

    /** Returns whether this is {@code all()}. */
    public boolean isAll() {
        return node instanceof All;
    }

    /** Returns the canonical text. */
    public String text() {
        return text;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Selector selector && selector.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }

    /** A part of a selector. */
    sealed interface Node {}

    record All() implements Node {}

    record Global() implements Node {}

    record Has(String label) implements Node {}

    record Compare(String label, Operator operator, String value) implements Node {}

    /** The values are sorted and distinct. */
    record Member(String label, boolean not, List<String> values) implements Node {}

    /** The operand is not a negation itself. */
    record Not(Node operand) implements Node {}

    /** Two or more operands. */
    record And(List<Node> operands) implements Node {}

    /** Two or more operands. */
    record Or(List<Node> operands) implements Node {}

    /** A comparison of a label with one text. */
    enum Operator {
        EQUAL("=="),
        NOT_EQUAL("!="),
        CONTAINS("contains"),
        STARTS_WITH("starts with"),
        ENDS_WITH("ends with");

        private final String text;

        Operator(String text) {
            this.text = text;
        }
    }

    static Node not(Node operand) {
        return operand instanceof Not not ? not.operand() : new Not(operand);
    }

    static List<String> sorted(List<String> values) {
        return List.copyOf(new TreeSet<>(values));
    }

    private static String label(String label) {
        if (!LABEL.matcher(label).matches()) {
            throw new IllegalArgumentException(
                    "selector: \"" + label + "\" is not a name of a label: it must have 1 to " + LONGEST_LABEL
                            + " letters, digits, and characters of \"_./-\"");
        }
        return label;
    }

    private static String value(String value) {
        if (value.indexOf('"') >= 0 && value.indexOf('\'') >= 0) {
            throw new IllegalArgumentException(
                    "selector: the value <" + value + "> must not have quotes of both kinds");
        }
        return value;
    }

    private static List<String> values(List<String> values) {
        values.forEach(Selector::value);
        return sorted(values);
    }

    private static int depth(Node node) {
        return switch (node) {
            case Not not -> 1 + depth(not.operand());
            case And and -> 1 + depth(and.operands());
            case Or or -> 1 + depth(or.operands());
            default -> 0;
        };
    }

    private static int depth(List<Node> operands) {
        int deepest = 0;
        for (Node operand : operands) {
            deepest = Math.max(deepest, depth(operand));
        }
        return deepest;
    }

    private static boolean matches(Node node, UnaryOperator<@Nullable String> labels) {
        return switch (node) {
            case All unused -> true;
            case Global unused -> true;
            case Has has -> labels.apply(has.label()) != null;
            case Compare compare -> matches(compare, labels.apply(compare.label()));
            case Member member -> {
                String value = labels.apply(member.label());
                yield (value != null && member.values().contains(value)) != member.not();
            }
            case Not not -> !matches(not.operand(), labels);
            case And and -> {
                for (int i = 0; i < and.operands().size(); i++) {
                    if (!matches(and.operands().get(i), labels)) {
                        yield false;
                    }
                }
                yield true;
            }
            case Or or -> {
                for (int i = 0; i < or.operands().size(); i++) {
                    if (matches(or.operands().get(i), labels)) {
                        yield true;
                    }
                }
                yield false;
            }
        };
    }

    private static boolean matches(Compare compare, @Nullable String value) {
        if (value == null) {
            return compare.operator() == Operator.NOT_EQUAL;
        }
        return switch (compare.operator()) {
            case EQUAL -> value.equals(compare.value());
            case NOT_EQUAL -> !value.equals(compare.value());
            case CONTAINS -> value.contains(compare.value());
            case STARTS_WITH -> value.startsWith(compare.value());
            case ENDS_WITH -> value.endsWith(compare.value());
        };
    }

    private static Node rewrite(Node node, UnaryOperator<String> labels, Node all, Node global) {
        return switch (node) {
            case All unused -> all;
            case Global unused -> global;
            case Has has -> new Has(label(labels.apply(has.label())));
            case Compare compare ->
                new Compare(label(labels.apply(compare.label())), compare.operator(), compare.value());
            case Member member -> new Member(label(labels.apply(member.label())), member.not(), member.values());
            case Not not -> not(rewrite(not.operand(), labels, all, global));
            case And and -> new And(rewrite(and.operands(), labels, all, global));
            case Or or -> new Or(rewrite(or.operands(), labels, all, global));
        };
    }

    private static List<Node> rewrite(List<Node> operands, UnaryOperator<String> labels, Node all, Node global) {
        List<Node> result = new ArrayList<>();
        for (Node operand : operands) {
            result.add(rewrite(operand, labels, all, global));
        }
        return List.copyOf(result);
    }

    private static void append(Node node, StringBuilder to) {
        switch (node) {
            case All unused -> to.append("all()");
            case Global unused -> to.append("global()");
            case Has has -> to.append("has(").append(has.label()).append(')');
            case Compare compare ->
                to.append(compare.label())
                        .append(' ')
                        .append(compare.operator().text)
                        .append(' ')
                        .append(quoted(compare.value()));
            case Member member ->
                to.append(member.label())
                        .append(member.not() ? " not in " : " in ")
                        .append(member.values().stream()
                                .map(Selector::quoted)
                                .collect(Collectors.joining(", ", "{", "}")));
            case Not not -> {
                to.append('!');
                append(not.operand(), to);
            }
            case And and -> append(and.operands(), " && ", to);
            case Or or -> append(or.operands(), " || ", to);
        }
    }

    private static void append(List<Node> operands, String operator, StringBuilder to) {
        String separator = "(";
        for (Node operand : operands) {
            to.append(separator);
            append(operand, to);
            separator = operator;
        }
        to.append(')');
    }

    private static String quoted(String value) {
        char quote = value.indexOf('"') < 0 ? '"' : '\'';
        return quote + value + quote;
    }
}
