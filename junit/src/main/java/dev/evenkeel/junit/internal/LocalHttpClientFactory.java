package dev.evenkeel.junit.internal;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.utils.HttpClientUtils;

/** Makes HTTP clients for fabric8's client whose requests an engine in this process answers. */
public record LocalHttpClientFactory(RecordingApi api, RequestTap tap) implements HttpClient.Factory {
    /** Applies what is not about connections: without them, reading the certificates of the JDK is wasted. */
    @Override
    public HttpClient.Builder newBuilder(Config config) {
        HttpClient.Builder builder = newBuilder();
        var unused = builder.tag(config.getRequestConfig());
        HttpClientUtils.createApplicableInterceptors(config, this).forEach(builder::addOrReplaceInterceptor);
        return builder;
    }

    @Override
    public HttpClient.Builder newBuilder() {
        return new LocalHttpClientBuilder(this);
    }
}
