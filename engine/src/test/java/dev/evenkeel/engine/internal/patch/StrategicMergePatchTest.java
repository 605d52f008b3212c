package dev.evenkeel.engine.internal.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.evenkeel.client.ApiException;
import dev.evenkeel.engine.internal.type.Schema;
import dev.evenkeel.engine.internal.type.Schema.Type;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Semantics and messages are those of kube-apiserver 1.36.2, from its source and from recordings. */
class StrategicMergePatchTest {
    private static final Schema TEXT = Schema.builder(Type.STRING).build();
    private static final Schema ITEM = Schema.builder(Type.OBJECT)
            .properties(() -> Map.of(
                    "name",
                    TEXT,
                    "v",
                    TEXT,
                    "m",
                    Schema.builder(Type.OBJECT).additional(TEXT).build(),
                    "subs",
                    items("merge", "id")))
            .reference("io.example.Item")
            .build();

    private static final Schema SPEC = Schema.builder(Type.OBJECT)
            .properties(() -> Map.of(
                    "items",
                    items("merge", "name"),
                    "atomic",
                    Schema.builder(Type.ARRAY).items(ITEM).build(),
                    "keyless",
                    items("merge", ""),
                    "set",
                    Schema.builder(Type.ARRAY).items(TEXT).patch("merge", "").build(),
                    "map",
                    Schema.builder(Type.OBJECT).additional(TEXT).build(),
                    "maps",
                    Schema.builder(Type.OBJECT)
                            .additional(Schema.builder(Type.OBJECT).build())
                            .build(),
                    "replaced",
                    Schema.builder(Type.OBJECT)
                            .properties(Map.of("a", TEXT, "b", TEXT))
                            .patch("replace", "")
                            .build(),
                    "union",
                    Schema.builder(Type.OBJECT)
                            .properties(Map.of("a", TEXT, "b", TEXT))
                            .patch("retainKeys", "")
                            .build(),
                    "odd",
                    Schema.builder(Type.OBJECT)
                            .properties(Map.of("a", TEXT))
                            .patch("merge,replace", "")
                            .build(),
                    "volumes",
                    items("merge,retainKeys", "name")))
            .reference("io.example.v1.ThingSpec")
            .build();

    private static Schema items(String strategy, String key) {
        return Schema.builder(Type.ARRAY).items(() -> ITEM).patch(strategy, key).build();
    }

    private static Object patch(String object, String patch) {
        return StrategicMergePatch.apply(Trees.object(object), Trees.object(patch), SPEC);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                // maps
                "{'map':{'a':'1','b':'2'}} | {'map':{'a':null,'c':'3'}} | {'map':{'b':'2','c':'3'}}",
                "{'map':{'a':'1'}} | {'map':{'$patch':'replace','b':'2'}} | {'map':{'b':'2'}}",
                "{'map':{'a':'1'}} | {'map':{'$patch':'delete'}} | {'map':{}}",
                "{'map':{'a':'1'}} | {'$patch':'delete'} | {}",
                "{'map':{'a':'1'}} | {'$patch':'replace','set':['x']} | {'set':['x']}",
                "{} | {'map':{'$patch':'delete'}} | {}",
                "{} | {'map':{'$patch':'frob','a':'1'}} | {}",
                "{} | {'map':{'a':null,'b':'1'}} | {'map':{'b':'1'}}",
                "{'map':{'a':'1'}} | {'map':null} | {}",
                "{'map':{'a':'1'}} | {'map':'text'} | {'map':'text'}",
                "{'map':'text'} | {'map':{'a':'1','b':null}} | {'map':{'a':'1'}}",
                "{'map':'text'} | {'map':{'$patch':'delete'}} | {}",
                "{'replaced':{'a':'1'}} | {'replaced':{'b':'1'}} | {'replaced':{'b':'1'}}",
                // retainKeys
                "{'union':{'a':'1'}} | {'union':{'$retainKeys':['b'],'b':'2'}} | {'union':{'b':'2'}}",
                "{'union':{'a':'1'}} | {'union':{'$retainKeys':['a']}} | {'union':{'a':'1'}}",
                "{'union':{'a':'1'}} | {'union':{'$retainKeys':['b'],'b':'2','a':null}} | {'union':{'b':'2'}}",
                // sets
                "{'set':['a','b']} | {'set':['c','a']} | {'set':['c','a','b']}",
                "{'set':['a','b']} | {'set':['b']} | {'set':['a','b']}",
                "{'set':['a','b']} | {'$deleteFromPrimitiveList/set':['a','x']} | {'set':['b']}",
                "{} | {'$deleteFromPrimitiveList/set':['a','x']} | {}",
                "{'set':['a','b']} | {'$deleteFromPrimitiveList/set':null} | {}",
                "{'set':['a','b','c']} | {'$setElementOrder/set':['c','a']} | {'set':['b','c','a']}",
                "{'set':['a','b','c']} | {'$setElementOrder/set':['c','d','b'],'set':['d']} | {'set':['a','c','d','b']}",
                // lists of objects
                "{'items':[{'name':'a'},{'name':'b','v':'1'}]} | {'items':[{'name':'b','v':'2'}]}"
                        + " | {'items':[{'name':'a'},{'name':'b','v':'2'}]}",
                "{'items':[{'name':'a'}]} | {'items':[{'name':'x'}]} | {'items':[{'name':'x'},{'name':'a'}]}",
                "{'items':[{'name':'a'},{'name':'b'},{'name':'c'}]} | {'items':[{'name':'c'},{'name':'x'},{'name':'a'}]}"
                        + " | {'items':[{'name':'b'},{'name':'c'},{'name':'x'},{'name':'a'}]}",
                "{'items':[{'name':'a'},{'name':'b'}]} | {'items':[{'name':'a','$patch':'delete'}]}"
                        + " | {'items':[{'name':'b'}]}",
                "{'items':[{'name':'a'}]} | {'items':[{'name':'a','$patch':'delete'}]} | {'items':[]}",
                "{'items':[{'name':'a'},{'name':'b'}]} | {'items':[{'name':'c'},{'$patch':'replace'}]}"
                        + " | {'items':[{'name':'c'}]}",
                "{'items':[{'name':'a'}]} | {'items':[{'$patch':'replace'}]} | {'items':[]}",
                "{} | {'items':[{'name':'c','v':null},{'name':'d','$patch':'delete'}]} | {'items':[{'name':'c'}]}",
                "{'items':[{'name':'a','v':'1'}]} | {'items':[{'name':'a','v':null}]} | {'items':[{'name':'a'}]}",
                "{'items':[{'name':'a','m':{'x':'1'}}]} | {'items':[{'name':'a','m':{'y':'1'}}]}"
                        + " | {'items':[{'name':'a','m':{'x':'1','y':'1'}}]}",
                "{'items':[{'name':'a','v':'1'},{'name':'a','v':'2'}]} | {'items':[{'name':'a','v':'3'}]}"
                        + " | {'items':[{'name':'a','v':'3'},{'name':'a','v':'2'}]}",
                "{'items':[]} | {'items':[]} | {'items':[]}",
                "{'atomic':[{'name':'a'}]} | {'atomic':[{'v':'1'}]} | {'atomic':[{'v':'1'}]}",
                // set order
                "{'items':[{'name':'a'},{'name':'b'}]} | {'$setElementOrder/items':[{'name':'b'},{'name':'a'}]}"
                        + " | {'items':[{'name':'b'},{'name':'a'}]}",
                "{'items':[{'name':'a'},{'name':'s'},{'name':'b'}]}"
                        + " | {'$setElementOrder/items':[{'name':'b'},{'name':'n'},{'name':'a'}],'items':[{'name':'n'}]}"
                        + " | {'items':[{'name':'s'},{'name':'b'},{'name':'n'},{'name':'a'}]}",
                "{'items':[{'name':'a'},{'name':'b'}]}"
                        + " | {'$setElementOrder/items':[{'name':'b'}],'items':[{'name':'a','$patch':'delete'}]}"
                        + " | {'items':[{'name':'b'}]}",
                "{} | {'$setElementOrder/items':[{'name':'b'},{'name':'a'}],'items':[{'name':'b'},{'name':'a'}]}"
                        + " | {'items':[{'name':'b'},{'name':'a'}]}",
                "{} | {'$setElementOrder/items':[{'name':'b'}]} | {}",
                "{'atomic':[{'name':'a'}]} | {'volumes':[{'name':'v','$retainKeys':['name']}]}"
                        + " | {'atomic':[{'name':'a'}],'volumes':[{'name':'v','$retainKeys':['name']}]}",
                "{'volumes':[{'name':'v','v':'1'}]} | {'volumes':[{'name':'v','$retainKeys':['name']}]}"
                        + " | {'volumes':[{'name':'v'}]}",
            })
    void merges(String object, String patch, String result) {
        assertThat(patch(object, patch)).isEqualTo(Trees.tree(result));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'map':{'a':'1'}} | {'map':{'$patch':'frob','b':'2'}} | 500"
                        + " | unknown patch type: frob in map: map[$patch:frob b:2]",
                "{'items':[{'name':'a'}]} | {'items':[{'v':'x'}]} | 500"
                        + " | map: map[v:x] does not contain declared merge key: name",
                "{'items':[{'v':'a'}]} | {'items':[{'name':'x'}]} | 500"
                        + " | map: map[v:a] does not contain declared merge key: name",
                "{'items':[{'name':'a'}]} | {'items':[{'$patch':'delete'}]} | 500"
                        + " | map: map[$patch:delete] does not contain declared merge key: name",
                "{'items':[{'name':'a'}]} | {'items':[{'name':'a','$patch':'merge'}]} | 500"
                        + " | merging lists cannot yet be specified in the patch",
                "{'items':[{'name':'a'}]} | {'items':['a']} | 500"
                        + " | list element types are not identical: [[map[name:a]] [a]]",
                "{'set':['a']} | {'set':[1]} | 500 | list element types are not identical: [[a] [1]]",
                "{'set':['a']} | {'set':[null]} | 500 | list element types are not identical: [[a] [<nil>]]",
                "{'set':[['a']]} | {'set':[['b']]} | 422"
                        + " | the server rejected our request due to an error in our request",
                "{'keyless':[{'name':'a'}]} | {'keyless':[{'name':'b'}]} | 500"
                        + " | cannot merge lists without merge key for struct",
                "{'union':{'a':'1'}} | {'union':{'$retainKeys':['b'],'a':'2'}} | 400"
                        + " | invalid patch format of retainKeys",
                "{'union':{'a':'1'}} | {'union':{'$retainKeys':'b'}} | 400 | invalid patch format of retainKeys",
                "{'set':['a']} | {'$deleteFromPrimitiveList':['a']} | 400 | invalid patch format of primitive list",
                "{'set':['a']} | {'$setElementOrder':['a']} | 400 | invalid patch format of setElementOrder list",
                "{'set':['a']} | {'$setElementOrder/set':'a'} | 500"
                        + " | expected a []interface {}, but received a string",
                "{'set':'a'} | {'$setElementOrder/set':['a']} | 500"
                        + " | expected a []interface {}, but received a string",
                "{'items':[{'name':'a'}]} | {'$setElementOrder/items':['a']} | 500"
                        + " | expected a map[string]interface {}, but received a string",
                "{} | {'$setElementOrder/nope':['a']} | 500"
                        + " | unable to find api field in struct ThingSpec for the json field ~nope~",
                "{'maps':{'x':{'a':'1'}}} | {'maps':{'x':{'a':'2'}}} | 500"
                        + " | merging an object in json but data type is not struct, instead is: map",
                "{'map':['a']} | {'map':['b']} | 500 | expected slice or array type, but got: struct",
                "{'odd':{'a':'1'}} | {'odd':{'a':'2'}} | 500 | unexpected patch strategy: [merge replace]",
            })
    void refuses(String object, String patch, int code, String message) {
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> patch(object, patch))
                .withMessage(message.replace('~', '"'))
                .satisfies(e -> assertThat(e.code()).isEqualTo(code));
    }

    @Test
    void refusesAnOrderThatContradictsThePatch() {
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> patch(
                        "{'items':[{'name':'one'}]}",
                        "{'$setElementOrder/items':[{'name':'two'}],'items':[{'name':'one','v':'q'}]}"))
                .withMessage("The order in patch list:\n[map[name:one v:q]]\n doesn't match $setElementOrder list:\n"
                        + "[map[name:two]]\n")
                .satisfies(e -> assertThat(e.code()).isEqualTo(500));
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> patch("{}", "{'$setElementOrder/set':['a','b'],'set':['b','a']}"))
                .withMessage("The order in patch list:\n[b a]\n doesn't match $setElementOrder list:\n[a b]\n");
    }
}
