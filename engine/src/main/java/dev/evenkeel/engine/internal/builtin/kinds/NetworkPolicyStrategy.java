package dev.evenkeel.engine.internal.builtin.kinds;

import dev.evenkeel.engine.internal.json.JsonObject;
import dev.evenkeel.engine.internal.schema.Field;
import dev.evenkeel.engine.internal.syntax.IpLiterals;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Network policies. */
record NetworkPolicyStrategy(KindFacts facts) implements KindStrategy {
    /** The bits before an IPv4 address in an IPv6 address. */
    private static final int MAPPED_PREFIX = 96;

    /** Upstream compares without its usual notion of equality. */
    @Override
    public boolean countsEmpty() {
        return true;
    }

    @Override
    public void applyDefaults(JsonObject tree) {
        KindStrategy.super.applyDefaults(tree);
        JsonObject spec = tree.withObject("spec");
        if (spec.array("policyTypes").isEmpty()) {
            boolean egress = !spec.array("egress").isEmpty();
            spec.put("policyTypes", egress ? Trees.items("Ingress", "Egress") : Trees.items("Ingress"));
        }
    }

    @Override
    public void validate(Field root) {
        Selectors.validate(root.at("spec", "podSelector"));
        rules(root.at("spec", "ingress"), "from");
        rules(root.at("spec", "egress"), "to");
        Field types = root.at("spec", "policyTypes");
        if (types.array().size() > 2) {
            types.invalid("may not specify more than two policyTypes");
        } else {
            types.items().forEach(type -> type.oneOf("Ingress", "Egress"));
        }
    }

    @Override
    public List<String> warnings(JsonObject tree, @Nullable JsonObject old) {
        List<String> warnings = new ArrayList<>();
        peers(tree, "ingress", "from", warnings);
        peers(tree, "egress", "to", warnings);
        return warnings;
    }

    private static void peers(JsonObject tree, String direction, String side, List<String> warnings) {
        List<JsonObject> rules = tree.objects("spec", direction);
        for (int i = 0; i < rules.size(); i++) {
            List<JsonObject> peers = rules.get(i).objects(side);
            for (int j = 0; j < peers.size(); j++) {
                JsonObject block = peers.get(j).object("ipBlock");
                String path = "spec." + direction + "[" + i + "]." + side + "[" + j + "].ipBlock.";
                warnings.addAll(AddressWarnings.range(path + "cidr", block.string("cidr")));
                warnings.addAll(AddressWarnings.ranges(path + "except", block.strings("except")));
            }
        }
    }

    private static void rules(Field rules, String peers) {
        for (Field rule : rules.items()) {
            rule.at("ports").items().forEach(NetworkPolicyStrategy::port);
            rule.at(peers).items().forEach(NetworkPolicyStrategy::peer);
        }
    }

    private static void port(Field port) {
        if (port.at("protocol").given()) {
            port.at("protocol").oneOf("TCP", "UDP", "SCTP");
        }
        Field number = port.at("port");
        Field end = port.at("endPort");
        if (number.value() instanceof String) {
            if (end.given()) {
                end.invalid("may not be specified when `port` is non-numeric");
            }
            number.obeys(FormatRules::portName);
        } else if (number.given()) {
            number.port();
            if (end.given() && end.number() < number.number()) {
                end.invalid(number.number(), "must be greater than or equal to `port`");
            }
            end.port();
        } else if (end.given()) {
            end.invalid("may not be specified when `port` is not specified");
        }
    }

    private static void peer(Field peer) {
        int selectors = 0;
        for (String selector : List.of("podSelector", "namespaceSelector")) {
            if (peer.at(selector).given()) {
                selectors++;
                Selectors.validate(peer.at(selector));
            }
        }
        Field block = peer.at("ipBlock");
        if (block.given()) {
            block(block);
        }
        if (selectors == 0 && !block.given()) {
            peer.missing("must specify a peer");
        } else if (selectors > 0 && block.given()) {
            peer.forbidden("may not specify both ipBlock and another peer");
        }
    }

    private static void block(Field block) {
        Field range = block.at("cidr");
        if (!range.require()) {
            return;
        }
        FormatRules.prefix(range);
        if (!IpLiterals.isPrefix(range.text())) {
            return;
        }
        for (Field except : block.at("except").items()) {
            FormatRules.prefix(except);
            if (IpLiterals.isPrefix(except.text()) && !isWithin(except.text(), range.text())) {
                except.invalid("must be a strict subset of `cidr`");
            }
        }
    }

    /** Returns whether a range is a part of another one; both may be in a form that is refused. */
    private static boolean isWithin(String part, String whole) {
        String outer = bits(whole);
        String inner = bits(part);
        boolean mapped = whole.contains(":") && outer.length() == Integer.SIZE;
        int compared = Math.max(0, length(whole) - (mapped ? MAPPED_PREFIX : 0));
        return length(part) > length(whole)
                && inner.length() == outer.length()
                && inner.startsWith(outer.substring(0, compared));
    }

    private static int length(String range) {
        return Integer.parseInt(range.substring(range.indexOf('/') + 1));
    }

    private static String bits(String range) {
        return FormatRules.bits(AddressWarnings.decimal(range.substring(0, range.indexOf('/'))));
    }
}
