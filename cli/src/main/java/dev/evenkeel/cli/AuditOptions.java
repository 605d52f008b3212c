package dev.evenkeel.cli;

import dev.evenkeel.server.AuditRotation;
import dev.evenkeel.server.Server;
import java.nio.file.Path;
import java.time.Duration;
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

        @Option(
                names = "--audit-log-maxsize",
                paramLabel = "MEGABYTES",
                description = "rename the log when it would become larger; 0, the default, never does")
        private int maxSize;

        @Option(
                names = "--audit-log-maxbackup",
                paramLabel = "N",
                description = "keep that many renamed logs; 0, the default, keeps all")
        private int maxBackup;

        @Option(
                names = "--audit-log-maxage",
                paramLabel = "DAYS",
                description = "keep renamed logs for that long; 0, the default, keeps them")
        private int maxAge;

        AuditRotation rotation() {
            return new AuditRotation(maxSize * 1024L * 1024, maxBackup, Duration.ofDays(maxAge));
        }
    }

    /** Sets the options on the builder of a server. */
    Server.Builder configure(Server.Builder builder) {
        Files given = files;
        return given == null
                ? builder
                : builder.auditLog(given.policy, given.log).auditRotation(given.rotation());
    }
}
