package dev.evenkeel.examples.catalog;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The bodies in this process: an engine in memory, and a manager in virtual time. */
@Timeout(300)
class CatalogInProcessTest {
    /** Set to repeat a run. */
    private static final long SEED = Long.getLong("catalog.seed", new SplittableRandom().nextLong(1_000_000));

    private static final int COUNT = Integer.getInteger("catalog.count", 5);

    @Test
    void lifeCycle() {
        try (CatalogInProcess catalog = CatalogInProcess.start(1)) {
            CatalogLifeCycle.run(catalog);
        }
    }

    @Test
    void oneShotInAnyOrder() {
        for (long seed = SEED; seed < SEED + COUNT; seed++) {
            System.out.println("one shot: -Dcatalog.seed=" + seed);
            try (CatalogInProcess catalog = CatalogInProcess.start(seed)) {
                CatalogOneShot.publish(catalog, new CatalogLoad(seed, 8), seed);
                CatalogOneShot.verify(catalog);
            }
        }
    }

    @Test
    void changesInAnyOrder() {
        System.out.println("changes: -Dcatalog.seed=" + SEED);
        SplittableRandom random = new SplittableRandom(SEED);
        CatalogLoad load = new CatalogLoad(SEED, 6);
        try (CatalogInProcess catalog = CatalogInProcess.start(SEED)) {
            CatalogOneShot.publish(catalog, load, SEED);
            for (int i = 0; i < 30; i++) {
                for (int j = random.nextInt(4); j >= 0; j--) {
                    load.change(catalog.client());
                }
                CatalogOneShot.verify(catalog);
            }
        }
    }
}
