package dev.evenkeel.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.Client;
import dev.evenkeel.client.Manifests;
import dev.evenkeel.client.ModelCodec;
import dev.evenkeel.engine.Engine;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The examples and the picture of {@code docs/policy.md}. */
class PolicyPageTest {
    private static final Pattern LINE = Pattern.compile("\\d+ (.*?) = \\w+\\((.*?)\\): .*");

    private final String page = Files.readString(Path.of("..", "docs", "policy.md"));

    PolicyPageTest() throws IOException {}

    @Test
    void theExamplesAreValid() throws IOException {
        PolicyCalculation calculation = PolicyCalculation.forHost("node-1");
        Set<String> kinds = new TreeSet<>();
        try (Engine engine = Engine.create();
                InputStream file = Objects.requireNonNull(Tier.class.getResourceAsStream("crds.yaml"))) {
            Client client = engine.client();
            for (GenericKubernetesResource definition :
                    Manifests.parse(new String(file.readAllBytes(), StandardCharsets.UTF_8))) {
                client.create(ModelCodec.convert(definition, CustomResourceDefinition.class));
            }
            Matcher block = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL).matcher(page);
            while (block.find()) {
                for (GenericKubernetesResource object : Manifests.parse(block.group(1))) {
                    Class<? extends HasMetadata> type = PolicyCalculation.kinds().stream()
                            .filter(kind -> HasMetadata.getKind(kind).equals(object.getKind()))
                            .findFirst()
                            .orElseThrow();
                    HasMetadata created = client.create(ModelCodec.convert(object, type));
                    calculation.transact(tx -> tx.put(created));
                    kinds.add(object.getKind());
                }
            }
        }
        assertThat(calculation.problems()).isEmpty();
        assertThat(kinds)
                .containsExactly(
                        "ClusterNetworkSet",
                        "ClusterTieredPolicy",
                        "HostEndpoint",
                        "NetworkSet",
                        "Tier",
                        "TieredPolicy");
    }

    @Test
    void thePictureIsThatOfTheTables() {
        assertThat(page).contains(picture(PolicyCalculation.forHost("n1").explain()));
    }

    /** Draws the tables with names; an arrow stands for a path over tables without. */
    private static String picture(String explanation) {
        Map<String, List<String>> inputs = new LinkedHashMap<>();
        for (String line : explanation.split("\n")) {
            Matcher matcher = LINE.matcher(line);
            assertThat(matcher.matches()).as(line).isTrue();
            inputs.put(
                    matcher.group(1),
                    matcher.group(2).isEmpty()
                            ? List.of()
                            : Arrays.asList(matcher.group(2).split(", ")));
        }
        List<String> names = new ArrayList<>();
        inputs.keySet().stream().filter(PolicyPageTest::isNamed).forEach(names::add);
        StringBuilder picture = new StringBuilder("flowchart LR\n");
        for (String name : names) {
            picture.append("    t%d[\"%s\"]\n".formatted(names.indexOf(name), name));
        }
        for (String name : names) {
            Set<String> origins = new LinkedHashSet<>();
            inputs.get(name).forEach(input -> origins(input, inputs, origins));
            for (String origin : origins) {
                picture.append("    t%d --> t%d\n".formatted(names.indexOf(origin), names.indexOf(name)));
            }
        }
        return picture.toString();
    }

    private static void origins(String table, Map<String, List<String>> inputs, Set<String> origins) {
        if (isNamed(table)) {
            origins.add(table);
        } else {
            inputs.get(table).forEach(input -> origins(input, inputs, origins));
        }
    }

    /** Inputs and problems have names, too, which the tables of the kinds stand for. */
    private static boolean isNamed(String name) {
        return !name.contains("#") && !name.endsWith(" objects") && !name.endsWith(" problems");
    }
}
