package dev.evenkeel.benchmarks;

import dev.evenkeel.client.Finalizers;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.OwnerReferences;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.javaoperatorsdk.operator.api.reconciler.Cleaner;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;

/**
 * The operator whose tests are measured, in two implementations: for each ConfigMap an owned Secret with the same data,
 * protected by a finalizer, and an annotation when that is done. Written for each runtime as a user would, with the
 * necessary code only.
 */
final class CopyOperators {
    static final String FINALIZER = "bench.evenkeel.dev/copy";
    static final String DONE = "bench.evenkeel.dev/done";
    static final String PATCH = "{\"metadata\":{\"annotations\":{\"" + DONE + "\":\"yes\"}}}";

    private CopyOperators() {}

    static ConfigMap parent(String size) {
        return new ConfigMapBuilder()
                .withMetadata(Fixture.named("parent"))
                .addToData("size", size)
                .build();
    }

    static Secret copy(ConfigMap parent) {
        Secret copy = new SecretBuilder()
                .withMetadata(Fixture.named(parent.getMetadata().getName() + "-copy"))
                .withStringData(parent.getData())
                .build();
        OwnerReferences.control(parent, copy);
        return copy;
    }

    /** Returns the data as a Secret stores them. */
    static Map<String, String> data(ConfigMap parent) {
        byte[] size = parent.getData().getOrDefault("size", "").getBytes(StandardCharsets.UTF_8);
        return Map.of("size", Base64.getEncoder().encodeToString(size));
    }

    static boolean isHeld(ConfigMap parent) {
        return parent.getMetadata().getFinalizers().contains(FINALIZER);
    }

    static boolean isOwned(Secret copy) {
        return copy.getMetadata().getOwnerReferences().size() == 1;
    }

    static boolean isDone(ConfigMap parent) {
        Map<String, String> annotations = parent.getMetadata().getAnnotations();
        return annotations != null && annotations.containsKey(DONE);
    }

    static Controller<ConfigMap> controller() {
        return Controller.of(ConfigMap.class, CopyOperators::reconcile).owns(Secret.class);
    }

    private static Result reconcile(Reconciliation<ConfigMap> reconciliation) {
        Optional<ConfigMap> found = reconciliation.resource();
        if (found.isEmpty()) {
            return Result.done();
        }
        ConfigMap parent = found.get();
        ObjectKey copy = ObjectKey.of(copy(parent));
        if (parent.isMarkedForDeletion()) {
            if (reconciliation.cache(Secret.class).get(copy).isPresent()) {
                var _ = reconciliation.client().delete(Secret.class, copy);
            }
            if (Finalizers.remove(parent, FINALIZER)) {
                var _ = reconciliation.client().update(parent);
            }
            return Result.done();
        }
        if (Finalizers.add(parent, FINALIZER)) {
            parent = reconciliation.client().update(parent);
        }
        Optional<Secret> present = reconciliation.cache(Secret.class).find(copy);
        if (present.isEmpty()) {
            var _ = reconciliation.client().create(copy(parent));
        } else if (!data(parent).equals(present.get().getData())) {
            present.get().setData(data(parent));
            var _ = reconciliation.client().update(present.get());
        }
        if (!isDone(parent)) {
            var _ = reconciliation
                    .client()
                    .patch(Kind.of(ConfigMap.class), ObjectKey.of(parent), Patch.merge(PATCH), WriteOptions.DEFAULT);
        }
        return Result.done();
    }

    /** The operator for JOSDK, which manages the finalizer itself. */
    @ControllerConfiguration(finalizerName = FINALIZER)
    static final class Josdk implements Reconciler<ConfigMap>, Cleaner<ConfigMap> {
        @Override
        public UpdateControl<ConfigMap> reconcile(ConfigMap parent, Context<ConfigMap> context) {
            KubernetesClient client = context.getClient();
            Secret copy = copy(parent);
            Secret present = client.resource(copy).get();
            if (present == null) {
                copy.setData(data(parent));
                copy.setStringData(null); // the mock server does not support it
                Secret _ = client.resource(copy).create();
            } else if (!data(parent).equals(present.getData())) {
                present.setData(data(parent));
                Secret _ = client.resource(present).update();
            }
            if (!isDone(parent)) {
                ConfigMap _ = client.configMaps().resource(parent).patch(PatchContext.of(PatchType.JSON_MERGE), PATCH);
            }
            return UpdateControl.noUpdate();
        }

        @Override
        public DeleteControl cleanup(ConfigMap parent, Context<ConfigMap> context) {
            var _ = context.getClient().resource(copy(parent)).delete();
            return DeleteControl.defaultDelete();
        }
    }
}
