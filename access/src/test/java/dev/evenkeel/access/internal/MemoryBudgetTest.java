package dev.evenkeel.access.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MemoryBudgetTest {
    private final MemoryBudget budget = new MemoryBudget(100);

    private void assertRefused(String user, long bytes) {
        assertThat(budget.take(user, bytes)).isFalse();
    }

    @Test
    void aUserGetsHalf() {
        assertThat(budget.take("ann", 40)).isTrue();
        assertRefused("ann", 11);
        assertThat(budget.take("ann", 10)).isTrue();
        assertThat(budget.take("bob", 50)).isTrue();
        assertThat(budget.used()).isEqualTo(100);
    }

    @Test
    void allUsersTogetherGetTheWhole() {
        assertThat(budget.take("ann", 40)).isTrue();
        assertThat(budget.take("bob", 40)).isTrue();
        assertRefused("eve", 21);
        assertThat(budget.take("eve", 20)).isTrue();
    }

    @Test
    void whatIsGivenBackCanBeTakenAgain() {
        assertThat(budget.take("ann", 20)).isTrue();
        assertThat(budget.take("ann", 30)).isTrue();
        budget.giveBack("ann", 50);
        assertThat(budget.used()).isZero();
        assertThat(budget.take("ann", 50)).isTrue();
    }

    @Test
    void theLargestMessageFitsWhateverTheHeap() {
        MemoryBudget small = MemoryBudget.of(1, 64, 3_000_000);
        assertThat(small.take("ann", 3_000_000)).isTrue();
        assertThat(small.used()).isEqualTo(3_000_000);
    }
}
