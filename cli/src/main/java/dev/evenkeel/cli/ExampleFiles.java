package dev.evenkeel.cli;

import dev.evenkeel.client.Manifests;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The examples to run, and the directory of their files; options of the commands that run them. */
final class ExampleFiles {
    /** The examples, by the names of their directories. */
    enum Example {
        website,
        database,
        stream,
        all;

        /** Returns the examples it stands for. */
        List<Example> each() {
            return this == all ? List.of(website, database, stream) : List.of(this);
        }
    }

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "EXAMPLE",
            defaultValue = "all",
            description = "example to run: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
    private Example example = Example.all;

    @Option(
            names = "--examples",
            paramLabel = "DIRECTORY",
            defaultValue = "${sys:evenkeel.home:-.}/examples",
            description = "directory of the examples (default: ${DEFAULT-VALUE})")
    private Path directory = Path.of("");

    Example example() {
        return example;
    }

    List<GenericKubernetesResource> types(String example) {
        return read(directory.resolve(example).resolve("crd.yaml"));
    }

    List<GenericKubernetesResource> samples(String example) {
        return read(directory.resolve(example).resolve(example + "s.yaml"));
    }

    static List<GenericKubernetesResource> read(Path file) {
        try {
            return Manifests.parse(Files.readString(file));
        } catch (IOException e) {
            throw new Failure("cannot read " + file + ": " + Failure.reason(e));
        } catch (IllegalArgumentException e) {
            throw new Failure(file + ": " + e.getMessage());
        }
    }
}
