package dev.evenkeel.load.internal.proxy;

/** An outage of the API. */
public enum Outage {
    /** Requests are served. */
    NONE,
    /** Connections are refused, and those that were open are closed, as when the server is down. */
    REFUSED,
    /** Requests are answered with 503, and watches are cut, as when the server starts or stops. */
    UNAVAILABLE
}
