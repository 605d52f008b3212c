package dev.evenkeel.reconcile.internal.describe;

import dev.evenkeel.reconcile.part.Part;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Renders a tree of parts as a Mermaid flowchart: parts are boxes, from the root on; kinds are round. An arrow leads
 * from a kind to the part that it triggers, a dotted one to a part that only reads it, and a thick one from a part to
 * the kind that it writes. The same text for the same parts.
 */
public final class Flowchart {
    private final StringBuilder parts = new StringBuilder();
    private final Map<String, String> others = new LinkedHashMap<>();
    private final Set<String> arrows = new LinkedHashSet<>();
    private int count;

    private Flowchart() {}

    public static String of(Part.Description description) {
        Flowchart chart = new Flowchart();
        String unused = chart.part(description);
        StringBuilder text = new StringBuilder("flowchart TD\n").append(chart.parts);
        chart.others.forEach(
                (shown, id) -> text.append("    ").append(id).append(shown).append('\n'));
        chart.arrows.forEach(arrow -> text.append("    ").append(arrow).append('\n'));
        return text.toString();
    }

    private String part(Part.Description part) {
        String id = "p" + count++;
        String shown = part.name().equals(part.type()) ? part.type() : part.type() + " " + part.name();
        parts.append("    ").append(id).append('[').append(quoted(shown)).append("]\n");
        part.needs().forEach(need -> arrows.add(arrow(id, need)));
        for (Part.Description.Slot slot : part.slots()) {
            // the arrow to a part comes before those from it
            arrows.add(id + " -->|" + quoted(slot.name()) + "| p" + count);
            String unused = part(slot.part());
        }
        return id;
    }

    private String arrow(String part, Part.Requirement need) {
        return switch (need) {
            case Part.Requirement.Owns<?> owns -> kind(owns) + " -->|\"owned\"| " + part;
            case Part.Requirement.Tracks<?> tracks -> kind(tracks) + " -->|\"tracked\"| " + part;
            case Part.Requirement.Reads<?> reads -> kind(reads) + " -.->|\"read\"| " + part;
            case Part.Requirement.May may ->
                Part.Requirement.READING.containsAll(may.verbs())
                        ? kind(may) + " -.->|" + quoted(AccessRules.words(may.verbs())) + "| " + part
                        : part + " ==>|" + quoted(AccessRules.words(may.verbs())) + "| " + kind(may);
            case Part.Requirement.SetUp<?> setUp -> node("{{" + quoted(setUp.name()) + "}}") + " --> " + part;
        };
    }

    private String kind(Part.Requirement need) {
        return node("([" + quoted(TextTree.resource(need)) + "])");
    }

    private String node(String shown) {
        return others.computeIfAbsent(shown, any -> "k" + others.size());
    }

    private static String quoted(String text) {
        return '"' + text.replace("\"", "#quot;") + '"';
    }
}
