//! The paths that were run and the alternatives that were tried.
//!
//! A path of one process is its decisions: a trie. Of several processes each has a path of its own,
//! with its steps on it; an event that depends on events of other processes leads to a point that
//! stands for all of them. There is no trie of these: such a point is a hash of what led there.

use std::num::NonZero;

use smallvec::SmallVec;

/// A point on a path: the events that lead there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Point(u64);

impl Point {
    /// Hashes have it, numbers of nodes do not.
    const IS_HASH: u64 = 1 << 63;

    /// The point after an event.
    fn after(self, label: Label, mut causes: Causes) -> Self {
        causes.sort_unstable();
        let event = mixed(self.0, label.number());
        let hash = causes
            .iter()
            .fold(event, |hash, cause| mixed(hash, cause.0));
        Self(hash | Self::IS_HASH)
    }

    fn of_node(number: NonZero<u32>) -> Self {
        Self(u64::from(number.get()))
    }

    /// Its number in the trie: 0 where all paths begin, and then in the order in which they were
    /// reached.
    fn node(self) -> Option<usize> {
        let is_node = self.0 & Self::IS_HASH == 0;
        usize::try_from(self.0).ok().filter(|_| is_node)
    }
}

/// A hash of two numbers, in this order: both halves of a product.
fn mixed(one: u64, other: u64) -> u64 {
    let one = u128::from(one ^ 0x9e37_79b9_7f4a_7c15);
    let other = u128::from(other.wrapping_add(0xd6e8_feb8_6659_fd93));
    let product = one * other;
    let half = |bits: u128| u64::try_from(bits & u128::from(u64::MAX)).unwrap_or_default();
    let halves = half(product) ^ half(product >> 64);
    halves.wrapping_mul(0xbf58_476d_1ce4_e5b9).rotate_left(31)
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
    /// The delivery of a message.
    Delivery,
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

    fn number(self) -> u64 {
        match self {
            Self::Step => 1,
            Self::Look => 2,
            Self::Timeout => 3,
            Self::GoesOn => 4,
            Self::Child => 5,
            // No branch has this number.
            Self::Delivery => u64::MAX,
            Self::Way(way) => 6 + u64::from(way),
        }
    }
}

/// The events of other processes that an event depends on.
pub(crate) type Causes = SmallVec<[Point; 2]>;

#[derive(Debug, Default)]
struct Node {
    /// The branches that were run or tried, with the node after each that was run. There are many
    /// of these, so they are small.
    ways: Vec<(u32, Option<NonZero<u32>>)>,
    /// Whether a path ends here.
    is_end: bool,
}

/// All paths so far.
#[derive(Debug)]
pub(crate) struct Visited {
    nodes: Vec<Node>,
}

impl Default for Visited {
    fn default() -> Self {
        Self {
            nodes: vec![Node::default()],
        }
    }
}

impl Visited {
    /// Where all paths begin.
    pub(crate) const START: Point = Point(0);

    fn node(&mut self, point: Point) -> &mut Node {
        let node = point.node().and_then(|number| self.nodes.get_mut(number));
        node.expect("a point is made with its node")
    }

    /// The next point on a path of one process.
    pub(crate) fn step(&mut self, point: Point, way: usize) -> Point {
        let way = u32::try_from(way).expect("a case has fewer than 2^32 clauses");
        let next = u32::try_from(self.nodes.len()).ok().and_then(NonZero::new);
        let next = next.expect("fewer than 2^32 points, and one is there");
        let ways = &mut self.node(point).ways;
        match ways.iter_mut().find(|it| it.0 == way) {
            Some((_, Some(known))) => return Point::of_node(*known),
            Some((_, unknown)) => *unknown = Some(next),
            None => ways.push((way, Some(next))),
        }
        self.nodes.push(Node::default());
        Point::of_node(next)
    }

    /// The point after an event, which may depend on events of other processes.
    pub(crate) fn follow(&mut self, point: Point, label: Label, causes: Causes) -> Point {
        if let (Label::Way(way), Some(_), true) = (label, point.node(), causes.is_empty()) {
            return self.step(point, way as usize);
        }
        point.after(label, causes)
    }

    /// The point after an event; `None` if it is a decision that no run of one process made.
    pub(crate) fn find(&self, point: Point, label: Label, causes: Causes) -> Option<Point> {
        if let (Label::Way(way), Some(node), true) = (label, point.node(), causes.is_empty()) {
            let ways = &self.nodes.get(node)?.ways;
            return ways.iter().find(|it| it.0 == way)?.1.map(Point::of_node);
        }
        Some(point.after(label, causes))
    }

    /// Notes that a path ends at a point. Returns whether it is the first one.
    pub(crate) fn end(&mut self, point: Point) -> bool {
        !std::mem::replace(&mut self.node(point).is_end, true)
    }

    /// Forgets that a branch was tried, unless it was run.
    pub(crate) fn take_back(&mut self, point: Point, way: usize) {
        let is_it = |it: &(u32, Option<NonZero<u32>>)| it.0 as usize == way && it.1.is_none();
        self.node(point).ways.retain(|it| !is_it(it));
    }

    /// Whether a branch was run or tried.
    pub(crate) fn knows(&mut self, point: Point, way: usize) -> bool {
        let ways = &self.node(point).ways;
        ways.iter().any(|it| it.0 as usize == way)
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

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use smallvec::smallvec;

    use super::*;

    #[test]
    fn points_of_different_events_are_different() {
        let mut visited = Visited::default();
        let mut points = HashSet::from([Visited::START]);
        let mut last = vec![Visited::START];
        for _ in 0..5 {
            let mut next = Vec::new();
            for point in &last {
                for label in [Label::Step, Label::Look, Label::Way(0), Label::Way(1)] {
                    next.push(visited.follow(*point, label, Causes::new()));
                    next.push(visited.follow(*point, label, smallvec![last[0]]));
                }
            }
            assert!(next.iter().all(|point| points.insert(*point)));
            last = next;
        }
        assert_eq!(points.len(), 1 + 8 + 64 + 512 + 4096 + 32768);
    }

    #[test]
    fn the_order_of_causes_does_not_matter() {
        let mut visited = Visited::default();
        let one = visited.follow(Visited::START, Label::Step, Causes::new());
        let other = visited.follow(one, Label::Step, Causes::new());
        let mut after = |causes| visited.follow(Visited::START, Label::Look, causes);
        assert_eq!(after(smallvec![one, other]), after(smallvec![other, one]));
        assert_ne!(after(smallvec![one]), after(smallvec![other]));
    }
}
