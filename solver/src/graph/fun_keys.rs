//! What a table of a fun knows of arguments: of the funs in them, how many parameters they have.

use flattener::ast::deep;

use super::arena::Graph;
use super::constant_terms::has_funs;
use super::ids::{Condition, NodeId};
use super::node::Node;
use crate::kinds::Kinds;

impl Graph {
    /// The constant that stands for any fun with this many parameters among arguments.
    pub fn any_fun(&mut self, arity: u32) -> NodeId {
        self.table(arity, Vec::new(), NodeId::NIL)
    }

    /// Arguments as a table knows them: each known fun, also in lists and tuples, is the constant for
    /// any such fun.
    pub fn table_key(&mut self, arguments: NodeId) -> NodeId {
        if let Some(arity) = self.known_fun_arity(arguments) {
            return self.any_fun(arity);
        }
        if let Node::Cons(head, tail) = *self.node(arguments) {
            let head = deep(|| self.table_key(head));
            let tail = deep(|| self.table_key(tail));
            return self.cons(head, tail);
        }
        if let Node::Tuple(elements) = self.node(arguments) {
            let elements = elements.clone();
            let keys = elements.iter().map(|it| deep(|| self.table_key(*it)));
            let keys: Vec<NodeId> = keys.collect();
            return self.tuple(keys);
        }
        arguments
    }

    /// Two values are the same to a table that knows one of them by this key.
    pub(crate) fn same_key(&mut self, one: NodeId, other: NodeId, key: NodeId) -> Condition {
        if !has_funs(self, key) {
            return self.equal(one, other);
        }
        if let Node::Table(table) = self.node(key) {
            let arity = table.arity;
            let are_funs = [one, other].map(|it| self.fun_arity(arity, it));
            return self.all(are_funs);
        }
        if let Node::Tuple(elements) = self.node(key) {
            let keys = elements.to_vec();
            return self.same_elements([one, other], &keys);
        }
        if let Node::Cons(head, tail) = *self.node(key) {
            return self.same_cells([one, other], head, tail);
        }
        self.equal(one, other)
    }

    fn same_elements(&mut self, values: [NodeId; 2], keys: &[NodeId]) -> Condition {
        let arity = u32::try_from(keys.len()).unwrap_or(u32::MAX);
        let mut same = values.map(|it| self.arity(arity, it)).to_vec();
        if same.contains(&Condition::FALSE) {
            return Condition::FALSE;
        }
        for (index, key) in (0..).zip(keys) {
            let [one, other] = values.map(|it| self.element(index, it));
            same.push(deep(|| self.same_key(one, other, *key)));
        }
        self.all(same)
    }

    fn same_cells(&mut self, values: [NodeId; 2], head: NodeId, tail: NodeId) -> Condition {
        let mut same = values.map(|it| self.kind(Kinds::CONS, it)).to_vec();
        if same.contains(&Condition::FALSE) {
            return Condition::FALSE;
        }
        let [one, other] = values.map(|it| self.head(it));
        same.push(deep(|| self.same_key(one, other, head)));
        let [one, other] = values.map(|it| self.tail(it));
        same.push(deep(|| self.same_key(one, other, tail)));
        self.all(same)
    }
}

/// Whether a table can know arguments by this key: no map in it contains a fun.
pub fn can_be_key(graph: &Graph, key: NodeId) -> bool {
    let node = graph.node(key);
    if let Node::Cons(..) | Node::Tuple(_) = node {
        let mut parts = node.operands().into_iter();
        return parts.all(|it| deep(|| can_be_key(graph, it)));
    }
    matches!(node, Node::Table(_)) || !has_funs(graph, key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Input;

    #[test]
    fn tables_know_how_many_parameters_funs_have() {
        let mut graph = Graph::default();
        let numbers: Vec<NodeId> = (0..6).map(|it| graph.integer(it)).collect();
        let funs = [(1, 3), (1, 4), (2, 3)];
        let [one, other, binary] =
            funs.map(|(arity, result)| graph.table(arity, Vec::new(), numbers[result]));
        let entries = [(one, 1), (binary, 2)].map(|(fun, result)| {
            let list = graph.cons(fun, NodeId::NIL);
            (graph.tuple([list, numbers[5]]), numbers[result])
        });
        let table = graph.table(2, entries.to_vec(), numbers[0]);
        let input = graph.input(0);
        let called = graph.tuple([input, numbers[5]]);
        let result = graph.result(called, table);
        for (fun, expected) in [(one, 1), (other, 1), (binary, 2), (numbers[0], 0)] {
            let list = graph.cons(fun, NodeId::NIL);
            let known = graph.tuple([list, numbers[5]]);
            assert_eq!(graph.result(known, table), numbers[expected]);
            let value = Input::new(&[list]).value(&mut graph, result);
            assert_eq!(value, Some(numbers[expected]));
        }
    }

    #[test]
    fn funs_in_maps_cannot_be_told_apart() {
        let mut graph = Graph::default();
        let one = graph.integer(1);
        let fun = graph.any_fun(1);
        let map = graph.map([(one, fun)]);
        let arguments = graph.tuple([map]);
        assert!(!can_be_key(&graph, arguments));
        let table = graph.table(1, vec![(arguments, one)], fun);
        assert_eq!(graph.result(arguments, table), fun);
    }
}
