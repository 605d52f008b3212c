package dev.evenkeel.engine.internal.builtin.kinds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.InvalidException;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.Requests;
import dev.evenkeel.engine.internal.ResourceApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Claims of devices that are in use, which only namespaces with a label may have. */
class AdminAccessTest {
    private static final String DEVICES =
            "{'devices':{'requests':[{'name':'r','exactly':{'deviceClassName':'c','adminAccess':true}}]}}";

    private final Engine engine = Requests.direct().build();
    private final Requests api = new Requests(ResourceApi.of(engine.partition("default")));

    @AfterEach
    void close() {
        engine.close();
    }

    @Test
    void theNamespaceNeedsALabel() {
        api.create("v1/namespaces", "", "{'metadata':{'name':'plain'}}");
        api.create(
                "v1/namespaces",
                "",
                "{'metadata':{'name':'admin','labels':{'resource.kubernetes.io/admin-access':'true'}}}");
        String claim = "{'metadata':{'name':'a'},'spec':" + DEVICES + "}";
        String template = "{'metadata':{'name':'a'},'spec':{'spec':" + DEVICES + "}}";
        refused("resource.k8s.io/v1/resourceclaims", claim);
        refused("resource.k8s.io/v1/resourceclaimtemplates", template);
        assertThat(api.create("resource.k8s.io/v1/resourceclaims", "admin", claim)
                        .string("metadata", "namespace"))
                .isEqualTo("admin");
        assertThat(api.create("resource.k8s.io/v1/resourceclaimtemplates", "admin", template)
                        .string("metadata", "namespace"))
                .isEqualTo("admin");
    }

    private void refused(String resource, String body) {
        assertThatThrownBy(() -> api.create(resource, "plain", body))
                .isInstanceOfSatisfying(
                        InvalidException.class,
                        e -> assertThat(e.causes()).singleElement().satisfies(cause -> {
                            assertThat(cause.field()).isEqualTo("spec.devices.requests[0].adminAccess");
                            assertThat(cause.message())
                                    .isEqualTo("Forbidden: admin access to devices requires the"
                                            + " `resource.kubernetes.io/admin-access: true` label on the containing"
                                            + " namespace");
                        }));
    }
}
