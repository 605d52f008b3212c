package dev.evenkeel.grpc.internal.watch;

import com.google.rpc.Code;
import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.ForbiddenException;
import dev.evenkeel.client.UnauthorizedException;
import dev.evenkeel.engine.internal.read.WatchEvent.Changed;
import dev.evenkeel.engine.internal.read.WatchEvent.Failed;
import dev.evenkeel.engine.internal.read.WatchStream;
import dev.evenkeel.grpc.GrpcServer;
import dev.evenkeel.grpc.internal.call.Answers;
import dev.evenkeel.grpc.internal.call.Errors;
import dev.evenkeel.grpc.resource.v1.Resource;
import dev.evenkeel.grpc.resource.v1.WatchEvent;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Sends the events of one watch.
 *
 * <p><b>Problem.</b> A client keeps a copy of the selected resources. It must be able to continue after every event, must
 * not keep what it may not read any more, and must not make the server keep events for it when it is slow.
 *
 * <p><b>Invariants.</b>
 *
 * <ol>
 *   <li>The snapshot is a list at one revision, and changes are those after that revision: nothing is lost, repeated or
 *       reordered between the two.
 *   <li>The token of an event names the place directly after it. A watch that continues from it sends what a watch without
 *       interruption would have sent, however often it is interrupted, until the store has compacted the revision; then the
 *       watch ends with OUT_OF_RANGE before anything is skipped. Only the content of a partition that was created while all
 *       partitions are watched may be sent again, if the watch is interrupted in the midst of it.
 *   <li>Before changes are sent, and at intervals, the permission is checked again. When it is lost, everything that the
 *       client has is deleted by events that carry nothing but the identifier, and the watch ends with PERMISSION_DENIED.
 *   <li>An event is created when the connection can take it. A client that takes none for the write timeout is
 *       disconnected with a status that explains it.
 * </ol>
 *
 * <p><b>Concurrency.</b> One virtual thread, which waits for a change, for the connection, or for the next interval.
 *
 * <p><b>Cost.</b> A cursor for each partition, and no queue. A resource is created once for all watches of a change.
 */
final class WatchPump implements Runnable {
    private static final int BATCH = 64;
    private static final int SNAPSHOT_CHUNK = 100;

    private final Plan plan;
    private final List<Part> parts;
    private final Tokens.Position begin;
    private final StreamObserver<WatchEvent> client;
    private final EventStream<WatchEvent> output;
    private final GrpcServer.Limits limits;
    private final Map<String, WatchStream> streams = new TreeMap<>();
    private final Map<String, Long> revisions = new TreeMap<>();
    private long nextCheck;
    private long nextBookmark;
    private @Nullable String lastToken;

    WatchPump(
            Plan plan,
            List<Part> parts,
            Tokens.Position begin,
            StreamObserver<WatchEvent> client,
            EventStream<WatchEvent> output,
            GrpcServer.Limits limits) {
        this.plan = plan;
        this.parts = new ArrayList<>(parts);
        this.begin = begin;
        this.client = client;
        this.output = output;
        this.limits = limits;
    }

    @Override
    public void run() {
        try {
            if (begin.revisions().isEmpty()) {
                snapshot();
            } else {
                resume();
            }
            live();
        } catch (EventStream.Ended e) {
            if (e.stopping()) {
                Answers.fail(client, ended(String.valueOf(e.getMessage())));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            Answers.fail(client, e);
        } finally {
            streams.values().forEach(WatchStream::close);
        }
    }

    private void snapshot() throws InterruptedException {
        Tokens.Place from = begin.snapshot();
        OptionalLong revision = from.revision() == 0 ? OptionalLong.empty() : OptionalLong.of(from.revision());
        for (Part part : parts) {
            int order = part.partition().compareTo(from.partition());
            if (order >= 0) {
                revision = OptionalLong.of(snapshot(part, revision, order == 0 ? from.start() : ""));
            }
        }
        for (Part part : parts) {
            revisions.put(part.partition(), revision.orElseThrow());
        }
        send(WatchEvent.newBuilder().setEndOfSnapshot(WatchEvent.EndOfSnapshot.getDefaultInstance()));
    }

    /** Sends the present resources of a part, and returns the revision that they were read at. */
    private long snapshot(Part part, OptionalLong revision, String start) throws InterruptedException {
        OptionalLong at = revision;
        String from = start;
        do {
            Part.Slice slice = part.slice(at, from, SNAPSHOT_CHUNK);
            at = OptionalLong.of(slice.revision());
            for (Resource resource : slice.items()) {
                Tokens.Place place =
                        new Tokens.Place(plan.query(), slice.revision(), part.partition(), part.after(resource));
                sendAt(upsert(resource), new Tokens.Position(place, Map.of()).text());
            }
            from = slice.next();
        } while (!from.isEmpty());
        return at.orElseThrow();
    }

    private void resume() throws InterruptedException {
        revisions.putAll(begin.revisions());
        for (Part part : parts) {
            if (!revisions.containsKey(part.partition())) {
                join(part);
            }
        }
    }

    /** Sends what a partition has that the client does not know of; only the token of the last event says that it does. */
    private void join(Part part) throws InterruptedException {
        OptionalLong at = OptionalLong.empty();
        String from = "";
        do {
            Part.Slice slice = part.slice(at, from, SNAPSHOT_CHUNK);
            at = OptionalLong.of(slice.revision());
            from = slice.next();
            for (int i = 0; i < slice.items().size(); i++) {
                if (from.isEmpty() && i == slice.items().size() - 1) {
                    revisions.put(part.partition(), slice.revision());
                }
                send(upsert(slice.items().get(i)));
            }
        } while (!from.isEmpty());
        revisions.put(part.partition(), at.orElseThrow());
    }

    private void live() throws InterruptedException {
        parts.forEach(this::open);
        long now = System.nanoTime();
        nextCheck = now + limits.checkInterval().toNanos();
        nextBookmark = now + limits.bookmarkInterval().toNanos();
        while (true) {
            boolean sent = false;
            for (Part part : List.copyOf(parts)) {
                sent |= poll(part);
            }
            output.requireRunning();
            if (!sent) {
                advance();
                check();
                output.await(Math.min(nextCheck, nextBookmark));
            }
        }
    }

    private void open(Part part) {
        long after = Objects.requireNonNull(revisions.get(part.partition()), "the revision of a part");
        streams.put(part.partition(), part.watch(after, output::signal));
    }

    /** Sends the next changes of a part; returns false when there were none. */
    private boolean poll(Part part) throws InterruptedException {
        WatchStream stream = Objects.requireNonNull(streams.get(part.partition()), "the stream of a part");
        List<dev.evenkeel.engine.internal.read.WatchEvent> events = stream.poll(BATCH);
        if (events.isEmpty()) {
            if (stream.closed() && !output.ending()) {
                throw ended("the store was closed");
            }
            return false;
        }
        require(part, false);
        for (var event : events) {
            switch (event) {
                case Changed(var change) -> {
                    revisions.put(part.partition(), change.revision());
                    Optional<Resource> resource = part.resource(change);
                    if (resource.isPresent()) {
                        boolean deleted = change.type() == dev.evenkeel.engine.internal.read.WatchEvent.Type.DELETED;
                        send(deleted ? delete(resource.get()) : upsert(resource.get()));
                    }
                }
                case Failed failed -> throw ApiException.of(failed.status());
                default -> {
                    // a position that the next change tells, too
                }
            }
        }
        return true;
    }

    /** Moves the positions behind everything that does not concern this watch. */
    private void advance() {
        streams.forEach((partition, stream) ->
                revisions.merge(partition, stream.bookmark().revision(), Math::max));
    }

    private void check() throws InterruptedException {
        long now = System.nanoTime();
        if (now - nextCheck >= 0) {
            nextCheck = now + limits.checkInterval().toNanos();
            for (Part part : parts) {
                require(part, true);
            }
            if (plan.scope().allPartitions()) {
                joinNew();
            }
        }
        if (now - nextBookmark >= 0) {
            nextBookmark = now + limits.bookmarkInterval().toNanos();
            if (!position().equals(lastToken)) {
                send(WatchEvent.newBuilder().setBookmark(WatchEvent.Bookmark.getDefaultInstance()));
            }
        }
    }

    private void joinNew() throws InterruptedException {
        for (Part part : plan.parts()) {
            if (!streams.containsKey(part.partition())) {
                join(part);
                parts.add(part);
                open(part);
            }
        }
    }

    /**
     * Checks that the sender may still watch a part.
     *
     * @param credentials whether its credentials are checked, too
     */
    private void require(Part part, boolean credentials) throws InterruptedException {
        try {
            if (credentials) {
                var unused = plan.part(part.partition());
            } else {
                part.session().require(part.user(), part.target(), plan.verb());
            }
        } catch (ForbiddenException | UnauthorizedException e) {
            for (Part lost : parts) {
                deleteAll(lost);
            }
            throw Errors.of(
                    e instanceof ForbiddenException ? Code.PERMISSION_DENIED : Code.UNAUTHENTICATED,
                    "PERMISSION_LOST",
                    "the permission for this watch was lost: " + e.getMessage());
        }
    }

    /** Deletes what the client has of a part. */
    private void deleteAll(Part part) throws InterruptedException {
        OptionalLong at =
                OptionalLong.of(Objects.requireNonNull(revisions.get(part.partition()), "the revision of a part"));
        String from = "";
        do {
            Part.Slice slice = part.slice(at, from, SNAPSHOT_CHUNK);
            for (Resource resource : slice.items()) {
                send(delete(Resource.newBuilder().setId(resource.getId()).build()));
            }
            from = slice.next();
        } while (!from.isEmpty());
    }

    private static WatchEvent.Builder upsert(Resource resource) {
        return WatchEvent.newBuilder().setUpsert(WatchEvent.Upsert.newBuilder().setResource(resource));
    }

    private static WatchEvent.Builder delete(Resource resource) {
        return WatchEvent.newBuilder().setDelete(WatchEvent.Delete.newBuilder().setResource(resource));
    }

    private String position() {
        return new Tokens.Position(begin.snapshot(), revisions).text();
    }

    private void send(WatchEvent.Builder event) throws InterruptedException {
        sendAt(event, position());
    }

    private void sendAt(WatchEvent.Builder event, String token) throws InterruptedException {
        output.send(event.setResumeToken(token).build());
        lastToken = token;
    }

    private static RuntimeException ended(String why) {
        return Errors.of(
                Code.UNAVAILABLE, "STOPPING", why + "; continue with the last resume_token at another server or later");
    }
}
