package dev.evenkeel.simulation.internal.request;

/** A place in a run that is the same in all runs: a request by its verb and object, or a step of the user. */
public sealed interface RequestPlace {
    /**
     * A request.
     *
     * @param verb such as {@code update} or {@code apply}
     * @param resource the resource, with its subresource, such as {@code widgets.example.com/status}
     * @param key the namespace and name of the object
     * @param number counts equal requests from 1
     */
    record ApiRequest(String verb, String resource, String key, int number) implements RequestPlace {
        @Override
        public String toString() {
            return verb + " " + resource + " " + key + " #" + number;
        }
    }

    /**
     * A step of the user.
     *
     * @param number from 1
     */
    record UserStep(int number) implements RequestPlace {
        @Override
        public String toString() {
            return "step " + number;
        }
    }
}
