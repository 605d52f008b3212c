package dev.evenkeel.check.internal.api;

import dev.evenkeel.server.internal.resource.ApiCall;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Decides what happens to the requests of a process. Its methods are called by the thread of the request, and may wait. */
public interface ApiTap {
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

    /** It is answered with a status, and not done. */
    record Refusal(int status) implements Decision {}

    /** Returns the number of the process with a token, 0 for one that was killed; empty for an unknown token. */
    OptionalInt process(String token);

    /** Called for a request that is not for a resource, such as one for the types. */
    void other(int process, String path);

    /** Called before the server receives a request. */
    Decision arrived(ApiCall call);

    /** Returns the old revision at which a list is answered; empty for the present state. */
    OptionalLong revision(ApiCall call);

    /** Called after the server has done or refused a request, before the process receives the answer. */
    Decision answered(ApiCall call, int status);

    /** Called when a request has ended. */
    void ended(ApiCall call);

    /** Called before a watch is opened; may hold it. */
    void opened(OpenWatch watch);

    /** Called when a watch has ended. */
    void closed(OpenWatch watch);
}
