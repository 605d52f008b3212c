package dev.evenkeel.client;

/**
 * Supplies the bearer token of requests to a server. Called before every request, by many threads: implementations cache
 * the token while it is valid.
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
