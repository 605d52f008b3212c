package dev.evenkeel.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.evenkeel.engine.spi.Store;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code evenkeel export}. */
@Command(
        name = "export",
        description = {
            "Writes all objects of a store to a file, one JSON object a line, for `evenkeel import` into any other store.",
            "Uids and times stay; revisions and history belong to the store. The store may be in use: what is written is its"
                    + " state at a moment."
        })
final class ExportCommand extends BaseCommand {
    @Mixin
    private StoreOptions source = new StoreOptions();

    @Parameters(index = "0", paramLabel = "FILE", description = "the file to write; must not exist")
    private Path target = Path.of("");

    @Override
    public Integer call() throws IOException {
        try (Store store = source.read()) {
            Store.Snapshot snapshot = store.snapshot();
            long objects =
                    snapshot.collections().stream().mapToLong(snapshot::count).sum();
            Failure.unless(Files.notExists(target), target + " exists: choose another file");
            Path part = target.resolveSibling(target.getFileName() + ".part");
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(part));
                    ProgressBar progress = ProgressBar.of(line().getErr(), "objects", objects)) {
                write(out, ExportFormat.header(objects).getBytes(UTF_8), new byte[0], "");
                for (String collection : snapshot.collections()) {
                    snapshot.range(collection, "", null, entry -> {
                        String prefix = ExportFormat.prefix(entry.key());
                        write(out, prefix.getBytes(UTF_8), entry.value().bytes(), "}");
                        progress.add(1);
                        return true;
                    });
                }
            }
            Files.move(part, target);
            line().getOut().println("exported " + objects + " objects to " + target);
            line().getOut().flush();
        }
        return 0;
    }

    private static void write(OutputStream out, byte[] first, byte[] second, String end) {
        try {
            out.write(first);
            out.write(second);
            out.write((end + "\n").getBytes(UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
