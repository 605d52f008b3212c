package dev.evenkeel.engine.internal.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.Authorization;
import dev.evenkeel.engine.Engine;
import dev.evenkeel.engine.Requests;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.time.LocalDate;
import org.junit.jupiter.api.Test;

class InitialObjectsTest {
    private static final String TRACKING = "kube-apiserver-legacy-service-account-token-tracking";

    @Test
    void aServerWithAccessControlRecordsTheDaySinceWhichTokensAreTracked() {
        try (Engine engine = Requests.direct().authorization(Authorization.RBAC).build()) {
            Requests api = new Requests(ResourceApi.of(engine.partition("default")));
            JsonObject tracking = api.get("v1/configmaps", "kube-system", TRACKING);
            assertThat(tracking.object("data").keySet()).containsExactly("since");
            assertThat(LocalDate.parse(tracking.string("data", "since")).toString())
                    .isEqualTo(tracking.string("metadata", "creationTimestamp").substring(0, 10));
            assertThat(tracking.objects("metadata", "managedFields"))
                    .extracting(entry -> entry.string("manager") + " " + entry.string("operation"))
                    .containsExactly("kube-apiserver Update");
        }
    }

    @Test
    void otherServersHaveNoSuchRecord() {
        try (Engine engine = Requests.direct().build()) {
            Requests api = new Requests(ResourceApi.of(engine.partition("default")));
            assertThat(api.names("v1/configmaps", "kube-system")).doesNotContain(TRACKING);
        }
    }
}
