package dev.evenkeel.engine.internal.plugin;

import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.access.Permissions;
import dev.evenkeel.engine.internal.admission.Write;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.spi.Authorizer.Attributes;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The plugins CertificateApproval and CertificateSigning: users who decide on a request for a certificate, or issue it,
 * need a permission for its signer, or for all signers of the domain of the signer.
 *
 * @param verb of the permission, on the resource {@code signers}, which exists for this purpose only
 * @param subresource whose writes need it
 */
record Signers(Permissions permissions, String verb, String subresource) implements Plugin {
    private static final String GROUP = "certificates.k8s.io";

    static Signers approving(Permissions permissions) {
        return new Signers(permissions, "approve", "approval");
    }

    static Signers signing(Permissions permissions) {
        return new Signers(permissions, "sign", "status");
    }

    @Override
    public Set<String> types() {
        return Set.of("certificatesigningrequests." + GROUP);
    }

    @Override
    public void validate(Write write) {
        JsonObject old = write.old();
        if (old == null || !write.target().subresource().equals(subresource) || !concerns(write.tree(), old)) {
            return;
        }
        User user = write.options().requester().user();
        String signer = old.string("spec", "signerName");
        String domain = signer.split("/", 2)[0];
        if (Stream.of(signer, domain + "/*").noneMatch(name -> allows(user, name))) {
            throw Plugin.refuse(
                    write, "user not permitted to " + verb + " requests with signerName " + Json.text(signer));
        }
    }

    /** Returns whether a write needs the permission: a change of the status may set nothing that a signer sets. */
    private boolean concerns(JsonObject tree, JsonObject old) {
        return !subresource.equals("status")
                || !Objects.equals(tree.at("status", "certificate"), old.at("status", "certificate"))
                || !tree.array("status", "conditions").equals(old.array("status", "conditions"));
    }

    private boolean allows(User user, String name) {
        return permissions
                .authorize(Attributes.ofResource(user, verb, GROUP, "*", "signers", "", "", name))
                .allowed();
    }
}
