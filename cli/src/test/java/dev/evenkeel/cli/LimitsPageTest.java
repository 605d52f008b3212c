package dev.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.store.MemoryStore;
import dev.evenkeel.grpc.GrpcServer;
import dev.evenkeel.server.Server;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** Compares the numbers of the table of limits in docs/production.md with those of the code. */
class LimitsPageTest {
    private static final String SERVER = "dev.evenkeel.server.internal.";
    private static final String ENGINE = "dev.evenkeel.engine.internal.";
    private static final String LARGE = "dev.evenkeel.access.internal.LargeRequests";
    private static final String GRPC = "dev.evenkeel.grpc.internal.";
    private static final String MEMORY = GRPC + "call.MessageMemory";
    private static final String INCOMING = GRPC + "call.IncomingMemory";
    private static final String RE2 = ENGINE + "syntax.Re2";
    private static final String BODY = SERVER + "jetty.RequestBody";

    private final Page page;

    LimitsPageTest() throws IOException {
        page = Page.of(Page.ROOT.resolve("docs/production.md"));
    }

    @Test
    void theTableHasTheLimitsOfTheCode() throws Exception {
        Server.Limits limits = Server.Limits.DEFAULT;
        assertRow(
                "head of a request, TLS handshake, frame or header block of HTTP/2",
                seconds((Duration) constant(SERVER + "jetty.SlowHeads", "LONGEST")) + " in total; "
                        + kib(limits.maxHeaderBytes()) + "; URL of " + kib(limits.maxUrlBytes()));
        assertRow(
                "body of a request",
                mib(limits.maxBodyBytes()) + "; " + seconds(limits.bodyTimeout()) + " in total, and "
                        + kib((int) constant(BODY, "LEAST_RATE")) + "/s after "
                        + seconds((Duration) constant(BODY, "GRACE")));
        assertThat(limits.requestTimeout()).isEqualTo(Duration.ofMinutes(1));
        assertRow(
                "duration of a request, apart from watches",
                "a minute, or the query parameter `timeout` if that is shorter; "
                        + seconds((Duration) constant(SERVER + "ApiHandler", "LONGEST_WRITE")) + " for a write");
        assertRow(
                "bodies of all requests in progress",
                "a " + constant("dev.evenkeel.server.Server", "BODIES")
                        + "th of the heap, at least two of the largest; half of it for one user");
        assertRow(
                "requests of " + kib((int) constant(LARGE, "LARGE")) + " and more, lists over gRPC",
                "of one user, two for each processor are processed at once, at least "
                        + constant(LARGE, "LEAST_LIMIT"));
        assertRow(
                "requests in progress, apart from watches",
                limits.maxInFlight() + "; health and version are always answered");
        assertRow(
                "watches",
                number(limits.maxWatches()) + "; one that is not read for " + seconds(limits.writeTimeout()) + " ends");
        assertRow(
                "heap",
                "writes other than deletions are refused above "
                        + Math.round((double) constant(SERVER + "MemoryGuard", "LIMIT") * 100)
                        + "% after a collection");
        MemoryStore.Window window = MemoryStore.Window.DEFAULT;
        assertThat(window.bytes()).isEqualTo(Runtime.getRuntime().maxMemory() / 16);
        assertRow(
                "history for watches and lists",
                number(window.events()) + " events, " + window.age().toMinutes()
                        + " minutes, a 16th of the heap of replaced objects");
        assertRow("defaults of an object", mib(JsonLimits.DEFAULT.maxBytes()));
        assertRow(
                "values that the path of a printer column finds",
                number((int) constant(ENGINE + "json.JsonPath", "MAX_VALUES")) + "; "
                        + mib((int) constant(ENGINE + "strategy.CustomStrategy", "MAX_ROW")) + " of text for a row");
        assertRow(
                "regular expression",
                number((int) constant(RE2, "MAX_REPEAT")) + " nested repetitions, "
                        + number((int) constant(RE2, "MAX_HEIGHT")) + " levels, "
                        + number((int) constant(RE2, "MAX_SIZE")) + " instructions; 250,000 instructions are cached");
        assertThat(constant(RE2, "CACHE")).extracting("capacity").isEqualTo(250_000);
        assertRow(
                "messages of gRPC that have not arrived completely",
                "a " + constant(INCOMING, "PART") + "th of the heap, outside of it; half of it for one client");
        assertRow(
                "messages of gRPC in progress",
                "requests: a " + constant(MEMORY, "REQUESTS") + "th of the heap, responses: an "
                        + constant(MEMORY, "RESPONSES") + "th; half of it for one client");
        assertRow(
                "a resource over gRPC",
                number((int) constant(GRPC + "verb.Draft", "MOST_ENTRIES"))
                        + " labels, finalizers, and entries of the metadata; "
                        + number((int) constant(GRPC + "resource.Structs", "MOST_VALUES")) + " values in a Struct");
        assertRow(
                "a request over gRPC; the response of a list",
                mib(GrpcServer.Limits.DEFAULT.maxMessageBytes()) + "; "
                        + mib(GrpcServer.Limits.DEFAULT.maxListBytes()) + ", at most a "
                        + constant("dev.evenkeel.grpc.GrpcServer", "LISTS") + "th of the heap");
    }

    @Test
    void theTextHasTheLimitsOfTheCode() throws Exception {
        assertThat(page.text())
                .contains("completes requests in progress within " + seconds(Server.Limits.DEFAULT.stopTimeout()))
                .contains("drop lines of a kind after " + constant("dev.evenkeel.cli.LogRate", "PER_MINUTE")
                        + " within a minute")
                .contains("sets " + constant("dev.evenkeel.cli.CarrierThreads", "LEAST") + " carrier threads");
    }

    private void assertRow(String resource, String limit) {
        assertThat(page.text()).contains("\n| " + resource + " | " + limit + " |");
    }

    private static Object constant(String type, String name) throws ReflectiveOperationException {
        var field = Class.forName(type).getDeclaredField(name);
        field.setAccessible(true);
        return field.get(null);
    }

    private static String seconds(Duration duration) {
        return duration.toSeconds() + " s";
    }

    private static String kib(int bytes) {
        return bytes / 1024 + " KiB";
    }

    private static String mib(int bytes) {
        return bytes / 1024 / 1024 + " MiB";
    }

    private static String number(int value) {
        return String.format(Locale.ROOT, "%,d", value);
    }
}
