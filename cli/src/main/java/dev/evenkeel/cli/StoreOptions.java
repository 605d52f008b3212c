package dev.evenkeel.cli;

import dev.evenkeel.engine.spi.Store;
import dev.evenkeel.engine.store.MemoryStore;
import dev.evenkeel.store.etcd.EtcdOptions;
import dev.evenkeel.store.etcd.EtcdTls;
import dev.evenkeel.store.sqlite.Durability;
import dev.evenkeel.store.sqlite.SqliteFile;
import dev.evenkeel.store.sqlite.SqliteOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Options of commands that say where the objects are. */
final class StoreOptions {
    @Spec(Target.MIXEE)
    private @Nullable CommandSpec command;

    @Option(names = "--data", paramLabel = "DIR", description = "objects are in a SQLite file in this directory")
    private @Nullable Path data;

    @Option(
            names = "--etcd",
            paramLabel = "URL",
            split = ",",
            description = "objects are in the etcd with these members, such as http://127.0.0.1:2379; comma-separated")
    private List<String> etcd = List.of();

    @Option(
            names = "--etcd-prefix",
            paramLabel = "PREFIX",
            defaultValue = "/evenkeel/",
            description = "what all keys in etcd begin with (default: ${DEFAULT-VALUE})")
    private String prefix = "";

    @Option(
            names = "--etcd-ca",
            paramLabel = "FILE",
            description =
                    "certificates (PEM) of the authorities to trust for https; default: those of the Java runtime")
    private @Nullable Path authority;

    @Option(names = "--etcd-cert", paramLabel = "FILE", description = "certificate (PEM) of this client for etcd")
    private @Nullable Path certificate;

    @Option(names = "--etcd-key", paramLabel = "FILE", description = "private key (PEM, PKCS #8) of that certificate")
    private @Nullable Path key;

    @Option(names = "--etcd-user", paramLabel = "NAME", description = "user of etcd; needs --etcd-password-file")
    private @Nullable String user;

    @Option(names = "--etcd-password-file", paramLabel = "FILE", description = "file with the password of that user")
    private @Nullable Path password;

    /**
     * Returns the store that the command line names; empty when it names none.
     *
     * @throws ParameterException when it names two, or the options for etcd do not fit
     */
    Optional<Store.Factory> find(MemoryStore.Window window, Durability durability) {
        require(data == null || etcd.isEmpty(), "--data and --etcd: objects are in one of them");
        if (data != null) {
            return Optional.of(SqliteOptions.in(data).durability(durability).window(window));
        }
        if (etcd.isEmpty()) {
            require(
                    authority == null && certificate == null && key == null && user == null && password == null,
                    "options of etcd need --etcd with its addresses");
            return Optional.empty();
        }
        require((certificate == null) == (key == null), "--etcd-cert and --etcd-key: both are needed");
        require((user == null) == (password == null), "--etcd-user and --etcd-password-file: both are needed");
        try {
            EtcdOptions options =
                    EtcdOptions.at(etcd.toArray(String[]::new)).prefix(prefix).window(window);
            if (authority != null || certificate != null) {
                options = options.tls(new EtcdTls(
                        Optional.ofNullable(authority), Optional.ofNullable(certificate), Optional.ofNullable(key)));
            }
            if (user != null && password != null) {
                options = options.credentials(user, Files.readString(password).strip());
            }
            return Optional.of(options);
        } catch (IllegalArgumentException e) {
            throw refused(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw refused("cannot read --etcd-password-file " + password + ": " + e.getMessage());
        }
    }

    /** Opens the store that the command line must name, without an engine. */
    Store open() {
        return find(MemoryStore.Window.DEFAULT, Durability.SYNC)
                .orElseThrow(() -> refused("--data DIR or --etcd URL is needed"))
                .open(context());
    }

    /** Opens the store that the command line must name for reading; it may be in use. */
    Store read() {
        return data != null && etcd.isEmpty() ? SqliteFile.in(data).read(context()) : open();
    }

    private static Store.Context context() {
        return new Store.Context((storeKey, bytes) -> () -> bytes, InstantSource.system(), Thread::startVirtualThread);
    }

    /** Returns where the objects are, for people. */
    @Override
    public String toString() {
        return data != null ? data.toString() : "etcd at " + String.join(", ", etcd);
    }

    private void require(boolean holds, String message) {
        if (!holds) {
            throw refused(message);
        }
    }

    private ParameterException refused(String message) {
        if (command == null) {
            throw new IllegalStateException("not part of a command: " + message);
        }
        return new ParameterException(command.commandLine(), message);
    }
}
