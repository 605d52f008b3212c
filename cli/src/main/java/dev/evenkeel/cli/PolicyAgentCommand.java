package dev.evenkeel.cli;

import dev.evenkeel.client.Client;
import dev.evenkeel.controller.schedule.SystemScheduler;
import dev.evenkeel.graph.Cursor;
import dev.evenkeel.policy.PolicyAgent;
import dev.evenkeel.policy.PolicyCalculation;
import dev.evenkeel.policy.PolicySource;
import dev.evenkeel.policy.PolicySubscription;
import dev.evenkeel.policy.PolicySyncClient;
import dev.evenkeel.policy.v1.Update;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code evenkeel policy-agent}. */
@Command(
        name = "policy-agent",
        description = {
            "Enforces the network policies of a cluster on this node, with nftables, until SIGTERM or Ctrl-C.",
            "The rules are in a table of their own. They stay when the agent ends, and the next one continues with them.",
            ""
        })
final class PolicyAgentCommand extends BaseCommand {
    @Option(
            names = "--node",
            paramLabel = "NAME",
            defaultValue = "",
            description = "name of this node in the cluster; its pods are those that policies apply to here")
    private String node = "";

    @Mixin
    private ClusterOptions cluster = new ClusterOptions();

    @Option(
            names = "--sync",
            paramLabel = "HOST:PORT",
            defaultValue = "",
            description = "receive the updates of this node from a PolicySyncServer, instead of calculating them here")
    private String sync = "";

    @Option(
            names = "--sync-ca",
            paramLabel = "FILE",
            description = "certificates to trust for --sync, in PEM (default: those of the system)")
    private @Nullable Path syncCa;

    @Option(names = "--sync-token", paramLabel = "FILE", description = "file with the token for --sync")
    private @Nullable Path syncToken;

    @Option(names = "--sync-plaintext", description = "connect --sync without TLS; a token can't be sent then")
    private boolean syncPlaintext;

    @Option(names = "--dry-run", description = "print the transactions for nft -f instead; needs neither root nor nft")
    private boolean dryRun;

    @Option(names = "--once", description = "end when the rules have the state of the cluster")
    private boolean once;

    @Option(
            names = "--timeout",
            paramLabel = "D",
            defaultValue = "1m",
            converter = Durations.class,
            description = "how long --once waits for the state of the cluster (default: ${DEFAULT-VALUE})")
    private Duration timeout = Duration.ZERO;

    @Option(names = "--remove-on-exit", description = "remove the rules at the end: everything is allowed then")
    private boolean removeOnExit;

    @Option(names = "--cleanup", description = "remove the rules that an agent has left, and end")
    private boolean cleanup;

    @Option(
            names = "--table",
            paramLabel = "NAME",
            defaultValue = PolicyAgent.TABLE,
            description = "name of the table, of family inet; what it has is replaced (default: ${DEFAULT-VALUE})")
    private String table = "";

    @Option(
            names = "--mark",
            paramLabel = "BIT",
            defaultValue = "0x1000",
            description = "bit of packet marks that rules with the action Pass use (default: ${DEFAULT-VALUE})")
    private String mark = "";

    @Option(
            names = "--check-interval",
            paramLabel = "D",
            defaultValue = "1m",
            converter = Durations.class,
            description = "time between two checks whether something else has changed the rules; 0s for none"
                    + " (default: ${DEFAULT-VALUE})")
    private Duration checkInterval = Duration.ZERO;

    @Override
    public Integer call() throws IOException, InterruptedException {
        require(cleanup || !node.isEmpty(), "--node is missing: the name of this node in the cluster");
        require(!(cleanup && dryRun), "--cleanup and --dry-run exclude each other");
        PrintWriter out = line().getOut();
        if (cleanup) {
            PolicyAgent agent =
                    configure(PolicyAgent.builder(wait -> List.of())).build();
            agent.remove();
            out.println("removed table inet " + table);
            out.flush();
            return 0;
        }
        try (Lifetime lifetime = new Lifetime()) {
            Input input = sync.isEmpty() ? calculated(lifetime) : received(lifetime);
            PolicyAgent agent = configure(PolicyAgent.builder(input.updates())).build();
            if (removeOnExit && !dryRun) {
                lifetime.keep(agent::remove);
            }
            lifetime.keep(agent);
            lifetime.endBySignal();
            if (!dryRun) {
                out.println("node " + node + ": programming table inet " + table);
                out.flush();
            }
            if (!once) {
                agent.run();
            } else if (!agent.runOnce(timeout)) {
                throw new Failure("no complete state after " + timeout.toSeconds() + " s: "
                        + input.missing().get());
            }
        }
        return 0;
    }

    /** The updates of the node, and what is missing while they are not complete. */
    private record Input(PolicyAgent.Updates updates, Supplier<String> missing) {}

    private Input calculated(Lifetime lifetime) {
        PolicyCalculation calculation = PolicyCalculation.forHost(node);
        Cursor<Update> cursor = lifetime.keep(calculation.open(node));
        Client client = cluster.client(lifetime, "evenkeel-policy-agent");
        SystemScheduler scheduler = lifetime.keep(new SystemScheduler());
        PolicySource source = lifetime.keep(PolicySource.start(calculation, client, scheduler));
        return new Input(wait -> cursor.poll(wait).messages(), () -> missing(source.unsynced()));
    }

    private static String missing(List<String> kinds) {
        return kinds.isEmpty() ? "nft refuses the rules, for the reason above" : "not listed: " + kinds;
    }

    private Input received(Lifetime lifetime) throws IOException {
        PolicySyncClient.Builder settings = PolicySyncClient.builder(sync).tls(!syncPlaintext);
        if (syncCa != null) {
            settings.ca(Files.readString(syncCa));
        }
        if (syncToken != null) {
            settings.token(Files.readString(syncToken).strip());
        }
        PolicySyncClient client = lifetime.keep(settings.build());
        PolicySubscription updates = lifetime.keep(client.open(node));
        return new Input(updates::poll, () -> updates.failure().orElse(sync + " sends nothing"));
    }

    private PolicyAgent.Builder configure(PolicyAgent.Builder builder) {
        try {
            builder.table(table).checkInterval(checkInterval).mark(Long.decode(mark));
        } catch (NumberFormatException e) {
            require(false, "--mark must be a number, such as 0x1000: " + mark);
        } catch (IllegalArgumentException e) {
            require(false, "--" + e.getMessage());
        }
        if (dryRun) {
            AtomicInteger number = new AtomicInteger();
            builder.dryRun(commands -> {
                line().getOut().println("# transaction " + number.incrementAndGet());
                line().getOut().print(commands);
                line().getOut().flush();
            });
        }
        return builder;
    }
}
