package dev.evenkeel.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import dev.evenkeel.client.RequestInterruptedException;
import dev.evenkeel.client.TokenSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The token that a command prints as an {@code ExecCredential}: kept until shortly before it expires, or until the
 * server refuses it. The command runs once at a time, for all threads.
 */
final class ExecToken implements TokenSource {
    private static final Duration EARLY = Duration.ofSeconds(30);
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private record Credential(String token, Instant expires) {}

    /** The command; the hint for its installation may be empty. */
    record Command(List<String> line, Map<String, String> environment, String apiVersion, Path directory, String hint) {
        /** Returns the subject of messages. */
        @Override
        public String toString() {
            return "the credential command " + line.getFirst();
        }
    }

    private final Command command;
    private final InstantSource clock;
    private final ReentrantLock running = new ReentrantLock();
    private volatile @Nullable Credential last;

    ExecToken(Command command, InstantSource clock) {
        this.command = command;
        this.clock = clock;
    }

    @Override
    public String token() {
        Credential present = last;
        return present != null && clock.instant().isBefore(present.expires) ? present.token : refresh("");
    }

    @Override
    public String refresh(String refused) {
        running.lock();
        try {
            Credential present = last;
            if (present != null && clock.instant().isBefore(present.expires) && !present.token.equals(refused)) {
                return present.token;
            }
            Credential fresh = run();
            last = fresh;
            return fresh.token;
        } finally {
            running.unlock();
        }
    }

    private Credential run() {
        ProcessBuilder builder = new ProcessBuilder(command.line)
                .directory(command.directory.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null")));
        builder.environment().putAll(command.environment);
        String info = "{\"apiVersion\":\"" + command.apiVersion
                + "\",\"kind\":\"ExecCredential\",\"spec\":{\"interactive\":false}}";
        builder.environment().put("KUBERNETES_EXEC_INFO", info);
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            String hint = command.hint.isEmpty() ? "" : ": " + command.hint;
            throw new UncheckedIOException("cannot run " + command + hint, e);
        }
        try {
            var unused = process.onExit()
                    .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                    .whenComplete((unused2, late) -> {
                        if (late != null) {
                            process.destroyForcibly();
                        }
                    });
            byte[] output = process.getInputStream().readAllBytes();
            int code = process.waitFor();
            if (code != 0) {
                throw new IllegalStateException(command + " failed with code " + code);
            }
            return credential(output);
        } catch (IOException e) {
            throw new UncheckedIOException("the output of " + command + " broke", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RequestInterruptedException("interrupted while " + command.line.getFirst() + " made a token", e);
        } finally {
            process.destroy();
        }
    }

    private Credential credential(byte[] output) {
        JsonNode status;
        try {
            status = JsonDocuments.parse(output).path("status");
        } catch (KubernetesClient.UnexpectedAnswerException e) {
            throw new IllegalStateException(
                    command + " did not print an ExecCredential: " + JsonDocuments.excerpt(output), e);
        }
        String token = status.path("token").asText("");
        if (token.isEmpty()) {
            throw new IllegalStateException(
                    command + " printed no status.token; client certificates of such commands are not supported");
        }
        String expires = status.path("expirationTimestamp").asText("");
        try {
            return new Credential(
                    token,
                    expires.isEmpty() ? Instant.MAX : Instant.parse(expires).minus(EARLY));
        } catch (DateTimeParseException e) {
            throw new IllegalStateException(
                    command + " printed status.expirationTimestamp \"" + expires + "\", which is not an RFC 3339 time",
                    e);
        }
    }
}
