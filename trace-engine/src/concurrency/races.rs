//! The other orders that a run shows to be possible.

use smallvec::{SmallVec, smallvec};

use super::clocks::{covers, join};
use super::cut::{Cut, LastEvent};
use super::history::{History, Mailboxes};
use crate::replay::RunEventKind;

/// The parts of a run that end in another order of two steps, in a look at another message, in a
/// timeout in place of a look, or in what a process does in place of its death. Whether the time of a `receive` may be over at any moment is asked
/// with its number.
pub(crate) fn reversals(history: &History<'_>, times_out: impl Fn(usize) -> bool) -> Vec<Cut> {
    let mut cuts = Vec::new();
    for (number, event) in history.events.iter().enumerate() {
        if number < history.first_spawn || event.waits {
            continue;
        }
        match event.kind {
            RunEventKind::Look { receive, .. } => {
                other_looks(history, number, &mut cuts);
                if times_out(receive) {
                    cuts.extend(timeout_instead(history, number));
                }
            }
            RunEventKind::Timeout { .. } => {
                other_looks(history, number, &mut cuts);
                races(history, number, &mut cuts);
            }
            RunEventKind::Step(_)
            | RunEventKind::Send { .. }
            | RunEventKind::Deliver { .. }
            | RunEventKind::Spawn { .. }
            | RunEventKind::End => races(history, number, &mut cuts),
            RunEventKind::Decision(_) => {}
        }
    }
    // What a process that was about to make a step does in place of its death.
    for (number, death) in history.numbered_deaths() {
        if !death.is_waiting {
            let last = LastEvent::GoesOn {
                in_place_of: number,
            };
            cuts.push(Cut::without(history, &[death.by], last));
        }
    }
    cuts
}

/// The steps of other processes that a step races with: it depends on them, and nothing comes
/// between.
fn races(history: &History<'_>, step: usize, cuts: &mut Vec<Cut>) {
    let Some(causes) = history.causes.get(step) else {
        return;
    };
    let before = history.before.get(step).copied().flatten();
    let mut known: SmallVec<[u32; 8]> = match before {
        Some(before) => history.clock(before).into(),
        None => smallvec![0; history.by_process.len()],
    };
    for earlier in history.behind(step) {
        join(&mut known, history.clock(*earlier));
    }
    // The latest first: what comes between is met before.
    let mut causes: SmallVec<[usize; 4]> = causes.iter().copied().collect();
    causes.sort_unstable_by(|one, other| other.cmp(one));
    for cause in causes {
        let process = history.process(cause);
        let is_race =
            !covers(&known, process, history.position(cause)) && !history.barriers.contains(&cause);
        if is_race {
            cuts.push(Cut::without(history, &[cause], LastEvent::Step(step)));
        }
        join(&mut known, history.clock(cause));
    }
}

/// Looks at other messages, in place of a look or a timeout.
fn other_looks(history: &History<'_>, event: usize, cuts: &mut Vec<Cut>) {
    // Otherwise races between sends lead there.
    if history.mailboxes == Mailboxes::Ordered {
        return;
    }
    let rivals = history.rivals.get(event).map_or(&[][..], Vec::as_slice);
    for send in rivals {
        let last = LastEvent::Look {
            in_place_of: event,
            send: *send,
        };
        cuts.push(Cut::without(history, &[event], last));
    }
}

/// The end of the time in place of a look: no message that could match was sent before.
fn timeout_instead(history: &History<'_>, look: usize) -> Option<Cut> {
    let RunEventKind::Look { send, .. } = history.events.get(look)?.kind else {
        return None;
    };
    let rivals = history.rivals.get(look)?.iter().copied();
    let mut dropped: Vec<usize> = rivals.chain([send]).collect();
    let before = history.before.get(look).copied().flatten();
    let is_there = |send: &usize| before.is_some_and(|it| history.happens_before(*send, it));
    if dropped.iter().any(is_there) {
        return None;
    }
    dropped.push(look);
    let last = LastEvent::Timeout { in_place_of: look };
    Some(Cut::without(history, &dropped, last))
}
