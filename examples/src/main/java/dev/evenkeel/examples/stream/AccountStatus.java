package dev.evenkeel.examples.stream;

import dev.evenkeel.reconcile.condition.ConditionSet;
import dev.evenkeel.reconcile.condition.ResourceStatus;

/** The observed state of an {@link Account}. */
public final class AccountStatus extends ResourceStatus {
    /** True when its password is in its Secret. */
    public static final String CREDENTIALS = "Credentials";

    /** True when the topics that it may use exist. */
    public static final String GRANTED = "Granted";

    /** True when the broker has it as desired. */
    public static final String PROVISIONED = "Provisioned";

    static final ConditionSet CONDITIONS = ConditionSet.living(CREDENTIALS, GRANTED, PROVISIONED);

    private String secret = "";

    /** Returns the name of the Secret with its password. */
    public String getSecret() {
        return secret;
    }

    public void setSecret(String value) {
        secret = value;
    }
}
