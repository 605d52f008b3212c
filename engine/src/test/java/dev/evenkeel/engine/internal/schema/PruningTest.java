package dev.evenkeel.engine.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.internal.json.Json;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;

class PruningTest {
    private static void expect(String schema, String object, String left, String... unknown) {
        JsonObject tree = Definitions.tree(object);
        List<String> reported = Pruning.prune(Definitions.schema(schema), tree, false);
        assertThat(Json.text(tree)).isEqualTo(left.replace('\'', '"'));
        assertThat(reported).containsExactly(unknown);
    }

    @Test
    void unknown_fields_are_removed_and_reported_in_the_order_of_their_paths() {
        expect(
                "{'properties':{'a':{'properties':{'b':{}}},'l':{'items':{'properties':{'x':{}}}}}}",
                "{'z':1,'a':{'b':1,'c':2},'l':[{'x':1},{'y':2}]}",
                "{'a':{'b':1},'l':[{'x':1},{}]}",
                "a.c",
                "l[1].y",
                "z");
    }

    @Test
    void type_and_metadata_of_resources_stay() {
        expect(
                "{}",
                "{'apiVersion':'v1','kind':'A','metadata':{'q':1}}",
                "{'apiVersion':'v1','kind':'A','metadata':{'q':1}}");
        expect(
                "{'properties':{'e':{'x-kubernetes-embedded-resource':true},'f':{}}}",
                "{'e':{'kind':'A','x':1},'f':{'kind':'A'}}",
                "{'e':{'kind':'A'},'f':{}}",
                "e.x",
                "f.kind");
    }

    @Test
    void preserved_fields_stay_and_known_ones_below_are_still_pruned() {
        expect(
                "{'properties':{'p':{'x-kubernetes-preserve-unknown-fields':true,"
                        + "'properties':{'k':{'properties':{'a':{}}}}}}}",
                "{'p':{'u':{'v':1},'k':{'a':1,'b':2}}}",
                "{'p':{'u':{'v':1},'k':{'a':1}}}",
                "p.k.b");
    }

    @Test
    void maps_keep_their_keys() {
        expect(
                "{'properties':{'m':{'additionalProperties':{'properties':{'a':{}}}}}}",
                "{'m':{'x':{'a':1,'b':2},'y':{}}}",
                "{'m':{'x':{'a':1},'y':{}}}",
                "m.x.b");
    }

    @Test
    void an_open_map_allows_any_value_of_unknown_type() {
        expect(
                "{'properties':{'m':{'additionalProperties':true}}}",
                "{'m':{'s':1,'n':null,'o':{'a':1}}}",
                "{'m':{'s':1,'n':null,'o':{}}}",
                "m.o.a");
    }

    @Test
    void nulls_of_known_fields_are_removed_unless_nullable_or_defaulted() {
        expect(
                "{'properties':{'plain':{},'nullable':{'nullable':true},'defaulted':{'default':1}}}",
                "{'plain':null,'nullable':null,'defaulted':null}",
                "{'nullable':null,'defaulted':null}");
    }

    @Test
    void pruning_twice_changes_nothing_more() {
        JsonObject tree = Definitions.tree("{'a':{'b':null,'c':2},'d':1}");
        var schema = Definitions.schema("{'properties':{'a':{'properties':{'b':{}}}}}");
        Pruning.prune(schema, tree, false);
        Object once = Json.copy(tree);
        assertThat(Pruning.prune(schema, tree, false)).isEmpty();
        assertThat(tree).isEqualTo(once);
    }
}
