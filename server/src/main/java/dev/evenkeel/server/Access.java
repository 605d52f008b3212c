package dev.evenkeel.server;

/**
 * The steps that a request passes before the door acts on it: who asks, and whether they may.
 *
 * <p>Today there are tokens, and everyone with a token may do everything. Other ways to prove who one is, and role based
 * authorization, are further implementations of this interface.
 */
interface Access {
    /** Lets everyone do everything: for servers that only this machine can reach. */
    Access OPEN = new Access() {
        @Override
        public User authenticate(Call call) {
            return User.ADMIN;
        }

        @Override
        public void authorize(User user, Labels what, ApiPath path) {}
    };

    /**
     * Who asks.
     *
     * @throws dev.evenkeel.client.UnauthorizedException when there are no credentials, or wrong ones
     */
    User authenticate(Call call);

    /**
     * Refuses what the user may not do.
     *
     * @param what verb and resource; {@link Labels#OTHER} for paths that are no resource
     * @throws dev.evenkeel.client.ForbiddenException when it is not allowed
     */
    void authorize(User user, Labels what, ApiPath path);
}
