package dev.evenkeel.policy.internal.nftables;

/** Thrown if the command nft fails, with its own message. */
public final class NftException extends RuntimeException {
    NftException(String message) {
        super(message);
    }
}
