package dev.evenkeel.grpc.internal.watch;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.engine.internal.read.WatchEvent;
import dev.evenkeel.engine.internal.read.WatchQuery;
import dev.evenkeel.engine.internal.read.WatchStream;
import dev.evenkeel.grpc.GrpcServer;
import dev.evenkeel.grpc.internal.call.Access;
import dev.evenkeel.grpc.internal.call.Answers;
import dev.evenkeel.grpc.internal.call.Errors;
import dev.evenkeel.grpc.internal.object.ObjectCodec;
import dev.evenkeel.grpc.internal.object.ObjectTarget;
import dev.evenkeel.grpc.resource.v1.ObjectEvent;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.List;

/**
 * Sends the changes of objects, in the form of the Kubernetes API, to one client.
 *
 * <p>It holds no events: it is a cursor in the history of the store, read when the connection can take an event. The permission
 * is checked before changes are sent; the credentials and the permission at intervals. One that is lost ends the watch.
 *
 * @param timeout when the watch ends; zero for never
 */
record ObjectWatch(
        Access access,
        ObjectTarget at,
        WatchQuery query,
        boolean metadataOnly,
        Duration timeout,
        GrpcServer.Limits limits,
        StreamObserver<ObjectEvent> client,
        EventStream<ObjectEvent> events)
        implements Runnable {
    private static final int BATCH = 64;
    private static final String VERB = "watch";

    /** The name under which watches of a change share the event that they send. */
    private record Shown(boolean metadataOnly) {}

    @Override
    public void run() {
        try (WatchStream stream = at.partition().watch(at.target(), query, at.user(), events::signal)) {
            send(stream);
            client.onCompleted();
        } catch (EventStream.Ended e) {
            if (e.stopping()) {
                client.onCompleted();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ApiException e) {
            Answers.fail(client, Errors.complete(e));
        } catch (RuntimeException | Error e) {
            Answers.fail(client, e);
        }
    }

    private void send(WatchStream stream) throws InterruptedException {
        long now = System.nanoTime();
        long end = now + (timeout.isZero() ? Long.MAX_VALUE / 2 : timeout.toNanos());
        long nextCheck = now + limits.checkInterval().toNanos();
        long nextBookmark = now + limits.bookmarkInterval().toNanos();
        events.send(
                ObjectEvent.newBuilder().setType(ObjectEvent.Type.TYPE_OPENED).build());
        while (true) {
            List<WatchEvent> found = stream.poll(BATCH);
            if (!found.isEmpty()) {
                at.session().require(at.user(), at.target(), VERB);
                for (WatchEvent event : found) {
                    send(event);
                }
                continue;
            }
            events.requireRunning();
            now = System.nanoTime();
            if (stream.closed() || now - end >= 0) {
                return;
            }
            if (now - nextCheck >= 0) {
                nextCheck = now + limits.checkInterval().toNanos();
                at.recheck(access, VERB);
            }
            if (now - nextBookmark >= 0) {
                nextBookmark = now + limits.bookmarkInterval().toNanos();
                send(stream.bookmark());
            }
            events.await(earliest(end, earliest(nextCheck, nextBookmark)));
        }
    }

    private static long earliest(long one, long other) {
        return one - other < 0 ? one : other;
    }

    private void send(WatchEvent event) throws InterruptedException {
        switch (event) {
            case WatchEvent.Changed(var change) ->
                events.send(change.memo(new Shown(metadataOnly), () -> event(change)));
            case WatchEvent.Bookmark(long revision, boolean initialEventsEnd) ->
                events.send(bookmark(Long.toString(revision), initialEventsEnd));
            case WatchEvent.Failed failed -> throw ApiException.of(failed.status());
        }
    }

    private ObjectEvent event(WatchEvent.Change change) {
        ObjectEvent.Type type = switch (change.type()) {
            case ADDED -> ObjectEvent.Type.TYPE_ADDED;
            case MODIFIED -> ObjectEvent.Type.TYPE_MODIFIED;
            case DELETED -> ObjectEvent.Type.TYPE_DELETED;
        };
        return ObjectEvent.newBuilder()
                .setType(type)
                .setObject(ObjectCodec.json(change.document(), metadataOnly))
                .setResourceVersion(Long.toString(change.revision()))
                .build();
    }

    private ObjectEvent bookmark(String revision, boolean initialEventsEnd) {
        return ObjectEvent.newBuilder()
                .setType(ObjectEvent.Type.TYPE_BOOKMARK)
                .setObject(ObjectCodec.bookmark(at.target(), revision, initialEventsEnd))
                .setResourceVersion(revision)
                .build();
    }
}
