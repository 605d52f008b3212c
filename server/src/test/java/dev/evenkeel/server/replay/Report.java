package dev.evenkeel.server.replay;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Equal of how many, and every difference, for people to read.
 *
 * @param title what was replayed
 * @param verdicts of the exchanges that count
 * @param excluded id to reason, of those that do not
 */
public record Report(String title, List<Verdict> verdicts, Map<String, String> excluded) {
    /** Returns the number of answers that are as recorded. */
    public long equal() {
        return verdicts.stream().filter(Verdict::equal).count();
    }

    /** The equal share of those that count, from 0 to 1. */
    public double share() {
        return verdicts.isEmpty() ? 1 : (double) equal() / verdicts.size();
    }

    /** One line. */
    public String summary() {
        return "%s: %d of %d equal (%.1f %%), %d excluded"
                .formatted(title, equal(), verdicts.size(), 100 * share(), excluded.size());
    }

    /** All of it, as Markdown. */
    public String text() {
        StringBuilder text = new StringBuilder("# " + summary() + "\n");
        for (Verdict verdict : verdicts) {
            if (!verdict.equal()) {
                text.append("\n## ")
                        .append(verdict.id())
                        .append(": ")
                        .append(verdict.what())
                        .append("\n`");
                text.append(verdict.request()).append("`\n");
                verdict.differences().stream()
                        .limit(40)
                        .forEach(difference -> text.append("\n    ").append(difference));
                if (verdict.differences().size() > 40) {
                    text.append("\n    … ").append(verdict.differences().size());
                }
                text.append('\n');
            }
        }
        if (!excluded.isEmpty()) {
            text.append("\n# Excluded\n\n");
            excluded.forEach((id, reason) ->
                    text.append("- ").append(id).append(": ").append(reason).append('\n'));
        }
        return text.toString();
    }

    /** Writes it into {@code target/replay}. */
    public void write(String name) {
        try {
            Path report = Path.of("target", "replay", name + ".md");
            Files.createDirectories(report.getParent());
            Files.writeString(report, text());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
