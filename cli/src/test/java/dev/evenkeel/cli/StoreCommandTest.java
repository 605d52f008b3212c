package dev.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Manifests;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.store.sqlite.SqliteOptions;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class StoreCommandTest {
    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private Path data() {
        return directory.resolve("data");
    }

    private int run(String... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        CommandLine line = Evenkeel.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        int code = line.execute(arguments);
        line.getErr().flush();
        return code;
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
        assertThat(run("store", "check", "--data", data().toString())).isZero();
        assertThat(out.toString())
                .matches("ok: \\d+ objects, \\d+ changes of history, revisions 1 to \\d+, [0-9,]+ bytes\\R");
        assertThat(run("store", "stats", "--data", data().toString())).isZero();
        assertThat(run("store", "compact", "--data", data().toString())).isZero();
        assertThat(out.toString()).startsWith("before: ").contains("after: ");
    }

    @Test
    void backsUpWhileServedAndRestores() {
        fill();
        String backup = directory.resolve("backup.db").toString();
        try (Engine engine = engine(data())) {
            assertThat(run("store", "backup", "--data", data().toString(), backup))
                    .isZero();
            assertThat(run("store", "compact", "--data", data().toString())).isEqualTo(1);
            assertThat(err.toString()).contains("is in use by process ");
            engine.client().delete(ConfigMap.class, ObjectKey.of("default", "greeting"));
        }
        assertThat(run("store", "restore", "--data", data().toString(), backup)).isEqualTo(1);
        assertThat(err.toString()).contains("contains a store: --replace replaces it");
        assertThat(run("store", "restore", "--data", data().toString(), backup, "--replace"))
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
        assertThat(run("export", "--data", data().toString(), file.toString())).isZero();
        assertThat(Files.readAllLines(file).getFirst())
                .startsWith("{\"evenkeel\":\"export\",\"version\":1,\"objects\":");
        assertThat(run("export", "--data", data().toString(), file.toString())).isEqualTo(1);
        assertThat(err.toString()).contains("objects.jsonl exists: choose another file");
        String nowhere = directory.resolve("missing").resolve("objects.jsonl").toString();
        assertThat(run("export", "--data", data().toString(), nowhere)).isEqualTo(1);
        assertThat(err.toString()).contains(": no such file");

        assertThat(run("import", "--data", copy.toString(), file.toString())).isZero();
        try (Engine engine = engine(copy)) {
            ConfigMap after = engine.client().get(ConfigMap.class, ObjectKey.of("default", "greeting"));
            before.getMetadata().setResourceVersion(after.getMetadata().getResourceVersion());
            assertThat(after).isEqualTo(before);
        }
        assertThat(run("import", "--data", copy.toString(), file.toString())).isEqualTo(1);
        assertThat(err.toString()).contains("the store is not empty");
    }

    @Test
    void aWrongFileIsNotImported() throws IOException {
        fill();
        Path file = directory.resolve("objects.jsonl");
        run("export", "--data", data().toString(), file.toString());
        List<String> lines = Files.readAllLines(file);
        String copy = directory.resolve("copy").toString();

        Files.write(file, lines.subList(0, lines.size() - 1));
        assertThat(run("import", "--data", copy, file.toString())).isEqualTo(1);
        assertThat(err.toString()).contains("objects: it was cut off");

        Files.writeString(file, String.join("\n", lines).substring(0, 200));
        assertThat(run("import", "--data", copy, file.toString())).isEqualTo(1);
        assertThat(err.toString()).contains("line 2: not JSON, or cut off");

        Files.writeString(file, "{}\n");
        assertThat(run("import", "--data", copy, file.toString())).isEqualTo(1);
        assertThat(err.toString()).contains("line 1: not an export of evenkeel");
        assertThat(directory.resolve("copy")).doesNotExist();
    }
}
