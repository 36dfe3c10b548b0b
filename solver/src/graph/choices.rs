//! Operations on choices: `hd` of "one value or another" is "`hd` of the one or of the other".
//!
//! An operation is applied to each value that can be chosen, and the choice is rebuilt from the
//! results. Choices can be nested as deep as a tuple is long, and can share values, so this walks
//! without recursion and handles each node once.

use flattener::ast::deep;

use super::arena::Graph;
use super::collections::{Lookup, Set};
use super::ids::{Condition, NodeId};
use super::node::Node;

impl Graph {
    /// Applies an operation to the values of a choice. Other nodes are their only value.
    #[inline]
    pub(super) fn distribute(
        &mut self,
        node: NodeId,
        mut operation: impl FnMut(&mut Self, NodeId) -> NodeId,
    ) -> NodeId {
        if self.is_choice(node) {
            walk(self, node, &mut operation, &mut Self::choice)
        } else {
            operation(self, node)
        }
    }

    /// Applies a test to the values of a choice: it holds if it holds for the chosen value.
    #[inline]
    pub(super) fn distribute_condition(
        &mut self,
        node: NodeId,
        mut operation: impl FnMut(&mut Self, NodeId) -> Condition,
    ) -> Condition {
        if self.is_choice(node) {
            test(self, node, &mut operation)
        } else {
            operation(self, node)
        }
    }

    /// The values that can be chosen, each of them once. Other nodes are their only value.
    pub fn leaves(&self, node: NodeId) -> Set<NodeId> {
        let mut seen = Set::from_iter([node]);
        let mut next = 0;
        while let Some(node) = seen.get_index(next) {
            if let Node::Choice(_, yes, no) = *self.node(*node) {
                seen.extend([yes, no]);
            }
            next += 1;
        }
        seen.retain(|node| !self.is_choice(*node));
        seen
    }
}

fn test(
    graph: &mut Graph,
    root: NodeId,
    operation: &mut dyn FnMut(&mut Graph, NodeId) -> Condition,
) -> Condition {
    let mut runs = Runs::default();
    let mut leaf = |graph: &mut Graph, leaf| Partial::Whole(operation(graph, leaf));
    let mut join = |graph: &mut Graph, condition, yes, no| runs.join(graph, condition, yes, no);
    let result = walk(graph, root, &mut leaf, &mut join);
    runs.finish(graph, result)
}

/// A step of the walk that is still to do.
enum Task {
    Enter(NodeId),
    Join(NodeId, Condition, [NodeId; 2]),
}

/// Walks through choices depth first. Each node gets one result: leaves by `leaf`, choices by
/// `join` from the results of their sides.
fn walk<T: Copy>(
    graph: &mut Graph,
    root: NodeId,
    leaf: &mut dyn FnMut(&mut Graph, NodeId) -> T,
    join: &mut dyn FnMut(&mut Graph, Condition, T, T) -> T,
) -> T {
    if let Node::Choice(condition, yes, no) = *graph.node(root)
        && !graph.is_choice(yes)
        && !graph.is_choice(no)
    {
        let yes = deep(|| leaf(graph, yes));
        let no = deep(|| leaf(graph, no));
        return join(graph, condition, yes, no);
    }
    let mut known: Lookup<NodeId, T> = Lookup::default();
    let mut tasks = vec![Task::Enter(root)];
    while let Some(task) = tasks.pop() {
        match task {
            Task::Enter(node) if known.contains_key(&node) => {}
            Task::Enter(node) => {
                if let Node::Choice(condition, yes, no) = *graph.node(node) {
                    tasks.push(Task::Join(node, condition, [yes, no]));
                    tasks.extend([Task::Enter(no), Task::Enter(yes)]);
                } else {
                    known.insert(node, deep(|| leaf(graph, node)));
                }
            }
            Task::Join(node, condition, sides) => {
                let [yes, no] = sides.map(|side| result(&known, side));
                known.insert(node, join(graph, condition, yes, no));
            }
        }
    }
    result(&known, root)
}

fn result<T: Copy>(known: &Lookup<NodeId, T>, node: NodeId) -> T {
    let result = known.get(&node);
    *result.expect("sides are entered before they are joined")
}

/// A condition that is perhaps not interned yet.
#[derive(Clone, Copy)]
enum Partial {
    Whole(Condition),
    /// All of the first conditions of a run.
    Run {
        run: usize,
        length: usize,
    },
}

/// Conjunctions that are built from right to left. "Not the first, not the second, …, but the
/// last" is interned once as a whole: to intern it after each step would take quadratic time.
#[derive(Default)]
struct Runs {
    runs: Vec<Vec<Condition>>,
}

impl Runs {
    fn join(
        &mut self,
        graph: &mut Graph,
        condition: Condition,
        yes: Partial,
        no: Partial,
    ) -> Partial {
        match (yes, no) {
            (Partial::Whole(Condition::FALSE), Partial::Whole(Condition::FALSE)) => yes,
            (Partial::Whole(Condition::FALSE), _) => self.extend(no, !condition),
            (_, Partial::Whole(Condition::FALSE)) => self.extend(yes, condition),
            _ => {
                let (yes, no) = (self.finish(graph, yes), self.finish(graph, no));
                Partial::Whole(graph.either(condition, yes, no))
            }
        }
    }

    /// A condition, and before it another one.
    fn extend(&mut self, rest: Partial, first: Condition) -> Partial {
        let (run, length) = match rest {
            Partial::Run { run, length } if self.length(run) == length => (run, length),
            Partial::Run { run, length } => {
                let start = self.first(run, length).to_vec();
                self.runs.push(start);
                (self.runs.len() - 1, length)
            }
            Partial::Whole(condition) => {
                self.runs.push(vec![condition]);
                (self.runs.len() - 1, 1)
            }
        };
        if let Some(conditions) = self.runs.get_mut(run) {
            conditions.push(first);
        }
        Partial::Run {
            run,
            length: length + 1,
        }
    }

    fn length(&self, run: usize) -> usize {
        self.runs.get(run).map_or(0, Vec::len)
    }

    fn first(&self, run: usize, length: usize) -> &[Condition] {
        let run = self.runs.get(run).and_then(|it| it.get(..length));
        run.expect("a run never gets shorter")
    }

    fn finish(&self, graph: &mut Graph, partial: Partial) -> Condition {
        match partial {
            Partial::Whole(condition) => condition,
            Partial::Run { run, length } => {
                graph.all(self.first(run, length).iter().rev().copied())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::evaluation::Input;
    use super::super::formula::Formula;
    use super::*;
    use crate::kinds::Kinds;

    /// One of many elements, by an index that is the input.
    fn chosen(graph: &mut Graph, elements: &[NodeId]) -> NodeId {
        let index = graph.input(0);
        let mut value = NodeId::NIL;
        for (number, element) in (1..).zip(elements) {
            let number = graph.integer(number);
            let is_here = graph.equal(index, number);
            value = graph.choice(is_here, *element, value);
        }
        value
    }

    fn mixed(graph: &mut Graph, count: i64) -> Vec<NodeId> {
        let element = |number: i64| {
            let integer = graph.integer(number);
            match number % 3 {
                0 => integer,
                1 => graph.cons(integer, NodeId::NIL),
                _ => graph.atom(&format!("a{number}")),
            }
        };
        (1..=count).map(element).collect()
    }

    fn holds(graph: &mut Graph, condition: Condition, index: i64) -> Option<bool> {
        let index = graph.integer(index);
        Input::new(&[index]).holds(graph, condition)
    }

    #[test]
    fn long_choices_of_mixed_values_do_not_overflow_the_stack() {
        let mut graph = Graph::default();
        let elements = mixed(&mut graph, 20_000);
        let value = chosen(&mut graph, &elements);
        let is_cell = graph.kind(Kinds::CONS, value);
        assert_eq!(holds(&mut graph, is_cell, 1), Some(true));
        assert_eq!(holds(&mut graph, is_cell, 19_999), Some(true));
        assert_eq!(holds(&mut graph, is_cell, 20_000), Some(false));
        let head = graph.head(value);
        let number = graph.integer(10_000);
        let is_number = graph.equal(head, number);
        assert_eq!(holds(&mut graph, is_number, 10_000), Some(true));
        assert_eq!(holds(&mut graph, is_number, 10_003), Some(false));
    }

    #[test]
    fn a_condition_on_a_long_choice_takes_linear_space() {
        let mut graph = Graph::default();
        let mut elements = vec![NodeId::TRUE; 20_000];
        *elements.first_mut().expect("not empty") = graph.integer(1);
        let value = chosen(&mut graph, &elements);
        let before = graph.formula_count();
        let is_integer = graph.kind(Kinds::INTEGER, value);
        let Formula::All(parts) = graph.formula(is_integer) else {
            panic!("it is the first and not one of the others");
        };
        assert_eq!(parts.len(), 20_000);
        assert_eq!(graph.formula_count(), before + 1);
        assert_eq!(holds(&mut graph, is_integer, 1), Some(true));
        assert_eq!(holds(&mut graph, is_integer, 2), Some(false));
    }

    #[test]
    fn a_shared_value_is_handled_once() {
        let mut graph = Graph::default();
        let mut value = graph.input(0);
        // 2^100 ways lead to the input.
        for number in 1..=100 {
            let [left, right] = [2 * number, 2 * number + 1].map(|it| {
                let part = graph.input(it);
                let is_atom = graph.kind(Kinds::ATOM, part);
                let other = graph.integer(7);
                graph.choice(is_atom, other, value)
            });
            let part = graph.input(1);
            let element = graph.element(u32::try_from(number).expect("small"), part);
            let is_atom = graph.kind(Kinds::ATOM, element);
            value = graph.choice(is_atom, left, right);
        }
        let mut calls = 0;
        let lists = graph.distribute(value, |graph, leaf| {
            calls += 1;
            graph.cons(leaf, NodeId::NIL)
        });
        assert_eq!(calls, 2);
        assert_eq!(graph.head(lists), value);
        assert_eq!(graph.leaves(value).len(), 2);
    }
}
