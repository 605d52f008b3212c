package dev.evenkeel.controller.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.client.ObjectKey;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RendezvousTest {
    @Test
    void membershipChangesMoveOnlyTheSlotsOfTheMember() {
        List<String> three = List.of("a", "b", "c");
        List<String> four = List.of("a", "b", "c", "d");
        int moved = 0;
        for (int slot = 0; slot < 1000; slot++) {
            String before = Rendezvous.owner(slot, three);
            String after = Rendezvous.owner(slot, four);
            assertThat(after).isIn(before, "d");
            moved += after.equals("d") ? 1 : 0;
        }
        assertThat(moved).isBetween(200, 300);
    }

    @Test
    void keysSpreadOverSlots() {
        int[] counts = new int[32];
        for (int i = 0; i < 32_000; i++) {
            counts[Rendezvous.slot(ObjectKey.of("ns" + i % 7, "object-" + i), 32)]++;
        }
        assertThat(counts).satisfies(all -> {
            for (int count : all) {
                assertThat(count).isBetween(850, 1150);
            }
        });
    }

    @Test
    void theHashesNeverChange() {
        List<Integer> slots = new ArrayList<>();
        StringBuilder owners = new StringBuilder();
        for (int i = 0; i < 8; i++) {
            slots.add(Rendezvous.slot(ObjectKey.of("default", "object-" + i), 32));
            owners.append(Rendezvous.owner(i, List.of("a", "b", "c")));
        }
        assertThat(slots).containsExactly(20, 12, 19, 28, 4, 27, 17, 12);
        assertThat(owners).hasToString("cccbaacc");
    }

    @Test
    void withoutMembersThereIsNoOwner() {
        assertThat(Rendezvous.owner(1, List.of())).isEmpty();
    }
}
