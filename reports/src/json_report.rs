//! The report as a JSON object, described in `docs/report.md`.

use std::io::{self, Write};

use erlang_term::Atom;
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Value, json};
use trace_engine::explore::{Pruned, Statistics, Test};

use crate::call_sequence::call_texts;
use crate::chart::chart_json;
use crate::coverage::{ClausePlace, Coverage, ReachedCount};
use crate::entry::{Entry, EntryKind};
use crate::exploration::Exploration;
use crate::findings::{ConfirmedOn, Finding};
use crate::language::Language;
use crate::machine::event_texts;
use crate::outcome::{Outcome, StackEntry, Waiting};
use crate::run_end::RunEnd;
use crate::searched::Searched;
use crate::unit_tests::UnitTestCounts;
use crate::wording::Wording;

/// Writes the object. There may be millions of tests, so the whole object is never in memory.
///
/// # Errors
/// When it cannot be written.
pub fn json_report(exploration: &Exploration<'_>, out: &mut impl Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, &Object(exploration))?;
    out.write_all(b"\n")
}

struct Object<'report>(&'report Exploration<'report>);

impl Serialize for Object<'_> {
    /// Keys are in alphabetical order, as in all objects.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let exploration = self.0;
        let mut object = serializer.serialize_map(None)?;
        if !exploration.atoms.is_empty() {
            let atoms: Vec<&str> = exploration.atoms.iter().map(Atom::as_str).collect();
            object.serialize_entry("atoms", &atoms)?;
        }
        object.serialize_entry("complete", &exploration.is_complete())?;
        object.serialize_entry("conditions", &conditions(exploration))?;
        object.serialize_entry("coverage", &coverage(&exploration.coverage))?;
        object.serialize_entry("entries", &entries(exploration))?;
        let only = exploration.only_entry.as_ref().map(Entry::to_string);
        object.serialize_entry("entry", &only)?;
        if let Some(counts) = &exploration.unit_tests {
            object.serialize_entry("eunit", &unit_tests(counts))?;
        }
        if let Some(suites) = &exploration.eunit_suites {
            object.serialize_entry("eunit_suites", &json!(suites))?;
        }
        object.serialize_entry("findings", &findings(exploration))?;
        let gaps = exploration.gaps().into_iter();
        let gaps: Vec<Value> = gaps.map(|(it, count)| gap(it, count)).collect();
        object.serialize_entry("incomplete", &gaps)?;
        let stale = exploration.stale_lines.iter();
        let stale: Vec<Value> = stale
            .map(|it| json!({"line": it.number, "key": it.line, "gone": it.is_gone}))
            .collect();
        let machines: Vec<Value> = exploration.searches.iter().filter_map(machine).collect();
        if let [only] = machines.as_slice() {
            object.serialize_entry("machine", only)?;
        }
        if let Some(made_of) = &exploration.made_of {
            object.serialize_entry("made_of", &json!(made_of))?;
        }
        object.serialize_entry("model", &model(exploration))?;
        if let Some(own) = exploration.pruned() {
            object.serialize_entry("pruned", &pruned(own))?;
        }
        if let Some(shards) = &exploration.shards {
            object.serialize_entry("shards", &json!(shards))?;
        }
        object.serialize_entry("sources", &exploration.sources)?;
        object.serialize_entry("stale", &stale)?;
        object.serialize_entry("stats", &statistics(exploration))?;
        object.serialize_entry("tests", &Tests(exploration))?;
        object.serialize_entry("version", &1)?;
        object.end()
    }
}

/// The tests, written one after the other.
struct Tests<'report>(&'report Exploration<'report>);

impl Serialize for Tests<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let tests = searches(self.0).flat_map(|(before, search)| {
            let wording = self.0.wording(&search.entry);
            let own = search.report.tests.iter().zip(&search.new_clauses);
            own.enumerate().map(move |(number, (it, new_clauses))| {
                let mut object = test(&search.entry, before, number, it);
                extend(&mut object, &elixir_test(&wording, &search.entry, it));
                extend(&mut object, &json!({"new_clauses": new_clauses}));
                object
            })
        });
        serializer.collect_seq(tests)
    }
}

/// Each search, with the number of tests before it: ids go on from one search to the next.
fn searches<'report>(
    exploration: &'report Exploration<'_>,
) -> impl Iterator<Item = (usize, &'report Searched)> {
    exploration.searches.iter().scan(0, |before, search| {
        let own = *before;
        *before += search.report.tests.len();
        Some((own, search))
    })
}

fn findings(exploration: &Exploration<'_>) -> Vec<Value> {
    let before: Vec<usize> = searches(exploration).map(|it| it.0).collect();
    let id = |(search, test): (usize, usize)| before.get(search).unwrap_or(&0) + test + 1;
    let findings = exploration.findings.iter();
    findings.map(|it| finding(exploration, id, it)).collect()
}

/// The states and transitions of a machine.
fn machine(search: &Searched) -> Option<Value> {
    let found = search.found_machine()?;
    let transitions = found.transitions.iter().map(|it| {
        json!({
            "from": it.from,
            "event": it.event,
            "to": it.to,
            "count": it.count,
            "crashes": it.crashes,
            "shortest": it.shortest,
        })
    });
    let transitions: Vec<Value> = transitions.collect();
    let reached = found.states.iter();
    let reached = reached.map(|it| json!({"count": it.count, "shortest": it.shortest}));
    Some(json!({
        "module": search.entry.module.to_string(),
        "initial": found.initial,
        "states": found.states.iter().map(|it| &it.name).collect::<Vec<_>>(),
        "reached": reached.collect::<Vec<_>>(),
        "transitions": transitions,
    }))
}

/// What `--pre` and `--post` named.
fn conditions(exploration: &Exploration<'_>) -> Value {
    let post = exploration.postcondition.as_ref().map(Entry::to_string);
    json!({"pre": exploration.has_precondition, "post": post})
}

/// When messages arrive, and when the time of a `receive` is over.
fn model(exploration: &Exploration<'_>) -> Value {
    json!({"delivery": exploration.delivery_model, "time": exploration.time_model})
}

/// What was not run because it goes on as something that was run.
fn pruned(pruned: Pruned) -> Value {
    json!({
        "points": pruned.points,
        "ways": pruned.ways,
        "proved_after": pruned.proved_after,
        "all_run": pruned.all_run,
    })
}

/// The user's own tests.
fn unit_tests(counts: &UnitTestCounts) -> Value {
    json!({
        "tests": counts.passed + counts.failed + counts.skipped,
        "failed": counts.failed,
        "skipped": counts.skipped,
        "seeds": counts.inputs,
    })
}

/// A gap: its code, what it is about, and how often it occurred.
fn gap((code, what): (&'static str, String), count: usize) -> Value {
    json!({"code": code, "what": what, "count": count})
}

/// A summary of each function.
fn entries(exploration: &Exploration<'_>) -> Vec<Value> {
    let searches = exploration.searches.iter().enumerate();
    let searches = searches.map(|(number, search)| {
        let report = &search.report;
        let mut object = json!({
            "entry": search.entry.to_string(),
            "complete": report.is_complete(),
            "runs": report.tests.len() + search.rejected,
            "findings": exploration.findings_of(number),
            "coverage": coverage(&search.coverage),
            "term_depth": search.term_depth,
            "length": search.length,
            "parameters": search.parameters(exploration.code.program),
            "pruned": search.report.pruned.map(pruned),
            "left_out": null,
            "unmade": [],
            "incomplete": report
                .gaps
                .iter()
                .map(|(it, count)| gap((it.code(), it.about().to_owned()), *count))
                .collect::<Vec<_>>(),
        });
        if let Some(machine) = machine(search) {
            extend(&mut object, &json!({"machine": machine}));
        }
        object
    });
    let skipped = exploration.skipped.iter().map(|skipped| {
        json!({
            "entry": skipped.entry.to_string(),
            "complete": false,
            "runs": 0,
            "findings": 0,
            "coverage": null,
            "term_depth": null,
            "length": null,
            "parameters": [],
            "pruned": null,
            "left_out": skipped.why.code(),
            "unmade": skipped.why.unmade(),
            "incomplete": [],
        })
    });
    searches.chain(skipped).collect()
}

fn coverage(coverage: &Coverage) -> Value {
    let mut object = json!({
        "functions": count(coverage.functions),
        "clauses": count(coverage.clauses),
        "missed": clauses(&coverage.missed),
    });
    if let Some(reached) = &coverage.reached {
        let names = json!({
            "reached": clauses(&reached.clauses),
            "reached_functions": reached.functions,
            "missed_functions": reached.missed_functions,
        });
        extend(&mut object, &names);
    }
    object
}

fn clauses(places: &[ClausePlace]) -> Vec<Value> {
    let places = places.iter();
    places
        .map(|it| json!({"file": it.file, "line": it.line, "clause": it.clause}))
        .collect()
}

fn count(count: ReachedCount) -> Value {
    json!({"covered": count.covered, "total": count.total})
}

fn test(entry: &Entry, before: usize, number: usize, test: &Test<RunEnd>) -> Value {
    let name = entry.to_string();
    let arguments = test.arguments.terms();
    let trace: Vec<String> = test.trace.iter().map(u32::to_string).collect();
    let mut object = json!({
        "id": before + number + 1,
        "entry": name,
        "parent": test.parent.map(|parent| before + parent + 1),
        "args": entry.arguments(&arguments),
        "outcome": test.outcome.of_entry.name(),
        "result": null,
        "trace": trace.join("."),
        "crashes": test.outcome.is_finding(),
        "diverged": test.diverged,
        "schedule": test.schedule,
        "processes": processes_json(&name, &test.outcome),
    });
    let result = if let Outcome::Ok(value) = &test.outcome.of_entry {
        json!(value)
    } else {
        Value::Null
    };
    extend(&mut object, &crash(&test.outcome.of_entry));
    extend(&mut object, &json!({"result": result}));
    let events = match entry.kind {
        EntryKind::Machine(_) => Some(event_texts(&arguments, &test.marks)),
        EntryKind::Calls => Some(call_texts(&entry.module, &arguments, &test.marks)),
        EntryKind::Function => None,
    };
    if let Some(events) = events {
        extend(&mut object, &json!({"events": events}));
    }
    object
}

/// A test in the words of Elixir, if its entry is in Elixir.
fn elixir_test(wording: &Wording<'_>, entry: &Entry, test: &Test<RunEnd>) -> Value {
    match wording.language() {
        Language::Erlang => json!({}),
        Language::Elixir => {
            let arguments = entry.arguments(&test.arguments.terms());
            let result = match &test.outcome.of_entry {
                Outcome::Ok(value) => Some(wording.value(value)),
                Outcome::Exception { .. }
                | Outcome::Timeout
                | Outcome::Killed
                | Outcome::WorkerDied
                | Outcome::Deadlock { .. }
                | Outcome::Steps
                | Outcome::Blocked(_) => None,
            };
            json!({"elixir": {
                "call": wording.call(entry, &arguments),
                "result": result,
                "raised": wording.raised(&test.outcome.of_entry, None),
            }})
        }
    }
}

/// A finding in the words of Elixir, if its entry is in Elixir.
fn elixir_finding(exploration: &Exploration<'_>, finding: &Finding) -> Value {
    let first = finding.first();
    let entry = exploration.entry_of(first);
    let wording = exploration.wording(entry);
    match wording.language() {
        Language::Erlang => json!({}),
        Language::Elixir => {
            let stack = finding.outcome.stack().iter();
            json!({"elixir": {
                "call": wording.call(entry, &first.arguments),
                "raised": wording.raised(&finding.outcome, finding.message.as_deref()),
                "message": finding.message,
                "stack": stack.map(|it| wording.frame(it)).collect::<Vec<_>>(),
            }})
        }
    }
}

/// A finding, given the ids of tests by the numbers of search and test.
fn finding(
    exploration: &Exploration<'_>,
    id: impl Fn((usize, usize)) -> usize,
    finding: &Finding,
) -> Value {
    let first = finding.first();
    let entries = finding.inputs.iter().map(|it| {
        json!({
            "entry": exploration.entry_of(it).to_string(),
            "args": it.arguments,
            "likely": it.is_likely,
            "switches": it.switches,
        })
    });
    let callee = finding.site.as_ref().and_then(|it| it.callee.as_ref());
    let mut object = json!({
        "test": id((first.search, first.test)),
        "first_test": id(finding.first_test),
        "callee": callee,
        "needs_schedule": finding.needed_schedule().is_some(),
        "entry": exploration.entry_of(first).to_string(),
        "args": first.arguments,
        "outcome": finding.outcome.name(),
        "confirmed": finding.confirmed_on == ConfirmedOn::Code,
        "confirmed_on": finding.confirmed_on.name(),
        "process": finding.process.to_string(),
        "schedule": finding.schedule.as_ref().map(ToString::to_string),
        "race": finding.race.as_ref().map(|race| {
            race.iter()
                .map(|it| place_json(Some((it.file.as_str(), it.line))))
                .collect::<Vec<_>>()
        }),
        "entries": entries.collect::<Vec<_>>(),
        "likely": finding.is_likely,
        "accepted": finding.is_accepted,
        "key": finding.key.to_string(),
        "count": finding.tests,
    });
    extend(&mut object, &crash(&finding.outcome));
    extend(&mut object, &elixir_finding(exploration, finding));
    let place = finding.site.as_ref();
    let place = place.map(|it| (it.file.as_str(), it.line));
    extend(&mut object, &place_json(place));
    if let Some(play) = &finding.play {
        let play = json!({"events": play.events, "script": play.script});
        extend(&mut object, &play);
    }
    if let Some(chart) = &finding.chart {
        extend(&mut object, &json!({"chart": chart_json(chart)}));
    }
    if !finding.also.is_empty() {
        extend(&mut object, &json!({"also": finding.also}));
    }
    object
}

/// Where and why a run crashed.
fn crash(outcome: &Outcome) -> Value {
    let (class, reason) = match outcome {
        Outcome::Exception { class, reason, .. } => (Some(class), Some(reason)),
        Outcome::Ok(_)
        | Outcome::Timeout
        | Outcome::Killed
        | Outcome::WorkerDied
        | Outcome::Deadlock { .. }
        | Outcome::Steps
        | Outcome::Blocked(_) => (None, None),
    };
    let stack: Vec<String> = outcome.stack().iter().map(StackEntry::to_string).collect();
    let mut object = json!({"class": class, "reason": reason, "stack": stack});
    match outcome {
        Outcome::WorkerDied => extend(&mut object, &json!({"beam_died": true})),
        Outcome::Blocked(call) => extend(&mut object, &json!({"refused": call})),
        Outcome::Ok(_)
        | Outcome::Exception { .. }
        | Outcome::Timeout
        | Outcome::Killed
        | Outcome::Deadlock { .. }
        | Outcome::Steps => {}
    }
    if let Outcome::Deadlock { waiting } = outcome {
        let waiting: Vec<Value> = waiting.iter().map(waiting_json).collect();
        extend(&mut object, &json!({"waiting": waiting}));
    }
    let place = outcome.crash_site();
    let place = place.map(|it| (it.file.as_str(), it.line));
    extend(&mut object, &place_json(place));
    object
}

/// A process that waits, and where.
pub fn waiting_json(waiting: &Waiting) -> Value {
    let place = waiting.place().map(|it| (it.file.as_str(), it.line));
    let function = waiting.place().map(|it| &it.function);
    let mut object = json!({"process": waiting.process, "function": function});
    extend(&mut object, &place_json(place));
    object
}

/// The processes of a test.
fn processes_json(entry: &str, end: &RunEnd) -> Vec<Value> {
    let process =
        |path: &str, entry: &str, end: &str| json!({"path": path, "entry": entry, "end": end});
    if !end.processes.is_empty() {
        let processes = end.processes.iter();
        return processes
            .map(|it| {
                let mut object = process(&it.path.to_string(), &it.entry, it.end.reason());
                if let Some(class) = it.end.class() {
                    extend(&mut object, &json!({"class": class}));
                }
                object
            })
            .collect();
    }
    vec![process("0", entry, end_of_alone(&end.of_entry))]
}

/// How the only process of a run ended.
fn end_of_alone(outcome: &Outcome) -> &str {
    match outcome {
        Outcome::Ok(_) => "normal",
        Outcome::Exception { reason, .. } => reason,
        Outcome::Killed | Outcome::WorkerDied => "killed",
        Outcome::Deadlock { .. } => "waiting",
        Outcome::Timeout | Outcome::Steps | Outcome::Blocked(_) => "running",
    }
}

/// A file and a line; what is unknown is `null`.
fn place_json(place: Option<(&str, i64)>) -> Value {
    let file = place.map(|it| it.0).filter(|it| !it.is_empty());
    let line = place.map(|it| it.1).filter(|it| *it > 0);
    json!({"file": file, "line": line})
}

fn extend(object: &mut Value, more: &Value) {
    if let (Some(object), Some(more)) = (object.as_object_mut(), more.as_object()) {
        object.extend(more.clone());
    }
}

fn statistics(exploration: &Exploration<'_>) -> Value {
    let mut statistics = Statistics::default();
    for search in &exploration.searches {
        statistics.add(&search.report.statistics);
    }
    let milliseconds = |duration: std::time::Duration| duration.as_millis();
    json!({
        "runs": exploration.tests() + exploration.rejected(),
        "unlikely_left_out": exploration.unlikely_left_out.unwrap_or(0),
        "rejected": exploration.rejected(),
        "solver_queries": statistics.queries,
        "sat": statistics.sat,
        "unsat": statistics.unsat,
        "unknown": statistics.unknown,
        "native": statistics.queries - statistics.smt,
        "smt": statistics.smt,
        "handed_on": statistics.handed_on,
        "answered_then": statistics.answered_then,
        "contradictions": statistics.savings.contradictions,
        "repetitions": statistics.savings.repetitions,
        "parent_values": statistics.savings.parent_values,
        "cached": statistics.savings.cached,
        "divergences": statistics.divergences,
        "schedules": statistics.schedules,
        "steps": statistics.steps,
        "switches": statistics.switches,
        "races": statistics.races,
        "run_ms": milliseconds(statistics.run_time),
        "replay_ms": milliseconds(statistics.replay_time),
        "solve_ms": milliseconds(statistics.solve_time),
        "report_ms": milliseconds(exploration.report_time),
        "wall_ms": milliseconds(exploration.wall_time),
        "peak_rss_kb": exploration.peak_memory,
    })
}
