package dev.evenkeel.engine.internal.write;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Status;
import dev.evenkeel.engine.internal.admission.Decoder;
import dev.evenkeel.engine.internal.admission.Namespaces;
import dev.evenkeel.engine.internal.admission.PolicyAdmission;
import dev.evenkeel.engine.internal.admission.Write.Wanted;
import dev.evenkeel.engine.internal.builtin.BuiltinTypes;
import dev.evenkeel.engine.internal.builtin.Subresource;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.object.RefusalWarnings;
import dev.evenkeel.engine.internal.object.Reply;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.plugin.Plugins;
import dev.evenkeel.engine.internal.strategy.Posting;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Target;
import java.util.ArrayList;
import java.util.List;

/** Documents posted to subresources, such as {@code pods/binding}: the strategy of the kind says what they do. */
public record Subresources(Verbs verbs, Plugins plugins, PolicyAdmission policies) {
    public Reply create(Target target, Body body, WriteOptions options) {
        Posting posting = posting(target);
        return create(target, target, posting, decode(target, body, options), options);
    }

    /**
     * Creates a binding that is sent to its own collection: the same as one sent to the pod that it names, but
     * admission sees a new object of kind Binding.
     */
    public Reply bind(Target target, Body body, WriteOptions options) {
        ResourceType pods = verbs.cluster().types().get().type("pods").orElseThrow(Refusal::noSuchResource);
        Target binding = new Target(pods, pods.storageVersion(), target.namespace(), "", "binding");
        Decoder.Decoded decoded = decode(binding, body, options);
        decoded.tree().setIfEmpty("apiVersion", "v1");
        decoded.tree().setIfEmpty("kind", "Binding");
        String name = decoded.tree().string("metadata", "name");
        return create(
                new Target(binding.type(), binding.version(), binding.namespace(), name, "binding"),
                target.withName(target.namespace(), name),
                posting(binding),
                decoded,
                options);
    }

    private Posting posting(Target target) {
        return verbs.cluster()
                .strategies()
                .of(target)
                .posting(target.subresource())
                .orElseThrow(Refusal::noSuchMethod);
    }

    private Decoder.Decoded decode(Target target, Body body, WriteOptions options) {
        Subresource subresource = BuiltinTypes.subresource(target.type(), target.version(), target.subresource())
                .orElseThrow(Refusal::noSuchMethod);
        return verbs.cluster().decoder().decode(body, subresource, options.validation());
    }

    private Reply create(Target target, Target seen, Posting posting, Decoder.Decoded decoded, WriteOptions options) {
        try {
            return post(target, seen, posting, decoded, options);
        } catch (ApiException refusal) {
            throw RefusalWarnings.attach(refusal, decoded.warnings());
        }
    }

    /** A document after the mutating admission, and its effect. */
    private record Checked(JsonObject document, Posting.Effect effect) {}

    /**
     * Does what a document asks for.
     *
     * @param seen the object as admission sees it
     */
    private Reply post(Target target, Target seen, Posting posting, Decoder.Decoded decoded, WriteOptions options) {
        Namespaces.fill(decoded.tree().withObject("metadata"), target);
        var unused = Namespaces.requireOpen(verbs.cluster(), seen);
        plugins.mutate(seen, decoded.tree());
        PolicyAdmission.Admitted<Checked> admitted = policies.admit(seen, decoded.tree(), options, document -> {
            Posting.Effect effect =
                    posting.effect(document, target.name(), verbs.cluster().context());
            switch (effect) {
                case Posting.Eviction(var eviction) -> EvictionVerb.checkDryRun(eviction, options);
                case Posting.TokenRequest(var request) -> new TokenVerb(verbs.cluster()).check(target, request);
                case Posting.Change unusedChange -> {}
            }
            return new Checked(document, effect);
        });
        JsonObject document = admitted.value().document();
        List<String> warnings = new ArrayList<>(decoded.warnings());
        warnings.addAll(admitted.warnings());
        switch (admitted.value().effect()) {
            case Posting.Change(var change) ->
                verbs.updating().change(target, options, live -> {
                    JsonObject tree = UpdateVerb.present(live, target);
                    Identity.checkPreconditions(document.object("metadata"), tree.object("metadata"), target);
                    change.accept(tree);
                    return Wanted.owned(tree, List.of());
                });
            case Posting.TokenRequest(var request) -> {
                return new TokenVerb(verbs.cluster()).create(target, request, warnings, options);
            }
            case Posting.Eviction(var eviction) -> new EvictionVerb(verbs).evict(target, eviction, options);
        }
        return new Reply.Success(201, Status.Details.EMPTY, warnings);
    }

    /** Returns the options of a connection as policies and webhooks change them; they may refuse it. */
    public PolicyAdmission.Admitted<JsonObject> connect(Target target, JsonObject connection, WriteOptions options) {
        return policies.connect(target, connection, options);
    }
}
