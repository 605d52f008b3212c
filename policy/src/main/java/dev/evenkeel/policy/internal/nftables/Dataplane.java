package dev.evenkeel.policy.internal.nftables;

import dev.evenkeel.policy.v1.Update;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a table of nftables at the state that messages bring: one transaction for each batch.
 *
 * <ol>
 *   <li>Nothing is changed before the state is in sync. The first transaction replaces whatever the table has, in its chains
 *       and sets, so there is no packet that meets neither the old rules nor the new ones. Only if that is refused, as with
 *       chains of another definition, the next one deletes the table and creates it again.
 *   <li>The table always has the rules of one batch completely, also when this process is killed.
 *   <li>An empty chain of the table names the dataplane that it is of. Each transaction needs the one that was there before,
 *       so a transaction that another process has begun, and that outlives it, is refused once the table is of this one.
 *   <li>After a failure, the rules stay as they were, and the next transaction replaces them: with the next batch or when
 *       the delay is over, whichever is later.
 *   <li>A table that something else has changed is replaced at the next check.
 * </ol>
 *
 * <p>Not thread-safe: one thread applies batches, and calls {@link #work} when {@link #next} says.
 */
public final class Dataplane {
    private static final Logger LOG = LoggerFactory.getLogger(Dataplane.class);
    private static final String OWNER = "agent/";
    private static final Duration FIRST_DELAY = Duration.ofMillis(100);
    private static final Duration LONGEST_DELAY = Duration.ofSeconds(30);

    private final String table;
    private final Ruleset rules;
    private final Transactions transactions;
    private final Duration checkInterval;
    private final InstantSource clock;
    private final String owner = OWNER + UUID.randomUUID();
    private boolean replace = true;
    private boolean recreate;
    private Duration delay = Duration.ZERO;
    private Instant retry = Instant.MIN;
    private Instant check = Instant.MAX;
    private long committed;

    /**
     * Creates a dataplane that has changed nothing yet.
     *
     * @param table the name of the table
     * @param mark the bit of packet marks that rules may use
     * @param checkInterval the time between two checks; 0 for none
     */
    public Dataplane(String table, long mark, Transactions transactions, Duration checkInterval, InstantSource clock) {
        this.table = table;
        this.rules = new Ruleset(table, mark);
        rules.table().putChain(owner, "", List.of());
        this.transactions = transactions;
        this.checkInterval = checkInterval;
        this.clock = clock;
    }

    /**
     * Applies a batch.
     *
     * @throws IllegalArgumentException if a message is invalid
     */
    public void apply(List<Update> batch) {
        rules.apply(batch);
        commit();
    }

    /** Retries what failed, and checks the table, if it is time to. */
    public void work() {
        commit();
        if (!clock.instant().isBefore(check)) {
            check();
        }
    }

    /** Returns the time of the next work. */
    public Instant next() {
        return replace && rules.inSync() && retry.isBefore(check) ? retry : check;
    }

    /** Returns the wanted table. */
    Table table() {
        return rules.table();
    }

    /** Returns the number of transactions that were committed. */
    public long committed() {
        return committed;
    }

    private void commit() {
        if (!rules.inSync() || clock.instant().isBefore(retry)) {
            return;
        }
        String changes = replace ? "" : rules.changes();
        if (changes.isEmpty() && !replace) {
            return;
        }
        try {
            String commands = replace ? replacement() : needs(owner) + changes;
            // committed only if this succeeds
            replace = true;
            transactions.run(commands);
            recreate = false;
        } catch (NftException e) {
            delay = delay.isZero() ? FIRST_DELAY : delay.multipliedBy(2);
            delay = delay.compareTo(LONGEST_DELAY) > 0 ? LONGEST_DELAY : delay;
            retry = clock.instant().plus(delay);
            LOG.atError().log("rules not changed; all are set again in {} ms: {}", delay.toMillis(), e.getMessage());
            return;
        }
        replace = false;
        committed++;
        delay = Duration.ZERO;
        retry = Instant.MIN;
        if (check.equals(Instant.MAX) && !checkInterval.isZero()) {
            check = clock.instant().plus(checkInterval);
        }
    }

    /** Returns commands that fail unless the table is of the same dataplane then as now, or is missing as now. */
    private String replacement() {
        Optional<Transactions.Names> existing = transactions.names(table);
        if (existing.isEmpty()) {
            return rules.table().creation();
        }
        boolean inPlace = !recreate;
        recreate = true;
        return existing.get().chains().stream()
                        .filter(chain -> chain.startsWith(OWNER))
                        .map(this::needs)
                        .collect(Collectors.joining())
                + (inPlace
                        ? rules.table().replacement(existing.get())
                        : "delete table inet " + table + "\n" + rules.table().creation());
    }

    /** Returns a command that does nothing, and fails if a chain is missing. */
    private String needs(String chain) {
        return "flush chain inet " + table + " " + chain + "\n";
    }

    private void check() {
        check = clock.instant().plus(checkInterval);
        if (replace) {
            return;
        }
        try {
            List<String> differences = Listing.parse(transactions.list(table)).differences(rules.table());
            if (!differences.isEmpty()) {
                LOG.atWarn()
                        .log(
                                "table inet {} was changed by something else, and is set again: {}{}",
                                table,
                                String.join(", ", differences.subList(0, Math.min(3, differences.size()))),
                                differences.size() > 3 ? " and " + (differences.size() - 3) + " more" : "");
                replace = true;
                commit();
            }
        } catch (NftException e) {
            LOG.atWarn().log("table inet {} can't be checked: {}", table, e.getMessage());
        }
    }
}
