//! The report as a JSON object, as `docs/report.md` has it.

use serde_json::{Value, json};
use trace_engine::explore::{Gap, Test};

use crate::exploration::coverage::Count;
use crate::exploration::findings::{Finding, place};
use crate::exploration::{Exploration, argument_texts};
use crate::worker::{Outcome, StackEntry};

pub(crate) fn object(exploration: &Exploration<'_>) -> Value {
    let entry = &exploration.target.entry;
    let report = &exploration.report;
    let tests = report.tests.iter().enumerate();
    json!({
        "version": 1,
        "entry": format!("{}:{}/{}", entry.module, entry.function.name, entry.function.arity),
        "complete": report.is_complete(),
        "tests": tests.map(|(number, it)| test(number, it)).collect::<Vec<_>>(),
        "findings": exploration.findings.iter().map(finding).collect::<Vec<_>>(),
        "coverage": {
            "functions": count(exploration.coverage.functions),
            "clauses": count(exploration.coverage.clauses),
            "missed": exploration.coverage.missed.iter().map(|missed| json!({
                "file": missed.file, "line": missed.line, "clause": missed.clause,
            })).collect::<Vec<_>>(),
        },
        "incomplete": report.gaps.iter().map(|(gap, count)| {
            let (code, what) = describe(gap);
            json!({"code": code, "what": what, "count": count})
        }).collect::<Vec<_>>(),
        "stats": statistics(exploration),
    })
}

/// A stable code for a gap, and what it is about.
pub(crate) fn describe(gap: &Gap) -> (&'static str, String) {
    match gap {
        Gap::OpaqueCall(name) => ("opaque-call", name.clone()),
        Gap::NotUnderstood(place) => ("not-understood", place.clone()),
        Gap::Unsolved(place) => ("unsolved", place.clone()),
        Gap::Divergence => ("divergence", "a run did not go where it should".to_owned()),
        Gap::CutRun(why) => ("cut-run", why.clone()),
        Gap::LongRun => ("long-run", "a run has too many decisions".to_owned()),
        Gap::BadLog(error) => ("bad-log", error.clone()),
        Gap::Unconfirmed(crash) => ("unconfirmed", crash.clone()),
        Gap::Stopped => ("stopped", "the search ended before it was done".to_owned()),
    }
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

fn test(number: usize, test: &Test<Outcome>) -> Value {
    let trace: Vec<String> = test.trace.iter().map(u32::to_string).collect();
    let mut object = json!({
        "id": number + 1,
        "parent": test.parent.map(|parent| parent + 1),
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

fn finding(finding: &Finding) -> Value {
    let mut object = json!({
        "test": finding.test + 1,
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
    let statistics = &exploration.report.statistics;
    let milliseconds = |duration: std::time::Duration| duration.as_millis();
    json!({
        "runs": exploration.report.tests.len() + exploration.rejected,
        "rejected": exploration.rejected,
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
        "wall_ms": milliseconds(exploration.wall_time),
        "peak_rss_kb": exploration.peak_memory,
    })
}
