package dev.evenkeel.testing.call;

import dev.evenkeel.testing.call.RecordedCall.Answer;
import dev.evenkeel.testing.call.RecordedCall.Body;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Formats calls as lines of aligned columns. */
final class Columns {
    private static final int PATHS = 4;

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

        boolean repeats(Row other) {
            return caller.equals(other.caller)
                    && question.equals(other.question)
                    && content.equals(other.content)
                    && answer.equals(other.answer);
        }

        Row again() {
            return new Row(number, caller, question, content, answer, times + 1);
        }
    }

    /** Returns the first few paths that a call writes. */
    private static String written(RecordedCall call) {
        List<Path> paths = Writes.of(call.body()).paths().stream()
                .filter(path -> !path.steps().isEmpty() && !isName(path.toString()))
                .toList();
        String shown = paths.stream().limit(PATHS).map(Path::toString).collect(Collectors.joining(" "));
        if (paths.size() > PATHS) {
            return shown + " +" + (paths.size() - PATHS);
        }
        boolean same = paths.isEmpty()
                && call.body() instanceof Body.Replacement update
                && update.present().isPresent();
        return same ? "no difference" : shown;
    }

    /** Returns whether a path is part of every object, and of the description of the call. */
    private static boolean isName(String path) {
        return switch (path) {
            case "apiVersion", "kind", "metadata.name", "metadata.namespace" -> true;
            default -> false;
        };
    }

    static String of(List<RecordedCall> calls) {
        List<Row> rows = new ArrayList<>();
        for (RecordedCall call : calls) {
            Row row = Row.of(call);
            if (!rows.isEmpty() && !call.verb().writes() && row.repeats(rows.getLast())) {
                rows.set(rows.size() - 1, rows.getLast().again());
            } else {
                rows.add(row);
            }
        }
        if (rows.isEmpty()) {
            return "(none)";
        }
        int numbers = width(rows.stream().map(Row::number).toList());
        int callers = width(rows.stream().map(Row::caller).toList());
        int questions = width(rows.stream().map(Row::question).toList());
        int contents = width(rows.stream().map(Row::content).toList());
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

    private static int width(List<String> texts) {
        return texts.stream().mapToInt(String::length).max().orElse(0);
    }

    private static String column(String text, int width) {
        return width == 0 ? "" : "  " + text + " ".repeat(width - text.length());
    }
}
