package dev.evenkeel.controller;

import dev.evenkeel.client.Client;
import org.slf4j.Logger;

/**
 * The context of a {@linkplain Controller.Initializer controller's initializer}.
 *
 * @param client client of the controller; it refuses to write once the controller is not active any more
 * @param caches caches of the controller, which are in sync
 * @param logger logger of the controller
 */
public record Initialization(Client client, ControllerCaches<?> caches, Logger logger) {}
