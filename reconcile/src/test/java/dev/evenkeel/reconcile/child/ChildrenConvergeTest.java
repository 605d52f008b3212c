package dev.evenkeel.reconcile.child;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.LabelSelector;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.reconcile.flow.Sequence;
import dev.evenkeel.reconcile.part.Part;
import dev.evenkeel.testing.convergence.Convergence;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Whatever goes wrong on the way, children come to be as they are wanted, and go with their parent. */
class ChildrenConvergeTest {
    private static final ObjectKey KEY = ObjectKey.of("default", "box");

    /** Something with a child that is updated, one without owner reference that is applied, and a set. */
    @Group("example.com")
    @Version("v1")
    static class Box extends CustomResource<Box.Spec, Box.State> implements Namespaced {
        record Spec(int size, String token) {}

        record State(String token, String account, int members) {
            static State of(Box box) {
                return Optional.ofNullable(box.getStatus()).orElse(new State("", "", 0));
            }
        }
    }

    private static Box box() {
        Box box = new Box();
        box.getMetadata().setNamespace(KEY.namespace());
        box.getMetadata().setName(KEY.name());
        box.setSpec(new Box.Spec(2, "MQ=="));
        return box;
    }

    private static ObjectMetaBuilder named(Box box, String name) {
        return new ObjectMetaBuilder()
                .withNamespace(box.getMetadata().getNamespace())
                .withName(box.getMetadata().getName() + "-" + name);
    }

    private static Part<Box> token() {
        return ChildReconciler.of(Box.class, Secret.class)
                .desired((reconciliation, box) -> Optional.of(new SecretBuilder()
                        .withMetadata(named(box, "token").build())
                        .addToData("token", box.getSpec().token())
                        .build()))
                .merge((actual, desired) -> actual.setData(desired.getData()))
                .reflect((reconciliation, box, result) -> {
                    Box.State state = Box.State.of(box);
                    box.setStatus(new Box.State(
                            result.child()
                                            .map(secret -> secret.getMetadata().getName())
                                            .orElse("")
                                    + result.reason(),
                            state.account(),
                            state.members()));
                })
                .build();
    }

    private static Part<Box> account() {
        return ChildReconciler.of(Box.class, ServiceAccount.class)
                .desired((reconciliation, box) -> Optional.of(new ServiceAccountBuilder()
                        .withMetadata(named(box, "account")
                                .addToLabels("box", box.getMetadata().getName())
                                .addToAnnotations("size", "" + box.getSpec().size())
                                .build())
                        .build()))
                .selection((reconciliation, box) -> ListOptions.in(KEY.namespace())
                        .labels(LabelSelector.matching(
                                Map.of("box", box.getMetadata().getName()))))
                .ours((box, account) -> true)
                .finalizer("example.com/account")
                .fieldManager("boxes")
                .reflect((box, account) -> {
                    Box.State state = Box.State.of(box);
                    box.setStatus(new Box.State(
                            state.token(),
                            account.map(one -> one.getMetadata().getName()).orElse(""),
                            state.members()));
                })
                .build();
    }

    private static Part<Box> members() {
        return ChildSetReconciler.of(Box.class, ConfigMap.class)
                .desired((reconciliation, box) -> IntStream.range(
                                0, box.getSpec().size())
                        .mapToObj(i -> new ConfigMapBuilder()
                                .withMetadata(named(box, "member-" + i).build())
                                .addToData("number", "" + i)
                                .build())
                        .toList())
                .identify(map -> map.getMetadata().getName())
                .merge((actual, desired) -> actual.setData(desired.getData()))
                .reflect((box, members) -> {
                    Box.State state = Box.State.of(box);
                    box.setStatus(new Box.State(state.token(), state.account(), members.size()));
                })
                .build();
    }

    private static Controller<Box> controller() {
        Part<Box> parts = Sequence.of(token(), account(), members());
        return parts.declare(Controller.of(
                Box.class,
                reconciliation -> reconciliation
                        .resource()
                        .map(box -> reconcile(reconciliation, parts, box))
                        .orElse(Result.done())));
    }

    /** The work of a root. */
    private static Result reconcile(Reconciliation<Box> reconciliation, Part<Box> parts, Box box) {
        Result outcome = parts.reconcile(reconciliation, box);
        if (!box.isMarkedForDeletion()) {
            boolean unused = reconciliation.updateStatus(box);
        }
        return outcome;
    }

    private final Convergence<?> convergence =
            Convergence.of(ChildrenConvergeTest::controller).kinds(Box.class).given(Given.of(box()));

    @Test
    void converges() {
        convergence
                .edit(
                        "smaller, with another token",
                        client -> client.patch(
                                Kind.of(Box.class),
                                KEY,
                                Patch.merge("{\"spec\":{\"size\":1,\"token\":\"Mg==\"}}"),
                                WriteOptions.DEFAULT))
                .assertConverges();
    }

    @Test
    void leavesForeignObjectsAlone() {
        convergence
                .foreign(Given.of(new SecretBuilder()
                        .withNewMetadata()
                        .withNamespace(KEY.namespace())
                        .withName("box-token")
                        .endMetadata()
                        .addToData("token", "Mw==")
                        .build()))
                .assertConverges();
    }
}
