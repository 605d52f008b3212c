package dev.evenkeel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.server.replay.Wire;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code kubectl explain} of served resources: of a sample in each build, of all with {@code -Devenkeel.explain=all}, which
 * takes about a second for each.
 */
class ExplainTest {
    private static final int SAMPLE = 6;

    private record Resource(String plural, String group, String version, String kind) {
        String apiVersion() {
            return group.isEmpty() ? version : group + "/" + version;
        }
    }

    @TempDir
    private Path directory;

    @Test
    void everyResourceIsExplained() {
        List<Kubectl> found = Kubectl.found(directory);
        Assumptions.assumeFalse(found.isEmpty(), "no kubectl on the PATH or in EVENKEEL_KUBECTL");
        try (TestServer server = TestServer.startWithTls();
                Wire wire = new Wire(server.base(), server.token())) {
            Kubectl kubectl = found.getLast();
            String unused = kubectl.file("kubeconfig", server.kubeconfig());
            List<Resource> all = resources(wire);
            assertThat(all).hasSizeGreaterThan(60);
            List<String> problems = sample(all)
                    .parallel()
                    .flatMap(resource -> problem(kubectl, resource).stream())
                    .toList();
            assertThat(problems).isEmpty();
        }
    }

    private static Stream<Resource> sample(List<Resource> all) {
        int step = System.getProperty("evenkeel.explain", "").equals("all") ? 1 : all.size() / SAMPLE;
        return IntStream.range(0, all.size()).filter(i -> i % step == step / 2).mapToObj(all::get);
    }

    private static List<Resource> resources(Wire wire) {
        List<Resource> all = new ArrayList<>(resources(wire, "", "v1", "/api/v1"));
        for (JsonObject group : get(wire, "/apis").objects("groups")) {
            for (JsonObject version : group.objects("versions")) {
                String path = "/apis/" + version.string("groupVersion");
                all.addAll(resources(wire, group.string("name"), version.string("version"), path));
            }
        }
        return all;
    }

    private static List<Resource> resources(Wire wire, String group, String version, String path) {
        return get(wire, path).objects("resources").stream()
                .filter(resource -> !resource.string("name").contains("/"))
                .map(resource -> new Resource(resource.string("name"), group, version, resource.string("kind")))
                .toList();
    }

    private static JsonObject get(Wire wire, String path) {
        return Json.parseObject(
                wire.send("GET", path, Map.of(), Optional.empty()).body(), JsonLimits.DEFAULT);
    }

    private static Optional<String> problem(Kubectl kubectl, Resource resource) {
        Kubectl.Result result = kubectl.run("explain", resource.plural(), "--api-version=" + resource.apiVersion());
        boolean explained = result.exit() == 0
                && result.out().matches("(?s).*KIND: +" + resource.kind() + "\n.*")
                && result.out().contains("DESCRIPTION:")
                && result.out().contains("FIELDS:")
                && !result.out().contains("<empty>")
                && result.out().contains(resource.version() + "\n");
        return explained ? Optional.empty() : Optional.of(result.toString());
    }
}
