package dev.evenkeel.controller.internal.lease;

import dev.evenkeel.client.AlreadyExistsException;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.ConflictException;
import dev.evenkeel.client.DeleteOptions;
import dev.evenkeel.client.Fence;
import dev.evenkeel.client.LabelSelector;
import dev.evenkeel.client.ListOptions;
import dev.evenkeel.client.NotFoundException;
import dev.evenkeel.client.ObjectKey;
import dev.evenkeel.client.Scheduler;
import dev.evenkeel.controller.Leases;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Divides all keys among the live members of a group, and never assigns a key to two of them.
 *
 * <p>The problem: work is to be spread over processes that start, stop, crash and freeze, without a coordinator; a key
 * in two places is worse than a key in none for some seconds. Keys are in a fixed number of slots. Each member has a
 * Lease that it renews, and each slot has one that names its holder and is never renewed: the holder lives as long as
 * its own lease. So a member costs one write each {@code retry}, however many slots it has. Invariants:
 *
 * <ol>
 *   <li>A member has a slot only while its own lease's {@link Term} holds: all its slots end, by its own clock, before
 *       another member may consider it dead.
 *   <li>A slot is taken only when its record is free; or when its holder's lease, in the same list of leases as the
 *       record, had not changed for its duration; or from an earlier term of the same member. It is taken on the
 *       condition that the record is still the one read, with transitions greater by one: these are the fence of its
 *       keys.
 *   <li>A member that has a slot it should not have ends it gracefully: it starts no key, waits for those in flight,
 *       then frees the record. The member that should have it, by the highest weight over live members, takes what is
 *       free.
 *   <li>A slot does not begin again in a process before its last run there has ended.
 *   <li>Members with a different number of slots are never taken for owners, and as long as one is alive nothing new is
 *       taken: keys would be in two places. It is logged as an error.
 * </ol>
 *
 * <p>By 2, a member that was considered dead and resumes needs a new term, finds the record changed or changes it
 * itself, and one of the two writes fails. By 1 to 3, two members with different views of the group may both want a
 * slot, but only one has it.
 *
 * <p>Concurrency: as {@link Election}. Cost: one list of the group's leases each {@code retry} for each member, and a
 * write for each slot that moves. Why not a watch: the list is small, and one list is one state, on which 2 relies.
 */
public final class Shards {
    private static final Logger LOG = LoggerFactory.getLogger(Shards.class);
    private static final String GROUP = "evenkeel.dev/shards";
    private static final String COUNT = "evenkeel.dev/slots";
    private static final int LITTER = 10;

    /** The work that runs while this member has a slot. */
    @FunctionalInterface
    public interface Scope {
        /**
         * Starts the work on the keys of a slot that this member got, and returns its completion.
         *
         * <p>After {@link Term#ending()} no key of the slot may be started; the future is done when those in flight have
         * ended, and only then another member gets the slot. After {@link Term#lost()} everything must end at once: another
         * member may have the slot. The slot does not begin again in this process before the future is done.
         */
        CompletableFuture<Void> begin(int slot, Term term);

        /** Called with the live members, including this one, when they change. */
        default void members(SortedSet<String> members) {}

        /** Called when the member has stopped, also if it never had a slot. */
        default void stopped() {}
    }

    private final Scheduler scheduler;
    private final Client client;
    private final ShardSettings settings;
    private final Scope scope;
    private final Records records;
    private final ListOptions selection;
    private final String membersPrefix;
    private final String slotsPrefix;
    private final Election election;
    private final Loop loop;

    // guarded by this
    private final @Nullable Held[] held;
    private final Observations observations;
    private SortedSet<String> members = Collections.emptySortedSet();
    private @Nullable Membership membership;
    private boolean disagreed;

    private static final class Membership {
        final Term term;
        final CompletableFuture<Void> end = new CompletableFuture<>();

        /** Set when leftovers were swept up: once, so that an unresponsive API does not delay the departure. */
        final AtomicBoolean swept = new AtomicBoolean();

        Membership(Term term) {
            this.term = term;
        }
    }

    /** A slot that this member holds, or that is still ending. */
    private record Held(Term term, Membership membership, Lease lease, CompletableFuture<Void> end) {}

    private record View(
            SortedSet<String> live, Map<Integer, Lease> slots, boolean disagreement, List<Lease> litter, long asked) {}

    public Shards(Scheduler scheduler, Client client, ShardSettings settings, Scope scope) {
        this.scheduler = scheduler;
        this.client = client;
        this.settings = settings;
        this.scope = scope;
        String group = settings.group();
        Leases.Timing timing = settings.timing();
        Map<String, String> labels = Map.of(GROUP, group, COUNT, Integer.toString(settings.slots()));
        this.records = new Records(client, labels, settings.identity(), timing.lease(), scheduler);
        this.selection = ListOptions.in(settings.namespace()).labels(LabelSelector.parse(GROUP + "=" + group));
        this.membersPrefix = LeaseNames.members(group);
        this.slotsPrefix = LeaseNames.slots(group);
        this.held = new Held[settings.slots()];
        this.observations = new Observations(timing.lease());
        this.loop = new Loop(scheduler, "shards of " + group, timing, this::round);
        this.election = new Election(
                scheduler,
                client,
                ObjectKey.of(settings.namespace(), membersPrefix + settings.identity()),
                settings.identity(),
                timing,
                labels,
                new Election.Scope() {
                    @Override
                    public CompletableFuture<Void> begin(Term term) {
                        return joined(term);
                    }

                    @Override
                    public void stopped() {
                        loop.stop();
                        scope.stopped();
                    }
                });
    }

    public void start() {
        election.start();
    }

    /** Ends and frees all slots gracefully, then the member's own lease, and completes. */
    public CompletableFuture<Void> stop() {
        return election.stop();
    }

    /** Returns the slot of a key, which is the same for all members. */
    public int slot(ObjectKey key) {
        return Rendezvous.slot(key, settings.slots());
    }

    /** Returns the terms of the slots on whose keys work may begin here now. */
    synchronized SortedMap<Integer, Term> owned() {
        SortedMap<Integer, Term> owned = new TreeMap<>();
        for (int slot = 0; slot < held.length; slot++) {
            Held present = held[slot];
            if (present != null && !present.term.isEnding()) {
                owned.put(slot, present.term);
            }
        }
        return owned;
    }

    /** Returns the live members at the last list, including this one if it is a member. */
    public synchronized SortedSet<String> members() {
        return members;
    }

    public boolean healthy(Duration tolerance) {
        return election.healthy(tolerance);
    }

    // --- membership

    private CompletableFuture<Void> joined(Term term) {
        Membership begun = new Membership(term);
        synchronized (this) {
            membership = begun;
        }
        var unused = term.ending().thenRun(() -> forAll(Term::end));
        var unused2 = term.lost().thenRun(() -> forAll(Term::lose));
        loop.wake();
        return begun.end;
    }

    private void forAll(Consumer<Term> change) {
        all().forEach(each -> change.accept(each.term));
        loop.wake();
    }

    private synchronized List<Held> all() {
        return Stream.of(held).filter(Objects::nonNull).toList();
    }

    private Duration round(BooleanSupplier current) {
        Duration again = settings.timing().retry();
        clear(current);
        Membership now;
        synchronized (this) {
            now = membership;
        }
        if (now == null) {
            return again;
        }
        if (now.term.isEnding()) {
            depart(now, current);
            return again;
        }
        View view = look(current);
        if (view == null) {
            return again;
        }
        for (int slot = 0; slot < settings.slots() && current.getAsBoolean(); slot++) {
            boolean wanted = Rendezvous.owner(slot, view.live()).equals(settings.identity());
            tend(slot, wanted, view, now, current);
        }
        clean(view);
        return again;
    }

    /** Leaves the group once no slot is held any more. */
    private void depart(Membership leaving, BooleanSupplier current) {
        synchronized (this) {
            if (!current.getAsBoolean()) {
                return;
            }
            if (!all().isEmpty()) {
                // running work wakes the loop when it ends
                all().forEach(each -> each.term.end());
                return;
            }
        }
        if (leaving.term.holds() && !leaving.swept.getAndSet(true)) {
            sweep();
        }
        synchronized (this) {
            if (!current.getAsBoolean()) {
                return;
            }
            membership = null;
            members = Collections.emptySortedSet();
        }
        leaving.end.complete(null);
    }

    /** Frees slots that this member holds in their records only: an abandoned round took them. */
    private void sweep() {
        try {
            for (Lease record : client.list(Records.KIND, selection).items()) {
                if (record.getMetadata().getName().startsWith(slotsPrefix)
                        && Records.holder(record).equals(settings.identity())) {
                    free(record);
                }
            }
        } catch (RuntimeException e) {
            LOG.atWarn().addKeyValue("group", settings.group()).setCause(e).log("slots to release could not be listed");
        }
    }

    private void clear(BooleanSupplier current) {
        for (int slot = 0; slot < settings.slots(); slot++) {
            Held each;
            synchronized (this) {
                each = held[slot];
            }
            if (each == null || !each.end.isDone()) {
                continue;
            }
            if (each.term.holds()) {
                Fence fence = each.term.fence();
                try {
                    var unused = records.release(fence, each.lease, () -> true);
                } catch (NotFoundException e) {
                    // deleted meanwhile
                } catch (RuntimeException e) {
                    LOG.atWarn().addKeyValue("lease", fence.lease()).setCause(e).log("not released");
                }
            }
            each.term.lose();
            synchronized (this) {
                if (current.getAsBoolean() && each.equals(held[slot])) {
                    held[slot] = null;
                }
            }
        }
    }

    // --- observing the group

    /** Lists the group's leases; null when this round was abandoned. */
    private @Nullable View look(BooleanSupplier current) {
        long asked = scheduler.nanoTime();
        List<Lease> leases = client.list(Records.KIND, selection).items();
        long answered = scheduler.nanoTime();
        Map<String, Lease> present = new HashMap<>();
        Map<Integer, Lease> slots = new HashMap<>();
        Set<String> mentioned = new HashSet<>();
        for (Lease lease : leases) {
            String name = lease.getMetadata().getName();
            if (name.startsWith(membersPrefix)) {
                present.put(name.substring(membersPrefix.length()), lease);
            } else if (sameCount(lease) && name.startsWith(slotsPrefix)) {
                number(name).ifPresent(slot -> slots.put(slot, lease));
                mentioned.add(Records.holder(lease));
            }
        }
        mentioned.remove("");
        Set<String> all = new HashSet<>(present.keySet());
        all.addAll(mentioned);
        SortedSet<String> live = new TreeSet<>(Set.of(settings.identity()));
        List<Lease> litter = new ArrayList<>();
        boolean disagreement = false;
        boolean changed;
        boolean complain;
        synchronized (this) {
            if (!current.getAsBoolean()) {
                return null;
            }
            observations.retain(all);
            for (String member : all) {
                Lease lease = present.get(member);
                observations.observe(member, lease == null ? null : Records.spec(lease), answered);
                // the list is at least as recent as its request: judged is what had not changed until then
                if (observations.live(member, asked)) {
                    if (lease != null && !sameCount(lease)) {
                        disagreement = true;
                    } else {
                        live.add(member);
                    }
                } else if (lease != null && observations.litter(member, asked, LITTER) && !mentioned.contains(member)) {
                    litter.add(lease);
                }
            }
            changed = !live.equals(members);
            complain = disagreement && !disagreed;
            disagreed = disagreement;
            members = Collections.unmodifiableSortedSet(live);
        }
        String group = settings.group();
        if (changed) {
            SortedSet<String> reported = Collections.unmodifiableSortedSet(live);
            var info = LOG.atInfo().addKeyValue("group", group).addKeyValue("members", reported);
            info.log("members changed");
            scheduler.execute("members of " + group, () -> scope.members(reported));
        }
        if (complain) {
            String text =
                    "another member of the group has a number of slots other than {}: no slot is taken until it has"
                            + " left; give all members the same number";
            LOG.atError().addKeyValue("group", group).log(text, settings.slots());
        }
        return new View(live, slots, disagreement, litter, asked);
    }

    private boolean sameCount(Lease lease) {
        Map<String, String> present = lease.getMetadata().getLabels();
        return present != null && Integer.toString(settings.slots()).equals(present.get(COUNT));
    }

    private ObjectKey slotKey(int slot) {
        // the number of slots is in the name: another number means other slots
        return ObjectKey.of(settings.namespace(), slotsPrefix + slot + "-of-" + settings.slots());
    }

    private Optional<Integer> number(String name) {
        String to = "-of-" + settings.slots();
        int from = slotsPrefix.length();
        if (!name.endsWith(to) || name.length() <= from + to.length()) {
            return Optional.empty();
        }
        try {
            int slot = Integer.parseInt(name.substring(from, name.length() - to.length()));
            return Optional.of(slot).filter(number -> number >= 0 && number < settings.slots());
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** Deletes leases of members long dead; one member does it. */
    private void clean(View view) {
        if (!settings.identity().equals(view.live().first())) {
            return;
        }
        for (Lease lease : view.litter()) {
            try {
                String version = lease.getMetadata().getResourceVersion();
                client.delete(Records.KIND, ObjectKey.of(lease), DeleteOptions.DEFAULT.resourceVersion(version));
            } catch (NotFoundException | ConflictException e) {
                // it is deleted, or its member has returned
            }
        }
    }

    // --- slots

    private void tend(int slot, boolean wanted, View view, Membership member, BooleanSupplier current) {
        Held present;
        synchronized (this) {
            present = held[slot];
        }
        Lease record = view.slots().get(slot);
        if (present != null) {
            // the list was requested after the slot was taken, so it shows the present state
            if (present.membership == member && (record == null || !Records.isOf(present.term.fence(), record))) {
                LOG.atError().addKeyValue("lease", present.term.fence().lease()).log("taken from a living member");
                present.term.lose();
            } else if (!wanted) {
                present.term.end();
            }
            return;
        }
        if (wanted && !view.disagreement()) {
            if (record == null || free(record, view)) {
                take(slot, record, member, current);
            }
        } else if (record != null && Records.holder(record).equals(settings.identity())) {
            // from an earlier term, and no other member may take it from a living one
            free(record);
        }
    }

    private void free(Lease record) {
        try {
            records.release(record);
        } catch (ConflictException | NotFoundException e) {
            // changed by another member: checked again in the next round
        }
    }

    /** Returns whether no member can consider a slot its own. */
    private boolean free(Lease record, View view) {
        String holder = Records.holder(record);
        if (holder.isEmpty() || holder.equals(settings.identity())) {
            return true;
        }
        synchronized (this) {
            return !view.live().contains(holder) && !observations.alive(holder, view.asked());
        }
    }

    private void take(int slot, @Nullable Lease record, Membership member, BooleanSupplier current) {
        Lease taken;
        try {
            taken = record == null ? records.create(slotKey(slot), 0) : records.take(record);
        } catch (AlreadyExistsException | ConflictException | NotFoundException e) {
            // another member was faster
            return;
        }
        Held begun;
        synchronized (this) {
            if (!current.getAsBoolean() || membership != member || !member.term.holds() || held[slot] != null) {
                // held in the record only: taken or freed in the next round
                return;
            }
            Fence fence = new Fence(ObjectKey.of(taken), settings.identity(), Records.transitions(taken));
            Term term = new Term(fence, scheduler, () -> member.term.remaining().toNanos());
            begun = new Held(term, member, taken, new CompletableFuture<>());
            held[slot] = begun;
            if (member.term.isEnding()) {
                begun.term.end();
            }
        }
        LOG.atDebug().addKeyValue("lease", begun.term.fence().lease()).log("acquired");
        var unused = begun.end.whenComplete((nothing, failure) -> loop.wake());
        scheduler.execute("slot " + slot + " of " + settings.group(), () -> {
            var ended = begun.term.run(term -> scope.begin(slot, term));
            var unused2 = ended.thenRun(() -> begun.end.complete(null));
        });
    }
}
