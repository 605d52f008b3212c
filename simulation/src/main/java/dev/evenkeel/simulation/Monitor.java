package dev.evenkeel.simulation;

import dev.evenkeel.client.Deletion;
import dev.evenkeel.client.Kind;
import dev.evenkeel.client.ObjectKey;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checks the actions and reads that reconcilers report:
 *
 * <ol>
 *   <li>In a process no key of a controller runs twice at once.
 *   <li>If it runs in two processes, because one of them was frozen and taken for dead, the server refuses all further
 *       writes of that one.
 *   <li>A process does not read an object older than one that it knows to have written.
 * </ol>
 *
 * <p>Nothing is recorded of a process that has died.
 */
public final class Monitor {
    private static final String ONCE = "no key runs twice at once";
    private static final String OWN_WRITES = "no own write is lost";

    private final Simulation simulation;
    private final Map<Run, Running> running = new LinkedHashMap<>();
    private final Map<Own, Write> writes = new LinkedHashMap<>();

    private record Run(String controller, Object key) {}

    /** A reconciliation in progress. */
    static final class Running {
        final VirtualScheduler process;
        final String what;
        boolean superseded;

        Running(VirtualScheduler process, String what) {
            this.process = process;
            this.what = what;
        }
    }

    private record Own(VirtualScheduler process, String kind, ObjectKey key) {}

    private record Write(Kind<?> kind, String uid, long version, boolean deleted) {
        boolean isOf(HasMetadata object) {
            return uid.equals(object.getMetadata().getUid());
        }
    }

    Monitor(Simulation simulation) {
        this.simulation = simulation;
    }

    /** Reports that the reconciliation of a key begins, in the task that is running. */
    public void enter(String controller, Object key) {
        Task task = simulation.current();
        VirtualScheduler process = live(task);
        if (task == null || process == null) {
            return;
        }
        Run run = new Run(controller, key);
        String what = controller + " " + key;
        Running before = running.get(run);
        Running next = new Running(process, what);
        simulation.trace(process.toString(), "reconciles " + what);
        if (before != null) {
            if (before.process.process().equals(process.process())) {
                simulation.violated(ONCE, what + " begins in " + process + " while it runs there already");
            } else {
                simulation.trace(process.toString(), what + " still runs in " + before.process);
                before.superseded = true;
            }
        }
        running.put(run, next);
        task.entered.add(next);
    }

    private static @Nullable VirtualScheduler live(@Nullable Task task) {
        return task == null || task.process == null || task.process.dead() ? null : task.process;
    }

    /** Reports that the reconciliation of a key has ended. */
    public void exit(String controller, Object key) {
        Task task = simulation.current();
        if (task != null && !task.entered.isEmpty()) {
            running.remove(new Run(controller, key), task.entered.removeLast());
        }
    }

    /** Reports that the running process has read an object from a cache; empty if it saw none. */
    public <T extends HasMetadata> void read(Kind<T> kind, ObjectKey key, Optional<T> seen) {
        VirtualScheduler process = live(simulation.current());
        Write own = process == null ? null : writes.get(new Own(process, kind.id(), key));
        if (own == null) {
            return;
        }
        String read = process + " reads " + kind.id() + " " + key;
        if (seen.isEmpty()) {
            Optional<T> present = simulation.server().find(kind, key);
            if (!own.deleted() && present.filter(own::isOf).isPresent()) {
                simulation.violated(OWN_WRITES, read + " as absent, but it wrote version " + own.version());
            }
            return;
        }
        long version = version(seen.get());
        if (own.deleted() ? own.isOf(seen.get()) : version < own.version()) {
            String did = own.deleted() ? "deleted it" : "wrote version " + own.version();
            simulation.violated(OWN_WRITES, read + " at version " + version + ", but it " + did);
        }
    }

    private static long version(HasMetadata object) {
        return Long.parseLong(object.getMetadata().getResourceVersion());
    }

    /** Records that a write has reached the server. */
    void committed(VirtualScheduler process, String what) {
        Task task = simulation.current();
        if (task == null) {
            return;
        }
        for (Running entry : task.entered) {
            if (entry.superseded) {
                simulation.violated(
                        ONCE, process + " wrote (" + what + ") for " + entry.what + ", which runs elsewhere since");
            }
        }
    }

    /** Records that a process has received the answer to a write. */
    void wrote(VirtualScheduler process, Kind<?> kind, HasMetadata object) {
        @Nullable String uid = object.getMetadata().getUid();
        if (!process.dead() && uid != null) {
            writes.merge(
                    new Own(process, kind.id(), ObjectKey.of(object)),
                    new Write(kind, uid, version(object), false),
                    // answers may arrive in another order than that of the writes
                    (a, b) -> a.version() > b.version() ? a : b);
        }
    }

    /** Records that a process has received the answer to a deletion. */
    void deleted(VirtualScheduler process, Kind<?> kind, ObjectKey key, Deletion<?> deletion) {
        if (process.dead()) {
            return;
        }
        Own own = new Own(process, kind.id(), key);
        Optional<? extends HasMetadata> remaining = deletion.remaining();
        if (remaining.isPresent()) {
            wrote(process, kind, remaining.get());
        } else {
            Write before = writes.get(own);
            if (before == null || before.uid().equals(deletion.uid())) {
                writes.put(own, new Write(kind, deletion.uid(), 0, true));
            }
        }
    }

    void died(VirtualScheduler process) {
        running.values().removeIf(entry -> entry.process == process);
        writes.keySet().removeIf(own -> own.process() == process);
    }
}
