package dev.evenkeel.engine.internal.builtin.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.evenkeel.engine.FieldError;
import dev.evenkeel.engine.internal.json.JsonObject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Rules of jobs and of cron jobs. */
class JobRulesTest {
    private static final String POD =
            "'template':{'spec':{'restartPolicy':'Never','containers':[{'name':'c','image':'i:1'}]}}";

    private static JsonObject job(String fields) {
        JsonObject tree = Kinds.read(
                "jobs.batch",
                Kinds.tree("{'metadata':{'name':'j','namespace':'n','uid':'u','resourceVersion':'1'},'spec':{" + POD
                        + fields + "}}"));
        Kinds.of("jobs.batch").prepareForCreate(tree, Kinds.CONTEXT);
        return tree;
    }

    private static JsonObject withStatus(JsonObject job, String status) {
        JsonObject tree = job.copy();
        tree.put("status", Kinds.tree("{" + status + "}"));
        return tree;
    }

    private static List<String> texts(List<FieldError> errors) {
        return errors.stream().map(FieldError::text).toList();
    }

    private static List<String> errors(String fields) {
        return texts(Kinds.errors(Kinds.of("jobs.batch"), job(fields)));
    }

    @Test
    void plainJobsAreAccepted() {
        assertThat(errors("")).isEmpty();
        assertThat(errors(",'completionMode':'Indexed','completions':3,'backoffLimitPerIndex':1,'maxFailedIndexes':2"))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'parallelism':-1 | spec.parallelism: Invalid value: -1: must be greater than or equal to 0",
                "'completionMode':'Indexed','parallelism':2 | spec.completions: Required value: when completion mode is Indexed",
                "'backoffLimitPerIndex':1 | spec.backoffLimitPerIndex: Invalid value: 1: requires indexed completion"
                        + " mode",
                "'managedBy':'x' | spec.managedBy: Invalid value: `x`: must be a domain-prefixed path (such as"
                        + " `acme.io/foo`)",
                "'podReplacementPolicy':'Now' | spec.podReplacementPolicy: Unsupported value: `Now`: supported values:"
                        + " `Failed`, `TerminatingOrFailed`",
                "'successPolicy':{'rules':[]} | spec.successPolicy: Invalid value: {`Rules`:[]}: requires indexed"
                        + " completion mode",
            })
    void fieldsOfJobsHaveRules(String field, String error) {
        assertThat(errors("," + field)).contains(error.replace('`', '"'));
    }

    @Test
    void specificationsOfJobsAreFixed() {
        KindStrategy strategy = Kinds.of("jobs.batch");
        assertThat(texts(strategy.validate(job(",'completions':2"), job(",'completions':1"), "")))
                .containsExactly("spec.completions: Invalid value: 2: field is immutable");
        assertThat(texts(strategy.validate(job(",'parallelism':2"), job(",'parallelism':1"), "")))
                .isEmpty();
    }

    @Test
    void waitingJobsMayChangeTheirPods() {
        KindStrategy strategy = Kinds.of("jobs.batch");
        JsonObject before = job(",'suspend':true");
        JsonObject after = before.copy();
        after.object("spec", "template", "spec")
                .objects("containers")
                .getFirst()
                .put("resources", Kinds.tree("{'requests':{'cpu':'2'}}"));
        assertThat(texts(strategy.validate(after, before, ""))).isEmpty();
        String started = "'startTime':'2026-01-01T00:00:00Z'";
        assertThat(strategy.validate(after, withStatus(before, started), "")).hasSize(1);
        String suspended = started + ",'conditions':[{'type':'Suspended','status':'True'}]";
        assertThat(strategy.validate(after, withStatus(before, suspended), "")).isEmpty();
        assertThat(strategy.validate(after, withStatus(before, suspended + ",'active':1"), ""))
                .hasSize(1);
    }

    @Test
    void jobsFinishOnce() {
        KindStrategy strategy = Kinds.of("jobs.batch");
        JsonObject before = withStatus(
                job(""),
                "'startTime':'2026-01-01T00:00:00Z','completionTime':'2026-01-01T01:00:00Z','succeeded':1,"
                        + "'conditions':[{'type':'SuccessCriteriaMet','status':'True'},"
                        + "{'type':'Complete','status':'True'}]");
        JsonObject after = withStatus(job(""), "'startTime':'2026-01-01T00:00:00Z','succeeded':1,'conditions':[]");
        assertThat(texts(strategy.validate(after, before, "status"))).isNotEmpty();
        assertThat(texts(strategy.validate(before.copy(), before, "status"))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "* * * * * | ",
                "@hourly | ",
                "@every 1h30m | ",
                "@every -1.5h.5s | ",
                "@every 5 | failed to parse duration @every 5: time: missing unit in duration \"5\"",
                "@every 1d | failed to parse duration @every 1d: time: unknown unit \"d\" in duration \"1d\"",
                "@every x | failed to parse duration @every x: time: invalid duration \"x\"",
                "@every 2562048h | failed to parse duration @every 2562048h: time: invalid duration \"2562048h\"",
                "*/5 0-6/2 1,15 jan-mar MON | ",
                "61 * * * * | end of range (61) above maximum (59): 61",
                "0 0 | expected exactly 5 fields, found 2: [0 0]",
                "@never | unrecognized descriptor: @never",
                "*/0 * * * * | step of range should be a positive number: */0",
                "5-1 * * * * | beginning of range (5) beyond end of range (1): 5-1",
                "a * * * * | failed to parse int from a: strconv.Atoi: parsing \"a\": invalid syntax",
            })
    void schedulesHaveTheFormOfCron(String schedule, String problem) {
        assertThat(CronSchedules.problem(schedule).orElse(null)).isEqualTo(problem);
    }

    @Test
    void theLocalTimeZoneIsNoNameOfOne() {
        String explicit = "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones";
        assertThat(CronSchedules.zoneProblems("Local")).containsExactly(explicit);
        assertThat(CronSchedules.zoneProblems("local")).containsExactly(explicit, "unknown time zone local");
        assertThat(CronSchedules.zoneProblems("Europe/Rome")).isEmpty();
        assertThat(CronSchedules.zoneProblems("a..b")).containsExactly("time: invalid location name");
    }

    @Test
    void manyIndexesInParallelAreWarnedOfWhereTheyAre() {
        String many = "'completions':100001,'parallelism':10001,";
        String warning = "In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than"
                + " 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail";
        JsonObject indexed = Kinds.tree("{'spec':{'completionMode':'Indexed'," + many + POD + "}}");
        assertThat(Kinds.of("jobs.batch").warnings(indexed, null)).contains("spec: " + warning);
        assertThat(Kinds.of("jobs.batch").warnings(indexed, indexed)).isEmpty();
        assertThat(Kinds.of("jobs.batch").warnings(Kinds.tree("{'spec':{" + many + POD + "}}"), null))
                .doesNotContain("spec: " + warning);
        JsonObject scheduled =
                Kinds.tree("{'spec':{'jobTemplate':{'spec':{'completionMode':'Indexed'," + many + POD + "}}}}");
        assertThat(Kinds.of("cronjobs.batch").warnings(scheduled, null)).contains("spec.jobTemplate.spec: " + warning);
    }

    @Test
    void namesOfCronJobsLeaveRoomForThoseOfJobs() {
        KindStrategy strategy = Kinds.of("cronjobs.batch");
        JsonObject tree = Kinds.read(
                "cronjobs.batch",
                Kinds.tree("{'metadata':{'name':'" + "n".repeat(53)
                        + "','namespace':'n'},'spec':{'schedule':'x','jobTemplate':{'spec':{" + POD + "}}}}"));
        assertThat(texts(Kinds.errors(strategy, tree)))
                .containsExactly(
                        "spec.schedule: Invalid value: \"x\": expected exactly 5 fields, found 1: [x]",
                        "metadata.name: Invalid value: \"" + "n".repeat(53) + "\": must be no more than 52 characters");
    }

    @Test
    void classesOfServiceFollowFromResources() {
        String both = "{'limits':{'cpu':'1','memory':'1'},'requests':{'cpu':'1','memory':'1'}}";
        Map<String, String> classes = Map.of(
                "[{'resources':" + both + "}]",
                "Guaranteed",
                "[{'resources':" + both + "},{}]",
                "Burstable",
                "[{'resources':{'requests':{'cpu':'1'}}}]",
                "Burstable",
                "[{'resources':{'requests':{'cpu':'0'}}}]",
                "BestEffort",
                "[{}]",
                "BestEffort");
        classes.forEach(
                (containers, name) -> assertThat(QosClass.of(Kinds.tree("{'spec':{'containers':" + containers + "}}")))
                        .as(containers)
                        .isEqualTo(name));
    }
}
