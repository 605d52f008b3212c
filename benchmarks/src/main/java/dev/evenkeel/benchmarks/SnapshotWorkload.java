package dev.evenkeel.benchmarks;

import dev.evenkeel.benchmarks.Measurement.Unit;
import java.util.List;

/** The calculation of network policy for one host of a whole cluster, in a process of its own; see {@link PolicyWorld}. */
final class SnapshotWorkload {
    private static final String PEER = "recomputation";

    private SnapshotWorkload() {}

    static void run(ReportSection section) throws Exception {
        List<String> worlds = section.quick()
                ? List.of("customers-1000", "unique-customers-10000")
                : List.of(
                        "customers-1000",
                        "customers-10000",
                        "customers-100000",
                        "unique-customers-1000",
                        "unique-customers-10000",
                        "unique-customers-100000",
                        "network-sets-1000",
                        "network-sets-10000",
                        "tags-250000");
        for (String world : worlds) {
            int rounds = section.quick() ? 3 : 5;
            SnapshotProcess.Result ours = SnapshotProcess.run(world, true, rounds);
            SnapshotProcess.Result peer = SnapshotProcess.run(world, false, rounds);
            section.both(
                    world + ": first conversion",
                    Unit.MILLISECONDS,
                    ours.coldConversion(),
                    peer.coldConversion(),
                    PEER);
            section.both(world + ": later ones", Unit.MILLISECONDS, ours.conversion(), peer.conversion(), PEER);
            section.both(world + ": first calculation", Unit.MILLISECONDS, ours.cold(), peer.cold(), PEER);
            section.both(world + ": later ones", Unit.MILLISECONDS, ours.warm(), peer.warm(), PEER);
            section.ours(world + ": removal of the pods of the host", Unit.MILLISECONDS, ours.removal());
            section.ours(world + ": messages of that", Unit.MESSAGES, ours.removed());
            section.both(
                    world + ": allocation", Unit.BYTES, (double) ours.allocated(), (double) peer.allocated(), PEER);
            section.both(world + ": heap", Unit.BYTES, (double) ours.heap(), (double) peer.heap(), PEER);
            section.ours(world + ": messages", Unit.MESSAGES, ours.messages());
            section.elsewhere(ours.kinds());
        }
        section.elsewhere(
                "Felix before its 2026 work, i9-8950HK, customers of 1k / 10k / 100k: 45 ms, 10 MB; 388 ms, 48 MB;"
                        + " 6,898 ms, 402 MB; 250k pods with 10k policies: 3,390 ms, 375 MB; 1,000 network sets: 495 ms, 81 MB");
    }
}
