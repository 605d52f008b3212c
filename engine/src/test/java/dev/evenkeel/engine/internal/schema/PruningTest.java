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
    void unknownFieldsAreRemovedAndReportedInTheOrderOfTheirPaths() {
        expect(
                "{'properties':{'a':{'properties':{'b':{}}},'l':{'items':{'properties':{'x':{}}}}}}",
                "{'z':1,'a':{'b':1,'c':2},'l':[{'x':1},{'y':2}]}",
                "{'a':{'b':1},'l':[{'x':1},{}]}",
                "a.c",
                "l[1].y",
                "z");
    }

    @Test
    void typeAndMetadataOfResourcesStay() {
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
    void preservedFieldsStayAndKnownOnesBelowAreStillPruned() {
        expect(
                "{'properties':{'p':{'x-kubernetes-preserve-unknown-fields':true,"
                        + "'properties':{'k':{'properties':{'a':{}}}}}}}",
                "{'p':{'u':{'v':1},'k':{'a':1,'b':2}}}",
                "{'p':{'u':{'v':1},'k':{'a':1}}}",
                "p.k.b");
    }

    @Test
    void mapsKeepTheirKeys() {
        expect(
                "{'properties':{'m':{'additionalProperties':{'properties':{'a':{}}}}}}",
                "{'m':{'x':{'a':1,'b':2},'y':{}}}",
                "{'m':{'x':{'a':1},'y':{}}}",
                "m.x.b");
    }

    @Test
    void anOpenMapAllowsAnyValueOfUnknownType() {
        expect(
                "{'properties':{'m':{'additionalProperties':true}}}",
                "{'m':{'s':1,'n':null,'o':{'a':1}}}",
                "{'m':{'s':1,'n':null,'o':{}}}",
                "m.o.a");
    }

    @Test
    void nullsOfKnownFieldsAreRemovedUnlessNullableOrDefaulted() {
        expect(
                "{'properties':{'plain':{},'nullable':{'nullable':true},'defaulted':{'default':1}}}",
                "{'plain':null,'nullable':null,'defaulted':null}",
                "{'nullable':null,'defaulted':null}");
    }

    @Test
    void pruningTwiceChangesNothingMore() {
        JsonObject tree = Definitions.tree("{'a':{'b':null,'c':2},'d':1}");
        var schema = Definitions.schema("{'properties':{'a':{'properties':{'b':{}}}}}");
        Pruning.prune(schema, tree, false);
        Object once = Json.copy(tree);
        assertThat(Pruning.prune(schema, tree, false)).isEmpty();
        assertThat(tree).isEqualTo(once);
    }
}
