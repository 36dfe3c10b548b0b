//! Random conditions on inputs.

use erlang_term::Term;
use solver::graph::{Condition, Formula, Graph, Kinds, Node, NodeId, Operator, Place, to_term};

/// Numbers that look random and are the same in every run.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// SplitMix64.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub(crate) fn below(&mut self, limit: u64) -> usize {
        usize::try_from(self.next() % limit).expect("limits are small")
    }

    pub(crate) fn one_of<T: Copy>(&mut self, choices: &[T]) -> T {
        let choice = choices.get(self.below(choices.len() as u64));
        *choice.expect("there is a choice")
    }

    fn is(&mut self, one_in: u64) -> bool {
        self.below(one_in) == 0
    }
}

/// Conditions on some inputs, and the earlier values of these inputs.
pub(crate) fn question(
    graph: &mut Graph,
    random: &mut Random,
    inputs: usize,
) -> (Vec<Condition>, Vec<NodeId>) {
    let mut making = Making {
        graph,
        random,
        inputs,
        used: Vec::new(),
    };
    let count = 1 + making.random.below(5);
    let mut conditions: Vec<Condition> = (0..count).map(|_| making.condition(2)).collect();
    if making.random.is(3) {
        conditions.push(making.alias());
    }
    let parent = (0..inputs).map(|_| making.parent()).collect();
    (conditions, parent)
}

struct Making<'question> {
    graph: &'question mut Graph,
    random: &'question mut Random,
    inputs: usize,
    /// The constants that the question compares with.
    used: Vec<NodeId>,
}

const KINDS: [Kinds; 9] = [
    Kinds::INTEGER,
    Kinds::FLOAT,
    Kinds::NUMBER,
    Kinds::ATOM,
    Kinds::LIST,
    Kinds::CONS,
    Kinds::TUPLE,
    Kinds::BINARY,
    Kinds::MAP,
];

impl Making<'_> {
    fn condition(&mut self, depth: u32) -> Condition {
        let condition = if depth > 0 && self.random.is(3) {
            let count = 2 + self.random.below(2);
            let parts: Vec<Condition> = (0..count).map(|_| self.condition(depth - 1)).collect();
            self.graph.all(parts)
        } else {
            self.atomic()
        };
        if self.random.is(2) {
            !condition
        } else {
            condition
        }
    }

    /// Two parts are the same, so earlier conditions on one hold for the other.
    fn alias(&mut self) -> Condition {
        let mut all = Vec::new();
        let (part, other) = (self.part(&mut all), self.part(&mut all));
        all.push(self.graph.equal(part, other));
        self.graph.all(all)
    }

    /// The earlier value of an input, which it often must not have now.
    fn parent(&mut self) -> NodeId {
        if self.used.is_empty() || self.random.is(3) {
            return self.constant(2);
        }
        let used = self.used.clone();
        self.random.one_of(&used)
    }

    /// A condition on a part of an input, after the conditions that the part is there.
    fn atomic(&mut self) -> Condition {
        let mut all = Vec::new();
        let part = self.part(&mut all);
        let said = match self.random.below(12) {
            0 | 1 => {
                let kinds = self.random.one_of(&KINDS);
                self.graph.kind(kinds, part)
            }
            2 => {
                let arity = self.random.one_of(&[0, 1, 2, 3]);
                let zero = self.graph.integer(0);
                let size = usize::try_from(arity).expect("small");
                let example = self.graph.tuple(vec![zero; size]);
                self.used.push(example);
                self.graph.arity(arity, part)
            }
            3 => self.graph.proper_list(part),
            4 | 5 => {
                let other = self.value(&mut all, 2);
                self.graph.equal(part, other)
            }
            6 => {
                let other = self.part(&mut all);
                self.graph.equal(part, other)
            }
            7 => {
                let other = self.value(&mut all, 2);
                self.graph.same(part, other)
            }
            8 => {
                let other = self.value(&mut all, 1);
                self.less(part, other)
            }
            9 => {
                all.push(self.graph.kind(Kinds::INTEGER, part));
                let other = self.integer();
                self.less(part, other)
            }
            10 => self.sum(part, &mut all),
            _ => {
                let list = self.graph.proper_list(part);
                all.push(list);
                let length = self.graph.length(part);
                let other = self.integer();
                self.less(length, other)
            }
        };
        let said = if self.random.is(4) { !said } else { said };
        all.push(said);
        self.graph.all(all)
    }

    fn less(&mut self, left: NodeId, right: NodeId) -> Condition {
        if self.random.is(2) {
            self.graph.less(left, right)
        } else {
            self.graph.less(right, left)
        }
    }

    fn sum(&mut self, part: NodeId, all: &mut Vec<Condition>) -> Condition {
        let other = self.part(all);
        for side in [part, other] {
            all.push(self.graph.kind(Kinds::INTEGER, side));
        }
        let sum = if self.random.is(3) {
            self.bits(part)
        } else {
            let operator = self.random.one_of(&[Operator::Add, Operator::Subtract]);
            self.graph.arithmetic(operator, part, other)
        };
        let value = self.integer();
        if self.random.is(2) {
            self.graph.equal(sum, value)
        } else {
            self.less(sum, value)
        }
    }

    /// The bits of an integer, with those of a constant.
    fn bits(&mut self, integer: NodeId) -> NodeId {
        let shifts = [Operator::ShiftLeft, Operator::ShiftRight];
        let (operator, constant) = if self.random.is(3) {
            (
                self.random.one_of(&shifts),
                self.random.one_of(&[-2, 0, 1, 3]),
            )
        } else {
            let operator = [Operator::And, Operator::Or, Operator::Xor];
            let constant = self.random.one_of(&[-6, -1, 0, 1, 5, 12, 255]);
            (self.random.one_of(&operator), constant)
        };
        let constant = self.graph.integer(constant);
        self.graph.arithmetic(operator, integer, constant)
    }

    fn part(&mut self, all: &mut Vec<Condition>) -> NodeId {
        let number = self.random.below(self.inputs as u64);
        let mut part = self.graph.input(number);
        for _ in 0..self.random.one_of(&[0, 0, 0, 1, 1, 2]) {
            part = match self.random.below(3) {
                0 => {
                    all.push(self.graph.kind(Kinds::CONS, part));
                    self.graph.head(part)
                }
                1 => {
                    all.push(self.graph.kind(Kinds::CONS, part));
                    self.graph.tail(part)
                }
                _ => {
                    let arity = self.random.one_of(&[1, 2, 2, 3]);
                    all.push(self.graph.arity(arity, part));
                    let index = self.random.below(u64::from(arity));
                    let index = u32::try_from(index).expect("small");
                    self.graph.element(index, part)
                }
            };
        }
        part
    }

    fn integer(&mut self) -> NodeId {
        let value = self.random.one_of(&[-3, -1, 0, 1, 2, 5]);
        self.graph.integer(value)
    }

    /// A constant, or something made of constants and parts.
    fn value(&mut self, all: &mut Vec<Condition>, depth: u32) -> NodeId {
        if self.random.is(6) {
            return self.part(all);
        }
        let value = self.made_of(depth, |making, depth| making.value(all, depth));
        if self.graph.is_ground(value) {
            self.used.push(value);
        }
        value
    }

    fn constant(&mut self, depth: u32) -> NodeId {
        self.made_of(depth, Self::constant)
    }

    fn made_of(&mut self, depth: u32, mut inner: impl FnMut(&mut Self, u32) -> NodeId) -> NodeId {
        match self.random.below(if depth == 0 { 8 } else { 11 }) {
            0 | 1 => self.integer(),
            2 | 3 => {
                let text = self.random.one_of(&["a", "b", "true"]);
                self.graph.atom(text)
            }
            4 => NodeId::NIL,
            5 => {
                let value = self.random.one_of(&[0.0, 1.0, 0.5]);
                self.graph.float(value)
            }
            6 => self.graph.constant(&Term::Bits(vec![], 8)),
            7 => self.graph.constant(&Term::Map(vec![])),
            8 | 9 => {
                let (head, tail) = (inner(self, depth - 1), inner(self, depth - 1));
                self.graph.cons(head, tail)
            }
            _ => {
                let count = self.random.below(3);
                let elements: Vec<NodeId> = (0..count).map(|_| inner(self, depth - 1)).collect();
                self.graph.tuple(elements)
            }
        }
    }
}

/// A condition, for reading.
pub(crate) fn condition_text(graph: &Graph, condition: Condition) -> String {
    let text = |node: &NodeId| node_text(graph, *node);
    let positive = match graph.formula(condition) {
        Formula::True => "true".to_owned(),
        Formula::All(parts) => {
            let parts = parts.iter().map(|part| condition_text(graph, *part));
            format!("({})", parts.collect::<Vec<_>>().join(" and "))
        }
        Formula::Kind(kinds, node) => format!("{} is {kinds:?}", text(node)),
        Formula::Arity(arity, node) => format!("{} has arity {arity}", text(node)),
        Formula::FunArity(arity, node) => format!("{} is a fun/{arity}", text(node)),
        Formula::ProperList(node) => format!("{} is proper", text(node)),
        Formula::Member(of, node) => format!("{} is of {of:?}", text(node)),
        Formula::HasKey(key, map) => format!("is_key({}, {})", text(key), text(map)),
        Formula::Fields(fields, map) => format!("{} has {fields:?}", text(map)),
        Formula::Utf8(from, node) => format!("{} is UTF-8 from {from}", text(node)),
        Formula::Equal(left, right) => format!("{} =:= {}", text(left), text(right)),
        Formula::Same(left, right) => format!("{} == {}", text(left), text(right)),
        Formula::Less(left, right) => format!("{} < {}", text(left), text(right)),
        Formula::Before(left, right) => format!("{} before {}", text(left), text(right)),
        Formula::TooLarge(operator, left, right) => {
            format!("{} {operator:?} {} is too large", text(left), text(right))
        }
    };
    if condition.is_negated() {
        format!("not {positive}")
    } else {
        positive
    }
}

fn node_text(graph: &Graph, node: NodeId) -> String {
    let text = |node: &NodeId| node_text(graph, *node);
    match graph.node(node) {
        Node::Input(number) => format!("X{number}"),
        Node::Part(Place::Head, of) => format!("hd({})", text(of)),
        Node::Part(Place::Tail, of) => format!("tl({})", text(of)),
        Node::Part(Place::Element(index), of) => format!("element({index}, {})", text(of)),
        Node::Cons(head, tail) => format!("[{}|{}]", text(head), text(tail)),
        Node::Tuple(elements) => {
            let elements: Vec<String> = elements.iter().map(text).collect();
            format!("{{{}}}", elements.join(", "))
        }
        Node::Arithmetic(operator, left, right) => {
            format!("({} {operator:?} {})", text(left), text(right))
        }
        Node::Length(of) => format!("length({})", text(of)),
        Node::MapSize(of) => format!("map_size({})", text(of)),
        Node::Part(Place::Value(key), of) => format!("get({}, {})", text(key), text(of)),
        Node::Part(Place::Key(index), of) => format!("key({index}, {})", text(of)),
        Node::Put(of, key, value) => format!("{}#{{{} => {}}}", text(of), text(key), text(value)),
        Node::Without(of, key) => format!("remove({}, {})", text(key), text(of)),
        Node::Part(Place::Text, of) => format!("atom_to_list({})", text(of)),
        Node::Part(Place::Result(arguments), of) => format!("{}{}", text(of), text(arguments)),
        Node::Part(Place::Default, of) => format!("{}(_)", text(of)),
        Node::AtomOf(of) => format!("list_to_atom({})", text(of)),
        Node::Integer(_)
        | Node::Float(_)
        | Node::Atom(_)
        | Node::Nil
        | Node::Other(..)
        | Node::Map(_)
        | Node::Part(Place::Bytes | Place::Unused | Place::Byte(_), _)
        | Node::Bits(_)
        | Node::FloatOf(..)
        | Node::Rounded(..)
        | Node::TupleSize(_)
        | Node::Truth(_)
        | Node::Choice(..)
        | Node::Closure(_)
        | Node::Table(_)
        | Node::Unknown(_) => match to_term(graph, node) {
            Some(term) => term.to_string(),
            None => format!("{:?}", graph.node(node)),
        },
    }
}
