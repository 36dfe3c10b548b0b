//! Findings: crashes at one place for one reason, confirmed on the original code.
//!
//! The crashes of each function are grouped by their cause. The smallest inputs of each group are
//! run again on the original code. Groups of all functions with the same cause there are one finding.

mod cause;
mod confirmed;
mod crash_group;
mod finding;
mod ordered_crash;
mod raised_values;
mod reason_key;
mod smaller_crash;

use std::collections::HashMap;

use trace_engine::explore::Gap;

use crate::acceptance::FindingKey;
use crate::chart::Racing;
use crate::explored_code::ExploredCode;
use crate::original_code::OriginalCode;
use crate::searched::Searched;
pub use cause::Cause;
use confirmed::{Confirmed, Confirming};
use crash_group::{CrashGroup, RunAgain, crash_groups};
use finding::places_of_race;
pub use finding::{ConfirmedOn, CrashInput, CrashPlay, Finding};
use ordered_crash::{tried_on_code, with_chart, with_fewer_switches, with_race};
use reason_key::ReasonKeys;
use smaller_crash::with_smaller_input;

/// Finds the crashes of all searches and runs them again. Of the other inputs of a finding at most
/// `most_also` are kept. A group that does not crash on the original code becomes a gap of its
/// search. Also returns why an input could not be run again: the rest of the report is still worth
/// having.
pub fn find_crashes<C: OriginalCode>(
    code: &ExploredCode<'_>,
    searches: &mut [Searched],
    most_also: usize,
    original: &mut C,
) -> (Vec<Finding>, Option<C::Failure>) {
    let keys = ReasonKeys::new(code);
    let groups = crash_groups(code, &keys, searches);
    let confirming = Confirming { code, keys: &keys };
    let mut failure = None;
    let mut confirmed: Vec<(CrashGroup, Confirmed)> = Vec::new();
    for group in in_turns(groups, searches) {
        let Some(search) = searches.get_mut(group.search) else {
            continue;
        };
        match group.confirm(&confirming, search, original, &mut failure) {
            RunAgain::Crashed(found) => confirmed.push((group, *found)),
            RunAgain::DidNotCrash => search.add_gap(Gap::Unconfirmed(group.words()), &group.tests),
            RunAgain::NoTime => search.add_gap(Gap::UncheckedCrash(group.words()), &group.tests),
        }
    }
    let smaller = confirmed.into_iter().map(|(group, found)| {
        let entry = searches.get(group.search).map(|it| &it.entry);
        let found = match entry {
            Some(entry) => {
                let smaller = with_smaller_input(found, &confirming, entry, original);
                let smaller = smaller.with_marks(entry, original);
                if smaller.schedule.is_some() && !entry.waits(&smaller.arguments) {
                    let simpler = with_fewer_switches(smaller, &confirming, entry, original);
                    let with_race = with_race(simpler, &confirming, entry, original);
                    let tried = tried_on_code(with_race, &confirming, entry, original);
                    with_chart(tried, entry, original)
                } else {
                    smaller.with_message(entry, original)
                }
            }
            None => found,
        };
        (group, found)
    });
    let mut confirmed: Vec<_> = smaller.collect();
    confirmed.sort_by_key(|(group, _)| group.first());
    (merged(code, confirmed, searches, most_also), failure)
}

/// Orders groups so that each cause comes once before any comes twice, and runs that take long come
/// last: those that wait for real timers, and those that do not end. If there is no time to run all of
/// them again, there is at least one input for most findings.
fn in_turns(groups: Vec<CrashGroup>, searches: &[Searched]) -> Vec<CrashGroup> {
    let mut counts: HashMap<Cause, usize> = HashMap::new();
    let mut numbered: Vec<(usize, CrashGroup)> = Vec::with_capacity(groups.len());
    for group in groups {
        let count = counts.entry(group.cause.clone()).or_default();
        numbered.push((*count, group));
        *count += 1;
    }
    numbered.sort_by_cached_key(|(count, group)| {
        let search = searches.get(group.search);
        let waits = search.is_some_and(|it| group.waits(it));
        (group.cause.is_endless(), waits, *count)
    });
    numbered.into_iter().map(|it| it.1).collect()
}

/// One finding for each cause on the original code.
fn merged(
    code: &ExploredCode<'_>,
    confirmed: Vec<(CrashGroup, Confirmed)>,
    searches: &[Searched],
    most_also: usize,
) -> Vec<Finding> {
    let mut numbers: HashMap<Cause, usize> = HashMap::new();
    let mut groups: Vec<Vec<(CrashGroup, Confirmed)>> = Vec::new();
    for (group, found) in confirmed {
        let number = *numbers.entry(found.cause.clone()).or_insert(groups.len());
        match groups.get_mut(number) {
            Some(known) => known.push((group, found)),
            None => groups.push(vec![(group, found)]),
        }
    }
    let findings = groups.into_iter();
    let findings = findings.filter_map(|it| finding(code, it, searches, most_also));
    let mut findings: Vec<Finding> = findings.collect();
    findings.sort_by_key(|it| !it.is_likely);
    findings
}

/// The finding of some groups with the same cause.
fn finding(
    code: &ExploredCode<'_>,
    mut groups: Vec<(CrashGroup, Confirmed)>,
    searches: &[Searched],
    most_also: usize,
) -> Option<Finding> {
    let is_plain = |group: &CrashGroup, found: &Confirmed| {
        let search = searches.get(group.search);
        search.is_some_and(|it| found.is_plain(it))
    };
    groups.sort_by_cached_key(|(group, found)| {
        let is_plain = is_plain(group, found);
        (!is_plain, found.switches(), found.size(), group.first())
    });
    let tests = groups.iter().map(|it| it.0.tests.len()).sum();
    let first_test = groups.iter().map(|it| it.0.first()).min()?;
    let mut inputs: Vec<CrashInput> = Vec::new();
    for (group, found) in &groups {
        if inputs.iter().all(|it| it.search != group.search) {
            let search = searches.get(group.search)?;
            inputs.push(found.input(group.search, search));
        }
    }
    let first = inputs.first()?;
    let own = groups.iter().filter(|it| it.0.search == first.search);
    let mut others: Vec<usize> = own.flat_map(|it| it.0.tests.iter().copied()).collect();
    others.retain(|test| *test != first.test || first.is_shrunk);
    let also = searches
        .get(first.search)
        .map(|search| search.smallest(others, most_also))
        .unwrap_or_default();
    let also = also.into_iter().filter(|it| *it != first.arguments);
    let also = also.collect();
    let entry = &searches.get(first.search)?.entry;
    let (group, found) = groups.into_iter().next()?;
    let play = found.play(entry);
    let reason = found.cause.reason();
    let race = found.needs_order.then(|| {
        let planned = searches.get(group.search);
        found.race.or_else(|| planned?.race(found.test))
    });
    let race = race.flatten();
    let racing = found.racing.map(Racing::Events);
    let racing = racing.or_else(|| race.map(Racing::Places));
    let chart = found.charted.as_ref().map(|run| run.chart(code, racing));
    Some(Finding {
        inputs,
        is_likely: is_plain(&group, &found),
        key: FindingKey::new(entry, &found.outcome, found.site.as_ref(), reason),
        is_accepted: false,
        race: race.and_then(|it| places_of_race(code, it)),
        chart,
        process: found.process,
        needs_order: found.needs_order,
        schedule: found.schedule.filter(|it| !it.leases().is_empty()),
        confirmed_on: found.on,
        outcome: found.outcome,
        play,
        message: found.message,
        site: found.site,
        also,
        tests,
        first_test: (first_test.0, first_test.1.unwrap_or(0)),
    })
}
