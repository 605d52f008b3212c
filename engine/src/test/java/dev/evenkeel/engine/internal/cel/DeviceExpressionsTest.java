package dev.evenkeel.engine.internal.cel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DeviceExpressionsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "false | 0",
                "device.driver == \"\" | 2",
                "device.driver == \"dra.example.com\" | 4",
                "\"no-such-domain\" in device.attributes | 3",
                "device.attributes[\"dra.example.com\"].name | 4",
                "device.attributes[\"dra.example.com\"][\"name\"] | 4",
                "device.attributes[\"dra.example.com\"].name > 0 | 5",
                "device.attributes[\"dra.example.com\"].name == \"fish\" | 5",
                "device.attributes[\"dra.example.com\"].names.size() == 2 | 6",
                "device.attributes[\"dra.example.com\"].names.exists(x, x > 0) | 389",
                "device.attributes[\"no-such-domain\"].noSuchAttr.isGreaterThan(quantity(\"0\")) | 6",
                "cel.bind(dra, device.attributes[\"dra.example.com\"], dra.name) | 15",
                "1 in device.attributes[\"dra.example.com\"].names | 68",
                "device.capacity[\"dra.example.com\"].name.isGreaterThan(quantity(\"1Ki\")) | 6",
                "device.attributes.exists_one(x, x == \"dra.example.com\") | 164",
                "device.attributes[\"dra.example.com\"].exists_one(x, x == \"services\") | 133",
                "device.attributes[\"dra.example.com\"].services.split(\"example\").size() >= 2 | 19",
                "device.attributes[\"dra.example.com\"].services.matches(\"[^a]?sym\") | 18",
                "device.capacity.exists_one(x, x == \"dra.example.com\") | 164",
            })
    void costsAreThoseOfKubernetes(String expression, long cost) {
        assertThat(DeviceExpressions.of(expression)).isEqualTo(new DeviceExpressions.Selector("", cost));
    }
}
