package dev.evenkeel.controller;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Who is woken by what: the controllers, the kinds they watch, and how a change finds the keys it means something to.
 *
 * @param edges one for each thing a controller watches, in the order in which they were declared
 */
public record Dependencies(List<Edge> edges) {
    /** Copies the edges. */
    public Dependencies {
        edges = List.copyOf(edges);
    }

    /** How a kind, or a source, is related to a controller. */
    public enum Relation {
        /** Its objects are reconciled. */
        PRIMARY,
        /** Its objects belong to primary ones. */
        OWNS,
        /** Its objects are mapped to primary ones. */
        WATCHES,
        /** Reconciliations say which of its objects mean something to primary ones. */
        TRACKS,
        /** It is read, and wakes nobody. */
        READS,
        /** It gives keys. */
        SOURCE
    }

    /**
     * Something that a controller watches.
     *
     * @param controller its name
     * @param relation what it is to the controller
     * @param from id of the kind, or name of the source
     * @param by name of the mapper; empty when there is none
     */
    public record Edge(String controller, Relation relation, String from, String by) {}

    /** The graph as a Mermaid flowchart: the same text for the same controllers. */
    public String mermaid() {
        Map<String, String> nodes = new LinkedHashMap<>();
        List<String> lines = new ArrayList<>();
        for (Edge edge : edges) {
            String controller = nodes.computeIfAbsent("c:" + edge.controller(), k -> "n" + nodes.size());
            boolean source = edge.relation() == Relation.SOURCE;
            String from = nodes.computeIfAbsent((source ? "s:" : "k:") + edge.from(), k -> "n" + nodes.size());
            String arrow = edge.relation() == Relation.READS ? " -.-> " : " --> ";
            String label = switch (edge.relation()) {
                case PRIMARY -> "reconciles";
                case OWNS -> "owned";
                case WATCHES -> edge.by();
                case TRACKS -> "tracked";
                case READS -> "read";
                case SOURCE -> "";
            };
            lines.add("    " + from + arrow + (label.isEmpty() ? "" : "|" + quoted(label) + "| ") + controller);
        }
        StringBuilder text = new StringBuilder("flowchart LR\n");
        nodes.forEach((name, id) -> {
            String shown = quoted(name.substring(2));
            text.append("    ")
                    .append(id)
                    .append(
                            switch (name.charAt(0)) {
                                case 'c' -> "{{" + shown + "}}";
                                case 's' -> "([" + shown + "])";
                                default -> "[" + shown + "]";
                            })
                    .append('\n');
        });
        Collections.sort(lines);
        lines.forEach(line -> text.append(line).append('\n'));
        return text.toString();
    }

    private static String quoted(String text) {
        return '"' + text.replace("\"", "#quot;") + '"';
    }
}
