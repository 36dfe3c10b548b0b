//! Annotations: for which leaves the rest of a run is known.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use solver::graph::{Condition, Graph, NodeId};

use super::linear_bounds::without_weaker_bounds;
use super::path_trees::{KeyHash, PathNode, PathTree, ShapeHash, TreeChange, TreeLeaf};
use super::rewriting::Rewriting;
use super::settling::{settled, without_input};
use crate::pruning::ViewRule;
use crate::replay::{ReachedState, Segments};

/// An annotation has at most this many conditions.
const MOST_CONDITIONS: usize = 16;
/// How many nodes of trees are looked at between two runs.
const MOST_STEPS: usize = 5_000;
/// The same as long as no state is covered.
const FIRST_STEPS: usize = 1_000;
/// For so many versions an annotation with conditions is not looked for again.
const VERSIONS_OF_ANNOTATION: u64 = 32;
/// Annotations that need others that need others, and so on, are not looked for beyond this.
const DEEPEST: usize = 200;

/// The conditions under which the rest of a run is known; `None` if nobody can tell.
type Annotation = Option<Arc<[Condition]>>;

/// Which leaves may have any value; the others are those of the first state of the shape.
type FreeLeaves = Box<[bool]>;

/// A shape, and its leaves that may have any value.
type AnnotationName = (ShapeHash, FreeLeaves);

/// An annotation that is being looked for.
#[derive(Debug)]
struct OpenAnnotation {
    name: AnnotationName,
    /// What is assumed if it is needed.
    assumption: Arc<[Condition]>,
    /// Whether it was.
    is_assumed: bool,
}

/// The paths that were run from states, and what follows from them.
#[derive(Debug, Default)]
pub(in super::super) struct Interpolants {
    graph: Graph,
    /// The paths from states of each shape.
    trees: FxHashMap<ShapeHash, PathTree>,
    /// The shape and the leaves of each state.
    states: FxHashMap<KeyHash, (ShapeHash, Box<[NodeId]>)>,
    /// Annotations, each with the version at which it was found.
    known: FxHashMap<AnnotationName, (u64, Annotation)>,
    /// Those that are being looked for.
    open: Vec<OpenAnnotation>,
    /// The first of them about which something was assumed.
    lowest: usize,
    covered: FxHashSet<KeyHash>,
    /// States that were not covered at a version.
    uncovered: FxHashMap<KeyHash, u64>,
    /// Grows with each path.
    version: u64,
    steps: usize,
    /// Whether an annotation was not looked for to the end.
    was_cut: bool,
}

impl Interpolants {
    /// Adds a run, given the states that it reached and the segments between them.
    pub(in super::super) fn add(&mut self, states: &[ReachedState], segments: &Segments) {
        if self.trees.is_empty() {
            self.graph = Graph::new(segments.graph.rules().clone());
        }
        let mut is_new = false;
        let most = states.iter().filter_map(|it| it.shape.as_ref());
        let most = most.map(|it| it.leaves.len()).max().unwrap_or(0);
        let inputs: Vec<NodeId> = (0..most).map(|it| self.graph.input(it)).collect();
        for state in states {
            is_new |= self.add_state(state);
        }
        for segment in &segments.list {
            let shape = states.get(segment.state).and_then(|it| it.shape.as_ref());
            let Some(tree) = shape.and_then(|shape| self.trees.get_mut(&shape.hash)) else {
                continue;
            };
            let mut rewriting = Rewriting::of(&segments.graph, &inputs);
            match tree.add(&mut self.graph, &mut rewriting, segment, states) {
                TreeChange::Nothing => {}
                TreeChange::Grown => is_new = true,
                TreeChange::Lost => {
                    is_new = true;
                    self.known.clear();
                }
            }
        }
        if is_new {
            self.version += 1;
            self.steps = 0;
        }
    }

    fn add_state(&mut self, state: &ReachedState) -> bool {
        let (Some(known), Some(shape)) = (&state.state, &state.shape) else {
            return false;
        };
        let key = &known.key;
        if self.states.contains_key(&key.hash) {
            return false;
        }
        let graph = &mut self.graph;
        let leaves = shape.leaves.iter().enumerate();
        let leaves = leaves.map(|(number, leaf)| {
            if leaf.is_constant {
                graph.constant(&leaf.term)
            } else {
                graph.input(number)
            }
        });
        let leaves: Box<[NodeId]> = leaves.collect();
        let tree = self.trees.entry(shape.hash);
        let tree = tree.or_insert_with(|| PathTree::new(shape, &leaves));
        tree.add_leaves(shape, &leaves);
        self.states.insert(key.hash, (shape.hash, leaves));
        true
    }

    /// How many states are covered.
    pub(in super::super) fn covered(&self) -> usize {
        self.covered.len()
    }

    /// Whether two states have the same shape.
    pub(in super::super) fn has_twins(&self) -> bool {
        self.states.len() > self.trees.len()
    }

    /// Whether all that can follow a state is known from runs that came to others of its shape.
    pub(in super::super) fn is_covered(&mut self, key: KeyHash) -> bool {
        if self.covered.contains(&key) {
            return true;
        }
        if !self.states.contains_key(&key) || self.uncovered.get(&key) == Some(&self.version) {
            return false;
        }
        self.was_cut = false;
        self.lowest = usize::MAX;
        let is_covered = self.find_cover(key).is_some();
        if is_covered {
            self.covered.insert(key);
        } else {
            self.uncovered.insert(key, self.version);
        }
        is_covered
    }

    fn find_cover(&mut self, key: KeyHash) -> Option<()> {
        let (shape, leaves) = self.states.get(&key)?.clone();
        for free in self.free_leaves(shape, &leaves)? {
            let Some(conditions) = self.conditions_for(shape, free, &leaves) else {
                continue;
            };
            let own = self.trees.get(&shape)?.leaves();
            let graph = &mut self.graph;
            let mut conditions = conditions.into_iter();
            if conditions.all(|it| settled(graph, own, it) == Condition::TRUE) {
                return Some(());
            }
        }
        None
    }

    /// The choices of leaves that may have any value, so that the others are as in the first state
    /// of the shape: those that were different in some state, or as few as possible.
    fn free_leaves(
        &self,
        shape: ShapeHash,
        leaves: &[NodeId],
    ) -> Option<SmallVec<[FreeLeaves; 2]>> {
        let own = self.trees.get(&shape)?.leaves().iter().zip(leaves);
        let few = own.clone().map(|(own, leaf)| own.first != Some(*leaf));
        let many = own.map(|(own, leaf)| own.varies || own.first != Some(*leaf));
        let mut choices = SmallVec::from_iter([many.collect(), few.collect()]);
        choices.dedup();
        Some(choices)
    }

    /// The conditions for these leaves by that choice of free ones which has the fewest.
    fn fewest_conditions(&mut self, shape: ShapeHash, leaves: &[NodeId]) -> Option<Vec<Condition>> {
        let mut fewest: Option<Vec<Condition>> = None;
        for free in self.free_leaves(shape, leaves)? {
            let Some(found) = self.conditions_for(shape, free, leaves) else {
                continue;
            };
            if found.is_empty() {
                return Some(found);
            }
            if fewest.as_ref().is_none_or(|it| found.len() < it.len()) {
                fewest = Some(found);
            }
        }
        fewest
    }

    /// The conditions under which the paths from states of a shape are all that there are from these
    /// leaves.
    fn conditions_for(
        &mut self,
        shape: ShapeHash,
        free: FreeLeaves,
        leaves: &[NodeId],
    ) -> Option<Vec<Condition>> {
        let mut conditions = Vec::new();
        for (own, leaf) in self.trees.get(&shape)?.leaves().iter().zip(leaves) {
            add(&mut conditions, self.graph.kind(own.kinds, *leaf))?;
        }
        let annotation = self.annotation((shape, free))?;
        let mut rewriting = Rewriting::within(leaves);
        for condition in annotation.iter() {
            let condition = rewriting.condition(&mut self.graph, *condition)?;
            add(&mut conditions, condition)?;
        }
        Some(conditions)
    }

    fn annotation(&mut self, name: AnnotationName) -> Annotation {
        if let Some((version, known)) = self.known.get(&name) {
            let age = self.version - version;
            // With more paths it is no stronger, but may be weaker.
            let is_valid = known.as_ref().map_or(age == 0, |known| {
                known.is_empty() || age < VERSIONS_OF_ANNOTATION
            });
            if is_valid {
                return known.clone();
            }
        }
        if let Some(place) = self.open.iter().position(|it| it.name == name) {
            return self.assume(place);
        }
        if self.open.len() >= DEEPEST {
            self.was_cut = true;
            return None;
        }
        self.look_for(name)
    }

    /// What is assumed of the annotation that is being looked for at this place.
    fn assume(&mut self, place: usize) -> Annotation {
        self.lowest = self.lowest.min(place);
        let open = self.open.get_mut(place)?;
        open.is_assumed = true;
        Some(Arc::clone(&open.assumption))
    }

    fn look_for(&mut self, name: AnnotationName) -> Annotation {
        let was_cut = std::mem::take(&mut self.was_cut);
        let lowest = std::mem::replace(&mut self.lowest, usize::MAX);
        let place = self.open.len();
        let (mut found, is_assumed) = self.find_assuming(&name, Arc::new([]));
        if let Some(conditions) = found.as_ref().filter(|it| is_assumed && !it.is_empty()) {
            // The assumption was wrong. Perhaps the conditions hold again after each round.
            let (again, _) = self.find_assuming(&name, Arc::clone(conditions));
            let is_enough = again.is_some_and(|it| it.iter().all(|it| conditions.contains(it)));
            if !is_enough && ViewRule::Assumptions.is_kept() {
                self.was_cut = true;
                found = None;
            }
        }
        // What follows from assumptions about others counts only with them.
        let is_for_itself = self.lowest >= place;
        if is_for_itself && (found.is_some() || !self.was_cut) {
            self.known.insert(name, (self.version, found.clone()));
        }
        self.was_cut |= was_cut;
        self.lowest = if is_for_itself {
            lowest
        } else {
            lowest.min(self.lowest)
        };
        found
    }

    /// The annotation under an assumption on itself, and whether the assumption was needed.
    fn find_assuming(
        &mut self,
        name: &AnnotationName,
        assumption: Arc<[Condition]>,
    ) -> (Annotation, bool) {
        self.open.push(OpenAnnotation {
            name: name.clone(),
            assumption,
            is_assumed: false,
        });
        let found = self.find_annotation(name);
        let is_assumed = self.open.pop().is_some_and(|it| it.is_assumed);
        (found, is_assumed)
    }

    fn find_annotation(&mut self, (shape, free): &AnnotationName) -> Annotation {
        let own: Vec<TreeLeaf> = self.trees.get(shape)?.leaves().to_vec();
        let graph = &mut self.graph;
        let leaves = own.iter().zip(free).enumerate();
        let leaves = leaves.map(|(number, (leaf, is_free))| {
            let constant = leaf.first.filter(|_| !is_free);
            constant.unwrap_or_else(|| graph.input(number))
        });
        let leaves: Vec<NodeId> = leaves.collect();
        let mut rewriting = Rewriting::within(&leaves);
        let mut conditions = Vec::new();
        let mut open = vec![0];
        while let Some(number) = open.pop() {
            self.steps += 1;
            let most = if self.covered.is_empty() {
                FIRST_STEPS
            } else {
                MOST_STEPS
            };
            if self.steps > most {
                self.was_cut = true;
                return None;
            }
            let node = self.trees.get(shape)?.node(number).clone();
            let mut found = Vec::new();
            self.take_in(&node, &mut rewriting, &mut found, &mut open)?;
            for condition in found {
                let condition = settled(&mut self.graph, &own, condition);
                // Otherwise other ways than those that were run are possible, or nobody can tell.
                let condition = without_input(&mut self.graph, &own, condition)?;
                add(&mut conditions, condition)?;
            }
            if conditions.len() > MOST_CONDITIONS {
                without_weaker_bounds(&mut self.graph, &mut conditions);
            }
            if conditions.len() > MOST_CONDITIONS {
                return None;
            }
        }
        without_weaker_bounds(&mut self.graph, &mut conditions);
        conditions.retain(|it| settled(&mut self.graph, &own, *it) != Condition::TRUE);
        Some(conditions.into())
    }

    /// Adds the conditions under which a path that comes to a node goes on as one that was run.
    fn take_in(
        &mut self,
        node: &PathNode,
        rewriting: &mut Rewriting<'_, '_>,
        conditions: &mut Vec<Condition>,
        open: &mut Vec<usize>,
    ) -> Option<()> {
        match node {
            PathNode::Unseen | PathNode::Lost => (!ViewRule::LostPaths.is_kept()).then_some(()),
            PathNode::Ended => Some(()),
            PathNode::Decision { ways, next, .. } => {
                let graph = &mut self.graph;
                let mut before = Vec::with_capacity(ways.len() + 1);
                for (way, next) in ways.iter().zip(next) {
                    let way = rewriting.condition(graph, *way)?;
                    let taken = graph.all(before.iter().copied().chain([way]));
                    match next {
                        Some(_) if taken == Condition::FALSE => {}
                        Some(next) => open.push(*next),
                        None if ViewRule::UntakenWays.is_kept() => add(conditions, !taken)?,
                        None => {}
                    }
                    before.push(!way);
                }
                let none = graph.all(before);
                if ViewRule::UntakenWays.is_kept() {
                    add(conditions, !none)?;
                }
                Some(())
            }
            PathNode::State {
                shape,
                leaves,
                required,
                ..
            } => {
                let required = required.iter();
                for condition in required.take_while(|_| ViewRule::NextShapes.is_kept()) {
                    let condition = rewriting.condition(&mut self.graph, *condition)?;
                    add(conditions, condition)?;
                }
                if !ViewRule::NextStates.is_kept() {
                    return Some(());
                }
                let leaves = leaves.iter();
                let leaves = leaves.map(|it| rewriting.node(&mut self.graph, *it));
                let leaves = leaves.collect::<Option<Vec<NodeId>>>()?;
                let found = self.fewest_conditions(*shape, &leaves)?;
                found.into_iter().try_for_each(|it| add(conditions, it))
            }
        }
    }
}

/// Adds a condition that must hold; `None` if it never does.
fn add(conditions: &mut Vec<Condition>, condition: Condition) -> Option<()> {
    match condition {
        Condition::TRUE => {}
        Condition::FALSE => return None,
        _ if conditions.contains(&condition) => {}
        _ => conditions.push(condition),
    }
    Some(())
}
