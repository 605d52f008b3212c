package dev.evenkeel.cli;

import dev.evenkeel.server.Server;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** The options of a server about its audit log, named as those of kube-apiserver. */
final class AuditOptions {
    @ArgGroup(exclusive = false)
    private @Nullable Files files;

    /** Both, or none. */
    static final class Files {
        @Option(
                names = "--audit-log-path",
                paramLabel = "FILE",
                required = true,
                description = "append to an audit log, one event a line in JSON; with --audit-policy-file")
        private Path log = Path.of("");

        @Option(
                names = "--audit-policy-file",
                paramLabel = "FILE",
                required = true,
                description = "Policy of audit.k8s.io/v1 that says which requests are recorded")
        private Path policy = Path.of("");
    }

    /** Sets the options on the builder of a server. */
    Server.Builder configure(Server.Builder builder) {
        Files given = files;
        return given == null ? builder : builder.auditLog(given.policy, given.log);
    }
}
