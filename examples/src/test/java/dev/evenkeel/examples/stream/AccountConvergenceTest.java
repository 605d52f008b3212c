package dev.evenkeel.examples.stream;

import static dev.evenkeel.examples.stream.Streams.BROKER;
import static dev.evenkeel.examples.stream.Streams.MAIN;

import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Patch;
import dev.evenkeel.client.WriteOptions;
import dev.evenkeel.examples.stream.AccountSpec.Access;
import dev.evenkeel.examples.stream.AccountSpec.Grant;
import dev.evenkeel.testing.convergence.Convergence;
import dev.evenkeel.testing.object.Given;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Whatever goes wrong on the way, the broker and the Secret have the same password, and the account what it is granted. */
class AccountConvergenceTest {
    private static final ObjectKey KEY = ObjectKey.of("default", "shop");

    /** Each word is the last. So passwords are the same in all trials, and can be compared. */
    private static long random() {
        return 42L << 32;
    }

    private static Account account() {
        Account account = new Account();
        account.getMetadata().setNamespace(KEY.namespace());
        account.getMetadata().setName(KEY.name());
        account.setSpec(new AccountSpec("main", List.of(new Grant("orders", Access.READ))));
        return account;
    }

    private static Convergence<?> convergence() {
        return Convergence.outside(
                        clock -> new InMemoryStreamService(),
                        service -> Stream.of("shop", "orders")
                                .map(name -> name + "=" + service.account(MAIN, name))
                                .toList())
                .controller(service -> AccountReconciler.controller(service, AccountConvergenceTest::random))
                .definitions(Path.of("stream", "crd.yaml"))
                .given(BROKER, Streams.ready("orders", "main"), Streams.ready("bills", "main"), Given.of(account()))
                .edit(
                        "another topic",
                        client -> client.patch(
                                Kind.of(Account.class),
                                KEY,
                                Patch.merge("{\"spec\":{\"grants\":[{\"topic\":\"orders\",\"access\":\"WRITE\"},"
                                        + "{\"topic\":\"bills\",\"access\":\"READ\"}]}}"),
                                WriteOptions.DEFAULT));
    }

    @Test
    void converges() {
        convergence().assertConverges();
    }

    /** A Secret that is made for an account that is gone is taken away, and would be made again and again. */
    @Test
    void anAccountThatIsGoneMakesNothing() {
        convergence().replay("restart behind accounts.stream.evenkeel.dev by 3 after write 6");
    }
}
