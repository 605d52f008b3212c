package dev.evenkeel.examples.stream;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;

/** Copies of the topics of one broker at another one. */
@Group("stream.evenkeel.dev")
@Version("v1")
@Plural("mirrors")
public final class Mirror extends CustomResource<MirrorSpec, MirrorStatus> implements Namespaced {
    @Override
    protected MirrorStatus initStatus() {
        return new MirrorStatus();
    }
}
