package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.builtin.InternalForm;
import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;

/** Priority level configurations, which limit the requests of a level. */
record PriorityLevelConfigurationStrategy(KindFacts facts) implements KindStrategy {
    private static final long MOST_QUEUES = 10_000_000;
    private static final int MOST_ENTROPY = 60;

    @Override
    public void validateStatusUpdate(Field root, JsonObject old) {
        ConditionRules.validateTypes(root.at("status", "conditions"));
    }

    @Override
    public void validate(Field root) {
        Field spec = root.at("spec");
        Field type = spec.at("type");
        boolean exempt = type.text().equals("Exempt");
        if (exempt != root.at("metadata", "name").text().equals("exempt")) {
            type.invalid(type.text(), "must be 'Exempt' if and only if `name` is 'exempt'");
        }
        Field limited = spec.at("limited");
        switch (type.text()) {
            case "Exempt" -> {
                if (limited.given()) {
                    limited.forbidden("must be nil if the type is not Limited");
                }
                shares(spec.at("exempt"));
                lendable(spec.at("exempt"));
            }
            case "Limited" -> {
                if (spec.at("exempt").given()) {
                    spec.at("exempt").forbidden("must be nil if the type is Limited");
                }
                if (limited.given()) {
                    limited(limited);
                } else {
                    limited.missing("must not be empty when type is Limited");
                }
            }
            default -> type.oneOf("Exempt", "Limited");
        }
        mandatory(spec, root.at("metadata", "name").text());
    }

    /** Requires that the two levels which every server has are as they are. */
    private static void mandatory(Field spec, String name) {
        JsonObject fixed = spec.object().copy();
        fixed.remove("exempt");
        String wrong = switch (name) {
            case "exempt" ->
                fixed.equals(JsonObject.of("type", "Exempt"))
                        ? ""
                        : "spec of 'exempt' except the 'spec.exempt' field must equal the fixed value";
            case "catch-all" -> isCatchAll(spec) ? "" : "spec of 'catch-all' must equal the fixed value";
            default -> "";
        };
        if (!wrong.isEmpty()) {
            spec.invalidText(InternalForm.text("flowcontrol.v1.PriorityLevelConfigurationSpec", spec.value()), wrong);
        }
    }

    private static boolean isCatchAll(Field spec) {
        Field limited = spec.at("limited");
        return spec.at("type").text().equals("Limited")
                && !spec.at("exempt").given()
                && limited.at("nominalConcurrencyShares").number() == 5
                && limited.at("lendablePercent").number() == 0
                && !limited.at("borrowingLimitPercent").given()
                && limited.at("limitResponse").object().equals(JsonObject.of("type", "Reject"));
    }

    private static void limited(Field limited) {
        shares(limited);
        Field response = limited.at("limitResponse");
        Field queuing = response.at("queuing");
        switch (response.at("type").text()) {
            case "Reject" -> {
                if (queuing.given()) {
                    queuing.forbidden("must be nil if limited.limitResponse.type is not Limited");
                }
            }
            case "Queue" -> {
                if (queuing.given()) {
                    queuing(queuing);
                } else {
                    queuing.missing("must not be empty if limited.limitResponse.type is Limited");
                }
            }
            default -> response.at("type").oneOf("Queue", "Reject");
        }
        lendable(limited);
        Field borrowed = limited.at("borrowingLimitPercent");
        if (borrowed.number() < 0) {
            borrowed.invalid("if specified, must be a non-negative integer");
        }
    }

    private static void shares(Field level) {
        if (level.at("nominalConcurrencyShares").number() < 0) {
            level.at("nominalConcurrencyShares").invalid("must be a non-negative integer");
        }
    }

    private static void lendable(Field level) {
        level.at("lendablePercent").between(0, 100);
    }

    private static void queuing(Field queuing) {
        Field length = queuing.at("queueLengthLimit");
        Field queues = queuing.at("queues");
        Field hand = queuing.at("handSize");
        positive(length);
        if (positive(queues) && queues.number() > MOST_QUEUES) {
            queues.invalid("must not be greater than " + MOST_QUEUES);
        }
        if (!positive(hand)) {
            return;
        }
        if (hand.number() > queues.number()) {
            hand.invalid("should not be greater than queues (" + queues.number() + ")");
        } else if (Math.ceil(Math.log((double) queues.number()) / Math.log(2) * hand.number()) > MOST_ENTROPY) {
            hand.invalid("required entropy bits of deckSize " + queues.number() + " and handSize " + hand.number()
                    + " should not be greater than " + MOST_ENTROPY);
        }
    }

    private static boolean positive(Field number) {
        if (number.number() <= 0) {
            number.invalid(number.number(), "must be positive");
        }
        return number.number() > 0;
    }
}
