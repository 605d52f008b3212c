package dev.evenkeel.controller.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.internal.DnsNames;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LeaseNamesTest {
    @Test
    void usualNamesStayAsTheyAre() {
        for (String name :
                List.of("configmaps", "web-sites", "web.sites", "members", "time-slots", "member", "slot-x")) {
            assertThat(LeaseNames.of(name)).isEqualTo(name);
        }
        assertThat(LeaseNames.members("maps") + "pod-1").isEqualTo("maps-member-pod-1");
        assertThat(LeaseNames.slots("maps") + "3-of-32").isEqualTo("maps-slot-3-of-32");
    }

    @Test
    void reservedWordsGetAZero() {
        assertThat(LeaseNames.of("team-member-list")).isEqualTo("team-member0-list");
        assertThat(LeaseNames.of("team-member0-list")).isEqualTo("team-member00-list");
        assertThat(LeaseNames.of("time-slot")).isEqualTo("time-slot0");
    }

    @Test
    void noTwoControllersShareALease() {
        List<String> words = List.of("a", "member", "member0", "slot", "0-of-2");
        List<String> names = new ArrayList<>(words);
        for (int length = 2; length <= 3; length++) {
            for (String name : List.copyOf(names)) {
                for (String word : words) {
                    names.add(name + "-" + word);
                    names.add(name + "." + word);
                }
            }
        }
        Map<String, String> owners = new HashMap<>();
        List<String> shared = new ArrayList<>();
        for (String name : Set.copyOf(names)) {
            claim(owners, shared, LeaseNames.of(name), name);
            claim(owners, shared, LeaseNames.slots(name) + "0-of-2", name);
            for (String identity : Set.copyOf(names)) {
                claim(owners, shared, LeaseNames.members(name) + identity, name + " and " + identity);
            }
        }
        assertThat(shared).isEmpty();
        assertThat(owners.keySet()).allMatch(DnsNames::isSubdomain);
    }

    private static void claim(Map<String, String> owners, List<String> shared, String lease, String owner) {
        String other = owners.putIfAbsent(lease, owner);
        if (other != null) {
            shared.add(lease + " of " + other + " and " + owner);
        }
    }
}
