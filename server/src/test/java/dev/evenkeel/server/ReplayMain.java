package dev.evenkeel.server;

import dev.evenkeel.server.replay.Corpus;
import dev.evenkeel.server.replay.Exclusions;
import dev.evenkeel.server.replay.Replay;
import dev.evenkeel.server.replay.Report;
import dev.evenkeel.server.replay.Verdict;
import dev.evenkeel.server.replay.Wire;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Replays on the command line: {@code ReplayMain <file.jsonl or project directory> [id]} prints every difference, or
 * with an id the raw answer and the differences of that record.
 */
final class ReplayMain {
    private ReplayMain() {}

    /** Runs. */
    public static void main(String[] arguments) {
        String id = arguments.length > 1 ? arguments[1] : "";
        Path path = Path.of(arguments[0]).toAbsolutePath();
        Recording recording = Recording.of(path.getParent(), path);
        try (TestServer server = recording.start();
                Wire wire = new Wire(server.base(), server.token())) {
            System.out.println(
                    Files.isDirectory(path)
                            ? corpus(wire, path).text()
                            : transcript(wire, recording, id).text());
        }
        System.exit(0);
    }

    /** Plays a transcript; all records if the id is empty, else only that record is printed and counted. */
    static Report transcript(Wire wire, Recording recording, String id) {
        List<Verdict> counting = new ArrayList<>();
        Map<String, String> excluded = new LinkedHashMap<>();
        for (Verdict verdict : new Replay(wire, recording.lines().get(), id).run()) {
            if (Exclusions.excluded(verdict.id())) {
                excluded.put(verdict.id(), Exclusions.table().get(verdict.id()));
            } else if (id.isEmpty() || verdict.id().equals(id)) {
                counting.add(verdict);
            }
        }
        return new Report(recording.subject(), counting, excluded);
    }

    private static Report corpus(Wire wire, Path project) {
        List<Verdict> verdicts = new ArrayList<>();
        for (Corpus.Result result : new Corpus(wire, project).run()) {
            Verdict verdict = result.verdict();
            verdicts.add(new Verdict(
                    verdict.id() + (verdict.equal() ? "" : " DECISIVE"),
                    verdict.what(),
                    verdict.request(),
                    result.rest()));
        }
        return new Report(project.getFileName().toString(), verdicts, Map.of());
    }
}
