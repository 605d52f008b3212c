package dev.evenkeel.policy.internal.nftables;

import java.util.List;
import java.util.Optional;

/** Changes and reads tables of nftables. */
public interface Transactions {
    /**
     * Runs commands as one transaction: all of them are done, or none.
     *
     * @throws NftException if they are refused, or take too long, in which case they may be done later
     */
    void run(String commands);

    /**
     * Returns the names of the objects of a table; empty if it does not exist.
     *
     * @throws NftException if they can't be read
     */
    Optional<Names> names(String table);

    /** The names of the objects of a table. */
    record Names(List<String> chains, List<String> sets, List<String> maps) {
        public Names {
            chains = List.copyOf(chains);
            sets = List.copyOf(sets);
            maps = List.copyOf(maps);
        }
    }

    /**
     * Returns a table as text, with numbers for names of protocols; empty if it does not exist.
     *
     * @throws NftException if it can't be read
     */
    String list(String table);
}
