package dev.evenkeel.policy.internal.nftables;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The wanted contents of a table of nftables, and the commands that bring the committed contents to it.
 *
 * <ol>
 *   <li>The commands depend on the two contents only: what changes back gives none.
 *   <li>Their order satisfies all references: definitions, rules, elements, then deletions. An element is deleted before
 *       others are added, since intervals must not overlap.
 *   <li>Their number is proportional to the changed objects: a set changes by elements, a chain as a whole.
 * </ol>
 */
final class Table {
    /** Elements of one command: a line that is not too long. */
    private static final int ELEMENTS = 500;

    private final String name;
    private final Map<String, Chain> chains = new TreeMap<>();
    private final Map<String, Elements> sets = new TreeMap<>();

    /** The committed chains of those that were touched since. */
    private final Map<String, @Nullable Chain> touchedChains = new TreeMap<>();

    private final TreeSet<String> touchedSets = new TreeSet<>();

    /** Creates an empty table; nothing is committed. */
    Table(String name) {
        this.name = "inet " + name;
    }

    /**
     * A chain.
     *
     * @param hook the declaration of a base chain; empty for other chains
     * @param rules the rules
     */
    record Chain(String hook, List<String> rules) {
        Chain {
            rules = List.copyOf(rules);
        }
    }

    /**
     * A kind of set.
     *
     * @param map true for a map
     * @param type the type of the keys, and of the values of a map
     * @param interval true if elements are blocks
     */
    record Kind(boolean map, String type, boolean interval) {}

    /** A set or a map: values of keys, which are empty in a set. */
    private static final class Elements {
        private final Kind kind;
        private final Map<String, String> values = new HashMap<>();

        /** The committed values of touched keys; null for none. */
        private final Map<String, @Nullable String> touched = new TreeMap<>();

        private boolean committed;
        private boolean present;

        Elements(Kind kind) {
            this.kind = kind;
        }

        void put(String key, @Nullable String value) {
            String before = value == null ? values.remove(key) : values.put(key, value);
            if (!touched.containsKey(key)) {
                touched.put(key, before);
            }
        }
    }

    void putChain(String chain, String hook, List<String> rules) {
        touch(chain, chains.put(chain, new Chain(hook, rules)));
    }

    void removeChain(String chain) {
        touch(chain, chains.remove(chain));
    }

    private void touch(String chain, @Nullable Chain before) {
        if (!touchedChains.containsKey(chain)) {
            touchedChains.put(chain, before);
        }
    }

    /** Adds an empty set, unless it is there. */
    void putSet(String set, Kind kind) {
        Elements elements = sets.computeIfAbsent(set, key -> new Elements(kind));
        elements.present = true;
        touchedSets.add(set);
    }

    /** Removes a set with its elements. */
    void removeSet(String set) {
        Elements elements = sets.get(set);
        if (elements != null) {
            new ArrayList<>(elements.values.keySet()).forEach(key -> elements.put(key, null));
            elements.present = false;
            touchedSets.add(set);
        }
    }

    void putElement(String set, String key, String value) {
        change(set, key, value);
    }

    void removeElement(String set, String key) {
        change(set, key, null);
    }

    private void change(String set, String key, @Nullable String value) {
        Objects.requireNonNull(sets.get(set), set).put(key, value);
        touchedSets.add(set);
    }

    /** Returns the keys of a set. */
    List<String> keys(String set) {
        Elements elements = sets.get(set);
        return elements == null ? List.of() : List.copyOf(elements.values.keySet());
    }

    /** Returns the wanted number of rules of each chain. */
    Map<String, Integer> chainSizes() {
        Map<String, Integer> sizes = new TreeMap<>();
        chains.forEach((chain, content) -> sizes.put(chain, content.rules().size()));
        return sizes;
    }

    /** Returns the wanted elements of each set, with the values of maps. */
    Map<String, Map<String, String>> elements() {
        Map<String, Map<String, String>> all = new TreeMap<>();
        sets.forEach((set, elements) -> {
            if (elements.present) {
                all.put(set, Map.copyOf(elements.values));
            }
        });
        return all;
    }

    /** Returns whether the elements of a set are blocks. */
    boolean isInterval(String set) {
        Elements elements = sets.get(set);
        return elements != null && elements.kind.interval();
    }

    /** Returns the commands from the committed contents to the wanted ones, which are the committed ones from now on. */
    String changes() {
        StringBuilder commands = new StringBuilder();
        define(commands);
        for (Map.Entry<String, @Nullable Chain> touched : touchedChains.entrySet()) {
            Chain wanted = chains.get(touched.getKey());
            Chain committed = touched.getValue();
            if (!Objects.equals(wanted, committed) && committed != null) {
                line(commands, "flush chain", touched.getKey(), "");
            }
        }
        for (Map.Entry<String, @Nullable Chain> touched : touchedChains.entrySet()) {
            Chain wanted = chains.get(touched.getKey());
            if (wanted != null && !wanted.equals(touched.getValue())) {
                wanted.rules().forEach(rule -> line(commands, "add rule", touched.getKey(), rule));
            }
        }
        for (String set : touchedSets) {
            Elements elements = Objects.requireNonNull(sets.get(set));
            if (elements.present) {
                changes(commands, set, elements);
            }
        }
        delete(commands);
        commit();
        return commands.toString();
    }

    private void define(StringBuilder commands) {
        for (String set : touchedSets) {
            Elements elements = Objects.requireNonNull(sets.get(set));
            if (elements.present && !elements.committed) {
                line(commands, elements.kind.map() ? "add map" : "add set", set, declaration(elements.kind));
            }
        }
        for (Map.Entry<String, @Nullable Chain> touched : touchedChains.entrySet()) {
            Chain wanted = chains.get(touched.getKey());
            if (wanted != null && touched.getValue() == null) {
                line(commands, "add chain", touched.getKey(), wanted.hook());
            }
        }
    }

    private static String declaration(Kind kind) {
        return "{ type " + kind.type() + ";" + (kind.interval() ? " flags interval;" : "") + " }";
    }

    private void changes(StringBuilder commands, String set, Elements elements) {
        List<String> removed = new ArrayList<>();
        List<String> added = new ArrayList<>();
        for (Map.Entry<String, @Nullable String> touched : elements.touched.entrySet()) {
            String wanted = elements.values.get(touched.getKey());
            String committed = touched.getValue();
            if (!Objects.equals(wanted, committed)) {
                if (committed != null) {
                    removed.add(touched.getKey());
                }
                if (wanted != null) {
                    added.add(element(touched.getKey(), wanted));
                }
            }
        }
        elements(commands, "delete element", set, removed);
        elements(commands, "add element", set, added);
    }

    private static String element(String key, String value) {
        return value.isEmpty() ? key : key + " : " + value;
    }

    private void elements(StringBuilder commands, String command, String set, List<String> elements) {
        for (int i = 0; i < elements.size(); i += ELEMENTS) {
            List<String> some = elements.subList(i, Math.min(elements.size(), i + ELEMENTS));
            line(commands, command, set, "{ " + String.join(", ", some) + " }");
        }
    }

    private void delete(StringBuilder commands) {
        for (Map.Entry<String, @Nullable Chain> touched : touchedChains.entrySet()) {
            if (touched.getValue() != null && !chains.containsKey(touched.getKey())) {
                line(commands, "delete chain", touched.getKey(), "");
            }
        }
        for (String set : touchedSets) {
            Elements elements = Objects.requireNonNull(sets.get(set));
            if (elements.committed && !elements.present) {
                line(commands, elements.kind.map() ? "delete map" : "delete set", set, "");
            }
        }
    }

    private void commit() {
        touchedChains.clear();
        for (String set : touchedSets) {
            Elements elements = Objects.requireNonNull(sets.get(set));
            elements.touched.clear();
            elements.committed = elements.present;
            if (!elements.present) {
                sets.remove(set);
            }
        }
        touchedSets.clear();
    }

    /** Returns the commands that create the table with the wanted contents, which are the committed ones from now on. */
    String creation() {
        StringBuilder commands = new StringBuilder();
        commands.append("create table ").append(name).append('\n');
        fill(commands);
        return commands.toString();
    }

    /**
     * Returns the commands that replace the contents of the existing table by the wanted ones, which are the committed ones
     * from now on. Chains and sets that are there stay, with other contents: the kernel goes over to other rules for each
     * base chain at once, but a packet on its way from one base chain to another meets both generations, and would pass
     * between a chain that is no more and one that is not there yet.
     */
    String replacement(Transactions.Names existing) {
        StringBuilder commands = new StringBuilder();
        commands.append("flush table ").append(name).append('\n');
        existing.maps().forEach(map -> line(commands, "flush map", map, ""));
        existing.sets().forEach(set -> line(commands, "flush set", set, ""));
        surplus(existing.maps(), elements()).forEach(map -> line(commands, "delete map", map, ""));
        surplus(existing.sets(), elements()).forEach(set -> line(commands, "delete set", set, ""));
        surplus(existing.chains(), chains).forEach(chain -> line(commands, "delete chain", chain, ""));
        fill(commands);
        return commands.toString();
    }

    private static List<String> surplus(List<String> existing, Map<String, ?> wanted) {
        return existing.stream().filter(one -> !wanted.containsKey(one)).toList();
    }

    /** Adds the commands that define everything; what is there stays. */
    private void fill(StringBuilder commands) {
        Map<String, List<String>> lines = new LinkedHashMap<>();
        sets.forEach((set, elements) -> {
            if (elements.present) {
                line(commands, elements.kind.map() ? "add map" : "add set", set, declaration(elements.kind));
                lines.put(
                        set,
                        elements.values.entrySet().stream()
                                .map(one -> element(one.getKey(), one.getValue()))
                                .sorted()
                                .toList());
            }
        });
        chains.forEach((chain, content) -> line(commands, "add chain", chain, content.hook()));
        chains.forEach((chain, content) -> content.rules().forEach(rule -> line(commands, "add rule", chain, rule)));
        lines.forEach((set, elements) -> elements(commands, "add element", set, elements));
        touchedSets.addAll(sets.keySet());
        commit();
    }

    private void line(StringBuilder commands, String command, String object, String rest) {
        commands.append(command).append(' ').append(name).append(' ').append(object);
        commands.append(rest.isEmpty() ? "" : " ").append(rest).append('\n');
    }
}
