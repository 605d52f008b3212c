package dev.evenkeel.kubernetes;

/**
 * Where the bearer token comes from. Asked before every request, by many threads: an implementation keeps what it has for
 * as long as that is good.
 */
@FunctionalInterface
public interface TokenSource {
    /** The token to send; empty for none. */
    String token();

    /** Another token, after the server did not accept this one; the same when there is none. */
    default String refresh(String refused) {
        return token();
    }
}
