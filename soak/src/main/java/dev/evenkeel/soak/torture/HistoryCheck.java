package dev.evenkeel.soak.torture;

import dev.evenkeel.soak.torture.History.Change;
import dev.evenkeel.soak.torture.History.Got;
import dev.evenkeel.soak.torture.History.Listed;
import dev.evenkeel.soak.torture.History.Version;
import dev.evenkeel.soak.torture.History.Watched;
import dev.evenkeel.soak.torture.History.Write;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Decides whether a history can be that of a store that keeps its promises.
 *
 * <p>The log of a round is the union of what its watches delivered; together they saw all changes up to its end.
 * Every other operation is compared with the log:
 *
 * <ul>
 *   <li>watches: the changes have growing revisions, all watches agree on them, and none lacks one;
 *   <li>writes: an acknowledged one is in the log, at its revision, right after the version that it replaced; no change
 *       replaced a version that another one replaced, and none has a value that no client wrote; a refused one is not in the
 *       log, and another change was the reason;
 *   <li>reads: each shows one state of the log, not newer than the writes begun before its end;
 *   <li>order: when an operation ended before another began, the revision that it showed is not greater than that of a
 *       later read, and less than that of a later write.
 * </ul>
 */
final class HistoryCheck {
    private final History history;
    private final List<String> problems = new ArrayList<>();
    private final TreeMap<Long, Change> log = new TreeMap<>();
    private final Map<String, TreeMap<Long, String>> versions = new HashMap<>();
    private final TreeMap<Long, Write> origins = new TreeMap<>();

    /** The greatest revision that an operation showed which had ended, by the time of its end. */
    private final TreeMap<Long, Long> shown = new TreeMap<>();

    private HistoryCheck(History history) {
        this.history = history;
    }

    /** Returns the problems of a history; none for a right one. */
    static List<String> problems(History history) {
        HistoryCheck check = new HistoryCheck(history);
        check.readLog();
        check.checkWatches();
        check.checkChanges();
        check.readShown();
        check.checkOrder();
        check.checkWrites();
        check.checkLists();
        check.checkReads();
        return check.problems;
    }

    private void readLog() {
        history.before()
                .forEach((key, version) ->
                        versions.computeIfAbsent(key, k -> new TreeMap<>()).put(version.revision(), version.value()));
        for (Watched watch : history.watches()) {
            long last = watch.after();
            for (Change change : watch.changes()) {
                long revision = change.version().revision();
                if (revision <= last) {
                    problems.add("a watch delivered revision " + revision + " after " + last);
                }
                last = revision;
                Change other = log.putIfAbsent(revision, change);
                if (other != null && !other.equals(change)) {
                    problems.add("watches differ at revision " + revision + ": " + other + ", " + change);
                }
                versions.computeIfAbsent(change.key(), k -> new TreeMap<>())
                        .put(revision, change.version().value());
            }
        }
    }

    private void checkWatches() {
        for (Watched watch : history.watches()) {
            List<Long> delivered = watch.changes().stream()
                    .map(change -> change.version().revision())
                    .toList();
            List<Long> missing = new ArrayList<>(
                    log.subMap(watch.after(), false, watch.until(), true).keySet());
            missing.removeAll(new HashSet<>(delivered));
            if (!missing.isEmpty()) {
                problems.add("a watch after revision " + watch.after() + " did not deliver " + missing);
            }
        }
    }

    /** Finds the write of each change: values are unique, and deletions name what they replace. */
    private void checkChanges() {
        Map<String, Write> byValue = new HashMap<>();
        Map<String, Write> deletions = new HashMap<>();
        for (Write write : history.writes()) {
            if (write.value().isEmpty()) {
                deletions.merge(
                        write.key() + "@" + write.expected(),
                        write,
                        (one, two) -> one.revision() > two.revision() ? one : two);
            } else {
                byValue.put(write.value(), write);
            }
        }
        log.forEach((revision, change) -> {
            long replaced = present(change.key(), revision - 1).revision();
            String value = change.version().value();
            Write write = value.isEmpty() ? deletions.get(change.key() + "@" + replaced) : byValue.get(value);
            if (write == null || !write.key().equals(change.key())) {
                problems.add("no client wrote " + change);
            } else if (write.revision() == History.REFUSED) {
                problems.add(write + " was refused, and made at revision " + revision);
            } else if (write.expected() != replaced) {
                problems.add(write + " was made at revision " + revision + ", where the key was at " + replaced);
            } else if (write.revision() > 0 && write.revision() != revision) {
                problems.add(write + " was made at revision " + revision);
            } else {
                origins.put(revision, write);
            }
        });
    }

    private void readShown() {
        TreeMap<Long, Long> byEnd = new TreeMap<>();
        origins.forEach((revision, write) -> {
            if (write.acknowledged()) {
                byEnd.merge(write.end(), revision, Math::max);
            }
        });
        history.lists().forEach(list -> byEnd.merge(list.end(), list.revision(), Math::max));
        history.reads().forEach(read -> byEnd.merge(read.end(), read.found().revision(), Math::max));
        long greatest = history.base();
        for (Map.Entry<Long, Long> entry : byEnd.entrySet()) {
            greatest = Math.max(greatest, entry.getValue());
            shown.put(entry.getKey(), greatest);
        }
    }

    /** Returns the greatest revision that was shown before a time. */
    private long shownBefore(long time) {
        Map.Entry<Long, Long> entry = shown.lowerEntry(time);
        return entry == null ? history.base() : entry.getValue();
    }

    private void checkOrder() {
        origins.forEach((revision, write) -> {
            long before = shownBefore(write.begin());
            if (revision <= before) {
                problems.add(write + " was made at revision " + revision + ", after revision " + before + " was shown");
            }
        });
    }

    private void checkWrites() {
        Map<String, Write> won = new HashMap<>();
        for (Write write : history.writes()) {
            if (write.revision() == History.REFUSED && !refusable(write)) {
                problems.add("refused without a reason: " + write);
            }
            if (!write.acknowledged()) {
                continue;
            }
            Write other = won.put(write.key() + "@" + write.expected(), write);
            if (other != null && write.expected() > 0) {
                problems.add("two writes replaced the same version: " + other + ", " + write);
            }
            long revision = write.revision() == History.NOT_TOLD ? next(write) : write.revision();
            Change change = log.get(revision);
            if (change == null
                    || !change.key().equals(write.key())
                    || !change.version().value().equals(write.value())) {
                problems.add("lost: " + write);
            }
        }
    }

    /** Returns true when the key may not have been at the expected revision. */
    private boolean refusable(Write write) {
        TreeMap<Long, String> all = versions.getOrDefault(write.key(), new TreeMap<>());
        return all.entrySet().stream()
                .filter(version -> write.expected() > 0 || !version.getValue().isEmpty())
                .anyMatch(version -> version.getKey() != write.expected()
                        && possible(version.getKey(), write.begin(), write.end(), all));
    }

    /** Returns the revision of the change after the version that a write replaced; 0 when there is none. */
    private long next(Write write) {
        Long next = versions.getOrDefault(write.key(), new TreeMap<>()).higherKey(write.expected());
        return next == null ? 0 : next;
    }

    private void checkLists() {
        for (Listed list : history.lists()) {
            Map<String, Version> expected = new TreeMap<>();
            for (String key : versions.keySet()) {
                Version version = present(key, list.revision());
                if (!version.value().isEmpty()) {
                    expected.put(key, version);
                }
            }
            if (!expected.equals(new TreeMap<>(list.contents()))) {
                problems.add("the list at revision " + list.revision() + " has " + list.contents() + " instead of "
                        + expected);
            }
        }
        TreeMap<Long, Write> latest = new TreeMap<>(); // of all writes up to a revision, the one that began last
        origins.forEach((revision, write) -> latest.put(
                revision,
                latest.isEmpty() || latest.lastEntry().getValue().begin() < write.begin()
                        ? write
                        : latest.lastEntry().getValue()));
        for (Listed list : history.lists()) {
            long before = shownBefore(list.begin());
            if (list.revision() < before) {
                problems.add(
                        "a list at revision " + list.revision() + " began after revision " + before + " was shown");
            }
            Map.Entry<Long, Write> origin = latest.floorEntry(list.revision());
            if (origin != null && origin.getValue().begin() > list.end()) {
                problems.add("the list at revision " + list.revision() + " shows a later write: " + origin.getValue());
            }
        }
    }

    private void checkReads() {
        for (Got read : history.reads()) {
            TreeMap<Long, String> all = versions.getOrDefault(read.key(), new TreeMap<>());
            long revision = read.found().revision();
            if (revision > 0) {
                if (!read.found().value().equals(all.get(revision))) {
                    problems.add("no such version: " + read);
                    continue;
                }
                Write origin = origins.get(revision);
                if (origin != null && origin.begin() > read.end()) {
                    problems.add("a later write was read: " + read + ", " + origin);
                }
                Long next = all.higherKey(revision);
                if (next != null && next <= shownBefore(read.begin())) {
                    problems.add("an old version was read: " + read + ", revision " + next + " was shown before");
                }
            } else if (neverAbsent(read, all)) {
                problems.add("the key was not absent: " + read);
            }
        }
    }

    /** Returns true when no absence of the key overlaps with a read. */
    private boolean neverAbsent(Got read, NavigableMap<Long, String> all) {
        boolean absent = all.isEmpty()
                || (!history.before().containsKey(read.key()) && possible(0, read.begin(), read.end(), all));
        for (Map.Entry<Long, String> version : all.entrySet()) {
            absent |= version.getValue().isEmpty() && possible(version.getKey(), read.begin(), read.end(), all);
        }
        return !absent;
    }

    /** Returns true when the version of a key may have been the present one at some time between two. */
    private boolean possible(long revision, long begin, long end, NavigableMap<Long, String> all) {
        Write origin = origins.get(revision);
        Long next = all.higherKey(revision);
        return (origin == null || origin.begin() <= end) && (next == null || next > shownBefore(begin));
    }

    /** Returns the version of a key at a revision. */
    private Version present(String key, long revision) {
        Map.Entry<Long, String> version =
                versions.getOrDefault(key, new TreeMap<>()).floorEntry(revision);
        return version == null || version.getValue().isEmpty()
                ? new Version(0, "")
                : new Version(version.getKey(), version.getValue());
    }
}
