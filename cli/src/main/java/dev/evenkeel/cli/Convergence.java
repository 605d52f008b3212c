package dev.evenkeel.cli;

import dev.evenkeel.client.Conditions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.OwnerReferences;
import dev.evenkeel.examples.Website;
import dev.evenkeel.examples.WebsiteStatus;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Tracks if all websites have converged: ready, at their present generation, with the objects that they own there. Used
 * by one thread.
 */
final class Convergence {
    private static final List<String> OWNED = List.of("ConfigMap", "Deployment", "Service");

    private record Owned(String kind, ObjectKey key) {}

    private final Set<ObjectKey> wanted = new TreeSet<>();
    private final Map<ObjectKey, Website> websites = new TreeMap<>();
    private final Map<Owned, String> owners = new java.util.HashMap<>();

    void want(ObjectKey website) {
        wanted.add(website);
    }

    /** Records the present state of an object. */
    void present(HasMetadata object) {
        if (object instanceof Website website) {
            websites.put(ObjectKey.of(object), website);
        } else {
            OwnerReferences.controllerOf(object)
                    .ifPresent(owner -> owners.put(new Owned(object.getKind(), ObjectKey.of(object)), owner.getUid()));
        }
    }

    void absent(HasMetadata object) {
        if (object instanceof Website) {
            websites.remove(ObjectKey.of(object));
        } else {
            owners.remove(new Owned(object.getKind(), ObjectKey.of(object)));
        }
    }

    int owned() {
        return owners.size();
    }

    /** Returns the differences from the converged state, each in one line; empty when all websites have converged. */
    List<String> missing() {
        List<String> missing = new ArrayList<>();
        Set<ObjectKey> all = new TreeSet<>(wanted);
        all.addAll(websites.keySet());
        for (ObjectKey key : all) {
            Optional.ofNullable(websites.get(key))
                    .ifPresentOrElse(
                            website -> missing(key, website, missing),
                            () -> missing.add("Website " + key + " does not exist"));
        }
        return missing;
    }

    private void missing(ObjectKey key, Website website, List<String> missing) {
        for (String kind : OWNED) {
            String owner = owners.get(new Owned(kind, key));
            if (!Objects.equals(owner, website.getMetadata().getUid())) {
                missing.add(kind + " " + key + " is " + (owner == null ? "missing" : "owned by another object"));
            }
        }
        WebsiteStatus status = website.getStatus();
        if (status == null
                || status.observedGeneration() != website.getMetadata().getGeneration()) {
            missing.add("Website " + key + " has no status for its current generation");
            return;
        }
        if (!Conditions.isTrue(status.conditions(), WebsiteStatus.READY)) {
            String reason = Conditions.find(status.conditions(), WebsiteStatus.READY)
                    .map(ready -> ": " + ready.getReason() + ", " + ready.getMessage())
                    .orElse("");
            missing.add("Website " + key + " is not ready" + reason);
        }
    }
}
