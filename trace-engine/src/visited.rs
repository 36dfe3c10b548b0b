//! The paths that were run and the alternatives that were tried: a trie of events.
//!
//! A path of one process is its decisions. Of several processes each has a path of its own, with
//! its steps on it; an event that depends on events of other processes leads to a point that stands
//! for all of them.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A point on a path: the events that lead there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Point(u32);

impl Point {
    /// Its number: 0 where all paths begin, and then in the order in which they were reached.
    pub(crate) fn number(self) -> usize {
        self.0 as usize
    }
}

/// What leads from a point to the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Label {
    /// A branch of a decision.
    Way(u32),
    /// A step. Which one it is follows from the events before it.
    Step,
    /// A look at a message.
    Look,
    /// The end of the time of a `receive`.
    Timeout,
    /// Any step or look, in a process that others may end.
    GoesOn,
    /// The beginning of the process that a step started.
    Child,
}

impl Label {
    /// A branch by its number.
    pub(crate) fn way(way: usize) -> Self {
        Self::Way(u32::try_from(way).expect("a case has fewer than 2^32 clauses"))
    }
}

/// The events of other processes that an event depends on.
pub(crate) type Causes = SmallVec<[Point; 2]>;

#[derive(Debug, Default)]
struct Node {
    /// The branches that were run or tried, with the point after each that was run.
    ways: Vec<(u32, Option<Point>)>,
    /// Whether a path ends here.
    is_end: bool,
}

/// All paths so far.
#[derive(Debug)]
pub(crate) struct Visited {
    nodes: Vec<Node>,
    /// Where events lead that are not branches, or that depend on other processes.
    others: FxHashMap<(Point, Label, Causes), Point>,
}

impl Default for Visited {
    fn default() -> Self {
        Self {
            nodes: vec![Node::default()],
            others: FxHashMap::default(),
        }
    }
}

impl Visited {
    /// Where all paths begin.
    pub(crate) const START: Point = Point(0);

    fn node(&mut self, point: Point) -> &mut Node {
        let node = self.nodes.get_mut(point.0 as usize);
        node.expect("a point is made with its node")
    }

    fn next_point(&self) -> Point {
        Point(u32::try_from(self.nodes.len()).expect("fewer than 2^32 points"))
    }

    /// The next point on a path.
    pub(crate) fn step(&mut self, point: Point, way: usize) -> Point {
        let way = u32::try_from(way).expect("a case has fewer than 2^32 clauses");
        let next = self.next_point();
        let ways = &mut self.node(point).ways;
        match ways.iter_mut().find(|it| it.0 == way) {
            Some((_, Some(known))) => return *known,
            Some((_, unknown)) => *unknown = Some(next),
            None => ways.push((way, Some(next))),
        }
        self.nodes.push(Node::default());
        next
    }

    /// The point after an event, which may depend on events of other processes.
    pub(crate) fn follow(&mut self, point: Point, label: Label, mut causes: Causes) -> Point {
        if let (Label::Way(way), true) = (label, causes.is_empty()) {
            return self.step(point, way as usize);
        }
        causes.sort_unstable();
        let next = self.next_point();
        let known = self.others.entry((point, label, causes)).or_insert(next);
        if *known == next {
            self.nodes.push(Node::default());
        }
        *known
    }

    /// The point after an event, if a run had it.
    pub(crate) fn find(&self, point: Point, label: Label, mut causes: Causes) -> Option<Point> {
        if let (Label::Way(way), true) = (label, causes.is_empty()) {
            let ways = &self.nodes.get(point.number())?.ways;
            return ways.iter().find(|it| it.0 == way)?.1;
        }
        causes.sort_unstable();
        self.others.get(&(point, label, causes)).copied()
    }

    /// Notes that a path ends at a point. Returns whether it is the first one.
    pub(crate) fn end(&mut self, point: Point) -> bool {
        !std::mem::replace(&mut self.node(point).is_end, true)
    }

    /// Forgets that a branch was tried, unless it was run.
    pub(crate) fn take_back(&mut self, point: Point, way: usize) {
        let is_it = |it: &(u32, Option<Point>)| it.0 as usize == way && it.1.is_none();
        self.node(point).ways.retain(|it| !is_it(it));
    }

    /// Notes that a branch is tried. Returns whether it was neither run nor tried before.
    pub(crate) fn ask(&mut self, point: Point, way: usize) -> bool {
        let way = u32::try_from(way).expect("a case has fewer than 2^32 clauses");
        let ways = &mut self.node(point).ways;
        if ways.iter().any(|it| it.0 == way) {
            return false;
        }
        ways.push((way, None));
        true
    }
}
