package dev.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Manifests;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.store.sqlite.SqliteOptions;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreCommandTest {
    @TempDir
    private Path directory;

    private final Commands commands = new Commands();

    private Path data() {
        return directory.resolve("data");
    }

    private static Engine engine(Path data) {
        return Engine.builder()
                .executor(Runnable::run)
                .store(SqliteOptions.in(data))
                .build();
    }

    private ConfigMap fill() {
        try (Engine engine = engine(data())) {
            return engine.client()
                    .create(ModelCodec.convert(Manifests.parse("""
                    apiVersion: v1
                    kind: ConfigMap
                    metadata: {namespace: default, name: greeting}
                    data: {text: "Grüße \\n"}
                    """).getFirst(), ConfigMap.class));
        }
    }

    @Test
    void checksCountsAndCompacts() {
        fill();
        assertThat(commands.run("store", "check", "--data", data().toString())).isZero();
        assertThat(commands.out())
                .matches("ok: \\d+ objects, \\d+ changes of history, revisions 1 to \\d+, [0-9,]+ bytes\\R");
        assertThat(commands.run("store", "stats", "--data", data().toString())).isZero();
        commands.clear();
        assertThat(commands.run("store", "compact", "--data", data().toString()))
                .isZero();
        assertThat(commands.out()).startsWith("before: ").contains("after: ");
    }

    @Test
    void backsUpWhileServedAndRestores() {
        fill();
        String backup = directory.resolve("backup.db").toString();
        try (Engine engine = engine(data())) {
            assertThat(commands.run("store", "backup", "--data", data().toString(), backup))
                    .isZero();
            assertThat(commands.run("store", "compact", "--data", data().toString()))
                    .isEqualTo(1);
            assertThat(commands.err()).contains("is in use by process ");
            engine.client().delete(ConfigMap.class, ObjectKey.of("default", "greeting"));
        }
        assertThat(commands.run("store", "restore", "--data", data().toString(), backup))
                .isEqualTo(1);
        assertThat(commands.err()).contains("contains a store: --replace replaces it");
        assertThat(commands.run("store", "restore", "--data", data().toString(), backup, "--replace"))
                .isZero();
        try (Engine engine = engine(data())) {
            assertThat(engine.client().find(ConfigMap.class, ObjectKey.of("default", "greeting")))
                    .isPresent();
        }
    }

    @Test
    void exportsAndImports() throws IOException {
        ConfigMap before = fill();
        Path file = directory.resolve("objects.jsonl");
        Path copy = directory.resolve("copy");
        assertThat(commands.run("export", "--data", data().toString(), file.toString()))
                .isZero();
        assertThat(Files.readAllLines(file).getFirst())
                .startsWith("{\"evenkeel\":\"export\",\"version\":1,\"objects\":");
        assertThat(commands.run("export", "--data", data().toString(), file.toString()))
                .isEqualTo(1);
        assertThat(commands.err()).contains("objects.jsonl exists: choose another file");
        String nowhere = directory.resolve("missing").resolve("objects.jsonl").toString();
        assertThat(commands.run("export", "--data", data().toString(), nowhere)).isEqualTo(1);
        assertThat(commands.err()).contains(": no such file");

        assertThat(commands.run("import", "--data", copy.toString(), file.toString()))
                .isZero();
        try (Engine engine = engine(copy)) {
            ConfigMap after = engine.client().get(ConfigMap.class, ObjectKey.of("default", "greeting"));
            before.getMetadata().setResourceVersion(after.getMetadata().getResourceVersion());
            assertThat(after).isEqualTo(before);
        }
        assertThat(commands.run("import", "--data", copy.toString(), file.toString()))
                .isEqualTo(1);
        assertThat(commands.err()).contains("the store is not empty");
    }

    @Test
    void aWrongFileIsNotImported() throws IOException {
        fill();
        Path file = directory.resolve("objects.jsonl");
        commands.run("export", "--data", data().toString(), file.toString());
        List<String> lines = Files.readAllLines(file);
        String copy = directory.resolve("copy").toString();

        Files.write(file, lines.subList(0, lines.size() - 1));
        assertThat(commands.run("import", "--data", copy, file.toString())).isEqualTo(1);
        assertThat(commands.err()).contains("objects: it was cut off");

        Files.writeString(file, String.join("\n", lines).substring(0, 200));
        assertThat(commands.run("import", "--data", copy, file.toString())).isEqualTo(1);
        assertThat(commands.err()).contains("line 2: not JSON, or cut off");

        Files.writeString(file, "{}\n");
        assertThat(commands.run("import", "--data", copy, file.toString())).isEqualTo(1);
        assertThat(commands.err()).contains("line 1: not an export of evenkeel");
        assertThat(directory.resolve("copy")).doesNotExist();
    }
}
