package dev.evenkeel.engine.internal;

import dev.evenkeel.engine.Authorization;
import dev.evenkeel.engine.JsonLimits;
import dev.evenkeel.engine.internal.admission.AdmissionPlugin;
import dev.evenkeel.engine.internal.admission.RegisteredTypes;
import dev.evenkeel.engine.spi.AdmissionCaller;
import dev.evenkeel.engine.spi.Authorizer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import java.util.random.RandomGenerator;

/**
 * The settings that all partitions of an engine share.
 *
 * @param random makes uids and generated names; safe for use by many threads
 * @param maxObjectBytes size of the largest object that is stored, encoded, in bytes
 * @param executor runs cascades and wakes watchers
 * @param registered types of the program
 * @param controllers true when the garbage collector and the namespace controller run
 * @param authorization decides who may do what
 * @param authorizers of the program, which decide before roles do
 * @param plugins the admission plugins that are on
 * @param webhooks calls admission webhooks; empty when none are called
 * @param rootCertificate the certificate of the server's authority, in PEM; empty while there is none
 * @param sharing how the engine acts on a store that other engines write to
 */
public record EngineSettings(
        InstantSource clock,
        RandomGenerator random,
        JsonLimits limits,
        int maxObjectBytes,
        Executor executor,
        RegisteredTypes registered,
        boolean controllers,
        Authorization authorization,
        List<Authorizer> authorizers,
        Set<AdmissionPlugin> plugins,
        Optional<AdmissionCaller> webhooks,
        AtomicReference<String> rootCertificate,
        Sharing sharing) {
    /**
     * The settings of an engine that may share its store.
     *
     * @param identity of the engine; unlike that of any other
     * @param leaseDuration after which another engine takes over from one that stopped
     * @param renewInterval between renewals of the lease
     * @param settleTimeout how long the write of a definition waits for the leader
     * @param catchUp processes the store's events up to a revision
     */
    public record Sharing(
            String identity,
            Duration leaseDuration,
            Duration renewInterval,
            Duration settleTimeout,
            LongConsumer catchUp) {}
}
