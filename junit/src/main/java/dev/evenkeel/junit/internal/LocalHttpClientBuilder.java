package dev.evenkeel.junit.internal;

import io.fabric8.kubernetes.client.http.StandardHttpClientBuilder;
import java.util.concurrent.atomic.AtomicBoolean;

/** Builds clients of one API; settings of connections have no effect. */
final class LocalHttpClientBuilder
        extends StandardHttpClientBuilder<LocalHttpClient, LocalHttpClientFactory, LocalHttpClientBuilder> {
    LocalHttpClientBuilder(LocalHttpClientFactory factory) {
        super(factory);
    }

    @Override
    public LocalHttpClient build() {
        AtomicBoolean closed = client == null ? new AtomicBoolean() : client.getClosed();
        return new LocalHttpClient(this, closed, clientFactory);
    }

    @Override
    protected LocalHttpClientBuilder newInstance(LocalHttpClientFactory factory) {
        return new LocalHttpClientBuilder(factory);
    }
}
