package dev.evenkeel.examples.stream;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;

/** A broker of streams: servers that keep topics, at addresses known to clients. */
@Group("stream.evenkeel.dev")
@Version("v1")
@Plural("brokers")
public final class Broker extends CustomResource<BrokerSpec, BrokerStatus> implements Namespaced {
    @Override
    protected BrokerStatus initStatus() {
        return new BrokerStatus();
    }
}
