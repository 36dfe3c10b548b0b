//! The paths that were run and the alternatives that were tried: a trie of decisions.

/// A point on a path: the decisions that lead there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Point(u32);

impl Point {
    /// Its number: 0 where all paths begin, and then in the order in which they were reached.
    pub(crate) fn number(self) -> usize {
        self.0 as usize
    }
}

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
        let node = self.nodes.get_mut(point.0 as usize);
        node.expect("a point is made with its node")
    }

    /// The next point on a path.
    pub(crate) fn step(&mut self, point: Point, way: usize) -> Point {
        let way = u32::try_from(way).expect("a case has fewer than 2^32 clauses");
        let next = Point(u32::try_from(self.nodes.len()).expect("fewer than 2^32 points"));
        let ways = &mut self.node(point).ways;
        match ways.iter_mut().find(|it| it.0 == way) {
            Some((_, Some(known))) => return *known,
            Some((_, unknown)) => *unknown = Some(next),
            None => ways.push((way, Some(next))),
        }
        self.nodes.push(Node::default());
        next
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
