package dev.evenkeel.reconcile.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Kind;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Controller.Dependencies.Relation;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.controller.SubReconciler;
import dev.evenkeel.reconcile.part.Part;
import dev.evenkeel.testing.SubReconcilerTests;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/** Steps that write down that they ran, into the object. */
final class Steps {
    static final Kind<Secret> SECRETS = Kind.of(Secret.class);
    static final Given<ConfigMap> MAP = Given.yaml(ConfigMap.class, "metadata: {namespace: default, name: a}");
    static final IllegalStateException NO = new IllegalStateException("no");
    static final Result FAILED = Result.failed(NO);
    static final Result SOON = Result.after(Duration.ofSeconds(5));
    static final Result LATER = Result.after(Duration.ofMinutes(5));

    private Steps() {}

    /** Appends its name to what the object says. */
    static SubReconciler<ConfigMap> step(String name, Result outcome) {
        return (reconciliation, map) -> {
            say(map, name);
            return outcome;
        };
    }

    static void say(ConfigMap map, String text) {
        Map<String, String> data = map.getData() == null ? new HashMap<>() : new HashMap<>(map.getData());
        data.merge("said", text, String::concat);
        map.setData(data);
    }

    static String said(ConfigMap map) {
        return map.getData() == null ? "" : map.getData().getOrDefault("said", "");
    }

    /** A step that throws. */
    static SubReconciler<ConfigMap> bad() {
        return (reconciliation, map) -> {
            throw NO;
        };
    }

    /** Returns a step as a part that owns secrets, and may create them. */
    static Part<ConfigMap> owning(SubReconciler<ConfigMap> step) {
        return Part.of(
                Part.Description.of("Owning")
                        .needs(
                                new Part.Requirement.Owns<>(SECRETS),
                                new Part.Requirement.May(SECRETS, "", Set.of("create"))),
                step);
    }

    /** A reconciler of another make, which declares that it tracks secrets. */
    static final class Foreign implements SubReconciler<ConfigMap> {
        @Override
        public Result reconcile(Reconciliation<ConfigMap> reconciliation, ConfigMap map) {
            say(map, "foreign ");
            return Result.done();
        }

        @Override
        public Controller<ConfigMap> declare(Controller<ConfigMap> controller) {
            return controller.tracks(SECRETS);
        }
    }

    /** Returns the kinds that a controller of this part has in this relation. */
    static List<Kind<?>> declared(SubReconciler<ConfigMap> part, Relation relation) {
        return List.copyOf(
                part.declare(Controller.of(ConfigMap.class, r -> Result.done())).kinds(relation));
    }

    /** A case: what steps said, and what came of it. */
    static Stream<DynamicTest> runs(
            String name, Supplier<? extends SubReconciler<ConfigMap>> part, String said, Result outcome) {
        return SubReconcilerTests.of(ConfigMap.class, part)
                .test(name, t -> {
                    var unused = t.resource(MAP)
                            .expectResource(said.isEmpty() ? MAP : MAP.at("data.said", said))
                            .expectResult(new Result(
                                    outcome.stops() && outcome.succeeded(),
                                    outcome.delay(),
                                    false,
                                    outcome.priority(),
                                    outcome.skipsStatus(),
                                    List.of()))
                            .verify(run -> assertThat(run.outcome()).isEqualTo(outcome));
                    if (!outcome.succeeded()) {
                        var unused2 = t.expectError();
                    }
                })
                .stream();
    }

    @SafeVarargs
    @SuppressWarnings("varargs") // only read
    static Stream<DynamicTest> all(Stream<DynamicTest>... cases) {
        return Stream.of(cases).flatMap(one -> one);
    }
}
