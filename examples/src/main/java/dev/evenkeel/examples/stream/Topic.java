package dev.evenkeel.examples.stream;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;

/** A topic of a broker: records in order, in partitions. */
@Group("stream.evenkeel.dev")
@Version("v1")
@Plural("topics")
public final class Topic extends CustomResource<TopicSpec, TopicStatus> implements Namespaced {
    @Override
    protected TopicStatus initStatus() {
        return new TopicStatus();
    }
}
