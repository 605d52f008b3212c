package dev.evenkeel.examples.stream;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;

/** A user of a broker's topics, with a password in a Secret. */
@Group("stream.evenkeel.dev")
@Version("v1")
@Plural("accounts")
public final class Account extends CustomResource<AccountSpec, AccountStatus> implements Namespaced {
    @Override
    protected AccountStatus initStatus() {
        return new AccountStatus();
    }
}
