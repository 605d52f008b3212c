package dev.evenkeel.load.internal.run;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.client.Client;
import dev.evenkeel.client.ConnectionException;
import dev.evenkeel.client.ForwardingClient;
import dev.evenkeel.client.Scheduler;
import dev.evenkeel.client.Watch;
import dev.evenkeel.load.Controllers;
import dev.evenkeel.load.LoadException;
import dev.evenkeel.load.internal.drive.Disruption;
import dev.evenkeel.load.internal.drive.Pace;
import dev.evenkeel.load.result.RequestCounts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Controllers in this process, on one thread. */
final class InProcessSubject implements Subject {
    private final Scheduler scheduler;
    private final Controllers controllers;
    private final CountingClient client;
    private @Nullable AutoCloseable running;

    InProcessSubject(Client client, Scheduler scheduler, Controllers controllers) {
        this.scheduler = scheduler;
        this.controllers = controllers;
        this.client = new CountingClient(client);
    }

    /** A client that counts requests, and whose connection can be disturbed. */
    private static final class CountingClient extends ForwardingClient {
        private final SortedMap<String, RequestCounts> requests = new TreeMap<>();
        private final List<Watch<?>> watches = new ArrayList<>();
        private boolean unreachable;

        CountingClient(Client next) {
            super(next);
        }

        @Override
        protected <R> R read(Operation operation, Supplier<R> effect) {
            R answer = count(operation, effect);
            if (answer instanceof Watch<?> watch) {
                watches.add(watch);
            }
            return answer;
        }

        @Override
        protected <R> R write(Operation operation, Supplier<R> effect) {
            return count(operation, effect);
        }

        private <R> R count(Operation operation, Supplier<R> effect) {
            if (unreachable) {
                throw new ConnectionException("the API is unreachable", new java.net.ConnectException("refused"));
            }
            String verb = switch (operation.action()) {
                case FIND, GET_SCALE -> "get";
                case LIST -> "list";
                case WATCH -> "watch";
                case CREATE, CREATE_SUBRESOURCE -> "create";
                case UPDATE, UPDATE_STATUS, SCALE -> "update";
                case PATCH, PATCH_STATUS -> "patch";
                case APPLY, APPLY_STATUS -> "apply";
                case DELETE -> "delete";
                case DELETE_ALL -> "deletecollection";
            };
            String status = operation.action().ofStatus() ? "/status" : "";
            String request = verb + " " + operation.kind().id() + status;
            try {
                R answer = effect.get();
                requests.merge(request, new RequestCounts(1, 0, 0, 0), RequestCounts::plus);
                return answer;
            } catch (ApiException e) {
                requests.merge(
                        request,
                        new RequestCounts(1, e.code() == 409 ? 1 : 0, e.code() == 429 ? 1 : 0, 0),
                        RequestCounts::plus);
                throw e;
            }
        }

        void cutWatches() {
            watches.forEach(Watch::close);
            watches.clear();
        }
    }

    @Override
    public void output(Consumer<String> lines) {
        // the output of this process is not that of the controllers
    }

    @Override
    public void start() {
        try {
            running = controllers.start(client, scheduler);
        } catch (Exception e) {
            throw new LoadException("the controllers can't be started: " + e);
        }
    }

    @Override
    public void stop() {
        if (running != null) {
            try {
                running.close();
            } catch (Exception e) {
                throw new LoadException("the controllers can't be stopped: " + e);
            }
            running = null;
        }
    }

    @Override
    public boolean isStarted() {
        return true;
    }

    @Override
    public boolean isAlive() {
        return true;
    }

    @Override
    public Counted counted() {
        return new Counted(new TreeMap<>(client.requests));
    }

    @Override
    public boolean isCounted() {
        return true;
    }

    @Override
    public Disruption disruption() {
        return new Disruption() {
            @Override
            public void cutWatches() {
                client.cutWatches();
            }

            @Override
            public void outage(Duration duration) throws InterruptedException {
                client.unreachable = true;
                client.cutWatches();
                try {
                    new Pace(scheduler).until(scheduler.nanoTime() + duration.toNanos());
                } finally {
                    client.unreachable = false;
                }
            }
        };
    }

    @Override
    public void started() {
        // the memory and the CPU time of this process are not those of the controllers
    }

    @Override
    public Optional<Duration> cpu() {
        return Optional.empty();
    }

    @Override
    public Optional<Retained> retained() {
        return Optional.empty();
    }

    @Override
    public long resident() {
        return 0;
    }

    @Override
    public String explanation() {
        return "";
    }

    @Override
    public List<String> problems() {
        return List.of();
    }

    @Override
    public void close() {
        stop();
    }
}
