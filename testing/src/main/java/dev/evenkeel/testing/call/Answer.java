package dev.evenkeel.testing.call;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Client.Replicas;
import dev.evenkeel.client.Encoded;
import dev.evenkeel.client.Listing;
import dev.evenkeel.client.Watch;

/** What came back to a {@link RecordedCall}. Objects are as they were answered, and never change. */
public sealed interface Answer {
    /** Nothing yet: the call is under way. */
    record Pending() implements Answer {
        @Override
        public String toString() {
            return "under way";
        }
    }

    /**
     * The object: read, or as it is after the write.
     *
     * @param object the object
     */
    record Found(Encoded object) implements Answer {
        @Override
        public String toString() {
            String version = object.header().resourceVersion();
            return version.isEmpty() ? "done" : "version " + version;
        }
    }

    /** There is no such object. */
    record Missing() implements Answer {
        @Override
        public String toString() {
            return "none";
        }
    }

    /**
     * Objects: of a list, or those deleted.
     *
     * @param listing the objects; for those deleted without version
     */
    record Listed(Listing<Encoded> listing) implements Answer {
        @Override
        public String toString() {
            int count = listing.items().size();
            return count
                    + (count == 1 ? " object" : " objects")
                    + (listing.continueToken().isEmpty() ? "" : ", and more");
        }
    }

    /**
     * A watch, which belongs to the caller.
     *
     * @param watch the watch
     */
    record Watching(Watch<?> watch) implements Answer {
        @Override
        public String toString() {
            return "watching";
        }
    }

    /**
     * A scale.
     *
     * @param replicas the scale
     */
    record Scaled(Replicas replicas) implements Answer {
        @Override
        public String toString() {
            return replicas.desired() + " desired, " + replicas.observed() + " observed";
        }
    }

    /**
     * The object is gone.
     *
     * @param uid its uid; empty when it was not said
     */
    record Gone(String uid) implements Answer {
        @Override
        public String toString() {
            return "gone";
        }
    }

    /**
     * The object stays, marked for deletion.
     *
     * @param uid its uid; empty when it was not said
     * @param object the object as it stays
     */
    record Marked(String uid, Encoded object) implements Answer {
        @Override
        public String toString() {
            return "marked for deletion";
        }
    }

    /**
     * The call failed.
     *
     * @param error a refusal of the API, or what else was thrown
     */
    record Failed(Throwable error) implements Answer {
        @Override
        public String toString() {
            return error instanceof ApiException refusal
                    ? (refusal.code() + " " + refusal.reason()).strip()
                    : error.getClass().getSimpleName();
        }
    }
}
