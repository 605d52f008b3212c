package dev.evenkeel.soak.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.soak.torture.History.Change;
import dev.evenkeel.soak.torture.History.Got;
import dev.evenkeel.soak.torture.History.Listed;
import dev.evenkeel.soak.torture.History.Version;
import dev.evenkeel.soak.torture.History.Watched;
import dev.evenkeel.soak.torture.History.Write;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class HistoryCheckTest {
    private static final Version A1 = new Version(5, "a1");
    private static final Change A2 = new Change("a", new Version(12, "a2"));
    private static final Change B1 = new Change("b", new Version(13, "b1"));
    private static final Change A3 = new Change("a", new Version(15, ""));

    /** Begins at revision 10 with a=a1@5; then a=a2 at 12, b=b1 at 13 without an answer, a deleted at 15. */
    private static History right() {
        History history = new History(10, Map.of("a", A1));
        history.add(new Write(100, 110, "a", 5, "a2", 12));
        history.add(new Write(120, 180, "b", 0, "b1", History.UNKNOWN));
        history.add(new Write(150, 160, "a", 12, "", History.NOT_TOLD));
        history.add(new Write(150, 170, "c", 0, "c1", History.UNKNOWN)); // was not made
        history.add(new Watched(10, 15, List.of(A2, B1, A3)));
        history.add(new Watched(10, 12, List.of(A2)));
        history.add(new Listed(105, 125, 12, Map.of("a", A2.version())));
        history.add(new Listed(120, 140, 14, Map.of("a", A2.version(), "b", B1.version())));
        history.add(new Got(100, 105, "a", A1));
        history.add(new Got(155, 156, "a", A2.version()));
        history.add(new Got(155, 156, "a", new Version(0, "")));
        history.add(new Got(100, 121, "b", new Version(0, "")));
        return history;
    }

    private static void expect(String problem, History history) {
        assertThat(HistoryCheck.problems(history))
                .anySatisfy(found -> assertThat(found).contains(problem));
    }

    private static History with(Write write) {
        History history = right();
        history.add(write);
        return history;
    }

    private static History with(Watched watch) {
        History history = right();
        history.add(watch);
        return history;
    }

    private static History with(Listed list) {
        History history = right();
        history.add(list);
        return history;
    }

    private static History with(Got read) {
        History history = right();
        history.add(read);
        return history;
    }

    @Test
    void aRightHistoryHasNoProblem() {
        assertThat(HistoryCheck.problems(right())).isEmpty();
    }

    @Test
    void wrongHistoriesHave() {
        Version none = new Version(0, "");
        expect("lost: ", with(new Write(100, 110, "c", 0, "c2", 14)));
        expect("lost: ", with(new Write(100, 110, "b", 13, "", History.NOT_TOLD)));
        expect("two writes replaced the same version", with(new Write(100, 110, "a", 5, "a9", 12)));
        expect("did not deliver [13]", with(new Watched(10, 15, List.of(A2, A3))));
        expect("did not deliver [15]", with(new Watched(12, 15, List.of(B1))));
        expect("delivered revision 12 after 12", with(new Watched(10, 15, List.of(A2, A2, B1, A3))));
        expect("delivered revision 12 after 13", with(new Watched(10, 15, List.of(B1, A2, A3))));
        expect(
                "watches differ at revision 12",
                with(new Watched(10, 15, List.of(new Change("a", new Version(12, "other")), B1, A3))));
        expect(
                "no client wrote",
                with(new Watched(10, 15, List.of(A2, B1, new Change("a", new Version(14, "strange")), A3))));
        expect("was made at revision 14, where the key was at 13", misplaced());
        expect("the list at revision 12", with(new Listed(105, 125, 12, Map.of("a", A1))));
        expect("the list at revision 12", with(new Listed(105, 125, 12, Map.of("a", A2.version(), "b", B1.version()))));
        expect("began after revision 12 was shown", with(new Listed(115, 118, 11, Map.of("a", A1))));
        expect("shows a later write", with(new Listed(90, 95, 12, Map.of("a", A2.version()))));
        expect("no such version", with(new Got(155, 156, "a", new Version(14, "a9"))));
        expect("a later write was read", with(new Got(90, 95, "a", A2.version())));
        expect("an old version was read", with(new Got(111, 112, "a", A1)));
        expect("the key was not absent", with(new Got(111, 112, "a", none)));
    }

    @Test
    void aWriteThatIsInNoWatchIsLost() {
        History history = new History(10, Map.of("a", A1));
        history.add(new Write(100, 110, "a", 5, "a2", 12));
        history.add(new Watched(10, 20, List.of()));
        expect("lost: Write[begin=100, end=110, key=a, expected=5, value=a2, revision=12]", history);

        History deleted = new History(10, Map.of("a", A1));
        deleted.add(new Write(100, 110, "a", 5, "", History.NOT_TOLD));
        deleted.add(new Watched(10, 20, List.of()));
        expect("lost: ", deleted);
    }

    @Test
    void anIncompleteObjectWasNotWritten() {
        ConfigMap map = Contents.map("a", "v1", 0);
        map.getMetadata().setResourceVersion("14");
        assertThat(Contents.version(map)).isEqualTo(new Version(14, "v1"));
        map.setData(Map.of("value", "v1", "fill", "the fill of another"));
        Version torn = Contents.version(map);
        expect("no such version", with(new Got(155, 156, "a", torn)));
        expect("the list at revision 14", with(new Listed(120, 140, 14, Map.of("a", torn, "b", B1.version()))));
        expect("no client wrote", with(new Watched(10, 15, List.of(A2, B1, new Change("a", torn), A3))));
        map.setData(null);
        expect("no such version", with(new Got(155, 156, "a", Contents.version(map))));
    }

    @Test
    void twoWinnersOfACreationAreFound() {
        History history = new History(10, Map.of());
        history.add(new Write(100, 110, "a", 0, "one", 11));
        history.add(new Write(100, 110, "a", 0, "two", 12));
        history.add(new Watched(
                10, 12, List.of(new Change("a", new Version(11, "one")), new Change("a", new Version(12, "two")))));
        expect("was made at revision 12, where the key was at 11", history);
    }

    /** None of them contradicts an acknowledged write, but what another read showed. */
    @Test
    void revisionsThatGoBackAreFound() {
        Map<String, Version> both = Map.of("a", A2.version(), "b", B1.version());
        History lists = with(new Listed(125, 130, 13, both));
        lists.add(new Listed(131, 135, 12, Map.of("a", A2.version())));
        expect("a list at revision 12 began after revision 13 was shown", lists);

        History reads = with(new Got(125, 130, "b", B1.version()));
        reads.add(new Got(131, 135, "b", new Version(0, "")));
        expect("the key was not absent", reads);

        History deletion = right();
        deletion.add(new Listed(165, 170, 14, both));
        expect("a list at revision 14 began after revision 15 was shown", deletion);

        History write = with(new Listed(105, 106, 14, both));
        expect("was made at revision 13, after revision 14 was shown", write);
    }

    @Test
    void aListMustNotShowTheBeginningOfALaterWrite() {
        History history = new History(10, Map.of());
        history.add(new Write(200, 210, "a", 0, "late", 11));
        history.add(new Write(100, 210, "b", 0, "early", 12));
        Change a = new Change("a", new Version(11, "late"));
        Change b = new Change("b", new Version(12, "early"));
        history.add(new Watched(10, 12, List.of(a, b)));
        history.add(new Listed(140, 150, 12, Map.of("a", a.version(), "b", b.version())));
        expect("shows a later write: Write[begin=200", history);
    }

    @Test
    void refusalsNeedAReason() {
        History right = right();
        right.add(new Write(105, 112, "a", 5, "a9", History.REFUSED));
        right.add(new Write(150, 190, "b", 0, "b9", History.REFUSED));
        right.add(new Write(150, 190, "a", 12, "a9", History.REFUSED));
        assertThat(HistoryCheck.problems(right)).isEmpty();

        expect("refused without a reason", with(new Write(120, 130, "a", 12, "a9", History.REFUSED)));
        expect("refused without a reason", with(new Write(100, 190, "c", 0, "c9", History.REFUSED)));
        History made = right();
        made.add(new Write(150, 160, "c", 0, "c9", History.REFUSED));
        made.add(new Watched(10, 16, List.of(A2, B1, A3, new Change("c", new Version(16, "c9")))));
        expect("was refused, and made at revision 16", made);
    }

    /** A creation of a key that exists. */
    private static History misplaced() {
        History other = new History(10, Map.of("a", A1));
        right().writes().forEach(other::add);
        other.add(new Write(100, 190, "b", 0, "b2", History.UNKNOWN));
        other.add(new Watched(10, 15, List.of(A2, B1, new Change("b", new Version(14, "b2")), A3)));
        return other;
    }

    /** Commits in the order of revisions, at a moment between begin and end of each operation. */
    @Test
    void whatAModelDoesIsRight() {
        long seed = Long.getLong("torture.seed", System.nanoTime());
        Random random = new Random(seed);
        for (int round = 0; round < 50; round++) {
            assertThat(HistoryCheck.problems(model(random))).as("seed %d", seed).isEmpty();
        }
    }

    private static History model(Random random) {
        TreeMap<String, Version> state = new TreeMap<>(Map.of("k1", new Version(3, "v0")));
        History history = new History(10, state);
        List<Change> log = new ArrayList<>();
        long revision = 10;
        for (int i = 1; i <= 200; i++) {
            long time = i * 100L;
            long begin = time - random.nextInt(500);
            long end = time + random.nextInt(500);
            String key = "k" + random.nextInt(5);
            Version version = state.getOrDefault(key, new Version(0, ""));
            switch (random.nextInt(6)) {
                case 0 -> history.add(new Listed(begin, end, revision, new TreeMap<>(state)));
                case 1 -> history.add(new Got(begin, end, key, version));
                case 2 -> history.add(new Write(begin, end, key, version.revision(), "lost" + i, History.UNKNOWN));
                default -> {
                    revision += 1 + random.nextInt(2);
                    boolean delete = version.revision() > 0 && random.nextInt(3) == 0;
                    boolean answered = random.nextInt(4) > 0;
                    String value = delete ? "" : "v" + i;
                    long told = !answered ? History.UNKNOWN : delete ? History.NOT_TOLD : revision;
                    history.add(new Write(begin, end, key, version.revision(), value, told));
                    log.add(new Change(key, new Version(revision, value)));
                    if (delete) {
                        state.remove(key);
                    } else {
                        state.put(key, new Version(revision, value));
                    }
                }
            }
        }
        history.add(new Watched(10, revision, log));
        history.add(new Watched(10, revision, log));
        return history;
    }
}
