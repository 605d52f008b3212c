package dev.evenkeel.engine.internal.builtin.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.strategy.ResourceStrategy.Addresses;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ServiceAddressesTest {
    private final ServiceAddresses addresses = new ServiceAddresses();
    private final List<Runnable> ends = new ArrayList<>();
    private final JsonObject none = new JsonObject();
    private final JsonObject spec = Kinds.tree(
            "{'clusterIPs':['10.0.0.3'],'ports':[{'port':80,'nodePort':30001}],'healthCheckNodePort':30002}");

    private Addresses write() {
        return addresses.forWrite(ends::add, false, "10.0.0.5"::equals);
    }

    @Test
    void addressesAreUnique() {
        addresses.changed("a", none, spec);

        assertThat(Stream.generate(write()::address).limit(70_000))
                .startsWith("10.0.0.2", "10.0.0.4")
                .contains("10.0.255.255", "10.1.0.0")
                .doesNotHaveDuplicates()
                .doesNotContain("10.0.0.1", "10.0.0.3", "10.0.0.5");
    }

    @Test
    void portsAreUniqueUntilAllAreInUse() {
        addresses.changed("a", none, spec);
        Addresses write = write();

        assertThat(Stream.generate(write::nodePort).limit(2_766).map(OptionalInt::orElseThrow))
                .doesNotHaveDuplicates()
                .doesNotContain(30_001, 30_002);
        assertThat(write.nodePort()).isEmpty();
    }

    @Test
    void whatAServiceHasIsFreeWhenItIsChangedOrDeleted() {
        addresses.changed("a", none, spec);
        assertThat(write().take("10.0.0.3")).isFalse();
        assertThat(write().take(30_001)).isFalse();
        assertThat(write().take(30_002)).isFalse();

        addresses.changed("a", spec, none);

        assertThat(write().take("10.0.0.3")).isTrue();
        assertThat(write().take(30_001)).isTrue();
        assertThat(write().take(30_002)).isTrue();
    }

    @Test
    void whatTwoServicesHaveIsFreeWhenBothAreDeleted() {
        addresses.changed("a", none, spec);
        addresses.changed("b", none, spec);
        addresses.changed("a", spec, none);
        assertThat(write().take("10.0.0.3")).isFalse();

        addresses.changed("b", spec, none);

        assertThat(write().take("10.0.0.3")).isTrue();
    }

    @Test
    void whatAWriteHasReservedIsFreeAtItsEndUnlessAServiceHasIt() {
        Addresses write = write();
        assertThat(write.take("10.0.0.3")).isTrue();
        assertThat(write.take("10.0.0.4")).isTrue();
        assertThat(write().take("10.0.0.3")).as("another write").isFalse();
        addresses.changed("a", none, spec);

        ends.forEach(Runnable::run);

        assertThat(write().take("10.0.0.3")).isFalse();
        assertThat(write().take("10.0.0.4")).isTrue();
    }

    @Test
    void aCopyHasTheServicesButNotTheReservations() {
        addresses.changed("a", none, spec);
        assertThat(write().take("10.0.0.4")).isTrue();

        Addresses fork = addresses.fork().forWrite(ends::add, false, "10.0.0.5"::equals);

        assertThat(fork.take("10.0.0.3")).isFalse();
        assertThat(fork.take("10.0.0.4")).isTrue();
    }
}
