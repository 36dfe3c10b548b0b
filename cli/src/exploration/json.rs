//! The report as a JSON object, as `docs/report.md` has it.

use serde_json::{Value, json};
use trace_engine::explore::{Statistics, Test};

use crate::entry::Entry;
use crate::exploration::coverage::{Count, Coverage};
use crate::exploration::findings::{Finding, place};
use crate::exploration::{Exploration, argument_texts, describe};
use crate::worker::{Outcome, StackEntry};

pub(crate) fn object(exploration: &Exploration<'_>) -> Value {
    let mut tests = Vec::new();
    let mut findings = Vec::new();
    for search in &exploration.searches {
        // The tests of all functions are numbered through.
        let before = tests.len();
        let entry = search.entry.to_string();
        let own = search.report.tests.iter().zip(&search.new_clauses);
        let own = own.enumerate().map(|(number, (it, new_clauses))| {
            let mut object = test(&entry, before, number, it);
            extend(&mut object, &json!({"new_clauses": new_clauses}));
            object
        });
        tests.extend(own);
        findings.extend(search.findings.iter().map(|it| finding(&entry, before, it)));
    }
    json!({
        "version": 1,
        "entry": exploration.only_entry().map(Entry::to_string),
        "complete": exploration.is_complete(),
        "entries": entries(exploration),
        "tests": tests,
        "findings": findings,
        "coverage": coverage(&exploration.coverage),
        "incomplete": exploration.gaps().iter().map(|((code, what), count)| {
            json!({"code": code, "what": what, "count": count})
        }).collect::<Vec<_>>(),
        "stats": statistics(exploration),
    })
}

/// What came of each function.
fn entries(exploration: &Exploration<'_>) -> Vec<Value> {
    let searches = exploration.searches.iter().map(|search| {
        let report = &search.report;
        json!({
            "entry": search.entry.to_string(),
            "complete": report.is_complete(),
            "runs": report.tests.len() + search.rejected,
            "findings": search.findings.len(),
            "coverage": coverage(&search.coverage),
            "term_depth": search.term_depth,
            "left_out": null,
            "incomplete": report.gaps.iter().map(|(gap, count)| {
                let (code, what) = describe(gap);
                json!({"code": code, "what": what, "count": count})
            }).collect::<Vec<_>>(),
        })
    });
    let left_out = exploration.left_out.iter().map(|left_out| {
        json!({
            "entry": left_out.entry.to_string(),
            "complete": false,
            "runs": 0,
            "findings": 0,
            "coverage": null,
            "term_depth": null,
            "left_out": left_out.why.code(),
            "incomplete": [],
        })
    });
    searches.chain(left_out).collect()
}

fn coverage(coverage: &Coverage) -> Value {
    json!({
        "functions": count(coverage.functions),
        "clauses": count(coverage.clauses),
        "missed": coverage.missed.iter().map(|missed| json!({
            "file": missed.file, "line": missed.line, "clause": missed.clause,
        })).collect::<Vec<_>>(),
    })
}

fn count(count: Count) -> Value {
    json!({"covered": count.covered, "total": count.total})
}

/// The name of an outcome.
pub(crate) fn outcome_name(outcome: &Outcome) -> &str {
    match outcome {
        Outcome::Ok(_) => "ok",
        Outcome::Exception { class, .. } => class,
        Outcome::Timeout => "timeout",
        Outcome::Killed | Outcome::WorkerDied => "killed",
        Outcome::Blocked(_) => "blocked",
    }
}

fn test(entry: &str, before: usize, number: usize, test: &Test<Outcome>) -> Value {
    let trace: Vec<String> = test.trace.iter().map(u32::to_string).collect();
    let mut object = json!({
        "id": before + number + 1,
        "entry": entry,
        "parent": test.parent.map(|parent| before + parent + 1),
        "args": argument_texts(&test.arguments.terms()),
        "outcome": outcome_name(&test.outcome),
        "result": null,
        "trace": trace.join("."),
        "diverged": test.diverged,
    });
    let result = if let Outcome::Ok(value) = &test.outcome {
        json!(value)
    } else {
        Value::Null
    };
    extend(&mut object, &crash(&test.outcome));
    extend(&mut object, &json!({"result": result}));
    object
}

fn finding(entry: &str, before: usize, finding: &Finding) -> Value {
    let mut object = json!({
        "test": before + finding.test + 1,
        "entry": entry,
        "args": finding.arguments,
        "outcome": outcome_name(&finding.outcome),
        "confirmed": true,
    });
    extend(&mut object, &crash(&finding.outcome));
    if !finding.also.is_empty() {
        extend(&mut object, &json!({"also": finding.also}));
    }
    object
}

/// Where and why a run crashed.
fn crash(outcome: &Outcome) -> Value {
    match outcome {
        Outcome::Exception {
            class,
            reason,
            stack,
        } => {
            let place = place(stack);
            json!({
                "class": class,
                "reason": reason,
                "file": place.map(|it| it.file.as_str()),
                "line": place.map(|it| it.line),
                "stack": stack.iter().map(StackEntry::to_string).collect::<Vec<_>>(),
            })
        }
        Outcome::Ok(_)
        | Outcome::Timeout
        | Outcome::Killed
        | Outcome::WorkerDied
        | Outcome::Blocked(_) => {
            json!({"class": null, "reason": null, "file": null, "line": null, "stack": []})
        }
    }
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
        "run_ms": milliseconds(statistics.run_time),
        "replay_ms": milliseconds(statistics.replay_time),
        "solve_ms": milliseconds(statistics.solve_time),
        "report_ms": milliseconds(exploration.report_time),
        "wall_ms": milliseconds(exploration.wall_time),
        "peak_rss_kb": exploration.peak_memory,
    })
}
