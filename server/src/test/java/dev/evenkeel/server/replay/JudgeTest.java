package dev.evenkeel.server.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.Recordings;
import dev.evenkeel.engine.internal.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JudgeTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "crd",
                "crud",
                "delete-gc",
                "discovery-openapi",
                "list-get",
                "namespaces",
                "patch",
                "ssa",
                "watch",
                "access"
            })
    void findsEachRecordedAnswerEqualToItself(String file) {
        for (Exchange exchange : Exchange.of(Recordings.lines(file))) {
            assertThat(new Judge(exchange).differences(recorded(exchange)))
                    .as(exchange.id())
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"crud", "watch"})
    void findsEachRecordedAnswerOtherThanTheOneBefore(String file) {
        List<Exchange> exchanges = Exchange.of(Recordings.lines(file));
        long different = 0;
        for (int i = 1; i < exchanges.size(); i++) {
            if (!new Judge(exchanges.get(i))
                    .differences(recorded(exchanges.get(i - 1)))
                    .isEmpty()) {
                different++;
            }
        }
        assertThat(different).isGreaterThan(exchanges.size() * 2L / 3);
    }

    private static Answer recorded(Exchange exchange) {
        Map<String, List<String>> headers = new HashMap<>();
        exchange.headers()
                .forEach((name, value) -> headers.put(
                        name,
                        value instanceof List<?> list
                                ? list.stream().map(String::valueOf).toList()
                                : List.of(String.valueOf(value))));
        String body;
        if (exchange.watch() && exchange.status() == 200) {
            List<String> lines = new ArrayList<>();
            exchange.events().forEach(event -> lines.add(Json.text(event) + "\n"));
            body = String.join("", lines);
        } else if (exchange.bodyText().isPresent()) {
            body = exchange.bodyText().get();
        } else {
            body = exchange.body() == null ? "" : Json.text(exchange.body());
        }
        return new Answer(exchange.status(), headers, body.getBytes(StandardCharsets.UTF_8));
    }
}
