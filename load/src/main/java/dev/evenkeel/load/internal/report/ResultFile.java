package dev.evenkeel.load.internal.report;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.evenkeel.load.result.ClassGrowth;
import dev.evenkeel.load.result.Latencies;
import dev.evenkeel.load.result.LoadResult;
import dev.evenkeel.load.result.PhaseResult;
import dev.evenkeel.load.result.RequestCounts;
import dev.evenkeel.load.result.Series;
import dev.evenkeel.load.result.SizeResult;
import dev.evenkeel.load.result.Verdict;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Results as JSON.
 *
 * <p>Durations are seconds; buckets of latencies are pairs of microseconds and a count, samples pairs of seconds and a value.
 * Numbers that JSON has none for are strings: {@code "Infinity"}. The order of fields is fixed, so that equal results are
 * equal files. Fields that this version does not know are ignored; a greater {@code format} is refused.
 */
public final class ResultFile {
    private static final int FORMAT = 1;
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .configure(JsonGenerator.Feature.WRITE_BIGDECIMAL_AS_PLAIN, true)
            .build();
    private static final ObjectWriter WRITER = MAPPER.writer();

    private ResultFile() {}

    /** Writes a result to a file, which is replaced if it exists. */
    public static void write(Path file, LoadResult result) throws IOException {
        Files.writeString(file, json(result), StandardCharsets.UTF_8);
    }

    /**
     * Reads the result in a file.
     *
     * @throws ResultFormatException if the file holds something else
     */
    public static LoadResult read(Path file) throws IOException {
        return parse(file.toString(), Files.readString(file, StandardCharsets.UTF_8));
    }

    /** Returns a result as JSON. */
    public static String json(LoadResult result) {
        ObjectNode root = NODES.objectNode();
        root.put("format", FORMAT);
        root.put("plan", result.plan());
        root.put("seed", result.seed());
        root.put("started", result.started().toString());
        ObjectNode environment = root.putObject("environment");
        result.environment().forEach(environment::put);
        ArrayNode verdicts = root.putArray("verdicts");
        result.verdicts().forEach(verdict -> verdicts.add(json(verdict)));
        ArrayNode phases = root.putArray("phases");
        result.phases().forEach(phase -> phases.add(json(phase)));
        ArrayNode series = root.putArray("series");
        result.series().forEach(one -> series.add(json(one)));
        ArrayNode sizes = root.putArray("sizes");
        result.sizes().forEach(size -> sizes.add(json(size)));
        ArrayNode classes = root.putArray("classes");
        result.classes()
                .forEach(one -> classes.addObject()
                        .put("name", one.name())
                        .put("instances", one.instances())
                        .put("bytes", one.bytes()));
        try {
            return WRITER.writeValueAsString(root) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a result must be representable as JSON", e);
        }
    }

    /**
     * Returns the result of a JSON text.
     *
     * @param name the name of the text in messages
     * @throws ResultFormatException if the text is something else
     */
    public static LoadResult parse(String name, String json) {
        JsonNode root;
        try {
            root = MAPPER.readTree(json);
        } catch (JsonProcessingException e) {
            throw new ResultFormatException(name + ": must be JSON: " + e.getOriginalMessage());
        }
        return result(new Field(name, "", root == null ? NODES.missingNode() : root));
    }

    private static ObjectNode json(Verdict verdict) {
        ObjectNode node = NODES.objectNode();
        node.put("name", verdict.name());
        node.put("outcome", verdict.outcome().name().toLowerCase(Locale.ROOT));
        node.set("value", number(verdict.value()));
        node.set("limit", number(verdict.limit()));
        node.put("unit", verdict.unit());
        node.put("finding", verdict.finding());
        node.set("confidence", number(verdict.confidence()));
        return node.put("firmer", verdict.firmer());
    }

    private static ObjectNode json(PhaseResult phase) {
        ObjectNode node = NODES.objectNode();
        node.put("name", phase.name());
        node.set("start", seconds(phase.start()));
        node.set("duration", seconds(phase.duration()));
        node.put("operations", phase.operations());
        node.put("refused", phase.refused());
        phase.converged().ifPresent(converged -> node.set("converged", seconds(converged)));
        phase.cpu().ifPresent(cpu -> node.set("cpu", seconds(cpu)));
        ObjectNode requests = node.putObject("requests");
        phase.requests()
                .forEach((request, counts) -> requests.putObject(request)
                        .put("count", counts.count())
                        .put("conflicts", counts.conflicts())
                        .put("throttled", counts.throttled())
                        .put("bytes", counts.bytes()));
        node.set("acknowledged", json(phase.acknowledged()));
        node.set("visible", json(phase.visible()));
        return node;
    }

    private static ObjectNode json(SizeResult size) {
        ObjectNode node = NODES.objectNode();
        node.put("objects", size.objects());
        size.retained().ifPresent(bytes -> node.put("retained", bytes));
        ObjectNode costs = node.putObject("costs");
        size.costs().forEach((phase, values) -> {
            ArrayNode array = costs.putArray(phase);
            values.forEach(value -> array.add(seconds(value)));
        });
        return node;
    }

    private static ArrayNode json(Latencies latencies) {
        ArrayNode node = NODES.arrayNode();
        latencies
                .buckets()
                .forEach(bucket -> node.addArray().add(bucket.micros()).add(bucket.count()));
        return node;
    }

    private static ObjectNode json(Series series) {
        ObjectNode node = NODES.objectNode();
        node.put("name", series.name());
        node.put("unit", series.unit());
        ArrayNode samples = node.putArray("samples");
        series.samples()
                .forEach(sample -> samples.addArray().add(seconds(sample.at())).add(number(sample.value())));
        return node;
    }

    private static JsonNode seconds(Duration duration) {
        BigDecimal seconds = BigDecimal.valueOf(duration.toNanos(), 9).stripTrailingZeros();
        return NODES.numberNode(seconds.scale() < 0 ? seconds.setScale(0) : seconds);
    }

    private static JsonNode number(double value) {
        return Double.isFinite(value) ? NODES.numberNode(value) : NODES.textNode(String.valueOf(value));
    }

    private static LoadResult result(Field root) {
        long format = root.get("format").integer();
        if (format < 1 || format > FORMAT) {
            throw root.get("format").must("be " + FORMAT + "; a newer version wrote the file");
        }
        return new LoadResult(
                root.get("plan").text(),
                root.get("seed").integer(),
                root.get("started").instant(),
                root.get("environment").map(Field::text),
                root.get("phases").list(ResultFile::phase),
                root.get("series").list(ResultFile::series),
                root.get("sizes").list(ResultFile::size),
                root.get("classes").list(ResultFile::growth),
                root.get("verdicts").list(ResultFile::verdict));
    }

    private static Verdict verdict(Field field) {
        double confidence = field.get("confidence").number();
        if (!(confidence >= 0 && confidence <= 1)) {
            throw field.get("confidence").must("be from 0 to 1");
        }
        return new Verdict(
                field.get("name").text(),
                field.get("outcome").outcome(),
                field.get("value").number(),
                field.get("limit").number(),
                field.get("unit").text(),
                field.get("finding").text(),
                confidence,
                field.get("firmer").text());
    }

    private static PhaseResult phase(Field field) {
        return new PhaseResult(
                field.get("name").text(),
                field.get("start").duration(),
                field.get("duration").duration(),
                field.get("operations").integer(),
                field.get("refused").integer(),
                latencies(field.get("acknowledged")),
                latencies(field.get("visible")),
                field.optional("converged").map(Field::duration),
                field.optional("cpu").map(Field::duration),
                field.get("requests").map(ResultFile::counts));
    }

    private static RequestCounts counts(Field field) {
        return new RequestCounts(
                field.get("count").integer(),
                field.get("conflicts").integer(),
                field.get("throttled").integer(),
                field.get("bytes").integer());
    }

    private static SizeResult size(Field field) {
        Optional<Long> retained = field.optional("retained").map(Field::integer);
        return new SizeResult(
                field.get("objects").integer(),
                retained.isPresent() ? OptionalLong.of(retained.get()) : OptionalLong.empty(),
                field.get("costs").map(values -> values.list(Field::duration)));
    }

    private static ClassGrowth growth(Field field) {
        return new ClassGrowth(
                field.get("name").text(),
                field.get("instances").integer(),
                field.get("bytes").integer());
    }

    private static Latencies latencies(Field field) {
        return new Latencies(
                field.list(pair -> new Latencies.Bucket(pair.item(0, Field::integer), pair.item(1, Field::integer))));
    }

    private static Series series(Field field) {
        return new Series(
                field.get("name").text(),
                field.get("unit").text(),
                field.get("samples")
                        .list(pair -> new Series.Sample(pair.item(0, Field::duration), pair.item(1, Field::number))));
    }

    /** A value with its place, which messages name. */
    private record Field(String file, String path, JsonNode node) {
        Field get(String name) {
            if (!node.isObject()) {
                throw must("be an object");
            }
            return new Field(file, path.isEmpty() ? name : path + "." + name, node.path(name));
        }

        Optional<Field> optional(String name) {
            return node.hasNonNull(name) ? Optional.of(get(name)) : Optional.empty();
        }

        <T> T item(int index, Function<Field, T> read) {
            if (!node.isArray() || node.size() != 2) {
                throw must("be an array of two numbers");
            }
            return read.apply(at(index));
        }

        private Field at(int index) {
            return new Field(file, path + "[" + index + "]", node.path(index));
        }

        <T> List<T> list(Function<Field, T> read) {
            if (!node.isArray()) {
                throw must("be an array");
            }
            List<T> items = new ArrayList<>(node.size());
            for (int i = 0; i < node.size(); i++) {
                items.add(read.apply(at(i)));
            }
            return items;
        }

        <T> SortedMap<String, T> map(Function<Field, T> read) {
            if (!node.isObject()) {
                throw must("be an object");
            }
            SortedMap<String, T> map = new TreeMap<>();
            node.fieldNames().forEachRemaining(name -> map.put(name, read.apply(get(name))));
            return map;
        }

        String text() {
            if (!node.isTextual()) {
                throw must("be a string");
            }
            return node.textValue();
        }

        long integer() {
            if (!node.canConvertToExactIntegral() || !node.canConvertToLong()) {
                throw must("be an integer");
            }
            return node.longValue();
        }

        double number() {
            if (node.isNumber()) {
                return node.doubleValue();
            }
            return switch (node.asText()) {
                case "Infinity" -> Double.POSITIVE_INFINITY;
                case "-Infinity" -> Double.NEGATIVE_INFINITY;
                case "NaN" -> Double.NaN;
                default -> throw must("be a number");
            };
        }

        Duration duration() {
            if (!node.isNumber()) {
                throw must("be a number of seconds");
            }
            try {
                return Duration.ofNanos(
                        node.decimalValue().movePointRight(9).toBigInteger().longValueExact());
            } catch (ArithmeticException e) {
                throw must("be a number of seconds under 9e9");
            }
        }

        Instant instant() {
            try {
                return Instant.parse(text());
            } catch (DateTimeException e) {
                throw must("be a time such as 2026-01-31T12:00:00Z");
            }
        }

        Verdict.Outcome outcome() {
            return switch (text()) {
                case "pass" -> Verdict.Outcome.PASS;
                case "fail" -> Verdict.Outcome.FAIL;
                case "open" -> Verdict.Outcome.OPEN;
                default -> throw must("be pass, fail or open");
            };
        }

        ResultFormatException must(String condition) {
            String found = node.isMissingNode() ? "nothing" : shortened(node.toString());
            return new ResultFormatException(
                    file + ": " + (path.isEmpty() ? "the document" : path) + " must " + condition + ": " + found);
        }

        private static String shortened(String text) {
            return text.length() > 60 ? text.substring(0, 60) + "..." : text;
        }
    }
}
