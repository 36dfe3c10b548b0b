//! What changed between two runs of `make bench`.

use std::collections::BTreeMap;

use super::columns::{Better, Column};
use super::joined::Joined;
use super::report::{Target, shown};

/// How much worse a timed figure may be before it is more than noise. Counts have no noise.
pub const NOISE: f64 = 0.25;

/// A figure has a table, a row and a column.
type Place<'run> = (&'run str, &'run str, &'run str);

/// Two runs side by side.
#[derive(Debug)]
pub struct Comparison {
    lines: Vec<String>,
    worse: Vec<String>,
    same: usize,
}

impl Comparison {
    /// Compares a run with one before it.
    pub fn new(before: &Joined, after: &Joined) -> Self {
        let mut comparison = Self {
            lines: Vec::new(),
            worse: Vec::new(),
            same: 0,
        };
        let old: BTreeMap<Place<'_>, Option<f64>> = figures(before)
            .map(|(place, _, figure)| (place, figure))
            .collect();
        let mut gone = old.clone();
        for (place, column, figure) in figures(after) {
            gone.remove(&place);
            match old.get(&place) {
                Some(was) => comparison.figure(place, column, *was, figure),
                None => comparison.line(place, "–", &shown(figure), "new", ""),
            }
        }
        for (place, was) in gone {
            comparison.line(place, &shown(was), "–", "gone", "");
        }
        let targets = |run| -> BTreeMap<&str, &Target> {
            let all = all_targets(run);
            all.map(|it| (it.text.as_str(), it)).collect()
        };
        let old_targets = targets(before);
        for target in all_targets(after) {
            if let Some(was) = old_targets.get(target.text.as_str()) {
                comparison.target(was, target);
            }
        }
        comparison
    }

    /// How many figures and targets got worse by more than noise.
    pub fn worse(&self) -> usize {
        self.worse.len()
    }

    /// As Markdown: what changed, then what got worse.
    pub fn markdown(&self) -> String {
        let mut text = format!(
            "# Changes against the saved run\n\n\
             A timed figure is worse if it changed for the worse by more than {:.0} %; a count is \
             worse if it changed for the worse at all. {} figures are the same.\n\n\
             | table | row | figure | before | after | change | |\n\
             |---|---|---|---:|---:|---:|---|\n",
            NOISE * 100.0,
            self.same,
        );
        text.extend(self.lines.iter().map(String::as_str));
        if self.worse.is_empty() {
            text.push_str("\nNothing got worse by more than noise.\n");
        } else {
            text.push_str("\n## Worse\n\n");
            text.extend(self.worse.iter().map(String::as_str));
        }
        text
    }

    fn figure(
        &mut self,
        place: Place<'_>,
        column: &Column,
        before: Option<f64>,
        after: Option<f64>,
    ) {
        let (Some(was), Some(is)) = (before, after) else {
            if before == after {
                self.same += 1;
            } else {
                self.line(place, &shown(before), &shown(after), "", "");
            }
            return;
        };
        if was == is {
            self.same += 1;
            return;
        }
        let change = if was == 0.0 {
            String::new()
        } else {
            format!("{:+.0} %", (is / was - 1.0) * 100.0)
        };
        let verdict = verdict(column, was, is);
        self.line(place, &shown(before), &shown(after), &change, verdict);
        if verdict == WORSE {
            let (table, row, name) = place;
            let figures = format!("{} before, {} now", shown(before), shown(after));
            self.worse
                .push(format!("- {table}, {row}, {name}: {figures}\n"));
        }
    }

    fn target(&mut self, before: &Target, after: &Target) {
        if before.is_met && !after.is_met {
            let figures = format!(
                "{} before, {} now",
                shown(before.figure),
                shown(after.figure)
            );
            self.worse
                .push(format!("- no longer met: {}: {figures}\n", after.text));
        }
    }

    fn line(&mut self, place: Place<'_>, before: &str, after: &str, change: &str, verdict: &str) {
        let (table, row, name) = place;
        self.lines.push(format!(
            "| {table} | {row} | {name} | {before} | {after} | {change} | {verdict} |\n"
        ));
    }
}

const WORSE: &str = "**worse**";
const BETTER: &str = "better";

/// Whether a change is more than noise.
fn verdict(column: &Column, before: f64, after: f64) -> &'static str {
    let noise = if column.is_counted { 0.0 } else { NOISE };
    // In the direction in which the column gets worse.
    let (good, bad) = match column.better {
        Better::More => (after, before),
        Better::Less => (before, after),
        Better::Neither => return "",
    };
    if bad > good * (1.0 + noise) {
        WORSE
    } else if good > bad * (1.0 + noise) {
        BETTER
    } else {
        ""
    }
}

/// All figures of a run with their columns.
fn figures(run: &Joined) -> impl Iterator<Item = (Place<'_>, &Column, Option<f64>)> {
    let tables = run.reports.iter().flat_map(|it| &it.tables);
    tables.flat_map(|table| {
        table.rows.iter().flat_map(|row| {
            let cells = table.columns.iter().zip(&row.figures);
            cells.map(|(column, figure)| {
                let place = (
                    table.title.as_str(),
                    row.name.as_str(),
                    column.name.as_str(),
                );
                (place, column, *figure)
            })
        })
    })
}

fn all_targets(run: &Joined) -> impl Iterator<Item = &Target> {
    run.reports.iter().flat_map(|it| &it.targets)
}
