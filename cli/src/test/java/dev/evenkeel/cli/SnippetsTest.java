package dev.evenkeel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Every Java snippet of the docs compiles unchanged, and uses public API only. */
class SnippetsTest {
    @TempDir
    Path classes;

    @TestFactory
    Stream<DynamicTest> compile() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (Page page : Page.all()) {
            for (Page.Block block : page.blocks()) {
                if (block.isJava()) {
                    tests.add(DynamicTest.dynamicTest(
                            Page.ROOT.relativize(page.file()) + ":" + block.line(), () -> compile(page, block)));
                }
            }
        }
        assertThat(tests).isNotEmpty();
        return tests.stream();
    }

    private void compile(Page page, Page.Block block) {
        assertThat(block.content()).doesNotContain(".internal.");
        Map<String, String> sources = new LinkedHashMap<>();
        page.needs(block).forEach(one -> sources.put(one.type(), one.content()));
        assertThat(Page.compile(sources, classes)).isEmpty();
    }
}
