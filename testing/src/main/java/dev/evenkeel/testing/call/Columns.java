package dev.evenkeel.testing.call;

import dev.evenkeel.testing.call.RecordedCall.Answer;
import dev.evenkeel.testing.call.RecordedCall.Body;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Formats calls as lines of aligned columns. */
final class Columns {
    private static final int PATHS = 4;

    /** The paths that every object has, and the description of the call. */
    private static final Set<String> NAMES = Set.of("apiVersion", "kind", "metadata.name", "metadata.namespace");

    private Columns() {}

    private record Row(String number, String caller, String question, String content, String answer, int times) {
        static Row of(RecordedCall call) {
            String answer = call.answer().text();
            if (call.answer() instanceof Answer.Failed(Throwable error)) {
                answer += ": "
                        + String.valueOf(error.getMessage()).lines().findFirst().orElse("");
            }
            return new Row(String.valueOf(call.number()), call.caller(), call.question(), written(call), answer, 1);
        }

        Row with(String first, int count) {
            return new Row(first, caller, question, content, answer, count);
        }
    }

    private static String written(RecordedCall call) {
        List<Path> paths = Writes.of(call.body()).paths().stream()
                .filter(path -> !path.steps().isEmpty() && !NAMES.contains(path.toString()))
                .toList();
        String shown = paths.stream().limit(PATHS).map(Path::toString).collect(Collectors.joining(" "));
        if (paths.size() > PATHS) {
            return shown + " +" + (paths.size() - PATHS);
        }
        boolean same = paths.isEmpty()
                && call.body() instanceof Body.Replacement it
                && it.present().isPresent();
        return same ? "no difference" : shown;
    }

    static String of(List<RecordedCall> calls) {
        List<Row> rows = new ArrayList<>();
        for (RecordedCall call : calls) {
            Row row = Row.of(call);
            Row last = rows.isEmpty() ? row : rows.getLast();
            if (!rows.isEmpty() && !call.verb().writes() && last.equals(row.with(last.number(), last.times()))) {
                rows.set(rows.size() - 1, row.with(last.number(), last.times() + 1));
            } else {
                rows.add(row);
            }
        }
        if (rows.isEmpty()) {
            return "(none)";
        }
        int numbers = width(rows, Row::number);
        int callers = width(rows, Row::caller);
        int questions = width(rows, Row::question);
        int contents = width(rows, Row::content);
        return rows.stream()
                .map(row -> (" ".repeat(numbers - row.number().length()) + row.number()
                                + column(row.caller(), callers)
                                + column(row.question(), questions)
                                + column(row.content(), contents)
                                + "  -> " + row.answer()
                                + (row.times() > 1 ? " (" + row.times() + " times)" : ""))
                        .stripTrailing())
                .collect(Collectors.joining("\n"));
    }

    private static int width(List<Row> rows, Function<Row, String> text) {
        return rows.stream().map(text).mapToInt(String::length).max().orElse(0);
    }

    private static String column(String text, int width) {
        return width == 0 ? "" : "  " + text + " ".repeat(width - text.length());
    }
}
