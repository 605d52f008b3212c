package dev.evenkeel.engine.internal.write;

import dev.evenkeel.client.Status;
import dev.evenkeel.engine.internal.admission.PolicyAdmission;
import dev.evenkeel.engine.internal.admission.Write.Wanted;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonException;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.internal.object.Refusal;
import dev.evenkeel.engine.internal.object.Reply;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.strategy.Posting;
import dev.evenkeel.engine.internal.strategy.ResourceStrategy;
import dev.evenkeel.engine.internal.type.ResourceType;
import dev.evenkeel.engine.internal.type.Target;
import java.util.List;

/** Documents posted to subresources, such as {@code pods/binding}: the strategy of the kind says what they do. */
public record Subresources(Verbs verbs, PolicyAdmission policies) {
    public Reply create(Target target, Body body, WriteOptions options) {
        ResourceStrategy strategy = verbs.cluster().strategies().of(target);
        Posting posting = strategy.posting(target.subresource()).orElseThrow(Refusal::noSuchMethod);
        PolicyAdmission.Admitted admitted = policies.admit(target, parse(body), options);
        JsonObject document = admitted.tree();
        switch (posting.effect(document, verbs.cluster().context())) {
            case Posting.Change(var change) ->
                verbs.updating().change(target, options, live -> {
                    JsonObject tree = UpdateVerb.present(live, target);
                    change.accept(tree);
                    return Wanted.owned(tree, List.of());
                });
            case Posting.TokenRequest(var request) -> {
                return new TokenVerb(verbs.cluster()).create(target, request, admitted.warnings(), options);
            }
            case Posting.Eviction(var eviction) ->
                new EvictionVerb(verbs)
                        .evict(
                                Target.of(target.type(), target.version(), target.namespace(), target.name()),
                                eviction,
                                options);
        }
        return new Reply.Success(201, Status.Details.EMPTY, admitted.warnings());
    }

    /** Creates a binding that is sent to its own collection: the same as one sent to the pod that it names. */
    public Reply bind(Target target, Body body, WriteOptions options) {
        String name = parse(body).string("metadata", "name");
        ResourceType pods = verbs.cluster().types().get().type("pods").orElseThrow(Refusal::noSuchResource);
        return create(new Target(pods, pods.storageVersion(), target.namespace(), name, "binding"), body, options);
    }

    /** Returns the options of a connection as policies and webhooks change them; they may refuse it. */
    public PolicyAdmission.Admitted connect(Target target, JsonObject connection, WriteOptions options) {
        return policies.connect(target, connection, options);
    }

    private JsonObject parse(Body body) {
        try {
            return Json.parseObject(body.bytes(), verbs.cluster().limits());
        } catch (JsonException e) {
            throw Refusal.badRequest(String.valueOf(e.getMessage()));
        }
    }
}
