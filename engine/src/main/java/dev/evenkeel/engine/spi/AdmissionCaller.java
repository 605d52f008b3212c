package dev.evenkeel.engine.spi;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;

/**
 * Calls webhooks of admission, and of the conversion of custom resources. The engine decides which webhooks to call and with what content; the caller knows how to
 * reach them. Called by many threads, during writes.
 */
@FunctionalInterface
public interface AdmissionCaller {
    /**
     * Calls a webhook.
     *
     * @param review an {@code AdmissionReview} of {@code admission.k8s.io}, or a {@code ConversionReview} of
     *     {@code apiextensions.k8s.io}, in JSON
     * @param timeout how long that may take
     * @return the review of the answer
     * @throws IOException when there is no answer: the failure policy then decides about the write
     */
    byte[] call(Webhook webhook, byte[] review, Duration timeout) throws IOException;

    /**
     * A webhook to call, either by URL or by service.
     *
     * @param name the name in messages
     * @param url the address, unless it is given by a service
     * @param service the service in front of the webhook, unless the address is given by a URL
     * @param caBundle trusted authorities, in PEM; empty for those of the system
     */
    record Webhook(String name, Optional<URI> url, Optional<Service> service, String caBundle) {
        /** Returns the path of the webhook. */
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
