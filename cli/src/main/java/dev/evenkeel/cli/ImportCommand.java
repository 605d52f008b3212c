package dev.evenkeel.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.evenkeel.engine.spi.Store;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code evenkeel import}. */
@Command(name = "import", description = "Fills an empty store with the objects of a file that `evenkeel export` wrote.")
final class ImportCommand extends BaseCommand {
    private static final int GROUP = 100;

    @Mixin
    private StoreOptions target = new StoreOptions();

    @Parameters(index = "0", paramLabel = "FILE", description = "the file to read")
    private Path source = Path.of("");

    @Override
    public Integer call() throws IOException {
        long objects = check();
        try (Store store = target.open();
                BufferedReader lines = Files.newBufferedReader(source, UTF_8);
                ProgressBar progress = ProgressBar.of(line().getErr(), "objects", objects)) {
            if (!store.snapshot().collections().isEmpty()) {
                throw new Failure("the store is not empty: choose another one");
            }
            lines.readLine();
            List<Store.Change> group = new ArrayList<>();
            String text = lines.readLine();
            for (long number = 2; text != null; number++) {
                ExportFormat.Line line = ExportFormat.parse(text.getBytes(UTF_8), number);
                group.add(new Store.Change(line.key(), 0, line::object));
                text = lines.readLine();
                if (group.size() == GROUP || text == null) {
                    if (store.commit(group) instanceof Store.Conflict conflict) {
                        throw new Failure("line " + number + " or before: " + conflict.key() + " is there already");
                    }
                    progress.add(group.size());
                    group.clear();
                }
            }
        }
        line().getOut().println("imported " + objects + " objects from " + source);
        line().getOut().flush();
        return 0;
    }

    /** Checks the whole file, so that nothing is written of one that is damaged. */
    private long check() throws IOException {
        try (BufferedReader lines = Files.newBufferedReader(source, UTF_8)) {
            String header = lines.readLine();
            long objects = ExportFormat.objects((header == null ? "" : header).getBytes(UTF_8));
            long found = 0;
            for (String text = lines.readLine(); text != null; text = lines.readLine()) {
                found++;
                ExportFormat.parse(text.getBytes(UTF_8), found + 1);
            }
            if (found != objects) {
                throw new Failure(source + " has " + found + " of " + objects + " objects: it was cut off");
            }
            return objects;
        }
    }
}
