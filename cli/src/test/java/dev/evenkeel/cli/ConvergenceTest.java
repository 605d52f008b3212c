package dev.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Conditions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.OwnerReferences;
import dev.evenkeel.examples.Website;
import dev.evenkeel.examples.WebsiteSpec;
import dev.evenkeel.examples.WebsiteStatus;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConvergenceTest {
    private final Convergence convergence = new Convergence();

    private static Website website(String uid, long generation) {
        Website site = new Website();
        site.setMetadata(new ObjectMetaBuilder()
                .withNamespace("n")
                .withName("w")
                .withUid(uid)
                .withGeneration(generation)
                .build());
        site.setSpec(new WebsiteSpec("x", 1, "i"));
        return site;
    }

    private static Website with(Website site, long observed, boolean ready) {
        site.setStatus(new WebsiteStatus(
                observed,
                1,
                Conditions.with(
                        List.of(), Conditions.condition("Ready", ready, observed, "Why", "because"), Instant.EPOCH)));
        return site;
    }

    private void children(Website owner) {
        for (HasMetadata child : List.of(new ConfigMap(), new Deployment(), new Service())) {
            child.setMetadata(
                    new ObjectMetaBuilder().withNamespace("n").withName("w").build());
            OwnerReferences.control(owner, child);
            convergence.present(child);
        }
    }

    @Test
    void missingWebsitesAreReported() {
        convergence.want(ObjectKey.of("n", "w"));

        assertThat(convergence.missing()).containsExactly("Website n/w does not exist");
    }

    @Test
    void readyWithChildrenIsConverged() {
        Website site = with(website("u", 2), 2, true);
        convergence.present(site);
        assertThat(convergence.missing())
                .containsExactly("ConfigMap n/w is missing", "Deployment n/w is missing", "Service n/w is missing");

        children(site);

        assertThat(convergence.missing()).isEmpty();
        assertThat(convergence.owned()).isEqualTo(3);
    }

    @Test
    void anOldStatusDoesNotCount() {
        Website site = with(website("u", 2), 1, true);
        convergence.present(site);
        children(site);

        assertThat(convergence.missing()).containsExactly("Website n/w has no status for its current generation");
    }

    @Test
    void unreadyWebsitesAreReportedWithTheReason() {
        Website site = with(website("u", 2), 2, false);
        convergence.present(site);
        children(site);

        assertThat(convergence.missing()).containsExactly("Website n/w is not ready: Why, because");
    }

    @Test
    void childrenOfAnEarlierWebsiteOfTheNameDoNotCount() {
        children(website("old", 1));
        convergence.present(with(website("new", 1), 1, true));

        assertThat(convergence.missing()).hasSize(3).allMatch(line -> line.endsWith("is owned by another object"));
    }

    @Test
    void deletedChildrenAreReported() {
        Website site = with(website("u", 1), 1, true);
        convergence.present(site);
        children(site);
        Service service = new Service();
        service.setMetadata(
                new ObjectMetaBuilder().withNamespace("n").withName("w").build());
        convergence.absent(service);

        assertThat(convergence.missing()).containsExactly("Service n/w is missing");
    }
}
