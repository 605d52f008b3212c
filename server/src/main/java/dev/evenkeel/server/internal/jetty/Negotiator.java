package dev.evenkeel.server.internal.jetty;

import dev.evenkeel.server.internal.access.Access;
import java.util.List;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.core.Configuration;
import org.eclipse.jetty.websocket.core.FrameHandler;
import org.eclipse.jetty.websocket.core.server.ServerUpgradeRequest;
import org.eclipse.jetty.websocket.core.server.ServerUpgradeResponse;
import org.eclipse.jetty.websocket.core.server.WebSocketNegotiator;

/**
 * Accepts an upgrade. Without extensions: compression would encode each event once per watcher. Of subprotocols the
 * first that does not carry a token.
 */
record Negotiator(FrameHandler handler, Configuration.Customizer settings) implements WebSocketNegotiator {
    @Override
    public FrameHandler negotiate(ServerUpgradeRequest request, ServerUpgradeResponse response, Callback callback) {
        response.setExtensions(List.of());
        request.getSubProtocols().stream()
                .filter(protocol -> !protocol.startsWith(Access.SOCKET_TOKEN))
                .findFirst()
                .ifPresent(response::setAcceptedSubProtocol);
        return handler;
    }

    @Override
    public void customize(Configuration configuration) {
        settings.customize(configuration);
    }
}
