package dev.evenkeel.reconcile.internal.describe;

import dev.evenkeel.reconcile.part.Part;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Renders a tree of parts as text: a line for each part, with its slot in the surrounding part, its type, its name, and
 * its needs. The same text for the same parts.
 *
 * <pre>
 * Sequence "website"
 * ├─ 0: ChildReconciler "deployment" [owns deployments.apps; may create, update deployments.apps]
 * └─ 1: ReadyReconciler
 * </pre>
 */
public final class TextTree {
    private TextTree() {}

    public static String of(Part.Description description) {
        StringBuilder text = new StringBuilder(line(description)).append('\n');
        slots(text, "", description.slots());
        return text.toString();
    }

    private static void slots(StringBuilder text, String margin, List<Part.Description.Slot> slots) {
        for (int i = 0; i < slots.size(); i++) {
            boolean last = i == slots.size() - 1;
            Part.Description.Slot slot = slots.get(i);
            text.append(margin + (last ? "└─ " : "├─ ") + slot.name() + ": " + line(slot.part()) + '\n');
            slots(text, margin + (last ? "   " : "│  "), slot.part().slots());
        }
    }

    private static String line(Part.Description part) {
        return part + (part.needs().isEmpty() ? "" : " [" + needs(part.needs()) + "]");
    }

    /** Returns the needs in the order declared, each once. */
    private static String needs(List<Part.Requirement> needs) {
        return needs.stream().map(TextTree::words).distinct().collect(Collectors.joining("; "));
    }

    private static String words(Part.Requirement need) {
        return switch (need) {
            case Part.Requirement.Owns<?> owns -> "owns " + owns.kind().id();
            case Part.Requirement.Tracks<?> tracks -> "tracks " + tracks.kind().id();
            case Part.Requirement.Reads<?> reads -> "reads " + reads.kind().id();
            case Part.Requirement.May may -> "may " + AccessRules.words(may.verbs()) + " " + resource(may);
            case Part.Requirement.SetUp<?> setUp -> "has " + setUp.name();
        };
    }

    static String resource(Part.Requirement need) {
        return need.kind().id() + (need.subresource().isEmpty() ? "" : "/" + need.subresource());
    }
}
