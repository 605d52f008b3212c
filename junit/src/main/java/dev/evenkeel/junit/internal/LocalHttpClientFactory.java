package dev.evenkeel.junit.internal;

import io.fabric8.kubernetes.client.http.HttpClient;

/** Makes HTTP clients for fabric8's client whose requests an engine in this process answers. */
public record LocalHttpClientFactory(RecordingApi api, RequestTap tap) implements HttpClient.Factory {
    @Override
    public HttpClient.Builder newBuilder() {
        return new LocalHttpClientBuilder(this);
    }
}
