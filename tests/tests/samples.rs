//! The samples: each is explored as its `expected.json` says, with the expected result, and its
//! findings crash the program as `erlc` compiles it.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use end_to_end::erlang::{erlc, evaluate, package_path};
use end_to_end::tool::Workplace;
use serde_json::{Map, Value, json};

/// The file that says what is expected of a sample.
const EXPECTED: &str = "expected.json";

/// The samples of programs with one process, those with several, and those of calls in a row.
const FOLDERS: [&str; 3] = ["samples", "samples/processes", "samples/calls"];

/// The subfolders of a folder that have an expected result, by name.
fn samples(folder: &str) -> Vec<PathBuf> {
    let folder = package_path(&format!("../{folder}"));
    let entries = fs::read_dir(folder).expect("the samples are there");
    let mut folders: Vec<PathBuf> = entries
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.join(EXPECTED).exists())
        .collect();
    folders.sort();
    folders
}

/// A folder with the files of one sample, at the place that they have in the repository.
fn workplace(folder: &str, sample: &Path) -> Workplace {
    let place = Workplace::new(env!("CARGO_BIN_EXE_erlconcolic-under-test"));
    let name = sample.file_name().expect("a folder has a name").display();
    for entry in fs::read_dir(sample).expect("the sample can be read") {
        let path = entry.expect("the sample can be read").path();
        let file = path.file_name().expect("a file has a name").display();
        let content = fs::read(&path).expect("the sample can be read");
        place.write(&format!("{folder}/{name}/{file}"), &content);
    }
    place
}

/// The explorations that a sample expects: objects, each with a command.
fn explorations(sample: &Path) -> Vec<Map<String, Value>> {
    let path = sample.join(EXPECTED);
    let text = fs::read_to_string(&path).expect("the expected result can be read");
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The arguments of a command. There is no shell: they are split at spaces, and quotes around them
/// are removed.
fn arguments(command: &str) -> Vec<&str> {
    let words = command.strip_prefix("erlconcolic ");
    let words = words.unwrap_or_else(|| panic!("`{command}` is a command of the tool"));
    words
        .split_whitespace()
        .map(|word| word.trim_matches('\''))
        .collect()
}

/// A value in an object, null if there is none.
fn field<'value>(object: &'value Value, key: &str) -> &'value Value {
    object.get(key).unwrap_or(&Value::Null)
}

/// An array in an object.
fn list<'value>(object: &'value Value, key: &str) -> &'value [Value] {
    let list = field(object, key).as_array();
    list.unwrap_or_else(|| panic!("{key} is an array in {object:#}"))
}

/// The texts in an array.
fn texts(array: &Value) -> Vec<&str> {
    let values = array.as_array().into_iter().flatten();
    values.filter_map(Value::as_str).collect()
}

/// Everything that an `expected.json` can say about a report.
fn summary(status: i32, report: &Value) -> Value {
    let findings = list(report, "findings").iter();
    let tests = list(report, "tests");
    let mut returning: Vec<String> = tests
        .iter()
        .filter(|test| field(test, "outcome") == "ok")
        .map(|test| texts(field(test, "args")).join(", "))
        .collect();
    // The order of tests is not promised.
    returning.sort_unstable();
    let crashes = list(report, "findings").iter().map(|finding| {
        json!({
            "process": field(finding, "process"),
            "outcome": field(finding, "outcome"),
            "line": field(finding, "line"),
        })
    });
    let gaps = list(report, "incomplete").iter();
    let coverage = field(report, "coverage");
    json!({
        "status": status,
        "complete": field(report, "complete"),
        "tests": tests.len(),
        "returning": returning,
        "findings": findings.map(|finding| json!({
            "args": field(finding, "args"),
            "class": field(finding, "class"),
            "reason": field(finding, "reason"),
            "file": field(finding, "file"),
            "line": field(finding, "line"),
        })).collect::<Vec<_>>(),
        "crashes": crashes.collect::<Vec<_>>(),
        "clauses": field(coverage, "clauses"),
        "missed": field(coverage, "missed"),
        "incomplete": gaps
            .map(|gap| json!({"code": field(gap, "code"), "what": field(gap, "what")}))
            .collect::<Vec<_>>(),
    })
}

/// Runs one exploration and returns its result. The error says what is wrong with it.
fn check(place: &Workplace, expected: &Map<String, Value>) -> Result<String, String> {
    let command = expected.get("command").and_then(Value::as_str);
    let command = command.expect("every exploration has a command");
    let words = arguments(command);
    let source = words.get(1).expect("a command names a source");
    let words = [words.as_slice(), &["--format", "json"]].concat();
    let start = Instant::now();
    let run = place.run(&words);
    let time = start.elapsed();
    let report: Value = serde_json::from_str(&run.stdout)
        .map_err(|error| format!("{command}\n{error}\n{}", run.stderr))?;
    let found = summary(run.status, &report);
    let outcome = format!(
        "$ {command}\n{} tests, {} findings, complete: {}, {time:.1?}",
        field(&found, "tests"),
        list(&found, "findings").len(),
        field(&found, "complete")
    );
    let mut complaints: Vec<String> = expected
        .iter()
        .filter(|(key, wanted)| *key != "command" && *wanted != field(&found, key))
        .map(|(key, wanted)| {
            format!(
                "{key}: expected {wanted:#}\nbut found {:#}",
                field(&found, key)
            )
        })
        .collect();
    let tests = list(&report, "tests").iter();
    let diverged = tests.filter(|test| field(test, "diverged") != false);
    complaints.extend(diverged.map(|test| format!("diverged: {test:#}")));
    complaints.extend(unreal_findings(place, source, &report));
    complaints.extend(unreal_orders(place, source, &report));
    if complaints.is_empty() {
        return Ok(outcome);
    }
    Err(format!("$ {command}\n{}", complaints.join("\n")))
}

/// A call that is reported to crash, or one of a postcondition that is reported to be `false`.
struct Crash {
    call: String,
    /// Class and line, as [`attempt`] prints them, or that it returns.
    place: String,
    /// Known of the call that stands for a finding.
    reason: Option<String>,
}

impl Crash {
    fn is(&self, ending: &str) -> bool {
        let rest = ending.strip_prefix(&self.place);
        let reason = rest.and_then(|rest| rest.strip_prefix(' '));
        reason.is_some_and(|reason| self.reason.as_ref().is_none_or(|wanted| wanted == reason))
    }
}

/// The calls of all findings of a report.
fn crashes(report: &Value) -> Vec<Crash> {
    let entry = field(report, "entry").as_str();
    let Some((function, _)) = entry.and_then(|entry| entry.split_once('/')) else {
        return list(report, "findings")
            .iter()
            .map(crash_of_calls)
            .collect();
    };
    let mut crashes = Vec::new();
    let alone = |it: &&Value| field(it, "schedule").is_null();
    for finding in list(report, "findings").iter().filter(alone) {
        let text = |key: &str| field(finding, key).as_str().unwrap_or("none").to_owned();
        if let Some(condition) = broken_condition(&text("reason")) {
            let also = field(finding, "also").as_array().into_iter().flatten();
            let inputs = std::iter::once(field(finding, "args")).chain(also);
            crashes.extend(inputs.map(|arguments| Crash {
                call: condition.call(function, arguments),
                place: "returned".to_owned(),
                reason: Some("false".to_owned()),
            }));
            continue;
        }
        let place = format!("{} {}", text("class"), line(finding));
        crashes.push(Crash {
            call: call(function, field(finding, "args")),
            place: place.clone(),
            reason: Some(text("reason")),
        });
        let also = field(finding, "also").as_array().into_iter().flatten();
        crashes.extend(also.map(|arguments| Crash {
            call: call(function, arguments),
            place: place.clone(),
            reason: None,
        }));
    }
    crashes
}

/// The crash that the script of a finding shows.
fn crash_of_calls(finding: &Value) -> Crash {
    let text = |key: &str| field(finding, key).as_str().unwrap_or("none").to_owned();
    let (script, reason) = (text("script"), text("reason"));
    let (place, reason) = if reason.starts_with("{invariant,") {
        ("returned".to_owned(), "false".to_owned())
    } else {
        (format!("{} {}", text("class"), line(finding)), reason)
    };
    Crash {
        call: format!("begin {} end", script.trim_end_matches('.')),
        place,
        reason: Some(reason),
    }
}

/// A postcondition that a finding breaks.
struct Condition {
    function: String,
    takes_result_alone: bool,
}

/// The postcondition that the reason of a finding names.
fn broken_condition(reason: &str) -> Option<Condition> {
    let rest = reason.strip_prefix("{postcondition,{")?;
    let (name, _) = rest.split_once('}')?;
    let [module, function, arity] = name.split(',').collect::<Vec<_>>().try_into().ok()?;
    Some(Condition {
        function: format!("{module}:{function}"),
        takes_result_alone: arity == "1",
    })
}

impl Condition {
    /// The call of the condition on the result of the entry for some arguments.
    fn call(&self, entry: &str, arguments: &Value) -> String {
        let result = call(entry, arguments);
        let given = texts(arguments);
        let given = given.into_iter().filter(|_| !self.takes_result_alone);
        let given: Vec<&str> = given.chain([result.as_str()]).collect();
        format!("{}({})", self.function, given.join(", "))
    }
}

/// What is wrong with the findings of a report: calls that do not crash in that way when a plain
/// `erl` runs them on code made by `erlc`.
fn unreal_findings(place: &Workplace, source: &str, report: &Value) -> Vec<String> {
    let crashes = crashes(report);
    if crashes.is_empty() {
        return Vec::new();
    }
    let folder = place.path("");
    erlc(&folder, [], &[place.path(source)]);
    let attempts: Vec<String> = crashes.iter().map(|crash| attempt(&crash.call)).collect();
    let shown = evaluate(&folder, &format!("{}, halt().", attempts.join(", ")));
    assert_eq!(shown.status, 0, "{}", shown.text);
    let endings: Vec<&str> = shown.text.lines().collect();
    assert_eq!(endings.len(), crashes.len(), "{}", shown.text);
    let pairs = crashes.iter().zip(endings);
    pairs
        .filter(|(crash, ending)| !crash.is(ending))
        .map(
            |(
                Crash {
                    call,
                    place,
                    reason,
                },
                ending,
            )| {
                let reason = reason.as_deref().unwrap_or_default();
                format!("{call}: reported is `{place} {reason}`, but erl says `{ending}`")
            },
        )
        .collect()
}

/// What is wrong with the findings that have a schedule: runs that do not end in that way with it.
fn unreal_orders(place: &Workplace, source: &str, report: &Value) -> Vec<String> {
    let entry = field(report, "entry").as_str().expect("there is one entry");
    let mut complaints = Vec::new();
    for finding in list(report, "findings") {
        let Some(schedule) = field(finding, "schedule").as_str() else {
            continue;
        };
        let arguments = format!("[{}]", texts(field(finding, "args")).join(","));
        let input = ["run", source, "--entry", entry, "--args", &arguments];
        let order = ["--schedule", schedule, "--format", "json"];
        let run = place.run(&[&input[..], &order].concat());
        let run: Value = serde_json::from_str(&run.stdout).expect("it prints JSON");
        if field(&run, "followed") != true || !ends_like(&run, finding) {
            complaints.push(format!("{finding:#}\nbut the run is {run:#}"));
        }
    }
    complaints
}

/// Whether the process of a finding ends in a run as the finding says.
fn ends_like(run: &Value, finding: &Value) -> bool {
    if field(finding, "outcome") == "deadlock" {
        return field(run, "waiting") == field(finding, "waiting");
    }
    let path = field(finding, "process");
    let mut processes = list(run, "processes").iter();
    let process = processes.find(|it| field(it, "path") == path);
    process.is_some_and(|it| field(it, "end") == field(finding, "reason"))
}

/// The line of a finding, as [`attempt`] prints it.
fn line(finding: &Value) -> String {
    let line = field(finding, "line").as_u64();
    line.map_or("none".to_owned(), |line| line.to_string())
}

fn call(function: &str, arguments: &Value) -> String {
    format!("{function}({})", texts(arguments).join(", "))
}

/// An expression that prints in one line how a call ends: its class, the innermost line that is
/// known, and the reason.
fn attempt(call: &str) -> String {
    format!(
        r#"(fun() ->
               try {call} of
                   Result -> io:format("returned ~0p~n", [Result])
               catch
                   Class:Reason:Stack ->
                       Lines = [Line || {{_, _, _, Info}} <- Stack, {{line, Line}} <- Info],
                       io:format("~p ~p ~0p~n", [Class, hd(Lines ++ [none]), Reason])
               end
           end)()"#
    )
}

/// Explores the samples of a folder, and returns their results.
fn check_all(folder: &str) -> String {
    let mut failures = Vec::new();
    let mut outcomes = Vec::new();
    for sample in samples(folder) {
        let place = workplace(folder, &sample);
        for expected in explorations(&sample) {
            match check(&place, &expected) {
                Ok(outcome) => outcomes.push(outcome),
                Err(failure) => failures.push(failure),
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    assert!(!outcomes.is_empty(), "there are samples");
    outcomes.join("\n")
}

#[test]
fn samples_are_explored_as_expected() {
    let [alone, _, _] = FOLDERS;
    println!("{}", check_all(alone));
}

#[test]
#[ignore = "takes a minute; `make slow-tests` runs it"]
fn samples_with_processes_are_explored_as_expected() {
    let [_, together, _] = FOLDERS;
    println!("{}", check_all(together));
}

#[test]
fn samples_of_calls_are_explored_as_expected() {
    let [_, _, calls] = FOLDERS;
    println!("{}", check_all(calls));
}
