package dev.evenkeel.server.replay;

import dev.evenkeel.engine.internal.json.Json;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Sends the exchanges of one recording from top to bottom and judges the answers.
 *
 * <p>State between the exchanges: the variables that answers set, the latest ETag, and the latest resourceVersion of
 * every uid.
 */
public final class Replay {
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{(\\w+)}");
    private static final Pattern TIMEOUT = Pattern.compile("timeoutSeconds=(\\d+)");
    private static final Duration LONGEST_POLL = Duration.ofSeconds(4);

    private final Wire wire;
    private final List<Exchange> exchanges;
    private final String traced;
    private final Map<String, String> variables = new HashMap<>();
    private final Map<String, Long> revisions = new HashMap<>();
    private final List<Verdict> verdicts = new ArrayList<>();

    /**
     * A replay of one recording.
     *
     * @param traced the id of the record whose raw answer is printed; empty for none
     */
    public Replay(Wire wire, List<String> recording, String traced) {
        this.wire = wire;
        this.exchanges = Exchange.of(recording);
        this.traced = traced;
    }

    /** Runs all exchanges; the verdicts are in the order of the file. */
    public List<Verdict> run() {
        int next = 0;
        while (next < exchanges.size()) {
            Exchange exchange = exchanges.get(next);
            next = exchange.watch() ? watch(next) : once(next);
        }
        return verdicts;
    }

    private int once(int index) {
        Exchange exchange = exchanges.get(index);
        pause(Duration.ofSeconds(exchange.sleepSeconds()));
        long longest = Math.min(LONGEST_POLL.toNanos(), TimeUnit.SECONDS.toNanos(exchange.pollSeconds()));
        long start = System.nanoTime();
        Judge judge = new Judge(exchange);
        while (true) {
            Answer answer = send(exchange);
            List<Difference> differences = judge.differences(answer);
            if (differences.isEmpty() || System.nanoTime() - start >= longest) {
                conclude(exchange, answer, differences);
                return index + 1;
            }
            pause(Duration.ofMillis(25));
        }
    }

    /** Opens the watch, plays what follows during it, reads to its end; the next exchange to play. */
    private int watch(int index) {
        Exchange exchange = exchanges.get(index);
        Matcher timeout = TIMEOUT.matcher(exchange.path());
        Duration longest = Duration.ofSeconds((timeout.find() ? Long.parseLong(timeout.group(1)) : 1) + 4);
        Wire.Stream stream = wire.open(exchange.method(), filled(exchange.path()), headers(exchange), longest);
        int place = verdicts.size();
        int next = index + 1;
        try {
            stream.head().get(60, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            // reported by the end of the stream
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        while (next < exchanges.size()
                && exchange.during().contains(exchanges.get(next).id())) {
            next = once(next);
        }
        Answer answer = stream.whole()
                .exceptionally(
                        failure -> new Answer(0, Map.of(), failure.toString().getBytes(StandardCharsets.UTF_8)))
                .join();
        List<Verdict> later = new ArrayList<>(verdicts.subList(place, verdicts.size()));
        verdicts.subList(place, verdicts.size()).clear();
        conclude(exchange, answer, new Judge(exchange).differences(answer));
        verdicts.addAll(later);
        return next;
    }

    private Answer send(Exchange exchange) {
        return wire.send(
                exchange.method(),
                filled(exchange.path()),
                headers(exchange),
                exchange.requestBytes()
                        .or(() ->
                                exchange.requestBody().map(text -> filled(text).getBytes(StandardCharsets.UTF_8))));
    }

    private void conclude(Exchange exchange, Answer answer, List<Difference> differences) {
        if (exchange.id().equals(traced)) {
            System.out.println(exchange.id() + " " + exchange.method() + " " + filled(exchange.path()) + "\n  > "
                    + exchange.requestBody()
                            .map(this::filled)
                            .map(Replay::shortened)
                            .orElse("") + "\n  < "
                    + answer.status() + " " + answer.headers() + "\n  < " + shortened(answer.text()));
        }
        List<Difference> all = new ArrayList<>(differences);
        Object raw = exchange.watch() && exchange.status() == 200
                ? Judge.events(exchange, answer)
                : Judge.document(answer).orElse(null);
        revision(exchange, raw).ifPresent(all::add);
        answer.header("ETag").ifPresent(etag -> variables.put("etag", etag));
        exchange.vars().forEach((name, path) -> variables.put(name, at(raw, String.valueOf(path))));
        verdicts.add(new Verdict(
                exchange.id(), exchange.what(), exchange.method() + " " + exchange.path(), List.copyOf(all)));
    }

    private static String shortened(String text) {
        return text.length() < 20_000 ? text : text.substring(0, 20_000) + "…";
    }

    /** Checks that the resourceVersion moved as recorded since the last answer with the same uid. */
    private Optional<Difference> revision(Exchange exchange, @Nullable Object raw) {
        String uid = Json.string(raw, "metadata", "uid");
        String revision = Json.string(raw, "metadata", "resourceVersion");
        if (uid.isEmpty() || !revision.matches("\\d{1,18}")) {
            return exchange.revisions().map(expected -> Difference.of("rv", expected, null));
        }
        Long now = Long.valueOf(revision);
        Long before = revisions.put(uid, now);
        if (exchange.revisions().isEmpty() || exchange.unstable() || before == null) {
            return Optional.empty();
        }
        String moved = now.equals(before) ? "unchanged" : now > before ? "increased" : "decreased";
        return exchange.revisions()
                .filter(expected -> !expected.equals(moved))
                .map(expected -> Difference.of("rv", expected, moved));
    }

    private Map<String, String> headers(Exchange exchange) {
        Map<String, String> headers = exchange.requestHeaders();
        headers.replaceAll((name, value) -> filled(value));
        if (exchange.anonymous()) {
            headers.put("Authorization", "");
        }
        return headers;
    }

    private String filled(String text) {
        return VARIABLE.matcher(text)
                .replaceAll(name -> Matcher.quoteReplacement(variables.getOrDefault(name.group(1), "unset")));
    }

    /** The value at a path such as {@code $[0].metadata.uid}. */
    private static String at(@Nullable Object tree, String path) {
        Object value = tree;
        for (String step : path.substring(1).split("[.\\[\\]]+")) {
            if (step.isEmpty()) {
                continue;
            }
            value = value instanceof Map<?, ?> map
                    ? map.get(step)
                    : value instanceof List<?> list && step.matches("\\d+") && Integer.parseInt(step) < list.size()
                            ? list.get(Integer.parseInt(step))
                            : null;
        }
        return value == null ? "unset" : String.valueOf(value);
    }

    private static void pause(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
