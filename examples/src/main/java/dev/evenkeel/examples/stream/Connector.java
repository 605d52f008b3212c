package dev.evenkeel.examples.stream;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;

/** A program that moves records between a broker and something else. */
@Group("stream.evenkeel.dev")
@Version("v1")
@Plural("connectors")
public final class Connector extends CustomResource<ConnectorSpec, ConnectorStatus> implements Namespaced {
    @Override
    protected ConnectorStatus initStatus() {
        return new ConnectorStatus();
    }
}
