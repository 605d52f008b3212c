package dev.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class SingleJarTest {
    @TempDir
    Path directory;

    @Test
    void theFirstEntryOfANameIsTaken() throws Exception {
        Path one = jar("one.jar", Map.of("text", "one", "META-INF/MANIFEST.MF", "Manifest-Version: 1.0\nA: b\n"));
        Path two = jar("two.jar", Map.of("text", "two", "more", "more", "META-INF/SIGNER.SF", "signature"));

        assertThat(entries(List.of(one, two)))
                .isEqualTo(Map.of(
                        "META-INF/MANIFEST.MF",
                        "Manifest-Version: 1.0\nMulti-Release: true\n\n",
                        "text",
                        "one",
                        "more",
                        "more"));
    }

    @Test
    void theProvidersOfAServiceAreJoined() throws Exception {
        String service = "META-INF/services/a.Service";
        Path one = jar("one.jar", Map.of(service, "one.Provider"));
        Path two = jar("two.jar", Map.of(service, "two.Provider\n"));

        assertThat(entries(List.of(one, two)).get(service).lines()).containsExactly("one.Provider", "two.Provider", "");
    }

    /** Picocli's are of Java 5. */
    @Test
    void oldClassesWorkInAFormatThatTheJvmCaches() throws Exception {
        Path picocli = Path.of(CommandLine.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        Path single = directory.resolve("single.jar");
        SingleJar.write(List.of(picocli), single);

        try (ZipFile jar = new ZipFile(single.toFile())) {
            byte[] bytes = jar.getInputStream(jar.getEntry("picocli/CommandLine.class"))
                    .readAllBytes();
            assertThat(ClassFile.of().parse(bytes).majorVersion()).isEqualTo(ClassFile.JAVA_8_VERSION);
        }
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {single.toUri().toURL()}, ClassLoader.getPlatformClassLoader())) {
            Class<?> spec = loader.loadClass("picocli.CommandLine$Model$CommandSpec");
            Object empty = spec.getMethod("create").invoke(null);
            Class<?> line = loader.loadClass("picocli.CommandLine");
            Object usage = line.getMethod("getUsageMessage")
                    .invoke(line.getConstructor(Object.class).newInstance(empty));
            assertThat(usage).hasToString("Usage: <main class>\n");
        }
    }

    @Test
    void newClassesStayAsTheyAre() throws Exception {
        byte[] bytes = ClassFile.of()
                .build(
                        ClassDesc.of("a.New"),
                        builder -> builder.withMethodBody(
                                "nothing",
                                MethodTypeDesc.of(ConstantDescs.CD_void),
                                ClassFile.ACC_STATIC,
                                code -> code.return_()));
        Path jar = directory.resolve("new.jar");
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new ZipEntry("a/New.class"));
            out.write(bytes);
        }
        Path single = directory.resolve("single.jar");
        SingleJar.write(List.of(jar), single);

        try (ZipFile file = new ZipFile(single.toFile())) {
            assertThat(file.getInputStream(file.getEntry("a/New.class")).readAllBytes())
                    .isEqualTo(bytes);
        }
    }

    private Path jar(String name, Map<String, String> entries) throws IOException {
        Path jar = directory.resolve(name);
        try (OutputStream file = Files.newOutputStream(jar);
                ZipOutputStream out = new ZipOutputStream(file)) {
            for (Map.Entry<String, String> entry : new TreeMap<>(entries).entrySet()) {
                out.putNextEntry(new ZipEntry(entry.getKey()));
                out.write(entry.getValue().getBytes(StandardCharsets.UTF_8));
            }
        }
        return jar;
    }

    private Map<String, String> entries(List<Path> jars) throws IOException {
        Path single = directory.resolve("single.jar");
        SingleJar.write(jars, single);
        Map<String, String> entries = new TreeMap<>();
        try (ZipFile file = new ZipFile(single.toFile())) {
            for (ZipEntry entry : file.stream().map(ZipEntry.class::cast).toList()) {
                entries.put(
                        entry.getName(), new String(file.getInputStream(entry).readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        return entries;
    }
}
