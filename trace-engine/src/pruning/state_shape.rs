//! The shape of a state: its place and its values, with other values allowed at its leaves.
//!
//! A leaf is an integer, or a part of a value that depends on the input. What the views of a state
//! leave out is *frozen*: it has the value of the run, since nobody looks at it.

use erlang_term::Term;
use flattener::flat::{Callable, VarId};
use solver::graph::{Closure, Condition, Elements, Graph, Input, Kinds, Node, NodeId, to_term};

use super::path_facts::PathFacts;
use super::state_key::{LiveValue, hash_of_words};
use super::state_words::{StateMark, StateWords};
use super::view::{Aspects, View};
use super::viewed::{is_integer, viewed_integer, viewed_kind, viewed_list};

/// A state with more leaves has no shape.
const MOST_LEAVES: usize = 40;
/// A state with more values in its values has no shape.
const MOST_VALUES: usize = 200;

/// The shape of a value.
#[derive(Clone, Debug)]
enum ValueShape {
    /// The leaf with this number.
    Leaf(usize),
    Constant(Term),
    Cons(Box<[ValueShape; 2]>),
    Tuple(Vec<ValueShape>),
    Closure(Box<ClosureShape>),
    Frozen(Box<FrozenValue>),
}

#[derive(Clone, Debug)]
struct ClosureShape {
    module: usize,
    callable: Callable,
    arity: usize,
    captured: Vec<(VarId, ValueShape)>,
}

/// A value that nobody looks at, except for what its words say.
#[derive(Clone, Debug)]
struct FrozenValue {
    value: Option<Term>,
    seen: SeenValue,
}

/// What is looked at of a frozen value.
#[derive(Clone, Debug)]
enum SeenValue {
    Nothing,
    Integer,
    /// What the words of this view say.
    Words(View, Vec<u64>),
}

/// What is known of a leaf.
#[derive(Clone, Debug)]
pub(crate) struct LeafValue {
    /// Its value in the run.
    pub(crate) term: Term,
    /// Whether it does not depend on the input.
    pub(crate) is_constant: bool,
    /// The kinds that it can have in states of this shape.
    pub(crate) kinds: Kinds,
}

/// The shape of a state.
#[derive(Clone, Debug)]
pub(crate) struct StateShape {
    /// States with different hashes have different shapes.
    pub(crate) hash: [u64; 2],
    pub(crate) leaves: Vec<LeafValue>,
    slots: Vec<(usize, VarId, ValueShape)>,
}

/// A state of a run seen as one of this shape.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fitted {
    /// The values of the leaves.
    pub(crate) leaves: Vec<NodeId>,
    /// What must hold so that it has the shape.
    pub(crate) required: Vec<Condition>,
}

/// The value cannot have that shape, or has none.
struct NoShape;

impl StateShape {
    /// The shape of a state of a run with this input, given words for its place; `None` if it is
    /// too large, or something in it is not known.
    pub(super) fn new(
        (graph, input): (&mut Graph, &mut Input),
        facts: &mut PathFacts<'_>,
        place: Vec<u64>,
        live: &[(LiveValue<'_>, usize)],
    ) -> Option<Self> {
        let mut maker = ShapeMaker {
            graph,
            input,
            facts,
            words: StateWords::after(place),
            leaves: Vec::new(),
            left: MOST_VALUES,
        };
        let mut slots = Vec::with_capacity(live.len());
        for (value, level) in live {
            let variable = VarId(value.variable);
            maker.word(value.frame as u64).ok()?;
            maker.word(u64::from(value.variable)).ok()?;
            let shape = maker.viewed(value.node, value.view).ok()?;
            slots.push((*level, variable, shape));
        }
        let words = maker.words.words();
        Some(Self {
            hash: hash_of_words(words),
            leaves: maker.leaves,
            slots,
        })
    }

    /// The values of variables in a state of this shape, with inputs as leaves: the number of the
    /// function on the stack, the variable, and its value.
    pub(crate) fn values(&self, graph: &mut Graph) -> Vec<(usize, VarId, NodeId)> {
        let slots = self.slots.iter();
        let values = slots.map(|(level, variable, shape)| (*level, *variable, shape.build(graph)));
        values.collect()
    }

    /// The leaves of a state of this shape, given the values of its variables; `None` if they
    /// cannot have the shape.
    pub(crate) fn fit(
        &self,
        graph: &mut Graph,
        value_of: &dyn Fn(usize, VarId) -> Option<NodeId>,
    ) -> Option<Fitted> {
        let mut fitted = Fitted {
            leaves: vec![NodeId::NIL; self.leaves.len()],
            required: Vec::new(),
        };
        for (level, variable, shape) in &self.slots {
            let node = value_of(*level, *variable)?;
            shape.fit(graph, node, &mut fitted).ok()?;
        }
        Some(fitted)
    }
}

impl ValueShape {
    fn build(&self, graph: &mut Graph) -> NodeId {
        match self {
            Self::Leaf(number) => graph.input(*number),
            Self::Constant(term) => graph.constant(term),
            Self::Cons(parts) => {
                let [head, tail] = &**parts;
                let (head, tail) = (head.build(graph), tail.build(graph));
                graph.cons(head, tail)
            }
            Self::Tuple(elements) => {
                let elements: Vec<NodeId> = elements.iter().map(|it| it.build(graph)).collect();
                graph.tuple(elements)
            }
            Self::Closure(shape) => {
                let captured = shape.captured.iter();
                let captured = captured.map(|(variable, it)| (*variable, it.build(graph)));
                let closure = Closure {
                    module: shape.module,
                    callable: shape.callable,
                    arity: shape.arity,
                    captured: captured.collect(),
                };
                graph.closure(closure)
            }
            Self::Frozen(frozen) => match &frozen.value {
                Some(term) => graph.constant(term),
                None => graph.unknown(),
            },
        }
    }

    /// Fits a value into the shape.
    fn fit(&self, graph: &mut Graph, node: NodeId, fitted: &mut Fitted) -> Result<(), NoShape> {
        match self {
            Self::Leaf(number) => {
                let leaf = fitted.leaves.get_mut(*number).ok_or(NoShape)?;
                *leaf = node;
                Ok(())
            }
            Self::Constant(term) => {
                let constant = graph.constant(term);
                let is_equal = graph.equal(node, constant);
                require(fitted, is_equal)
            }
            Self::Cons(parts) => {
                let [head, tail] = &**parts;
                let is_cell = graph.kind(Kinds::CONS, node);
                require(fitted, is_cell)?;
                let parts = (graph.head(node), graph.tail(node));
                head.fit(graph, parts.0, fitted)?;
                tail.fit(graph, parts.1, fitted)
            }
            Self::Tuple(elements) => {
                let size = u32::try_from(elements.len()).map_err(|_| NoShape)?;
                let is_tuple = graph.arity(size, node);
                require(fitted, is_tuple)?;
                for (place, element) in (0..size).zip(elements) {
                    let part = graph.element(place, node);
                    element.fit(graph, part, fitted)?;
                }
                Ok(())
            }
            Self::Closure(shape) => {
                let Node::Closure(closure) = graph.node(node) else {
                    return Err(NoShape);
                };
                let is_same = closure.module == shape.module
                    && closure.callable == shape.callable
                    && closure.captured.len() == shape.captured.len();
                if !is_same {
                    return Err(NoShape);
                }
                let captured: Vec<NodeId> = closure.captured.iter().map(|it| it.1).collect();
                let mut captured = captured.into_iter().zip(&shape.captured);
                captured.try_for_each(|(node, (_, shape))| shape.fit(graph, node, fitted))
            }
            Self::Frozen(frozen) => match &frozen.seen {
                SeenValue::Nothing => Ok(()),
                SeenValue::Integer => {
                    let is_integer = graph.kind(Kinds::INTEGER, node);
                    require(fitted, is_integer)
                }
                SeenValue::Words(view, words) => {
                    let seen = seen_words(graph, node, view);
                    let is_same = seen.is_some_and(|seen| seen == *words);
                    is_same.then_some(()).ok_or(NoShape)
                }
            },
        }
    }
}

fn require(fitted: &mut Fitted, condition: Condition) -> Result<(), NoShape> {
    match condition {
        Condition::TRUE => {}
        Condition::FALSE => return Err(NoShape),
        _ => fitted.required.push(condition),
    }
    Ok(())
}

/// What a view shows of a list, a map or a binary that the program made, if that is enough.
fn seen_words(graph: &Graph, node: NodeId, view: &View) -> Option<Vec<u64>> {
    let View::Some(aspects) = view else {
        return None;
    };
    if aspects.in_map.is_some() {
        return None;
    }
    if aspects.is_kind {
        return viewed_kind(graph, node, view).map(|words| words.to_vec());
    }
    let words = viewed_list(graph, node, aspects)?;
    Some(words.iter().map(|mark| *mark as u64).collect())
}

struct ShapeMaker<'run, 'search> {
    graph: &'run mut Graph,
    input: &'run mut Input,
    facts: &'run mut PathFacts<'search>,
    words: StateWords,
    leaves: Vec<LeafValue>,
    left: usize,
}

impl ShapeMaker<'_, '_> {
    fn word(&mut self, word: u64) -> Result<(), NoShape> {
        self.words.push(word).map_err(|_| NoShape)
    }

    fn mark(&mut self, mark: StateMark) -> Result<(), NoShape> {
        self.word(mark as u64)
    }

    /// The value of the run.
    fn term(&mut self, node: NodeId) -> Option<Term> {
        let value = self.input.value(self.graph, node)?;
        to_term(self.graph, value)
    }

    fn frozen(&mut self, node: NodeId, seen: SeenValue) -> Result<ValueShape, NoShape> {
        match &seen {
            SeenValue::Nothing => self.mark(StateMark::Live)?,
            SeenValue::Integer => self.mark(StateMark::SomeInteger)?,
            SeenValue::Words(_, words) => {
                let words = words.clone();
                self.words.extend(&words).map_err(|_| NoShape)?;
            }
        }
        let value = self.term(node);
        Ok(ValueShape::Frozen(Box::new(FrozenValue { value, seen })))
    }

    /// The shape of a value through a view. What is frozen is what a state leaves out.
    fn viewed(&mut self, node: NodeId, view: &View) -> Result<ValueShape, NoShape> {
        let View::Some(aspects) = view else {
            return self.all(node);
        };
        if view.is_nothing() {
            return self.frozen(node, SeenValue::Nothing);
        }
        if let Node::Tuple(elements) = self.graph.node(node)
            && !aspects.is_kind
            && aspects.in_map.is_none()
        {
            return self.tuple(elements.clone(), aspects);
        }
        if let Some(words) = seen_words(self.graph, node, view) {
            return self.frozen(node, SeenValue::Words(view.clone(), words));
        }
        if viewed_integer(self.graph, self.facts, node, view).is_some() {
            return self.frozen(node, SeenValue::Integer);
        }
        self.all(node)
    }

    /// The shape of a value of which everything counts.
    fn all(&mut self, node: NodeId) -> Result<ValueShape, NoShape> {
        self.left = self.left.checked_sub(1).ok_or(NoShape)?;
        let is_ground = self.graph.is_ground(node);
        let value = self.graph.node(node).clone();
        if let Node::Integer(_) = value {
            self.leaf(node)
        } else if let Node::Tuple(elements) = value {
            self.mark(StateMark::Tuple)?;
            self.word(elements.len() as u64)?;
            let elements = elements.iter().map(|it| self.all(*it));
            Ok(ValueShape::Tuple(elements.collect::<Result<_, _>>()?))
        } else if let Node::Closure(closure) = value {
            self.closure(&closure)
        } else if is_ground {
            self.constant(node)
        } else if let Node::Cons(head, tail) = value {
            self.mark(StateMark::Cons)?;
            let parts = [self.all(head)?, self.all(tail)?];
            Ok(ValueShape::Cons(Box::new(parts)))
        } else {
            self.leaf(node)
        }
    }

    fn tuple(&mut self, elements: Elements, aspects: &Aspects) -> Result<ValueShape, NoShape> {
        self.mark(StateMark::Tuple)?;
        self.word(elements.len() as u64)?;
        let views = aspects.tuples.get(&elements.len());
        let mut shapes = Vec::with_capacity(elements.len());
        for (place, element) in elements.into_iter().enumerate() {
            shapes.push(if aspects.is_word && place == 0 {
                self.all(element)?
            } else if let Some(view) = views.and_then(|views| views.get(place)) {
                self.viewed(element, view)?
            } else {
                self.frozen(element, SeenValue::Nothing)?
            });
        }
        Ok(ValueShape::Tuple(shapes))
    }

    fn closure(&mut self, closure: &Closure) -> Result<ValueShape, NoShape> {
        self.mark(StateMark::Closure)?;
        let place = self.words.callable(closure.module, closure.callable);
        place.map_err(|_| NoShape)?;
        let mut captured = Vec::with_capacity(closure.captured.len());
        for (variable, value) in &closure.captured {
            captured.push((*variable, self.all(*value)?));
        }
        Ok(ValueShape::Closure(Box::new(ClosureShape {
            module: closure.module,
            callable: closure.callable,
            arity: closure.arity,
            captured,
        })))
    }

    fn constant(&mut self, node: NodeId) -> Result<ValueShape, NoShape> {
        let term = to_term(self.graph, node).ok_or(NoShape)?;
        self.mark(StateMark::Constant)?;
        let bytes = erlang_term::encode(&term);
        self.words.bytes(&bytes).map_err(|_| NoShape)?;
        Ok(ValueShape::Constant(term))
    }

    fn leaf(&mut self, node: NodeId) -> Result<ValueShape, NoShape> {
        if self.graph.is_unknown(node) || self.leaves.len() >= MOST_LEAVES {
            return Err(NoShape);
        }
        let term = self.term(node).ok_or(NoShape)?;
        let mut kinds = self.facts.kinds(self.graph, node);
        if kinds.intersects(Kinds::INTEGER) && is_integer(self.graph, self.facts, node) {
            kinds = Kinds::INTEGER;
        }
        self.mark(StateMark::Root)?;
        self.word(u64::from(kinds.bits()))?;
        self.leaves.push(LeafValue {
            term,
            is_constant: self.graph.is_ground(node),
            kinds,
        });
        Ok(ValueShape::Leaf(self.leaves.len() - 1))
    }
}
