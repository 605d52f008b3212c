package dev.evenkeel.policy.internal.nftables;

import dev.evenkeel.policy.internal.model.Cidr;
import java.util.List;

/** The two families of IP, with their words in nftables. */
@SuppressWarnings("ImmutableEnumChecker") // Cidr is a record of numbers
enum Family {
    IPV4("ip", "ipv4", new Cidr(0, 0xffff_0000_0000L, 96), new Cidr(0, 0xffff_8000_0000L, 97)),
    IPV6("ip6", "ipv6", new Cidr(0, 0, 0), new Cidr(Long.MIN_VALUE, 0, 1));

    /** The keyword of the header in rules. */
    final String keyword;

    /** The word in names and types. */
    final String word;

    private static final int LONGEST = 128;

    private final Cidr all;
    private final Cidr upperHalf;

    Family(String keyword, String word, Cidr all, Cidr upperHalf) {
        this.keyword = keyword;
        this.word = word;
        this.all = all;
        this.upperHalf = upperHalf;
    }

    static Family of(Cidr block) {
        return block.isIpv4() ? IPV4 : IPV6;
    }

    /** Returns whether a block is a single address. */
    static boolean isSingle(Cidr block) {
        return block.length() == LONGEST;
    }

    /** Returns whether a block has all addresses of the family. */
    boolean isAll(Cidr block) {
        return block.equals(all);
    }

    /** Returns a block as elements of an interval set: nft does not read the block of all addresses, but its halves. */
    List<String> elements(Cidr block) {
        return isAll(block)
                ? List.of(text(new Cidr(all.high(), all.low(), upperHalf.length())), text(upperHalf))
                : List.of(text(block));
    }

    /** Returns a block as nft writes it. */
    static String text(Cidr block) {
        return isSingle(block) ? block.addressText() : block.toString();
    }
}
