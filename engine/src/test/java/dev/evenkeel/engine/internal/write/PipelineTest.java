package dev.evenkeel.engine.internal.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.Status;
import dev.evenkeel.engine.Authorization;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.Requests;
import dev.evenkeel.engine.internal.EngineSettings;
import dev.evenkeel.engine.internal.PartitionRuntime;
import dev.evenkeel.engine.internal.admission.AdmissionPlugin;
import dev.evenkeel.engine.internal.admission.RegisteredTypes;
import dev.evenkeel.engine.internal.admission.Write;
import dev.evenkeel.engine.internal.admission.Write.Operation;
import dev.evenkeel.engine.internal.admission.WriteStep;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.object.Body;
import dev.evenkeel.engine.store.MemoryStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class PipelineTest {
    private static final String CONFIG_MAPS = "v1/configmaps";

    /** Refuses to change or delete objects that are labelled as frozen. */
    private record FreezeStep() implements WriteStep {
        @Override
        public String name() {
            return "freeze";
        }

        @Override
        public void run(Write write) {
            if (write.old() != null
                    && Json.string(write.old(), "metadata", "labels", "frozen").equals("true")) {
                throw ApiException.of(Status.of(403, "Forbidden", write.operation() + " of a frozen object"));
            }
        }
    }

    private static Requests requests(UnaryOperator<List<WriteStep>> steps) {
        EngineSettings settings = new EngineSettings(
                InstantSource.system(),
                new Random(),
                JsonLimits.DEFAULT,
                1 << 20,
                Runnable::run,
                new RegisteredTypes(List.of()),
                true,
                Authorization.ALLOW_ALL,
                List.of(),
                AdmissionPlugin.defaults(),
                Optional.empty(),
                new AtomicReference<>(""),
                new EngineSettings.Sharing("", Duration.ZERO, Duration.ZERO, Duration.ZERO, revision -> {}));
        PartitionRuntime partition = new PartitionRuntime("default", new MemoryStore(), settings, null, steps);
        partition.open();
        return new Requests(partition);
    }

    private static List<WriteStep> beforeCommit(List<WriteStep> steps, WriteStep step) {
        List<WriteStep> more = new ArrayList<>(steps);
        more.add(steps.size() - 1, step);
        return more;
    }

    @Test
    void aStepThatIsAddedToTheListSeesEveryWrite() {
        Requests api = requests(steps -> beforeCommit(steps, new FreezeStep()));
        api.create(CONFIG_MAPS, "default", "{'metadata':{'name':'a','labels':{'frozen':'true'}}}");
        assertThatThrownBy(() -> api.update(CONFIG_MAPS, "default", "a", "{'metadata':{'name':'a'},'data':{'k':'1'}}"))
                .hasMessage("UPDATE of a frozen object");
        for (Patch.Type type : List.of(Patch.Type.MERGE, Patch.Type.STRATEGIC, Patch.Type.APPLY)) {
            assertThatThrownBy(() -> api.patch(
                            CONFIG_MAPS,
                            "default",
                            "a",
                            type,
                            "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'a'},'data':{'k':'1'}}"))
                    .hasMessage("UPDATE of a frozen object");
        }
        assertThatThrownBy(() -> api.delete(CONFIG_MAPS, "default", "a")).hasMessage("DELETE of a frozen object");
        assertThat(api.names(CONFIG_MAPS, "default")).containsExactly("a");
    }

    @Test
    void allVerbsRunTheDocumentedStepsInTheirOrder() {
        List<String> names = new ArrayList<>();
        List<Operation> operations = new ArrayList<>();
        Requests api = requests(steps -> {
            names.addAll(steps.stream().map(WriteStep::name).toList());
            return beforeCommit(steps, WriteStep.of("record", write -> operations.add(write.operation())));
        });
        assertThat(names)
                .containsExactly(
                        "partition",
                        "authorize old content",
                        "decode",
                        "fence",
                        "identity",
                        "namespace",
                        "reset",
                        "default",
                        "own",
                        "name",
                        "mutating admission",
                        "authorize",
                        "authorize new content",
                        "prepare",
                        "protect",
                        "definition",
                        "validate",
                        "validating admission",
                        "addresses",
                        "commit");
        operations.clear();
        api.create(CONFIG_MAPS, "default", "{'metadata':{'name':'a'}}");
        api.update(CONFIG_MAPS, "default", "a", "{'metadata':{'name':'a'},'data':{'k':'1'}}");
        api.patch(CONFIG_MAPS, "default", "a", Patch.Type.MERGE, "{'data':{'k':'2'}}");
        api.patch(
                CONFIG_MAPS,
                "default",
                "b",
                Patch.Type.APPLY,
                "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'b'}}");
        api.partition.restore(
                api.target(CONFIG_MAPS, "default", "a"),
                Body.json(Json.text(api.get(CONFIG_MAPS, "default", "a"))),
                "t");
        api.delete(CONFIG_MAPS, "default", "a");
        assertThat(operations)
                .containsExactly(
                        Operation.CREATE,
                        Operation.UPDATE,
                        Operation.UPDATE,
                        Operation.CREATE,
                        Operation.RESTORE,
                        Operation.DELETE);
    }

    @Test
    void aRefusalOfAnyStepLeavesTheStoreUnchanged() {
        Requests api = requests(steps -> beforeCommit(steps, WriteStep.of("refuse", write -> {
            if (write.target().name().equals("a")) {
                throw ApiException.of(Status.of(403, "Forbidden", "no"));
            }
        })));
        assertThatThrownBy(() -> api.create(CONFIG_MAPS, "default", "{'metadata':{'name':'a'}}"))
                .hasMessage("no");
        assertThat(api.names(CONFIG_MAPS, "default")).isEmpty();
    }
}
