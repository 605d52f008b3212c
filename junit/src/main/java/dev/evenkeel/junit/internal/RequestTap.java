package dev.evenkeel.junit.internal;

import dev.evenkeel.server.internal.resource.ApiCall;
import io.fabric8.kubernetes.api.model.Status;
import java.util.OptionalLong;

/** Decides what happens to the requests of one client for resources. Called by the thread that answers the request. */
public interface RequestTap {
    /** Passes everything on. */
    RequestTap NONE = new RequestTap() {};

    /** The decision about a request or an answer. */
    sealed interface Decision {
        /** It is passed on. */
        Decision PASS = new Pass();

        /** Its connection is cut. */
        Decision DROP = new Drop();
    }

    /** It is passed on. */
    record Pass() implements Decision {}

    /** Its connection is cut. */
    record Drop() implements Decision {}

    /** It is answered with a failure, and not done. */
    record Refuse(Status status) implements Decision {}

    /** Called before a request is done. */
    default Decision arrived(ApiCall call) {
        return Decision.PASS;
    }

    /** Returns the old revision at which a list is answered; empty for the present state. */
    default OptionalLong revision(ApiCall call) {
        return OptionalLong.empty();
    }

    /** Called after a request was done or refused, before the client gets the answer. */
    default Decision answered(ApiCall call, int status) {
        return Decision.PASS;
    }

    /** Called when a watch begins, before its first event. */
    default void opened(TappedWatch watch) {}

    /** Called when a watch has ended. */
    default void closed(TappedWatch watch) {}
}
