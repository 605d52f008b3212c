package dev.evenkeel.engine.internal.builtin;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The difference of two texts, in the unified format with three lines of context and without a header.
 *
 * <p>Which lines count as unchanged is decided like in Python's {@code difflib}, which upstream's messages follow: the
 * longest common run first, then those before and behind it; in a text of 200 lines or more, lines that make up more
 * than a hundredth of it do not begin a run.
 */
public final class UnifiedDiff {
    private static final int CONTEXT = 3;
    private static final int LONG_TEXT = 200;

    private final List<String> before;
    private final List<String> after;
    private final Map<String, List<Integer>> places = new HashMap<>();
    private final List<Run> runs = new ArrayList<>();

    /** Lines that are the same in both texts. */
    private record Run(int before, int after, int size) {}

    /** A part of the first text that another part replaces, or equals. */
    private record Edit(boolean equal, int from, int to, int otherFrom, int otherTo) {}

    private UnifiedDiff(List<String> before, List<String> after) {
        this.before = before;
        this.after = after;
        for (int i = 0; i < after.size(); i++) {
            places.computeIfAbsent(after.get(i), line -> new ArrayList<>()).add(i);
        }
        if (after.size() >= LONG_TEXT) {
            places.values().removeIf(found -> found.size() > after.size() / 100 + 1);
        }
    }

    /** Returns the difference; empty if there is none. */
    public static String of(List<String> before, List<String> after) {
        return new UnifiedDiff(before, after).text();
    }

    private void find(int from, int to, int otherFrom, int otherTo) {
        Run longest = longest(from, to, otherFrom, otherTo);
        if (longest.size() > 0) {
            if (from < longest.before() && otherFrom < longest.after()) {
                find(from, longest.before(), otherFrom, longest.after());
            }
            runs.add(longest);
            int end = longest.before() + longest.size();
            int otherEnd = longest.after() + longest.size();
            if (end < to && otherEnd < otherTo) {
                find(end, to, otherEnd, otherTo);
            }
        }
    }

    private Run longest(int from, int to, int otherFrom, int otherTo) {
        int best = from;
        int bestOther = otherFrom;
        int size = 0;
        Map<Integer, Integer> ending = new HashMap<>();
        for (int i = from; i < to; i++) {
            Map<Integer, Integer> next = new HashMap<>();
            for (int j : places.getOrDefault(before.get(i), List.of())) {
                if (j >= otherFrom && j < otherTo) {
                    int length = ending.getOrDefault(j - 1, 0) + 1;
                    next.put(j, length);
                    if (length > size) {
                        best = i - length + 1;
                        bestOther = j - length + 1;
                        size = length;
                    }
                }
            }
            ending = next;
        }
        while (best > from && bestOther > otherFrom && same(best - 1, bestOther - 1)) {
            best--;
            bestOther--;
            size++;
        }
        while (best + size < to && bestOther + size < otherTo && same(best + size, bestOther + size)) {
            size++;
        }
        return new Run(best, bestOther, size);
    }

    private boolean same(int line, int other) {
        return before.get(line).equals(after.get(other));
    }

    private List<Edit> edits() {
        find(0, before.size(), 0, after.size());
        runs.add(new Run(before.size(), after.size(), 0));
        List<Edit> edits = new ArrayList<>();
        int at = 0;
        int other = 0;
        Run open = new Run(0, 0, 0);
        for (Run run : runs) {
            if (open.before() + open.size() == run.before() && open.after() + open.size() == run.after()) {
                open = new Run(open.before(), open.after(), open.size() + run.size());
                continue;
            }
            other = add(edits, open, at, other);
            at = open.before() + open.size();
            open = run;
        }
        var unused = add(edits, open, at, other);
        return edits;
    }

    /** Adds the change before a run, and the run; returns the end of the run in the second text. */
    private static int add(List<Edit> edits, Run run, int at, int other) {
        if (at < run.before() || other < run.after()) {
            edits.add(new Edit(false, at, run.before(), other, run.after()));
        }
        int end = run.after() + run.size();
        if (run.size() > 0) {
            edits.add(new Edit(true, run.before(), run.before() + run.size(), run.after(), end));
        }
        return end;
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        List<Edit> group = new ArrayList<>();
        List<Edit> edits = edits();
        for (int i = 0; i < edits.size(); i++) {
            Edit edit = edits.get(i);
            boolean first = i == 0;
            boolean last = i == edits.size() - 1;
            int size = edit.to() - edit.from();
            if (edit.equal() && !first && !last && size > 2 * CONTEXT) {
                group.add(start(edit));
                write(group, text);
                group.clear();
                group.add(end(edit));
            } else if (edit.equal() && first) {
                group.add(end(edit));
            } else {
                group.add(edit.equal() && last ? start(edit) : edit);
            }
        }
        write(group, text);
        return text.toString();
    }

    private static Edit start(Edit edit) {
        return new Edit(
                true,
                edit.from(),
                Math.min(edit.to(), edit.from() + CONTEXT),
                edit.otherFrom(),
                Math.min(edit.otherTo(), edit.otherFrom() + CONTEXT));
    }

    private static Edit end(Edit edit) {
        return new Edit(
                true,
                Math.max(edit.from(), edit.to() - CONTEXT),
                edit.to(),
                Math.max(edit.otherFrom(), edit.otherTo() - CONTEXT),
                edit.otherTo());
    }

    private void write(List<Edit> group, StringBuilder text) {
        if (group.stream().allMatch(Edit::equal)) {
            return;
        }
        Edit first = group.getFirst();
        Edit last = group.getLast();
        text.append("@@ -")
                .append(range(first.from(), last.to()))
                .append(" +")
                .append(range(first.otherFrom(), last.otherTo()))
                .append(" @@\n");
        for (Edit edit : group) {
            if (edit.equal()) {
                lines(" ", before.subList(edit.from(), edit.to()), text);
            } else {
                lines("-", before.subList(edit.from(), edit.to()), text);
                lines("+", after.subList(edit.otherFrom(), edit.otherTo()), text);
            }
        }
    }

    private static void lines(String mark, List<String> lines, StringBuilder text) {
        lines.forEach(line -> text.append(mark).append(line).append('\n'));
    }

    private static String range(int from, int to) {
        int size = to - from;
        return size == 1 ? String.valueOf(from + 1) : (size == 0 ? from : from + 1) + "," + size;
    }
}
