package dev.evenkeel.policy.internal.sync;

import dev.evenkeel.access.internal.Authentication;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import java.util.Optional;

/** The service with authentication. */
public final class SyncCalls {
    private SyncCalls() {}

    /** Returns the service. */
    public static ServerServiceDefinition of(SyncService service, Optional<Authentication> authentication) {
        return ServerInterceptors.intercept(service, Caller.interceptor(authentication));
    }
}
