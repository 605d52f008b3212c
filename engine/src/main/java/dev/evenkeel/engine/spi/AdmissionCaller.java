package dev.evenkeel.engine.spi;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/**
 * Asks admission webhooks for the engine, which says whom and what; how they are reached is the caller's. Called by many
 * threads, from within writes.
 */
@FunctionalInterface
public interface AdmissionCaller {
    /**
     * Asks a webhook.
     *
     * @param review an {@code AdmissionReview} of {@code admission.k8s.io/v1} in JSON
     * @param timeout how long that may take
     * @return the review that it answers
     * @throws IOException when there is no answer: the write then goes as the failure policy says
     */
    byte[] ask(Webhook webhook, byte[] review, Duration timeout) throws IOException;

    /**
     * Whom to ask: either by URL or by service.
     *
     * @param name for people
     * @param url where it is
     * @param service behind which it is
     * @param caBundle authorities to be trusted, in PEM; empty for those of the system
     */
    record Webhook(String name, Optional<URI> url, Optional<Service> service, String caBundle) {
        /** The path at which it is asked. */
        public String path() {
            return url.map(URI::getPath).or(() -> service.map(Service::path)).orElse("");
        }
    }

    /** A service of the cluster. */
    record Service(String namespace, String name, String path, int port) {
        @Override
        public String toString() {
            return namespace + "/" + name + ":" + port;
        }
    }
}
