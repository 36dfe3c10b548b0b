//! The calls of a search: each is explored once for each entry, and each of those who wait for it
//! goes on once for each exit.
//!
//! The runs that come to an entry decide in it what the first one did, so they go on from one point.
//! States within belong to their entry: which exits an entry has is known by the runs that went
//! through it. Those who wait are states as well, and belong to the entry around them. After a call,
//! a run goes on from a point that stands for the caller and the exit.
//!
//! When nothing else is left to do, there may be a caller and an exit of its call that no run had
//! together. An input for both is the input of the caller with those values in the place of the
//! arguments with which another run came to the exit: the rest of the input has nothing to do with
//! them. So nothing has to be solved. If such an input is too deep, the exits of calls that begin at
//! this level are not all known; then this level gets an entry of its own, and all runs are looked
//! at again.
//!
//! In a long search that moment may never come, so some pairs are tried before.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};

use erlang_term::Term;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::arguments::Arguments;
use super::call_walk::{CallWalk, Meeting, WalkedCall};
use super::interpolants::KeyHash;
use super::splicing::{depth_of, part_at, with_parts};
use super::state_graph::{StateCursor, StateGraph, StatePoint, is_no_deeper};
use crate::pruning::{CallState, Levels, PartPlace, StateKey};

type Numbers = SmallVec<[usize; 1]>;

/// At most this many pairs wait to be tried early.
const MOST_OPEN: usize = 10_000;

/// How calls begin that are explored once.
#[derive(Debug)]
struct EntryState {
    key: StateKey,
    point: StatePoint,
    callers: Vec<usize>,
    exits: Vec<usize>,
}

/// Somebody who waits for a call.
#[derive(Debug)]
struct CallerState {
    /// Its own levels, and those of the entry.
    levels: Levels,
    /// How the call begins.
    entry: StateKey,
    /// The first run that came to it.
    test: usize,
    arguments: Arguments,
    places: Box<[PartPlace]>,
}

/// How calls end.
#[derive(Debug)]
struct ExitState {
    levels: Levels,
    /// Whether a call came to it about which the path says no more than its entry does.
    is_of_entry: bool,
    /// The parts of the input that the call depended on, with which a run came to it.
    values: Arguments,
    /// How deep they are, all together.
    depth: usize,
}

/// A caller and an exit.
#[derive(Clone, Copy, Debug)]
struct CallPair {
    point: StatePoint,
    was_run: bool,
}

/// What is missing when nothing else is left to do.
#[derive(Debug)]
pub(super) enum MissingPairs {
    Nothing,
    /// An input, with the test that it was made from.
    Input(usize, Vec<Term>),
    /// All runs have to be looked at again.
    Again,
    /// A caller and an exit that did not come together in a run that was made for them.
    Lost,
}

/// The calls of a task.
#[derive(Debug, Default)]
pub(super) struct CallGraph {
    entries: Vec<EntryState>,
    by_entry: FxHashMap<KeyHash, Numbers>,
    callers: Vec<CallerState>,
    /// By hash, the entry around, and the entry of the call.
    by_caller: FxHashMap<(KeyHash, usize, usize), Numbers>,
    exits: Vec<ExitState>,
    by_exit: FxHashMap<(usize, KeyHash), Numbers>,
    pairs: FxHashMap<(usize, usize), CallPair>,
    /// Calls that meet no other entry than their own.
    split: FxHashSet<StateKey>,
    /// Whether there are new ones.
    has_split: bool,
    /// Callers and exits that may not have come together yet, oldest first.
    open: VecDeque<(usize, usize)>,
    /// Callers and exits for which an input was made, unless it was too deep.
    tried: FxHashSet<(usize, usize)>,
    /// Hashes of the inputs that were made.
    made: FxHashSet<KeyHash>,
}

impl CallGraph {
    fn entry_state(&self, number: usize) -> &EntryState {
        let entry = self.entries.get(number);
        entry.expect("an entry has its number when it is made")
    }

    fn caller_state(&self, number: usize) -> &CallerState {
        let caller = self.callers.get(number);
        caller.expect("a caller has its number when it is made")
    }

    fn exit_state(&self, number: usize) -> &ExitState {
        let exit = self.exits.get(number);
        exit.expect("an exit has its number when it is made")
    }

    /// Forgets all but which levels have entries of their own.
    pub(super) fn restart(&mut self) {
        *self = Self {
            split: std::mem::take(&mut self.split),
            made: std::mem::take(&mut self.made),
            ..Self::default()
        };
    }

    /// A run begins a call. Returns where it goes on, and whether the entry was known.
    pub(super) fn begin<'run>(
        &mut self,
        graph: &mut StateGraph,
        walk: &mut CallWalk<'run>,
        call: &'run CallState,
    ) -> (StateCursor, bool) {
        let count = self.entries.len();
        let mut walked = WalkedCall {
            entry: walk.entry(),
            caller: None,
            meeting: Meeting::Elsewhere,
            places: &call.places,
            steps: walk.steps(),
            stack: 0,
        };
        if !walk.is_silent() {
            (walked.entry, walked.meeting) = self.entry(graph, call);
            walked.caller = self.caller(walk, call, walked.entry);
        }
        let cursor = StateCursor {
            point: self.entry_state(walked.entry).point,
            is_narrower: walked.meeting != Meeting::Same,
        };
        let caller = walked.caller.map(|it| it.0);
        let [stack, _] = hash_of(&(walk.stack(), walked.entry, caller));
        walk.push(WalkedCall { stack, ..walked });
        (cursor, self.entries.len() == count)
    }

    /// The number of those who wait for a call with an entry, and whether they may have less depth
    /// left than the first ones; `None` if nobody waits.
    fn caller(
        &mut self,
        walk: &CallWalk<'_>,
        call: &CallState,
        entry: usize,
    ) -> Option<(usize, bool)> {
        let waiting = call.waiting.as_ref()?;
        let mut levels = waiting.levels.clone();
        levels.extend_from_slice(&call.entry.levels);
        let key = (waiting.hash, walk.entry(), entry);
        let known = self.by_caller.get(&key).into_iter().flatten().copied();
        let fits = |it: &usize| is_no_deeper(&self.caller_state(*it).levels, &levels);
        if let Some(number) = { known }.find(fits) {
            let is_narrower = self.caller_state(number).levels != levels;
            return Some((number, is_narrower));
        }
        let number = self.callers.len();
        self.callers.push(CallerState {
            levels,
            entry: call.entry.clone(),
            test: walk.test,
            arguments: walk.arguments.encoded().clone(),
            places: call.places.clone(),
        });
        self.by_caller.entry(key).or_default().push(number);
        if let Some(entry) = self.entries.get_mut(entry) {
            entry.callers.push(number);
            let room = MOST_OPEN.saturating_sub(self.open.len());
            let pairs = entry.exits.iter().map(|exit| (number, *exit));
            self.open.extend(pairs.take(room));
        }
        Some((number, false))
    }

    /// The number of an entry, and how a call meets it.
    fn entry(&mut self, graph: &mut StateGraph, call: &CallState) -> (usize, Meeting) {
        if self.entries.is_empty() {
            self.entries.push(EntryState {
                key: call.entry.clone(),
                point: StateCursor::START.point,
                callers: Vec::new(),
                exits: Vec::new(),
            });
        }
        let is_split = self.split.contains(&call.entry);
        for (key, meeting) in [
            (&call.entry, Meeting::Deeper),
            (&call.values, Meeting::Narrower),
        ] {
            for number in self.by_entry.get(&key.hash).into_iter().flatten() {
                let levels = &self.entry_state(*number).key.levels;
                if *levels == call.entry.levels && key.hash == call.entry.hash {
                    return (*number, Meeting::Same);
                }
                if !is_split && is_no_deeper(levels, &key.levels) {
                    return (*number, meeting);
                }
            }
        }
        let number = self.entries.len();
        self.by_entry
            .entry(call.entry.hash)
            .or_default()
            .push(number);
        self.entries.push(EntryState {
            key: call.entry.clone(),
            point: graph.new_point(),
            callers: Vec::new(),
            exits: Vec::new(),
        });
        (number, Meeting::Same)
    }

    /// The call that a run began last ends. Returns where the run goes on; `None` if it goes on from
    /// where it is.
    pub(super) fn end(
        &mut self,
        graph: &mut StateGraph,
        walk: &mut CallWalk<'_>,
        key: Option<&StateKey>,
    ) -> Option<StateCursor> {
        let call = walk.pop()?;
        if call.meeting == Meeting::Elsewhere {
            return None;
        }
        let own = StateKey {
            hash: hash_of(&walk.steps_since(call.steps)),
            levels: Levels::new(),
        };
        let key = key.unwrap_or(&own);
        let exit = self.exit(walk, &call, key);
        let Some((caller, is_narrower)) = call.caller else {
            return Some(StateCursor {
                point: graph.new_point(),
                is_narrower: false,
            });
        };
        let is_narrower = is_narrower || self.exit_state(exit).levels != key.levels;
        let pair = self.pairs.entry((caller, exit));
        let pair = pair.or_insert_with(|| CallPair {
            point: graph.new_point(),
            was_run: false,
        });
        pair.was_run |= !is_narrower;
        Some(StateCursor {
            point: pair.point,
            is_narrower,
        })
    }

    /// The number of an exit.
    fn exit(&mut self, walk: &CallWalk<'_>, call: &WalkedCall<'_>, key: &StateKey) -> usize {
        let roots = self.entry_state(call.entry).key.levels.len();
        let places = call.places.iter().take(roots);
        let values = places.map(|it| part_at(walk.arguments.terms(), it));
        let values = values.collect::<Option<Vec<Term>>>().unwrap_or_default();
        let depth = values.iter().map(depth_of).sum();
        let is_of_entry = call.meeting != Meeting::Narrower;
        let place = (call.entry, key.hash);
        let known = self.by_exit.get(&place).into_iter().flatten().copied();
        let fits = |it: &usize| is_no_deeper(&self.exit_state(*it).levels, &key.levels);
        if let Some(number) = { known }.find(fits) {
            let Some(exit) = self.exits.get_mut(number) else {
                return number;
            };
            let is_new = !exit.is_of_entry && is_of_entry;
            exit.is_of_entry |= is_of_entry;
            if exit.levels == key.levels && (depth < exit.depth || is_new) {
                exit.values = Arguments::new(&values);
                exit.depth = depth;
            }
            return number;
        }
        let number = self.exits.len();
        self.by_exit.entry(place).or_default().push(number);
        self.exits.push(ExitState {
            is_of_entry,
            levels: key.levels.clone(),
            values: Arguments::new(&values),
            depth,
        });
        if let Some(entry) = self.entries.get_mut(call.entry) {
            entry.exits.push(number);
            let room = MOST_OPEN.saturating_sub(self.open.len());
            let pairs = entry.callers.iter().map(|caller| (*caller, number));
            self.open.extend(pairs.take(room));
        }
        number
    }

    /// An input for a caller and an exit that did not come together so far, with the test that it
    /// was made from. It may turn out later that it was not needed.
    pub(super) fn early_pair(&mut self, most_depth: usize) -> Option<(usize, Vec<Term>)> {
        while let Some(pair) = self.open.pop_front() {
            let was_run = self.pairs.get(&pair).is_some_and(|it| it.was_run);
            let (caller, exit) = pair;
            if was_run || !self.exit_state(exit).is_of_entry || self.tried.contains(&pair) {
                continue;
            }
            // What is too deep is left for the end.
            let Some(input) = self.input_for(caller, exit, most_depth) else {
                continue;
            };
            self.tried.insert(pair);
            if self.made.insert(hash_of(&Arguments::new(&input))) {
                return Some((self.caller_state(caller).test, input));
            }
        }
        None
    }

    /// What no run had together, when nothing else is left to do. Inputs are at most this deep. One
    /// is made at a time: its run may have several pairs.
    pub(super) fn missing(&mut self, most_depth: usize) -> MissingPairs {
        let missing = self.missing_pairs();
        let refused = missing
            .iter()
            .filter(|it| self.tried.contains(&(it.1, it.2)));
        let refused: Vec<(usize, usize, usize)> = refused.copied().collect();
        let mut leaving = FxHashSet::default();
        for (entry, caller, _) in refused {
            leaving.insert(caller);
            self.refuse(entry, caller);
        }
        for (entry, caller, exit) in missing {
            if leaving.contains(&caller) {
                continue;
            }
            self.tried.insert((caller, exit));
            let made = self.input_for(caller, exit, most_depth);
            let made = made.filter(|input| self.made.insert(hash_of(&Arguments::new(input))));
            if let Some(input) = made {
                return MissingPairs::Input(self.caller_state(caller).test, input);
            }
            leaving.insert(caller);
            self.refuse(entry, caller);
        }
        if self.has_split {
            MissingPairs::Again
        } else if leaving.is_empty() {
            MissingPairs::Nothing
        } else {
            MissingPairs::Lost
        }
    }

    /// A caller does not see an exit of this entry. Perhaps its call cannot do all that the first one
    /// can. Then it gets an entry of its own.
    fn refuse(&mut self, entry: usize, caller: usize) {
        let own = self.caller_state(caller).entry.clone();
        if own != self.entry_state(entry).key {
            self.has_split |= self.split.insert(own);
        }
    }

    /// The entries with callers and exits that no run had together. Those count for nothing that
    /// are deeper than others.
    fn missing_pairs(&self) -> Vec<(usize, usize, usize)> {
        let callers = self.by_caller.values();
        let callers = least_deep(callers, |it| Some(&self.caller_state(it).levels));
        let exits = self.by_exit.values();
        let exits = least_deep(exits, |it| {
            let exit = self.exit_state(it);
            exit.is_of_entry.then_some(&exit.levels)
        });
        let mut missing = Vec::new();
        for (number, entry) in self.entries.iter().enumerate() {
            for caller in entry.callers.iter().filter(|it| callers.contains(it)) {
                for exit in entry.exits.iter().filter(|it| exits.contains(it)) {
                    let pair = self.pairs.get(&(*caller, *exit));
                    if !pair.is_some_and(|it| it.was_run) {
                        missing.push((number, *caller, *exit));
                    }
                }
            }
        }
        missing
    }

    /// An input for a caller and an exit of its call, unless it is too deep.
    fn input_for(&self, caller: usize, exit: usize, most_depth: usize) -> Option<Vec<Term>> {
        let caller = self.caller_state(caller);
        let exit = self.exit_state(exit);
        let values = exit.values.terms();
        let own = caller.arguments.terms();
        let most = own.iter().map(depth_of).max().unwrap_or(0).max(most_depth);
        let input = with_parts(&own, caller.places.get(..values.len())?, &values)?;
        let is_within = input.iter().all(|it| depth_of(it) <= most);
        is_within.then_some(input)
    }
}

/// Those that have levels and are not deeper than another one in the same list.
fn least_deep<'lists, 'levels>(
    lists: impl Iterator<Item = &'lists Numbers>,
    levels: impl Fn(usize) -> Option<&'levels Levels>,
) -> FxHashSet<usize> {
    let mut found = FxHashSet::default();
    for list in lists {
        let counting = list.iter().filter_map(|it| Some((*it, levels(*it)?)));
        let counting: SmallVec<[(usize, &Levels); 1]> = counting.collect();
        let is_deeper = |it: &(usize, &Levels)| {
            let mut others = counting.iter().filter(|other| other.0 != it.0);
            others.any(|other| is_no_deeper(other.1, it.1))
        };
        let least = counting.iter().filter(|it| !is_deeper(it));
        found.extend(least.map(|it| it.0));
    }
    found
}

fn hash_of(value: &impl Hash) -> KeyHash {
    [2, 3].map(|variant: u64| {
        let mut hasher = DefaultHasher::new();
        variant.hash(&mut hasher);
        value.hash(&mut hasher);
        hasher.finish()
    })
}

#[cfg(test)]
mod tests;
