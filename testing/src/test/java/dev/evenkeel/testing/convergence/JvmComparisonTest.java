package dev.evenkeel.testing.convergence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.evenkeel.client.OwnerReferences;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.controller.Controller;
import dev.evenkeel.controller.Reconciliation;
import dev.evenkeel.controller.Result;
import dev.evenkeel.testing.object.Given;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.opentest4j.AssertionFailedError;

class JvmComparisonTest {
    private static final Instant RELEASED = Instant.parse("2026-01-01T20:00:00Z");

    /** Writes a text into a ConfigMap for each Secret. */
    private static Convergence<?> writing(Supplier<String> text) {
        return Convergence.of(() -> Controller.of(Secret.class, call -> reconcile(call, text))
                        .owns(ConfigMap.class))
                .given(Given.yaml(Secret.class, "{metadata: {namespace: default, name: web}}"));
    }

    private static Result reconcile(Reconciliation<Secret> call, Supplier<String> text) {
        call.resource().ifPresent(secret -> {
            ConfigMap map = new ConfigMapBuilder()
                    .withNewMetadata()
                    .withNamespace(call.key().namespace())
                    .withName(call.key().name())
                    .endMetadata()
                    .addToData("text", text.get())
                    .build();
            OwnerReferences.control(secret, map);
            call.client().apply(map, WriteOptions.DEFAULT);
        });
        return Result.done();
    }

    private static String arguments(Map<String, String> flags) {
        StringBuilder text = new StringBuilder();
        flags.forEach(
                (name, value) -> text.append(" --").append(name).append('=').append(value));
        return text.toString();
    }

    /** Constants, whose hash codes are those of their identity. */
    private enum Flag {
        PORT,
        HOST,
        LEVEL,
        FORMAT,
        CACHE,
        LIMIT,
        RETRY,
        ZONE;

        static String all(Set<Flag> flags) {
            flags.addAll(List.of(values()));
            return String.join(",", flags.stream().map(Flag::name).toList());
        }
    }

    private static Convergence<?> order() {
        return writing(() -> arguments(Map.of("port", "80", "host", "web")));
    }

    private static Convergence<?> identity() {
        return writing(() -> Flag.all(new HashSet<>()));
    }

    private static String title(Locale locale) {
        return "Title".toUpperCase(locale);
    }

    private static String released(ZoneId zone) {
        return DateTimeFormatter.ISO_LOCAL_DATE.format(RELEASED.atZone(zone));
    }

    /** Returns the names of the source directories, in an order. */
    private static String files(UnaryOperator<Stream<Path>> order) {
        try (Stream<Path> files = Files.list(Path.of("src"))) {
            return order.apply(files).map(file -> file.getFileName().toString()).collect(Collectors.joining(","));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Convergence<?> defaults() {
        return writing(() -> title(Locale.getDefault()) + released(ZoneId.systemDefault()));
    }

    private static Convergence<?> directory() {
        return writing(() -> files(UnaryOperator.identity()));
    }

    private static Convergence<?> right() {
        return writing(() -> arguments(new TreeMap<>(Map.of("port", "80", "host", "web")))
                + Flag.all(new TreeSet<>())
                + title(Locale.ROOT)
                + released(ZoneOffset.UTC)
                + files(Stream::sorted));
    }

    private static void assertFinds(JvmComparison.Check check, String cause) {
        assertThatExceptionOfType(AssertionFailedError.class)
                .isThrownBy(() -> JvmComparison.assertSame(check))
                .withMessageStartingWith(
                        "differs between JVMs by " + cause + ": data.text of configmaps default/web\n    data.text of")
                .withMessageContaining(" in one, and ")
                .withMessageContaining("ignoring(\"data.text\")");
    }

    @Test
    void theOrderOfImmutableMapsIsFound() {
        assertFinds(JvmComparisonTest::order, "the order of Map.of and Set.of");
    }

    @Test
    void identityHashCodesAreFound() {
        assertFinds(
                JvmComparisonTest::identity, "identity hash codes, or what else no process has in common with another");
    }

    @Test
    void theLocaleAndTheZoneAreFound() {
        assertFinds(JvmComparisonTest::defaults, "the default locale, the default time zone");
    }

    @Test
    void theOrderOfFilesIsFound() {
        assertFinds(JvmComparisonTest::directory, "the order of the files in directories");
    }

    @Test
    void whatIsSortedAndNamesItsLocaleAndZonePasses() {
        JvmComparison.assertSame(JvmComparisonTest::right);
    }

    @Test
    void theConvergenceCheckInOneJvmDoesNotSeeIt() {
        List.of(order(), defaults(), directory())
                .forEach(check ->
                        assertThat(check.schedules(20).check().failure()).isEmpty());
    }

    @Test
    void aFailureWithoutFaultsIsAFailure() {
        assertThatExceptionOfType(AssertionFailedError.class)
                .isThrownBy(() -> JvmComparison.assertSame(() -> writing(() -> String.valueOf(System.nanoTime()))))
                .withMessageContaining("does not settle");
    }

    @Test
    void refusesWhatAnotherJvmCannotHave() {
        Object lock = new Object();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JvmComparison.assertSame(() -> writing(lock::toString)))
                .withMessage(
                        "the check has a variable of java.lang.Object, which another JVM cannot have: use a static method");
        assertThat(lock).isNotNull();
    }
}
