package dev.evenkeel.kubernetes;

import dev.evenkeel.client.TokenSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * The token of a file that another process keeps fresh, as a cluster does for its pods: read again each minute, and
 * when the server refuses it.
 */
final class FileToken implements TokenSource {
    private static final Duration GOOD_FOR = Duration.ofMinutes(1);

    private record Read(String token, Instant at) {}

    private final Path file;
    private final InstantSource clock;
    private volatile @Nullable Read last;

    FileToken(Path file, InstantSource clock) {
        this.file = file;
        this.clock = clock;
    }

    @Override
    public String token() {
        Read present = last;
        Instant now = clock.instant();
        return present != null && now.isBefore(present.at.plus(GOOD_FOR)) ? present.token : read(now, present);
    }

    @Override
    public String refresh(String refused) {
        return read(clock.instant(), last);
    }

    private String read(Instant now, @Nullable Read present) {
        try {
            String token = Files.readString(file).strip();
            if (token.isEmpty() && present != null) {
                // the file is being written
                return present.token;
            }
            last = new Read(token, now);
            return token;
        } catch (IOException e) {
            if (present != null) {
                return present.token;
            }
            throw new UncheckedIOException("cannot read the token file " + file, e);
        }
    }
}
