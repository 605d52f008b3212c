package dev.evenkeel.kubernetes;

/**
 * Supplies the bearer token. Called before every request, by many threads: implementations cache the token while it is
 * valid.
 */
@FunctionalInterface
public interface TokenSource {
    /** Returns the token to send; empty for none. */
    String token();

    /** Returns another token, after the server did not accept this one; the same if there is none. */
    default String refresh(String refused) {
        return token();
    }
}
