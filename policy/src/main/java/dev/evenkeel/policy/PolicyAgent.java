package dev.evenkeel.policy;

import dev.evenkeel.graph.Cursor;
import dev.evenkeel.policy.internal.nftables.Dataplane;
import dev.evenkeel.policy.internal.nftables.Nft;
import dev.evenkeel.policy.internal.nftables.NftException;
import dev.evenkeel.policy.internal.nftables.Transactions;
import dev.evenkeel.policy.v1.Update;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Enforces network policy on a host: programs nftables with the updates of a {@link PolicyCalculation}.
 *
 * <pre>{@code
 * PolicyAgent agent = PolicyAgent.builder(calculation.open("node-1")).build();
 * agent.run();
 * }</pre>
 *
 * <p>All rules are in one table of its own. Each batch of updates becomes one transaction of what has changed; nothing is
 * changed before the first complete state. When the agent ends, for whatever reason, the rules stay as they are, and the next
 * agent replaces them in one transaction. Rules that something else changes are set again.
 *
 * <p>It needs the command {@code nft} and the permission to use it, which root has.
 */
public final class PolicyAgent implements AutoCloseable {
    /** The name of the table, unless another one is set. */
    public static final String TABLE = "evenkeel-policy";

    private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

    private final Updates updates;
    private final Transactions transactions;
    private final String table;
    private final InstantSource clock;
    private final Dataplane dataplane;
    private final Object lock = new Object();
    private @Nullable Thread waiting;
    private boolean running;
    private boolean closed;

    private PolicyAgent(Builder builder) {
        updates = builder.updates;
        table = builder.table;
        clock = builder.clock;
        Consumer<? super String> output = builder.dryRun;
        transactions = output == null ? new Nft(builder.nft, builder.timeout) : new DryRun(output);
        dataplane = new Dataplane(
                table, builder.mark, transactions, output == null ? builder.checkInterval : Duration.ZERO, clock);
    }

    /** Returns a builder of agents for the updates of a host. */
    public static Builder builder(Cursor<Update> updates) {
        return builder((Updates) timeout -> updates.poll(timeout).messages());
    }

    /** Returns a builder of agents for the updates of a host from elsewhere. */
    public static Builder builder(Updates updates) {
        return new Builder(updates);
    }

    /** A source of updates. */
    @FunctionalInterface
    public interface Updates {
        /**
         * Waits for the next batch; an empty list if there is none in this time.
         *
         * @throws InterruptedException when interrupted while it waits
         */
        List<Update> poll(Duration timeout) throws InterruptedException;
    }

    /** Prints what would be done. */
    private record DryRun(Consumer<? super String> output) implements Transactions {
        @Override
        public void run(String commands) {
            output.accept(commands);
        }

        @Override
        public Optional<Names> names(String name) {
            return Optional.empty();
        }

        @Override
        public String list(String name) {
            return "";
        }
    }

    /**
     * Applies updates until the agent is closed.
     *
     * @throws IllegalStateException if nftables can't be programmed, or an agent that has ended is run again
     * @throws InterruptedException when interrupted while it waits
     */
    public void run() throws InterruptedException {
        run(Instant.MAX);
    }

    /**
     * Applies updates until the rules have the complete state.
     *
     * @return false if that takes longer than the time
     * @throws IllegalStateException if nftables can't be programmed, or an agent that has ended is run again
     * @throws InterruptedException when interrupted while it waits
     */
    public boolean runOnce(Duration timeout) throws InterruptedException {
        run(clock.instant().plus(timeout));
        return dataplane.committed() > 0;
    }

    private void run(Instant end) throws InterruptedException {
        try {
            Optional<Transactions.Names> unused = transactions.names(table);
        } catch (NftException e) {
            throw new IllegalStateException(
                    "nftables can't be programmed: " + e.getMessage()
                            + "; this needs root, or the capability CAP_NET_ADMIN",
                    e);
        }
        synchronized (lock) {
            if (running || closed) {
                throw new IllegalStateException("the agent runs, or has ended: build another one");
            }
            running = true;
        }
        try {
            boolean once = !end.equals(Instant.MAX);
            while (!isClosed()
                    && !(once && (dataplane.committed() > 0 || !clock.instant().isBefore(end)))) {
                List<Update> batch = poll(end);
                if (!batch.isEmpty()) {
                    dataplane.apply(batch);
                }
                dataplane.work();
            }
        } finally {
            synchronized (lock) {
                running = false;
                closed = true;
                lock.notifyAll();
            }
        }
    }

    /** Waits for updates; the only time at which closing interrupts. */
    private List<Update> poll(Instant end) throws InterruptedException {
        Instant now = clock.instant();
        Instant next = dataplane.next().isBefore(end) ? dataplane.next() : end;
        Duration wait = next.isAfter(now.plus(LONGEST_WAIT)) ? LONGEST_WAIT : Duration.between(now, next);
        synchronized (lock) {
            if (closed) {
                return List.of();
            }
            waiting = Thread.currentThread();
        }
        List<Update> batch = List.of();
        try {
            batch = updates.poll(wait.isNegative() ? Duration.ZERO : wait);
        } catch (InterruptedException e) {
            if (!isClosed()) {
                throw e;
            }
        }
        synchronized (lock) {
            waiting = null;
            if (closed) {
                // of close, which may have come after the last wait
                boolean unused = Thread.interrupted();
            }
        }
        return batch;
    }

    private boolean isClosed() {
        synchronized (lock) {
            return closed;
        }
    }

    /**
     * Removes the rules, so that everything is allowed. Only for an agent that does not run.
     *
     * @throws IllegalStateException if nftables can't be programmed
     */
    public void remove() {
        try {
            transactions.run("add table inet " + table + "\ndelete table inet " + table + "\n");
        } catch (NftException e) {
            throw new IllegalStateException("the rules are still there: " + e.getMessage(), e);
        }
    }

    /** Returns the number of transactions. */
    public long transactions() {
        return dataplane.committed();
    }

    /** Ends the agent after the current transaction. The rules stay. */
    @Override
    public void close() {
        boolean interrupted = false;
        synchronized (lock) {
            closed = true;
            if (waiting != null) {
                waiting.interrupt();
            }
            while (running) {
                try {
                    lock.wait();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Builds agents. */
    public static final class Builder {
        private final Updates updates;
        private String table = TABLE;
        private List<String> nft = List.of("nft");
        private Duration timeout = Duration.ofMinutes(1);
        private Duration checkInterval = Duration.ofMinutes(1);
        private long mark = 0x1000;
        private InstantSource clock = InstantSource.system();
        private @Nullable Consumer<? super String> dryRun;

        private Builder(Updates updates) {
            this.updates = Objects.requireNonNull(updates);
        }

        /** Sets the name of the table; {@value #TABLE} by default. Everything in it is replaced. */
        public Builder table(String value) {
            if (!value.matches("[A-Za-z][A-Za-z0-9_-]{0,63}")) {
                throw new IllegalArgumentException(
                        "table: must be letters, digits, _ and -, beginning with a letter: \"" + value + "\"");
            }
            table = value;
            return this;
        }

        /** Sets the command that runs nft, with words before it that run it elsewhere. */
        public Builder nft(List<String> command) {
            nft = List.copyOf(command);
            return this;
        }

        /** Sets the time after which a call of nft has failed; a minute by default. */
        public Builder timeout(Duration value) {
            timeout = value;
            return this;
        }

        /** Sets the time between two checks whether something else has changed the rules; a minute by default, 0 for none. */
        public Builder checkInterval(Duration value) {
            checkInterval = value;
            return this;
        }

        /** Sets the bit of packet marks that rules with the action Pass use; 0x1000 by default. */
        public Builder mark(long bit) {
            if (Long.bitCount(bit) != 1 || bit > 0x8000_0000L) {
                throw new IllegalArgumentException("mark: must be one bit of 32, such as 0x1000: " + bit);
            }
            mark = bit;
            return this;
        }

        /** Sets the clock. */
        public Builder clock(InstantSource value) {
            clock = value;
            return this;
        }

        /** Passes the transactions to a consumer, and changes nothing. */
        public Builder dryRun(Consumer<? super String> output) {
            dryRun = output;
            return this;
        }

        /** Returns an agent. */
        public PolicyAgent build() {
            return new PolicyAgent(this);
        }
    }
}
