package dev.evenkeel.examples.stream;

import dev.evenkeel.reconcile.condition.ConditionSet;
import dev.evenkeel.reconcile.condition.ResourceStatus;

/** What is, of an {@link Account}. */
public final class AccountStatus extends ResourceStatus {
    /** Whether its password is in its Secret. */
    public static final String CREDENTIALS = "Credentials";

    /** Whether the topics that it may use are there. */
    public static final String GRANTED = "Granted";

    /** Whether the broker has it as it is wanted. */
    public static final String PROVISIONED = "Provisioned";

    static final ConditionSet CONDITIONS = ConditionSet.living(CREDENTIALS, GRANTED, PROVISIONED);

    private String secret = "";

    /** A status that says nothing. */
    public AccountStatus() {}

    /** Name of the Secret with its password. */
    public String getSecret() {
        return secret;
    }

    /** Says it. */
    public void setSecret(String value) {
        secret = value;
    }
}
