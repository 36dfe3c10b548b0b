//! Which node gets which input, and how many it has at a time. It knows nothing of threads, clocks and
//! the network: a search tells it what happens and when, and so does a simulation.
//!
//! A worker of a node is never without an input if the next one has arrived when a run ends. So as many
//! are under way as travel while one runs, and a few more, because neither takes always the same time.
//! How long runs and ways take is measured with each answer.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// How many inputs a worker has besides those that hide how long they travel: one that runs, and one
/// that is there when it ends.
const LEAST_AHEAD: u64 = 2;
/// How many inputs a worker may have at most. What has been sent is lost with its node, and is not
/// chosen again when something better comes.
const MOST_AHEAD: u64 = 64;

/// How long a node gathers what it has to say, for each node that there is.
const MOMENT_OF_NODE: Duration = Duration::from_micros(150);
/// At least so long, and at most.
const LEAST_MOMENT: Duration = Duration::from_millis(4);
const MOST_MOMENT: Duration = Duration::from_millis(100);

/// A new time counts for one part in so many of an average.
const WEIGHT: u64 = 8;

/// The nodes that have the program, by the numbers of their sessions.
#[derive(Debug)]
pub struct Fleet {
    /// How many inputs a worker may have.
    most_ahead: u64,
    nodes: BTreeMap<i64, NodeLoad>,
    /// Those that can take another input, the least busy first.
    free: BTreeSet<(u64, i64)>,
}

/// How long things took for an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Times {
    /// How long the input lay at the node.
    pub waited: Duration,
    /// How long it took then.
    pub ran: Duration,
}

#[derive(Debug)]
struct NodeLoad {
    workers: u64,
    most_ahead: u64,
    takes_more: bool,
    /// The inputs that it has, by their numbers.
    owed: BTreeMap<i64, Owed>,
    /// How long ways there and back take, in microseconds.
    travel: Average,
    /// The same of runs.
    run: Average,
}

#[derive(Clone, Copy, Debug)]
struct Owed {
    sent: Duration,
    /// When it is too late for an answer.
    due: Duration,
}

#[derive(Clone, Copy, Debug, Default)]
struct Average(Option<u64>);

impl Default for Fleet {
    fn default() -> Self {
        Self {
            most_ahead: MOST_AHEAD,
            nodes: BTreeMap::new(),
            free: BTreeSet::new(),
        }
    }
}

impl Fleet {
    /// Workers have one input after another, to see what it is worth that more are under way.
    pub fn one_by_one() -> Self {
        Self {
            most_ahead: 1,
            ..Self::default()
        }
    }

    /// A node has the program, and so many workers.
    pub fn begin(&mut self, session: i64, workers: usize) {
        let workers = u64::try_from(workers).unwrap_or(1).max(1);
        let state = NodeLoad {
            workers,
            most_ahead: self.most_ahead,
            takes_more: true,
            owed: BTreeMap::new(),
            travel: Average::default(),
            run: Average::default(),
        };
        self.nodes.insert(session, state);
        self.free.insert((0, session));
    }

    /// Whether there are nodes that take inputs.
    pub fn has_nodes(&self) -> bool {
        self.nodes.values().any(|it| it.takes_more)
    }

    /// Whether a node can take another input.
    pub fn has_room(&self) -> bool {
        !self.free.is_empty()
    }

    /// How long a node gathers what it has to say, unless it has nothing else to do: a frame costs its
    /// receiver about as much whatever is in it. The more nodes there are, the longer, so that the search
    /// gets about as many frames in a second from many nodes as from few.
    pub fn moment(&self) -> Duration {
        let nodes = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        MOMENT_OF_NODE
            .saturating_mul(nodes)
            .clamp(LEAST_MOMENT, MOST_MOMENT)
    }

    /// Gives an input to the node that is least busy, and returns the session with it. `longest` is how
    /// long a run may take.
    pub fn assign(&mut self, input: i64, now: Duration, longest: Duration) -> Option<i64> {
        let (_, session) = *self.free.first()?;
        self.change(session, |node| node.owe(input, now, longest));
        Some(session)
    }

    /// Gives a question about a run to the node that has made it. Returns whether it takes that.
    pub fn ask(&mut self, session: i64, input: i64, now: Duration, longest: Duration) -> bool {
        let takes_more = self.nodes.get(&session).is_some_and(|it| it.takes_more);
        if takes_more {
            self.change(session, |node| node.owe(input, now, longest));
        }
        takes_more
    }

    /// A node has answered. Returns whether it owed that.
    pub fn answered(&mut self, session: i64, input: i64, now: Duration, times: Times) -> bool {
        let owed = self.change(session, |node| {
            let owed = node.owed.remove(&input)?;
            let there = times.waited.saturating_add(times.ran);
            let away = now.saturating_sub(owed.sent);
            node.travel.add(away.saturating_sub(there));
            node.run.add(times.ran);
            Some(owed)
        });
        owed.flatten().is_some()
    }

    /// A node gives an input back. Returns whether it had it.
    pub fn returned(&mut self, session: i64, input: i64) -> bool {
        let owed = self.change(session, |node| node.owed.remove(&input));
        owed.flatten().is_some()
    }

    /// A node answers what it owes, and takes nothing more.
    pub fn leave(&mut self, session: i64) {
        self.change(session, |node| node.takes_more = false);
    }

    /// Whether a node has left and owes nothing.
    pub fn has_left(&self, session: i64) -> bool {
        let node = self.nodes.get(&session);
        node.is_some_and(|it| !it.takes_more && it.owed.is_empty())
    }

    /// A session is over. Returns the inputs that are lost with it.
    pub fn lose(&mut self, session: i64) -> Vec<i64> {
        let Some(node) = self.nodes.remove(&session) else {
            return Vec::new();
        };
        self.free.remove(&(node.load(), session));
        node.owed.into_keys().collect()
    }

    /// The sessions with nodes that should have answered.
    pub fn overdue(&self, now: Duration) -> Vec<i64> {
        let is_late = |node: &NodeLoad| node.owed.values().any(|it| it.due < now);
        let nodes = self.nodes.iter();
        nodes.filter(|it| is_late(it.1)).map(|it| *it.0).collect()
    }

    /// Changes a node, and keeps `free` true.
    fn change<T>(&mut self, session: i64, change: impl FnOnce(&mut NodeLoad) -> T) -> Option<T> {
        let moment = self.moment();
        let node = self.nodes.get_mut(&session)?;
        let before = node.load();
        let had_room = self.free.contains(&(before, session));
        let changed = change(node);
        let has_room = node.has_room(moment);
        let after = node.load();
        if had_room && has_room && before == after {
            return Some(changed);
        }
        if had_room {
            self.free.remove(&(before, session));
        }
        if has_room {
            self.free.insert((after, session));
        }
        Some(changed)
    }
}

impl NodeLoad {
    /// It gets something that may take so long.
    fn owe(&mut self, input: i64, now: Duration, longest: Duration) {
        // Each input before this one may need all its time, twice.
        let before = self.busy() / self.workers;
        let runs = u32::try_from(2 * (before + 1)).unwrap_or(u32::MAX);
        let due = now.saturating_add(longest.saturating_mul(runs));
        self.owed.insert(input, Owed { sent: now, due });
    }

    fn busy(&self) -> u64 {
        u64::try_from(self.owed.len()).unwrap_or(u64::MAX)
    }

    /// How busy it is: inputs for each worker, in thousandths.
    fn load(&self) -> u64 {
        self.busy().saturating_mul(1_000) / self.workers
    }

    fn has_room(&self, moment: Duration) -> bool {
        self.takes_more && self.busy() < self.workers.saturating_mul(self.ahead(moment))
    }

    /// How many inputs each worker should have. What it has made waits for half a moment on average,
    /// and for a whole one in the worst case.
    fn ahead(&self, moment: Duration) -> u64 {
        let gathered = u64::try_from(moment.as_micros()).unwrap_or(0) / 2;
        let hidden = match (self.travel.0, self.run.0) {
            (Some(travel), Some(run)) => (travel + gathered).div_ceil(run.max(1)).max(1),
            _ => 1,
        };
        // Half as many again, because runs do not take the same time.
        let ahead = hidden.saturating_add(hidden / 2);
        ahead.saturating_add(LEAST_AHEAD).min(self.most_ahead)
    }
}

impl Average {
    fn add(&mut self, time: Duration) {
        let new = u64::try_from(time.as_micros()).unwrap_or(u64::MAX / WEIGHT);
        let average = self.0.unwrap_or(new);
        let sum = average.saturating_mul(WEIGHT - 1).saturating_add(new);
        self.0 = Some(sum / WEIGHT);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUN: Duration = Duration::from_millis(1);

    fn at(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    fn times() -> Times {
        Times {
            waited: Duration::ZERO,
            ran: RUN,
        }
    }

    /// Gives inputs until there is no room, and returns who got them.
    fn fill(fleet: &mut Fleet, first: i64, now: Duration) -> Vec<i64> {
        let given = (first..).map_while(|it| fleet.assign(it, now, RUN));
        given.collect()
    }

    #[test]
    fn the_least_busy_node_is_next() {
        let mut fleet = Fleet::default();
        assert!(!fleet.has_nodes() && !fleet.has_room());
        fleet.begin(1, 1);
        fleet.begin(2, 2);
        let given = fill(&mut fleet, 0, at(0));
        assert_eq!(given, [1, 2, 2, 1, 2, 2, 1, 2, 2]);
        assert!(fleet.has_nodes() && !fleet.has_room());
    }

    #[test]
    fn as_many_are_under_way_as_travel_while_one_runs() {
        let mut fleet = Fleet::default();
        fleet.begin(1, 1);
        assert_eq!(fill(&mut fleet, 0, at(0)).len(), 3);
        assert!(fleet.answered(1, 0, at(11), times()));
        // Ten milliseconds on the way and two for gathering, one for a run; two inputs are there.
        assert_eq!(fill(&mut fleet, 3, at(11)).len(), 12 + 6 + 2 - 2);
    }

    #[test]
    fn many_nodes_gather_longer_and_have_more_under_way() {
        let mut fleet = Fleet::default();
        fleet.begin(1, 1);
        assert_eq!(fleet.moment(), LEAST_MOMENT);
        (2..=100).for_each(|session| fleet.begin(session, 1));
        assert_eq!(fleet.moment(), at(15));
        let given = fill(&mut fleet, 0, at(0));
        assert_eq!(given.first(), Some(&1));
        assert!(fleet.answered(1, 0, at(1), times()));
        // Nothing travels, and half of fifteen milliseconds is hidden.
        let again = fill(&mut fleet, 1_000, at(1));
        assert_eq!(again.len(), 8 + 4 + 2 - 2);
        (101..=1_000).for_each(|session| fleet.begin(session, 1));
        assert_eq!(fleet.moment(), MOST_MOMENT);
    }

    #[test]
    fn an_answer_counts_once_and_only_if_it_is_owed() {
        let mut fleet = Fleet::default();
        fleet.begin(1, 1);
        assert_eq!(fleet.assign(7, at(0), RUN), Some(1));
        assert!(!fleet.answered(1, 8, at(1), times()));
        assert!(!fleet.answered(2, 7, at(1), times()));
        assert!(fleet.answered(1, 7, at(1), times()));
        assert!(!fleet.answered(1, 7, at(1), times()));
    }

    #[test]
    fn what_a_node_has_is_lost_with_its_session() {
        let mut fleet = Fleet::default();
        fleet.begin(1, 1);
        let given = fill(&mut fleet, 0, at(0));
        assert_eq!(fleet.lose(1), [0, 1, 2]);
        assert_eq!(given.len(), 3);
        assert!(!fleet.has_nodes() && !fleet.has_room());
        assert_eq!(fleet.lose(1), [0_i64; 0]);
        assert!(!fleet.answered(1, 0, at(1), times()));
    }

    #[test]
    fn a_node_that_leaves_answers_what_it_owes() {
        let mut fleet = Fleet::default();
        fleet.begin(1, 1);
        fill(&mut fleet, 0, at(0));
        fleet.leave(1);
        assert!(!fleet.has_left(1));
        assert!(fleet.answered(1, 0, at(1), times()));
        assert!(fleet.returned(1, 1) && fleet.returned(1, 2));
        assert!(!fleet.has_room());
        assert!(fleet.has_left(1));
    }

    #[test]
    fn a_node_may_take_longer_if_it_has_more_to_do() {
        let mut fleet = Fleet::default();
        fleet.begin(1, 1);
        fill(&mut fleet, 0, at(0));
        assert_eq!(fleet.overdue(at(2)), [0_i64; 0]);
        assert_eq!(fleet.overdue(at(3)), [1]);
        assert!(fleet.answered(1, 0, at(3), times()));
        assert_eq!(fleet.overdue(at(4)), [0_i64; 0]);
        assert_eq!(fleet.overdue(at(5)), [1]);
    }
}
