package dev.evenkeel.server.internal.jetty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.evenkeel.client.ApiException;
import org.junit.jupiter.api.Test;

class BodyBudgetTest {
    private final BodyBudget budget = new BodyBudget(100);

    private void assertRefused(String user, long bytes) {
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> budget.take(user, bytes))
                .satisfies(e -> assertThat(e.code()).isEqualTo(429));
    }

    @Test
    void aUserGetsHalf() {
        budget.take("ann", 40);
        assertRefused("ann", 11);
        budget.take("ann", 10);
        budget.take("bob", 50);
        assertThat(budget.used()).isEqualTo(100);
    }

    @Test
    void allUsersTogetherGetTheWhole() {
        budget.take("ann", 40);
        budget.take("bob", 40);
        assertRefused("eve", 21);
        budget.take("eve", 20);
    }

    @Test
    void whatIsGivenBackCanBeTakenAgain() {
        budget.take("ann", 20);
        budget.take("ann", 30);
        budget.giveBack("ann", 50);
        assertThat(budget.used()).isZero();
        budget.take("ann", 50);
    }

    @Test
    void theLargestBodyFitsWhateverTheHeap() {
        BodyBudget small = BodyBudget.of(1, 3_000_000);
        small.take("ann", 3_000_000);
        assertThat(small.used()).isEqualTo(3_000_000);
    }
}
