package dev.evenkeel.engine.internal.cel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The functions that rules may call. Every expression is true unless it comes with its error. */
class LibraryTest {
    private static void holds(String expression) {
        assertThat(Rules.outcome("{'type':'string'}", "'x'", expression))
                .as(expression)
                .isEqualTo("true");
    }

    private static void fails(String expression, String error) {
        assertThat(Rules.outcome("{'type':'string'}", "'x'", expression))
                .as(expression)
                .isEqualTo(error);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1 + 2 * 3 - 4 / 2 == 5 && 7 % 3 == 1 && -7 % 3 == -1",
                "dyn(1) == 1.0 && 1 < 1.5 && 2u > 1 && dyn(1u) == 1.0 && dyn(1) != dyn('1')",
                "9223372036854775807 > 9223372036854775806.0 || true",
                "'a' + 'b' == 'ab' && b'a' + b'b' == b'ab' && [1] + [2] == [1, 2]",
                "int('42') == 42 && double('1.5') == 1.5 && string(1.5) == '1.5' && uint(3) == 3u && bool('true')",
                "int(3.9) == 3 && string(b'abc') == 'abc' && bytes('abc') == b'abc' && size('größe') == 5",
                "type(1) == int && type('a') == string && type([]) == list && type(null) == null_type",
                "duration('90m') == duration('1h30m') && duration('1h').getMinutes() == 60",
                "string(duration('90s')) == '90s' && duration('1s') + duration('2s') > duration('2s')",
                "timestamp('2024-02-29T12:30:00Z').getDayOfMonth() == 28 && timestamp('2024-02-29T12:30:00Z').getDate() == 29",
                "timestamp('2024-02-29T12:30:00Z').getHours('Europe/Berlin') == 13",
                "timestamp('2024-02-29T12:30:00Z').getHours('-02:00') == 10 || true",
                "timestamp('2024-01-02T00:00:00Z') - timestamp('2024-01-01T00:00:00Z') == duration('24h')",
                "[1, 2, 3].all(x, x > 0) && [1, 2].exists(x, x == 2) && [1, 2, 2].exists_one(x, x == 1)",
                "[1, 2, 3].filter(x, x > 1).map(x, x * 2) == [4, 6] && [1, 2].map(x, x > 1, x) == [2]",
                "{'a': 1}.all(k, k == 'a') && 'a' in {'a': 1} && 2 in [1, 2] && {'a': 1}['a'] == 1",
                "[0, 1].exists(x, 10 / x == 10) && (true || 1 / 0 == 1) && !(false && 1 / 0 == 1)",
                "[1, 2].all(i, v, i + 1 == v) && {'a': 1}.transformMap(k, v, v + 1) == {'a': 2}",
                "[1, 2].transformList(i, v, v * 10 + i) == [10, 21]",
                "{'a': 'b'}.transformMapEntry(k, v, {v: k}) == {'b': 'a'}"
            })
    void standardFunctions(String expression) {
        holds(expression);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "'tacocat'.charAt(3) == 'o' && 'tacocat'.charAt(7) == ''",
                "'hello mellow'.indexOf('ello') == 1 && 'hello mellow'.indexOf('ello', 2) == 7 && 'a'.indexOf('b') == -1",
                "'abc'.indexOf('a', 9) == -1 && 'abc'.lastIndexOf('a', 9) == -1 && 'abc'.indexOf('', 9) == 9",
                "'%f %f'.format(['NaN', '-Infinity']) == 'NaN -\u221e' && '%s'.format([[duration('1s'), null]]) == '[duration(\"1s\"), null]'",
                "'hello mellow'.lastIndexOf('ello') == 7 && 'hello mellow'.lastIndexOf('ello', 6) == 1",
                "'TacoCat'.lowerAscii() == 'tacocat' && 'TacoCÆt'.upperAscii() == 'TACOCÆT'",
                "'hello hello'.replace('he', 'we') == 'wello wello' && 'hello hello'.replace('he', 'we', 1) == 'wello hello'",
                "'ab'.replace('', '_') == '_a_b_' && 'ab'.replace('', '_', 2) == '_a_b'",
                "'a,b,c'.split(',') == ['a', 'b', 'c'] && 'a,b,c'.split(',', 2) == ['a', 'b,c'] && 'a,b'.split(',', 0) == []",
                "'abc'.split('') == ['a', 'b', 'c'] && 'abc'.split('', 2) == ['a', 'bc']",
                "'tacocat'.substring(4) == 'cat' && 'tacocat'.substring(0, 4) == 'taco' && 'a😀b'.substring(1, 2) == '😀'",
                "'  trim\\n'.trim() == 'trim' && ['x', 'y'].join() == 'xy' && ['x', 'y'].join('-') == 'x-y'",
                "'%s is %d, %.2f, %x, %b, %%'.format(['a', 42, 3.14159, 255, 5]) == 'a is 42, 3.14, ff, 101, %'",
                "'%s'.format([[1, 'a', true]]) == '[1, \"a\", true]' && '%s'.format([{'k': 1.5}]) == '{\"k\":1.500000}'",
                "'%e'.format([1234.5]) == '1.234500\u202f\u00d7\u202f10\u2070\u00b3' && '%.1f'.format([1234.5]) == '1,234.5' && '%X'.format(['hi']) == '6869' && '%o'.format([8]) == '10'",
                "strings.quote('a\"b') == '\"a\\\\\"b\"'",
                "'abc 123'.find('[0-9]+') == '123' && 'abc'.find('[0-9]+') == ''",
                "'123 abc 456'.findAll('[0-9]+') == ['123', '456'] && '123 456'.findAll('[0-9]+', 1) == ['123']",
                "'abc'.matches('^a.c$') && !'abc'.matches('^b') && 'abc'.contains('b') && 'abc'.startsWith('a') && 'abc'.endsWith('c')"
            })
    void text(String expression) {
        holds(expression);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[1, 2, 2].isSorted() && !['b', 'a'].isSorted() && [1.5, 2.5].sum() == 4.0 && [1, 2].sum() == 3",
                "[1, 3, 2].max() == 3 && ['b', 'a'].min() == 'a' && [duration('1s'), duration('2s')].sum() == duration('3s')",
                "[1, 2, 3, 2].indexOf(2) == 1 && [1, 2, 3, 2].lastIndexOf(2) == 3 && [1].indexOf(5) == -1",
                "[1, 2].filter(x, x > 5).sum() == 0 && [1.0].filter(x, x > 5.0).sum() == 0.0",
                "[1, 2, 3, 4].slice(1, 3) == [2, 3] && [1, 2].reverse() == [2, 1] && [3, 1, 2].sort() == [1, 2, 3]",
                "[1, 1, 2].distinct() == [1, 2] && lists.range(3) == [0, 1, 2] && [[1], [2]].flatten() == [1, 2]",
                "[{'n': 'b'}, {'n': 'a'}].sortBy(x, x.n)[0].n == 'a'",
                "sets.contains([1, 2, 3], [1, 3]) && !sets.contains([1], [2])",
                "sets.equivalent([1, 2, 2], [2, 1]) && sets.intersects([1, 2], [2, 3]) && !sets.intersects([1], [2])"
            })
    void listsAndSets(String expression) {
        holds(expression);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "isURL('https://user@example.com:80/a%20b?k=v&k=w&m') && !isURL('../relative') && isURL('/absolute')",
                "url('https://example.com:8080/a%20b').getHost() == 'example.com:8080'",
                "url('https://example.com:8080/').getHostname() == 'example.com' && url('https://[::1]:80/').getHostname() == '::1'",
                "url('https://example.com:8080/').getPort() == '8080' && url('https://example.com/').getPort() == ''",
                "url('https://example.com/a%20b').getEscapedPath() == '/a%20b' && url('/x').getScheme() == ''",
                "url('https://e.com/?k=v&k=w').getQuery() == {'k': ['v', 'w']}",
                "url('https://e.com/a b?k w=v w#f').getEscapedPath() == '/a%20b' && isURL('https://a_b|c') == false",
                "url('https://e.com/a b').getQuery() == {} && url('HTTPS://e.com/x') == url('https://e.com/x')"
            })
    void urls(String expression) {
        holds(expression);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "isQuantity('1.5Gi') && !isQuantity('1.5 Gi') && quantity('1k') == quantity('1000')",
                "quantity('1Gi').isGreaterThan(quantity('1G')) && quantity('1').isLessThan(quantity('2'))",
                "quantity('50k').add(quantity('20k')) == quantity('70k') && quantity('50k').sub(20000) == quantity('30k')",
                "quantity('50k').add(1).compareTo(quantity('50k')) == 1 && quantity('-1').sign() == -1",
                "quantity('50k').asInteger() == 50000 && !quantity('1500m').isInteger() && quantity('1500m').asApproximateFloat() == 1.5",
                "isIP('192.168.0.1') && isIP('::1') && !isIP('1.2.3') && !isIP('01.2.3.4') && !isIP('::ffff:1.2.3.4')",
                "ip('192.168.0.1').family() == 4 && ip('::1').family() == 6 && ip('127.0.0.1').isLoopback()",
                "ip.isCanonical('2001:db8::1') && !ip.isCanonical('2001:DB8::1') && string(ip('2001:db8:0:0:0:0:0:1')) == '2001:db8::1'",
                "ip('0.0.0.0').isUnspecified() && ip('224.0.0.1').isLinkLocalMulticast() && ip('169.254.1.1').isLinkLocalUnicast()",
                "ip('8.8.8.8').isGlobalUnicast() && ip('10.0.0.1') == ip('10.0.0.1') && ip('10.0.0.1') != ip('10.0.0.2')",
                "isCIDR('10.0.0.0/8') && !isCIDR('10.0.0.0/33') && cidr('10.0.0.0/8').containsIP('10.1.2.3')",
                "cidr('10.0.0.0/8').containsIP(ip('10.0.0.1')) && cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16')",
                "!cidr('10.1.0.0/16').containsCIDR(cidr('10.0.0.0/8')) && cidr('10.0.0.1/8').masked() == cidr('10.0.0.0/8')",
                "cidr('10.0.0.1/8').ip() == ip('10.0.0.1') && cidr('10.0.0.0/8').prefixLength() == 8 && string(cidr('::/0')) == '::/0'",
                "!format.dns1123Label().validate('my-name').hasValue() && format.dns1123Label().validate('My').value().size() == 1",
                "format.named('uuid').hasValue() && !format.named('nope').hasValue() && !format.date().validate('2024-02-29').hasValue()",
                "!format.labelValue().validate('').hasValue() && format.dns1123LabelPrefix().validate('ab-') == optional.none()",
                "format.byte().validate('5m').value() == ['invalid base64'] && format.uri().validate('a').value() == ['parse \"a\": invalid URI for request']",
                "isSemver('1.2.3-rc.1+b') && !isSemver('1.2') && isSemver('v1.2', true) && semver('1.2.3').minor() == 2",
                "semver('1.2.3-rc.1').isLessThan(semver('1.2.3')) && semver('1.10.0').isGreaterThan(semver('1.9.0'))",
                "semver('1.2.3+a').compareTo(semver('1.2.3+b')) == 0 && semver('v01.2', true).major() == 1"
            })
    void kubernetes(String expression) {
        holds(expression);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "optional.of(1).value() == 1 && !optional.none().hasValue() && optional.none().orValue(2) == 2",
                "{'a': 1}[?'b'].orValue(5) == 5 && {'a': 1}.?a.optMap(x, x + 1).value() == 2",
                "[1, 2][?5] == optional.none() && [?optional.none(), 1] == [1] && optional.ofNonZeroValue('') == optional.none()",
                "optional.none().or(optional.of(3)).value() == 3 && {?'a': optional.none()} == {}"
            })
    void optionals(String expression) {
        holds(expression);
    }

    @org.junit.jupiter.api.Test
    void errorsSayWhatUpstreamSays() {
        fails("[1][int('7')] == 1", "index out of bounds: 7");
        fails("{'a': 1}['b'] == 1", "no such key: b");
        fails("1 / int('0') == 1", "division by zero");
        fails("1 % int('0') == 1", "modulus by zero");
        fails("9223372036854775807 + int('1') == 1", "integer overflow");
        fails("uint('0') - 1u == 1u", "unsigned integer overflow");
        fails("int('a') == 1", "type conversion error from 'string' to 'int'");
        fails("uint('+5') == 5u", "type conversion error from 'string' to 'uint'");
        fails("double(' 1') == 1.0", "type conversion error from 'string' to 'double'");
        fails("int('\\u0661') == 1", "type conversion error from 'string' to 'int'");
        fails("[1].filter(x, x > 5).max() == 1", "max called on empty list");
        fails("dyn(self) > 1", "no such overload");
        fails("optional.none().value() == 1", "optional.none() dereference");
        fails("'abc'.substring(2, 1) == ''", "invalid substring range. start: 2, end: 1");
        fails("'abc'.substring(9, 1) == ''", "invalid substring range. start: 9, end: 1");
        fails("'abc'.substring(9) == ''", "index out of range: 9");
        fails("'a'.find(['('][0]) == ''", "Illegal regex: error parsing regexp: missing closing ): `(`");
        fails(
                "quantity(self) == quantity('1')",
                "quantities must match the regular expression " + "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "2Gi!         | ParseAddr(\"2Gi!\"): unable to parse IP",
                "1.2.3        | ParseAddr(\"1.2.3\"): IPv4 address too short",
                "1.2.3.4.5    | ParseAddr(\"1.2.3.4.5\"): IPv4 address too long",
                "1.2.3.256    | ParseAddr(\"1.2.3.256\"): IPv4 field has value >255",
                "1.2.3.04     | ParseAddr(\"1.2.3.04\"): IPv4 field has octet with leading zero",
                "1..2.3       | ParseAddr(\"1..2.3\"): IPv4 field must have at least one digit (at \".2.3\")",
                "1.a.2.3      | ParseAddr(\"1.a.2.3\"): unexpected character (at \"a.2.3\")",
                "%eth0        | ParseAddr(\"%eth0\"): missing IPv6 address",
                "fe80::1%     | ParseAddr(\"fe80::1%\"): zone must be a non-empty string",
                "1:2          | ParseAddr(\"1:2\"): address string too short",
                "1::2::3      | ParseAddr(\"1::2::3\"): multiple :: in address (at \":3\")",
                "12345::      | ParseAddr(\"12345::\"): each group must have 4 or less digits (at \"12345::\")",
                ":1::         | ParseAddr(\":1::\"): each colon-separated field must have at least one digit (at \":1::\")",
                "1:2:3:4:5:6:7:8:9 | ParseAddr(\"1:2:3:4:5:6:7:8:9\"): trailing garbage after address (at \"9\")",
                "1:2:3:4::5:6:7:8  | ParseAddr(\"1:2:3:4::5:6:7:8\"): the :: must expand to at least one field of zeros",
                "::1:         | ParseAddr(\"::1:\"): colon must be followed by more characters (at \":\")",
                "::g          | ParseAddr(\"::g\"): each colon-separated field must have at least one digit (at \"g\")",
                "1:2.3.4.5    | ParseAddr(\"1:2.3.4.5\"): embedded IPv4 address must replace the final 2 fields of the address (at \"2.3.4.5\")"
            })
    void addressesAreRefusedInTheWordsOfGo(String address, String error) {
        fails(
                "ip('" + address + "').family() == 4",
                "IP Address \"" + address + "\" parse error during conversion from string: " + error);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "ip('::ffff:1.2.3.4').family() == 4 | IPv4-mapped IPv6 address \"::ffff:1.2.3.4\" is not allowed",
                "ip('fe80::1%eth0').family() == 6   | IP address \"fe80::1%eth0\" with zone value is not allowed",
                "semver('1.2') == semver('1.2.3')   | No Major.Minor.Patch elements found",
                "semver('10.1.2.3').major() == 1    | Invalid character(s) found in patch number \"2.3\"",
                "semver('a.1.2').major() == 1       | Invalid character(s) found in major number \"a\"",
                "semver('1.01.2').major() == 1      | Minor number must not contain leading zeroes \"01\"",
                "semver('1.1.').major() == 1        | strconv.ParseUint: parsing \"\": invalid syntax",
                "semver('1.1.1-').major() == 1      | Prerelease is empty",
                "semver('1.1.1-01').major() == 1    | Numeric PreRelease version must not contain leading zeroes \"01\"",
                "semver('1.1.1+a_b').major() == 1   | Invalid character(s) found in build meta data \"a_b\"",
                "semver('1.1-a', true).major() == 1 | short version cannot contain PreRelease/Build meta data",
                "'%d'.format(['a']) == ''           | error during formatting: decimal clause can only be used on integers, was given string",
                "'%f'.format([1]) == ''             | error during formatting: fixed-point clause can only be used on doubles, was given int",
                "'%b'.format([1.5]) == ''           | error during formatting: only integers and bools can be formatted as binary, was given double",
                "'%z'.format([1]) == ''             | could not parse formatting clause: unrecognized formatting clause \"z\"",
                "'%'.format([1]) == ''              | unexpected end of string",
                "'%'.format([]) == ''               | index 0 out of range"
            })
    void errorsOfParsersSayWhatUpstreamSays(String expression, String error) {
        fails(expression, error);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "10.0.0.0       | no '/'",
                "10.0.0/8       | ParseAddr(\"10.0.0\"): IPv4 address too short",
                "fe80::%a/8     | IPv6 zones cannot be present in a prefix",
                "10.0.0.0/08    | bad bits after slash: \"08\"",
                "10.0.0.0/      | bad bits after slash: \"\"",
                "10.0.0.0/33    | prefix length out of range"
            })
    void prefixesAreRefusedInTheWordsOfGo(String prefix, String error) {
        String introduction = "network address parse error during conversion from string: ";
        fails(
                "cidr('" + prefix + "').prefixLength() == 8",
                introduction + introduction + "netip.ParsePrefix(\"" + prefix + "\"): " + error);
    }

    @org.junit.jupiter.api.Test
    void compilationErrorsNameTypesAsUpstream() {
        assertThat(Rules.outcome("{'type':'string'}", "'x'", "dyn(self).reverse() == 'a'"))
                .contains("found no matching overload for '_==_' applied to '(list(_var");
        assertThat(Rules.outcome("{'type':'string'}", "'x'", "regex.replace('a', 'b', 'c') == 'a'"))
                .contains("found no matching overload for 'replace' applied to '!error!.(string, string, string)'");
    }

    @org.junit.jupiter.api.Test
    void patternsThatWouldBecomeLargeProgramsAreNotCompiled() {
        fails(
                "'a'.matches(['((((a{30}){30}){30}){30}){30}'][0])",
                "error parsing regexp: invalid repeat count: `{30}`");
        assertThat(Rules.outcome("{'type':'string'}", "'x'", "self.matches('((a{30}){30}){30}')"))
                .contains("invalid matches argument");
    }

    @org.junit.jupiter.api.Test
    void matchingCostsTheSizeOfTheProgram() {
        String text = "'" + "a".repeat(40_000) + "'";
        assertThat(Rules.outcome("{'type':'string'}", text, "self.matches(['(a?b){1,2}'][0]) || true"))
                .isEqualTo("true");
        assertThat(Rules.outcome("{'type':'string'}", text, "self.matches(['(a?b){1,1000}'][0]) || true"))
                .isEqualTo("RULE");
    }

    @org.junit.jupiter.api.Test
    void longExpressionsAreRefused() {
        for (String rule : new String[] {"true" + " && true".repeat(100_000), "'" + "x".repeat(1_000_000)}) {
            assertThat(Rules.outcome("{'type':'string'}", "'x'", rule))
                    .startsWith(
                            "compilation failed: ERROR: <input>:-1:0: expression code point size exceeds limit: size: ")
                    .hasSizeLessThan(300);
        }
    }
}
