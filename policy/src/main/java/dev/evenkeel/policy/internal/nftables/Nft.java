package dev.evenkeel.policy.internal.nftables;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toList;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The command {@code nft}, in a process for each call.
 *
 * <p>It reads a transaction from a file that was written completely before: a pipe would end early if this process was
 * killed, and nft would commit the first part.
 */
public final class Nft implements Transactions {
    /** Lines of a message of nft that are worth reading: it repeats the rejected commands. */
    private static final int LINES = 6;

    private static final Pattern OBJECT = Pattern.compile("^\\t(chain|set|map) ");

    private final List<String> command;
    private final Duration timeout;

    /**
     * Creates a caller.
     *
     * @param command the command, with words that run it elsewhere before it
     * @param timeout the time after which a call is ended, and has failed
     */
    public Nft(List<String> command, Duration timeout) {
        this.command = List.copyOf(command);
        this.timeout = timeout;
    }

    @Override
    public void run(String commands) {
        try {
            Path file = Files.createTempFile("evenkeel-policy", ".nft");
            try {
                Files.writeString(file, commands);
                call("-f", file.toString());
            } finally {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String list(String table) {
        return exists(table) ? call("-nn", "list", "table", "inet", table) : "";
    }

    private boolean exists(String table) {
        return call("list", "tables").lines().anyMatch(("table inet " + table)::equals);
    }

    @Override
    public Optional<Names> names(String table) {
        if (!exists(table)) {
            return Optional.empty();
        }
        // without elements, which are many
        Map<String, List<String>> names = call("-t", "list", "table", "inet", table)
                .lines()
                .filter(OBJECT.asPredicate())
                .map(line -> line.strip().split(" ", -1))
                .collect(Collectors.groupingBy(words -> words[0], mapping(words -> words[1], toList())));
        return Optional.of(new Names(
                names.getOrDefault("chain", List.of()),
                names.getOrDefault("set", List.of()),
                names.getOrDefault("map", List.of())));
    }

    private String call(String... arguments) {
        List<String> words = new ArrayList<>(command);
        words.addAll(List.of(arguments));
        String shown = String.join(" ", words);
        try {
            Process process = new ProcessBuilder(words).start();
            process.getOutputStream().close();
            CompletableFuture<String> output = read(process.getInputStream());
            CompletableFuture<String> errors = read(process.getErrorStream());
            if (!process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly().waitFor();
                throw new NftException(shown + ": no result after " + timeout.toSeconds() + " s");
            }
            if (process.exitValue() != 0) {
                throw new NftException(shown + ": " + firstLines(errors.join()));
            }
            return output.join();
        } catch (IOException e) {
            throw new NftException(shown + ": " + e.getMessage() + "; install the package nftables");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NftException(shown + ": interrupted");
        }
    }

    private static CompletableFuture<String> read(InputStream stream) {
        CompletableFuture<String> text = new CompletableFuture<>();
        Thread.startVirtualThread(() -> {
            try (stream) {
                boolean unused = text.complete(new String(stream.readAllBytes(), UTF_8));
            } catch (IOException e) {
                boolean unused = text.complete("");
            }
        });
        return text;
    }

    private static String firstLines(String errors) {
        List<String> lines = errors.lines().toList();
        String more = lines.size() > LINES ? "... and " + (lines.size() - LINES) + " more lines" : "";
        return Stream.concat(lines.stream().limit(LINES), Stream.of(more))
                .map(line -> line.substring(0, Math.min(200, line.length())))
                .collect(Collectors.joining("\n"))
                .strip();
    }
}
