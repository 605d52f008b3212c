package dev.evenkeel.grpc.internal.verb;

import com.google.protobuf.FieldMask;
import dev.evenkeel.client.ConflictException;
import dev.evenkeel.client.Patch;
import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.User;
import dev.evenkeel.engine.internal.ResourceApi;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.internal.object.Reply;
import dev.evenkeel.engine.internal.object.WriteOptions;
import dev.evenkeel.engine.internal.object.WriteOptions.FieldValidation;
import dev.evenkeel.engine.internal.schema.MetadataRules;
import dev.evenkeel.grpc.internal.call.Access;
import dev.evenkeel.grpc.internal.call.Errors;
import dev.evenkeel.grpc.internal.call.Violations;
import dev.evenkeel.grpc.resource.v1.ApplyRequest;
import dev.evenkeel.grpc.resource.v1.ApplyResponse;
import dev.evenkeel.grpc.resource.v1.MutateAndValidateRequest;
import dev.evenkeel.grpc.resource.v1.MutateAndValidateResponse;
import dev.evenkeel.grpc.resource.v1.Resource;
import dev.evenkeel.grpc.resource.v1.WriteRequest;
import dev.evenkeel.grpc.resource.v1.WriteResponse;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes of resources. Each is one change of the engine's write pipeline, so that hooks, schemas, policies and access
 * control are those of the Kubernetes API.
 */
public record WriteCalls(Access access) {
    /** Writes a resource. */
    public WriteResponse write(WriteRequest request) {
        Resource written = write(
                request.hasResource(), request.getResource(), request.getUpdateMask(), request.getManager(), false);
        return WriteResponse.newBuilder().setResource(written).build();
    }

    /** Does all of a write but the write itself. */
    public MutateAndValidateResponse validate(MutateAndValidateRequest request) {
        Resource written =
                write(request.hasResource(), request.getResource(), FieldMask.getDefaultInstance(), "", true);
        return MutateAndValidateResponse.newBuilder().setResource(written).build();
    }

    private Resource write(boolean present, Resource wanted, FieldMask paths, String manager, boolean dryRun) {
        Located located = located(present, wanted);
        User user = located.session().authorize(located.ref().target(), "update", "create");
        Violations violations = new Violations();
        check(manager, violations);
        Mask mask = Mask.of(paths, violations);
        ResourceApi partition = located.writable("resource.id");
        Draft draft = Draft.of(located, partition, user, wanted, mask, violations);
        WriteOptions options = options(located, partition, user, manager).withDryRun(dryRun);
        Reply reply = located.refusing(() -> partition.change(located.ref().target(), options, draft::from));
        return located.resource(reply);
    }

    private Located located(boolean present, Resource wanted) {
        if (!present) {
            var unused = access.enter("");
            throw Errors.invalid("resource", "resource is required");
        }
        return Located.of(access, "resource.id", wanted.hasId(), wanted.getId());
    }

    /** Checks the name of a field manager. */
    static void check(String manager, Violations violations) {
        for (FieldError error : MetadataRules.validateManager("manager", manager)) {
            violations.add("manager", error.text());
        }
    }

    /** Returns the options of a write that refuses unknown fields. */
    static WriteOptions options(Located located, ResourceApi partition, User user, String manager) {
        return new WriteOptions(
                manager.isEmpty() ? located.session().call().manager() : manager,
                false,
                FieldValidation.STRICT,
                false,
                Optional.empty(),
                located.session().requester(user, partition));
    }

    /**
     * Applies the fields of a resource. The expectations of the request are checked on the present object, whose version is
     * then a condition of the apply; if it changes meanwhile, they are checked again.
     */
    public ApplyResponse apply(ApplyRequest request) {
        Located located = located(request.hasResource(), request.getResource());
        User user = located.session().authorize(located.ref().target(), "patch");
        Violations violations = new Violations();
        check(request.getManager(), violations);
        if (request.getManager().isEmpty()) {
            violations.required("manager");
        }
        Mask all = Mask.of(FieldMask.getDefaultInstance(), violations);
        ResourceApi partition = located.writable("resource.id");
        Draft draft = Draft.of(located, partition, user, request.getResource(), all, violations);
        WriteOptions options =
                options(located, partition, user, request.getManager()).withForce(request.getForce());
        while (true) {
            JsonObject live = present(located, partition, user);
            Body body = Body.json(Json.write(draft.configuration(live)));
            try {
                Reply reply = partition.patch(located.ref().target(), Patch.Type.APPLY, body, options);
                return ApplyResponse.newBuilder()
                        .setResource(located.resource(reply))
                        .build();
            } catch (ConflictException e) {
                if (version(live).equals(version(present(located, partition, user)))) {
                    throw Errors.of(e, located.ref().type()::field);
                }
            } catch (RuntimeException e) {
                return located.refusing(() -> {
                    throw e;
                });
            }
        }
    }

    private static @Nullable JsonObject present(Located located, ResourceApi partition, User user) {
        return Located.find(partition, located.ref().target(), user).orElse(null);
    }

    private static String version(@Nullable JsonObject tree) {
        return tree == null ? "" : tree.string("metadata", "resourceVersion");
    }
}
