package dev.evenkeel.cli;

import dev.evenkeel.store.sqlite.SqliteFile;
import java.nio.file.Path;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code evenkeel store}. */
@Command(
        name = "store",
        description = "Looks after the directory that `evenkeel server --data` keeps its objects in.",
        subcommands = {
            StoreCommand.Check.class,
            StoreCommand.Statistics.class,
            StoreCommand.Compact.class,
            StoreCommand.Backup.class,
            StoreCommand.Restore.class
        })
final class StoreCommand extends BaseCommand {
    @Override
    public Integer call() {
        throw new ParameterException(line(), "a command is missing: check, stats, compact, backup or restore");
    }

    /** The directory of a store. */
    abstract static class OfDirectory extends BaseCommand {
        @Option(names = "--data", paramLabel = "DIR", required = true, description = "the directory of the store")
        private Path data = Path.of("");

        final SqliteFile file() {
            return SqliteFile.in(data);
        }

        final Path data() {
            return data;
        }

        final int print(String text) {
            line().getOut().println(text);
            line().getOut().flush();
            return 0;
        }

        static String text(SqliteFile.Stats stats) {
            return String.format(
                    Locale.ROOT,
                    "%,d objects, %,d changes of history, revisions %d to %d, %,d bytes",
                    stats.objects(),
                    stats.events(),
                    stats.oldest(),
                    stats.revision(),
                    stats.bytes());
        }
    }

    @Command(
            name = "check",
            description = "Reads every record and page; fails when one is damaged. The store may be in use.")
    static final class Check extends OfDirectory {
        @Override
        public Integer call() {
            return print("ok: " + text(file().check()));
        }
    }

    @Command(name = "stats", description = "Counts objects and history. The store may be in use.")
    static final class Statistics extends OfDirectory {
        @Override
        public Integer call() {
            return print(text(file().stats()));
        }
    }

    @Command(
            name = "compact",
            description = "Gives the space of forgotten history back to the file system. Stop the server first.")
    static final class Compact extends OfDirectory {
        @Override
        public Integer call() {
            long before = file().stats().bytes();
            return print(String.format(Locale.ROOT, "before: %,d bytes%nafter: %s", before, text(file().compact())));
        }
    }

    @Command(
            name = "backup",
            description = "Copies the store, as it is at a moment, to a file. The store may be in use.")
    static final class Backup extends OfDirectory {
        @Parameters(index = "0", paramLabel = "FILE", description = "the file to write; must not exist")
        private Path target = Path.of("");

        @Override
        public Integer call() {
            file().backup(target);
            return print("copied " + data() + " to " + target);
        }
    }

    @Command(
            name = "restore",
            description = {
                "Makes a store what a backup contains. Stop the server first.",
                "Revisions go on a billion higher, so that clients notice, and list again."
            })
    static final class Restore extends OfDirectory {
        @Parameters(index = "0", paramLabel = "FILE", description = "a file that `evenkeel store backup` wrote")
        private Path backup = Path.of("");

        @Option(names = "--replace", description = "replace the present store, which is kept as evenkeel.db.old")
        private boolean replace;

        @Override
        public Integer call() {
            return print("restored: " + text(file().restore(backup, replace)));
        }
    }
}
