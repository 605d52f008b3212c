package dev.evenkeel.engine.internal.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Patch;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.Requests;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.type.Requester;
import dev.evenkeel.engine.internal.type.Target;
import dev.evenkeel.engine.internal.write.DeleteOptions;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The release of claims and volumes that are marked for deletion. */
class UseProtectionTest {
    private static final String CLAIMS = "v1/persistentvolumeclaims";

    private final Engine engine = Requests.direct().build();
    private final Requests api = new Requests(ResourceApi.of(engine.partition("default")));

    @AfterEach
    void close() {
        engine.close();
    }

    private void claim() {
        api.create(
                CLAIMS,
                "default",
                "{'metadata':{'name':'c'},'spec':{'accessModes':['ReadWriteOnce'],'resources':{'requests':"
                        + "{'storage':'1Gi'}}}}");
    }

    @Test
    void aClaimThatIsNotUsedIsDeletedAtOnce() {
        claim();
        api.delete(CLAIMS, "default", "c");
        assertThat(api.names(CLAIMS, "default")).isEmpty();
    }

    @Test
    void aClaimStaysUntilTheLastScheduledPodThatMountsItIsGone() {
        claim();
        api.create(
                "v1/pods",
                "default",
                "{'metadata':{'name':'p'},'spec':{'nodeName':'n','containers':[{'name':'c','image':'i'}],'volumes':"
                        + "[{'name':'v','persistentVolumeClaim':{'claimName':'c'}}]}}");
        api.delete(CLAIMS, "default", "c");
        assertThat(api.names(CLAIMS, "default")).containsExactly("c");
        api.patch("v1/pods", "default", "p", Patch.Type.MERGE, "{'metadata':{'labels':{'still':'here'}}}");
        assertThat(api.names(CLAIMS, "default")).containsExactly("c");
        Target pod = api.target("v1/pods", "default", "p");
        api.partition.delete(
                pod,
                DeleteOptions.of(Optional.empty(), OptionalLong.of(0), Optional.empty(), Optional.empty()),
                Requester.IN_PROCESS);
        assertThat(api.names(CLAIMS, "default")).isEmpty();
    }

    @Test
    void aVolumeStaysWhileItIsBound() {
        api.create(
                "v1/persistentvolumes",
                "",
                "{'metadata':{'name':'v'},'spec':{'accessModes':['ReadWriteOnce'],'capacity':{'storage':'1Gi'},"
                        + "'hostPath':{'path':'/d'}}}");
        Target target = api.target("v1/persistentvolumes", "", "v");
        Target status = new Target(target.type(), target.version(), "", "v", "status");
        api.patch(status, Patch.Type.MERGE, "{'status':{'phase':'Bound'}}");
        api.delete("v1/persistentvolumes", "", "v");
        assertThat(api.names("v1/persistentvolumes", "")).containsExactly("v");
        api.patch(status, Patch.Type.MERGE, "{'status':{'phase':'Released'}}");
        assertThat(api.names("v1/persistentvolumes", "")).isEmpty();
    }
}
