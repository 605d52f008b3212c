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
import java.util.Set;

/**
 * Replays on the command line: {@code ReplayMain <file.jsonl or project directory> [id]} prints every difference, or
 * with an id the raw answer and the differences of that record.
 */
final class ReplayMain {
    /** The files of built-in kinds that were recorded with a controller. */
    private static final Set<String> CONTROLLED =
            Set.of("access-aggregation", "policy-typecheck", "resourcequotas-admission");

    private ReplayMain() {}

    /** Runs. */
    public static void main(String[] arguments) {
        String id = arguments.length > 1 ? arguments[1] : "";
        Path path = Path.of(arguments[0]);
        try (TestServer server = serverFor(path);
                Wire wire = new Wire(server.base(), server.token())) {
            System.out.println(
                    Files.isDirectory(path)
                            ? corpus(wire, path).text()
                            : transcript(wire, path, id).text());
        }
        System.exit(0);
    }

    /**
     * Starts the server that a file needs, by the READMEs of the recordings: those of built-in kinds and of access
     * control were recorded with access control, and with a controller when their subject is one.
     */
    static TestServer serverFor(Path file) {
        String subject = file.getFileName().toString().replace(".jsonl", "").replaceFirst("-b$", "");
        boolean builtin = file.toAbsolutePath().getParent().endsWith("builtin");
        if (builtin || subject.startsWith("access")) {
            return TestServer.startWithAccessControl(CONTROLLED.contains(subject));
        }
        return subject.equals("delete-gc") || subject.equals("namespaces")
                ? TestServer.start()
                : TestServer.startWithoutControllers();
    }

    /** Plays a transcript; all records if the id is empty, else only that record is printed and counted. */
    static Report transcript(Wire wire, Path file, String id) {
        List<Verdict> counting = new ArrayList<>();
        Map<String, String> excluded = new LinkedHashMap<>();
        for (Verdict verdict : new Replay(wire, file, id).run()) {
            if (Exclusions.excluded(verdict.id())) {
                excluded.put(verdict.id(), Exclusions.table().get(verdict.id()));
            } else if (id.isEmpty() || verdict.id().equals(id)) {
                counting.add(verdict);
            }
        }
        return new Report(file.getFileName().toString().replace(".jsonl", ""), counting, excluded);
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
