package dev.evenkeel.access.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.engine.User;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokenFileTest {
    @TempDir
    private Path directory = Path.of("");

    private Map<String, User> read(String text) {
        try {
            return TokenFile.read(Files.writeString(directory.resolve("tokens.csv"), text));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void readsUsersWithUidsAndGroups() {
        Map<String, User> tokens = read("""
                # operators
                secret-a,ann,uid-1,"devs,ops"

                secret-b, bob ,,
                secret-c,"c ""the"" d",3
                """);
        assertThat(tokens)
                .containsOnly(
                        Map.entry("secret-a", new User("ann", "uid-1", List.of("devs", "ops"))),
                        Map.entry("secret-b", new User("bob", "", List.of())),
                        Map.entry("secret-c", new User("c \"the\" d", "3", List.of())));
    }

    @Test
    void errorsNameTheLineAndNotTheToken() {
        for (String line : List.of("secret-a,ann", "secret-a", "secret-a,,1", ",ann,1", "secret-a,a,1\nsecret-a,b,2")) {
            assertThatThrownBy(() -> read(line))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("tokens.csv, line ")
                    .hasMessageNotContaining("secret-a");
        }
        assertThatThrownBy(() -> TokenFile.read(directory.resolve("absent")))
                .hasMessageContaining("cannot read the token file");
    }
}
