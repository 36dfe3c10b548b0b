//! The data for the script of the page, as JSON. Each text is there once.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::escaping::base64;
use super::page::{EntryPage, MachinePage, Page, StepPage};
use crate::machine::joined_arrows;

/// Longer results are cut.
const LONGEST_RESULT: usize = 400;

/// Texts by number.
#[derive(Default)]
struct Texts {
    numbers: HashMap<String, usize>,
    texts: Vec<String>,
}

impl Texts {
    fn number(&mut self, text: &str) -> usize {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let number = self.texts.len();
        self.numbers.insert(text.to_owned(), number);
        self.texts.push(text.to_owned());
        number
    }
}

/// The data of a page.
pub(super) fn object(page: &Page) -> Value {
    let mut texts = Texts::default();
    let mut reached = Texts::default();
    let entries = page.entries.iter();
    let entries: Vec<Value> = entries
        .map(|it| entry(it, &mut texts, &mut reached))
        .collect();
    let sources = page.sources.iter().map(|source| {
        let lines = source.lines.iter().map(|line| &line.places);
        json!(lines.collect::<Vec<_>>())
    });
    json!({
        "lines": sources.collect::<Vec<_>>(),
        "entries": entries,
        "machines": page.machines.iter().map(machine).collect::<Vec<_>>(),
        "texts": texts.texts,
        "reached": reached.texts,
    })
}

fn entry(entry: &EntryPage, texts: &mut Texts, reached: &mut Texts) -> Value {
    let tests = &entry.tests;
    let mut outcomes = Vec::with_capacity(tests.len());
    let mut results = Vec::with_capacity(tests.len());
    let mut classes = Vec::with_capacity(tests.len());
    for test in tests {
        outcomes.push(texts.number(&test.outcome));
        results.push(texts.number(&cut(&test.result)));
        classes.push(reached.number(&base64(&test.places)));
    }
    let processes = tests.iter().map(|test| {
        let lines = test.processes.iter().map(|it| texts.number(it));
        lines.collect::<Vec<_>>()
    });
    let processes: Vec<Vec<usize>> = processes.collect();
    let steps = entry.steps.iter().map(|it| step(it, texts));
    let steps: Vec<Value> = steps.collect();
    let nodes = &entry.nodes;
    json!({
        "name": entry.name,
        "call": entry.call,
        "arguments": tests.iter().map(|it| &it.arguments).collect::<Vec<_>>(),
        "outcomes": outcomes,
        "results": results,
        "reached": classes,
        "crashes": tests.iter().enumerate().filter(|it| it.1.is_crash).map(|it| it.0)
            .collect::<Vec<_>>(),
        "processes": processes,
        "steps": steps,
        "above": nodes.iter().map(|it| it.above).collect::<Vec<_>>(),
        "nodeSteps": nodes.iter().map(|it| &it.steps).collect::<Vec<_>>(),
        "nodeTests": nodes.iter().map(|it| &it.tests).collect::<Vec<_>>(),
        "goesOnAs": nodes.iter().enumerate().filter_map(|(node, it)| Some((node, it.goes_on_as?)))
            .collect::<Vec<_>>(),
    })
}

/// The states, arrows and transitions of a machine.
fn machine(page: &MachinePage) -> Value {
    let machine = &page.machine;
    let states = machine.states.iter().map(|it| {
        let is_initial = machine.initial.contains(&it.name);
        json!({
            "name": it.name, "count": it.count, "shortest": it.shortest, "initial": is_initial,
        })
    });
    let transitions = machine.transitions.iter().map(|it| {
        json!({
            "from": it.from, "event": it.event, "to": it.to, "count": it.count,
            "crashes": it.crashes, "shortest": it.shortest,
        })
    });
    let arrows = joined_arrows(machine).into_iter().map(|it| it.transitions);
    json!({
        "states": states.collect::<Vec<_>>(),
        "transitions": transitions.collect::<Vec<_>>(),
        "arrows": arrows.collect::<Vec<_>>(),
    })
}

/// Source, line, and the numbers of the texts.
fn step(step: &StepPage, texts: &mut Texts) -> Value {
    let place = step.place.as_ref();
    let name = place.map_or("", |it| &it.text);
    json!([
        place.and_then(|it| it.source),
        place.map_or(0, |it| it.line),
        texts.number(name),
        texts.number(&step.function),
        texts.number(&step.what),
        texts.number(&step.code),
        texts.number(&step.condition),
    ])
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST_RESULT) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
