//! Writes values and conditions in words, with parts of the input named by roots.

use flattener::ast::deep;
use solver::graph::{Condition, Formula, Graph, Kinds, Node, NodeId, Place};

use super::binary_sizes::ByteRange;
use super::part_types::PartType;
use super::path_facts::OpenCondition;
use super::relevance::Relevance;
use super::state_words::{Levels, NoState, StateMark, StateWords, Written};
use super::view_rule::ViewRule;

/// At so many levels of values there is room on the stack without a question.
const LEVELS_BETWEEN_LOOKS: usize = 8;

/// Writes a state.
pub(super) struct StateWriter<'run, 'search> {
    graph: &'run Graph,
    pub(super) relevance: Relevance<'run, 'search>,
    pub(super) words: StateWords,
    /// The roots by their numbers.
    order: Vec<NodeId>,
    levels: Levels,
    /// How many values are written that are around the next one.
    around: usize,
}

impl<'run, 'search> StateWriter<'run, 'search> {
    /// Goes on after words for the place.
    pub(super) fn new(
        graph: &'run Graph,
        relevance: Relevance<'run, 'search>,
        place: Vec<u64>,
    ) -> Self {
        Self {
            graph,
            relevance,
            words: StateWords::after(place),
            order: Vec::new(),
            levels: Levels::new(),
            around: 0,
        }
    }

    /// The roots by their numbers, and their levels.
    pub(super) fn roots(&self) -> (&[NodeId], &Levels) {
        (&self.order, &self.levels)
    }

    /// Writes a value.
    pub(super) fn node(&mut self, node: NodeId) -> Written {
        let graph = self.graph;
        match graph.node(node) {
            Node::Input(_) | Node::Part(..) => self.part(node),
            Node::Integer(value) => self.words.integer(value),
            Node::Float(bits) => {
                self.words.mark(StateMark::Float)?;
                self.words.push(*bits)
            }
            Node::Atom(atom) => {
                self.words.mark(StateMark::Atom)?;
                self.words.bytes(atom.as_str().as_bytes())
            }
            Node::Nil => self.words.mark(StateMark::Nil),
            Node::Other(_, bytes) => {
                self.words.mark(StateMark::OtherConstant)?;
                self.words.bytes(bytes)
            }
            Node::Cons(head, tail) => self.nodes(StateMark::Cons, &[*head, *tail]),
            Node::Tuple(elements) => self.counted(StateMark::Tuple, elements),
            Node::Arithmetic(operator, left, right) => {
                self.words.mark(StateMark::Arithmetic)?;
                self.words.push(*operator as u64)?;
                self.all(&[*left, *right])
            }
            Node::Truth(condition) => {
                self.words.mark(StateMark::Truth)?;
                self.condition(*condition)
            }
            Node::Choice(condition, yes, no) => {
                self.words.mark(StateMark::Choice)?;
                self.condition(*condition)?;
                self.all(&[*yes, *no])
            }
            Node::Closure(closure) => {
                self.words.mark(StateMark::Closure)?;
                self.words.callable(closure.module, closure.callable)?;
                self.words.number(closure.captured.len())?;
                let mut captured = closure.captured.iter();
                captured.try_for_each(|it| self.inner(it.1))
            }
            Node::Bits(bits) => {
                self.words.mark(StateMark::Bits)?;
                self.words.number(bits.pieces.len())?;
                for piece in &bits.pieces {
                    self.words.push(u64::from(piece.width))?;
                    self.inner(piece.value)?;
                }
                match bits.rest {
                    Some(rest) => self.rest(rest.of, rest.skipped),
                    None => self.words.push(0),
                }
            }
            Node::Rounded(rounding, of) => {
                self.words.mark(StateMark::Rounded)?;
                self.words.push(*rounding as u64)?;
                self.inner(*of)
            }
            Node::Length(of) => self.nodes(StateMark::Length, &[*of]),
            Node::TupleSize(of) => self.nodes(StateMark::TupleSize, &[*of]),
            Node::MapSize(of) => self.nodes(StateMark::MapSize, &[*of]),
            Node::AtomOf(of) => self.nodes(StateMark::AtomOf, &[*of]),
            Node::FloatOf(of, bits) => {
                self.words.mark(StateMark::FloatOf)?;
                self.words.push(u64::from(*bits))?;
                self.inner(*of)
            }
            Node::Map(pairs) => {
                let pairs: Vec<NodeId> = pairs.iter().flat_map(|it| [it.0, it.1]).collect();
                self.counted(StateMark::Map, &pairs)
            }
            Node::Put(map, key, value) => self.nodes(StateMark::Put, &[*map, *key, *value]),
            Node::Without(map, key) => self.nodes(StateMark::Without, &[*map, *key]),
            Node::Table(_) | Node::Unknown(_) => Err(NoState),
        }
    }

    fn inner(&mut self, node: NodeId) -> Written {
        self.inside(|writer| writer.node(node))
    }

    /// Writes something inside of a value or condition.
    fn inside(&mut self, write: impl FnOnce(&mut Self) -> Written) -> Written {
        self.around += 1;
        let written = if self.around.is_multiple_of(LEVELS_BETWEEN_LOOKS) {
            deep(|| write(self))
        } else {
            write(self)
        };
        self.around -= 1;
        written
    }

    fn all(&mut self, nodes: &[NodeId]) -> Written {
        nodes.iter().try_for_each(|it| self.inner(*it))
    }

    fn nodes(&mut self, mark: StateMark, nodes: &[NodeId]) -> Written {
        self.words.mark(mark)?;
        self.all(nodes)
    }

    fn counted(&mut self, mark: StateMark, nodes: &[NodeId]) -> Written {
        self.words.mark(mark)?;
        self.words.number(nodes.len())?;
        self.all(nodes)
    }

    // ---- Parts of the input

    /// Writes the rest of a bit string of the input, without the bytes that do not count.
    fn rest(&mut self, of: NodeId, skipped: u64) -> Written {
        let first = self.relevance.first_byte(of).unwrap_or(0);
        let skipped = skipped.checked_sub(u64::from(first) * 8).ok_or(NoState)?;
        self.words.extend(&[1, skipped])?;
        self.located(of)
    }

    /// Writes a part of the input.
    fn part(&mut self, part: NodeId) -> Written {
        if self.relevance.first_byte(part).is_some() {
            // The same as a rest of which nothing was skipped.
            self.words.mark(StateMark::Bits)?;
            self.words.number(0)?;
            return self.rest(part, 0);
        }
        self.located(part)
    }

    /// Writes where a part of the input is: its root, and the way down from there.
    fn located(&mut self, part: NodeId) -> Written {
        let root = self.relevance.root(part).ok_or(NoState)?;
        let places = self.relevance.way_down(root, part);
        match self.number(root) {
            Some(number) if ViewRule::SameParts.is_kept() => {
                self.words.mark(StateMark::Root)?;
                self.words.push(number)?;
            }
            Some(_) | None => self.new_root(root)?,
        }
        self.words.number(places.len())?;
        let first = self.relevance.first_byte(root).unwrap_or(0);
        for place in places {
            if let Place::Byte(index) = place {
                let index = index.checked_sub(first).ok_or(NoState)?;
                self.place(Place::Byte(index))?;
            } else {
                self.place(place)?;
            }
        }
        Ok(())
    }

    /// The number of a root, if it was written.
    fn number(&self, root: NodeId) -> Option<u64> {
        let number = self.relevance.facts.root_numbers.get(root);
        let is_its = self.order.get(number as usize) == Some(&root);
        is_its.then_some(u64::from(number))
    }

    fn new_root(&mut self, root: NodeId) -> Written {
        let graph = self.graph;
        let number = u32::try_from(self.order.len()).map_err(|_| NoState)?;
        *self.relevance.facts.root_numbers.entry(root) = number;
        self.order.push(root);
        if self.relevance.is_byte_alone(root) {
            self.levels.push(0);
            self.words.mark(StateMark::NewByte)?;
            return self.words.push(u64::from(number));
        }
        self.words.mark(StateMark::NewRoot)?;
        self.words.push(u64::from(number))?;
        let facts = &mut *self.relevance.facts;
        self.words.push(u64::from(graph.kinds(root).bits()))?;
        match facts.types.of(graph, &facts.known, root) {
            PartType::Any => self.words.push(0)?,
            PartType::OneOf(_) if !ViewRule::PartTypes.is_kept() => {}
            PartType::OneOf(types) => {
                self.words.number(types.len() + 1)?;
                let mut types = types.iter();
                types.try_for_each(|of| self.words.push(u64::from(of.0)))?;
            }
            PartType::Depends => return Err(NoState),
        }
        match self.relevance.first_byte(root) {
            Some(first) => self.size(root, first),
            None => {
                self.level(root);
                Ok(())
            }
        }
    }

    /// Writes how long the rest of a binary is at least. How long it is at most is a level: a longer
    /// one can go on in all ways in which a shorter one can.
    fn size(&mut self, binary: NodeId, first: u32) -> Written {
        let range = self.relevance.facts.known.bytes(binary);
        let first = i64::from(first);
        let least = u64::try_from(range.least - first).unwrap_or(0);
        let (is_limited, level) = if range.most == ByteRange::NO_LIMIT {
            (0, first)
        } else {
            (1, i64::from(u16::MAX) - (range.most - first))
        };
        let level = u16::try_from(level).map_err(|_| NoState)?;
        if !ViewRule::BytesLeft.is_kept() {
            self.levels.push(0);
            return Ok(());
        }
        self.levels.push(level);
        self.words.mark(StateMark::Size)?;
        self.words.extend(&[is_limited, least])
    }

    fn level(&mut self, root: NodeId) {
        let nested = Kinds::CONS | Kinds::TUPLE | Kinds::MAP | Kinds::FUN;
        let mut level = 0;
        if self
            .relevance
            .facts
            .kinds(self.graph, root)
            .intersects(nested)
            && ViewRule::Levels.is_kept()
        {
            let mut at = root;
            while let Node::Part(_, of) = self.graph.node(at) {
                level += 1;
                at = *of;
            }
        }
        self.levels.push(u16::try_from(level).unwrap_or(u16::MAX));
    }

    fn place(&mut self, place: Place) -> Written {
        let words = match place {
            Place::Head => [0, 0],
            Place::Tail => [1, 0],
            Place::Element(index) => [2, u64::from(index)],
            Place::Text => [3, 0],
            Place::Key(index) => [4, u64::from(index)],
            Place::Default => [5, 0],
            Place::Bytes => [6, 0],
            Place::Unused => [7, 0],
            Place::Byte(index) => [8, u64::from(index)],
            Place::Value(key) => {
                self.words.push(9)?;
                return self.inner(key);
            }
            Place::Result(arguments) => {
                self.words.push(10)?;
                return self.inner(arguments);
            }
        };
        self.words.extend(&words)
    }

    // ---- Conditions

    /// Writes what is left of a condition of the path.
    pub(super) fn path_condition(&mut self, number: u32) -> Written {
        let Some(found) = self.relevance.facts.condition(number) else {
            return Ok(());
        };
        match found.condition.clone() {
            OpenCondition::Holds(condition) => self.condition(condition),
            OpenCondition::NotAll(parts) => {
                self.words.mark(StateMark::NotAll)?;
                self.words.number(parts.len())?;
                parts.iter().try_for_each(|it| self.condition(*it))
            }
        }
    }

    /// Writes what is known of a part: its kinds, its size, the constant that it is, and the keys
    /// of a map that the run has asked for. Nothing if there is nothing to say.
    pub(super) fn facts_of(&mut self, part: NodeId) -> Written {
        let graph = self.graph;
        let facts = &mut *self.relevance.facts;
        let (size, constant) = (facts.known.size(part), facts.known.constant(part));
        let kinds = facts.kinds(graph, part);
        let typed = graph.kinds(part) & facts.types.kinds(graph, &facts.known, part);
        if kinds != typed || size.is_some() || constant.is_some() {
            self.words.mark(StateMark::Fact)?;
            self.located(part)?;
            self.words.push(u64::from(kinds.bits()))?;
            self.words
                .push(size.map_or(0, |size| u64::from(size) + 1))?;
            if let Some(constant) = constant {
                self.nodes(StateMark::Constant, &[constant])?;
            }
        }
        self.bytes_of(part)?;
        if kinds.intersects(Kinds::MAP) {
            let asked = graph.map_keys().asked(part);
            let all = graph.map_keys().all(part).map(<[NodeId]>::to_vec);
            for (mark, keys) in [
                (StateMark::AskedKeys, Some(asked)),
                (StateMark::AllKeys, all),
            ] {
                if let Some(keys) = keys.filter(|keys| !keys.is_empty()) {
                    self.words.mark(mark)?;
                    self.located(part)?;
                    self.words.number(keys.len())?;
                    self.all(&keys)?;
                }
            }
        }
        Ok(())
    }

    /// Writes how many bytes a binary has that counts as a whole.
    fn bytes_of(&mut self, part: NodeId) -> Written {
        let range = self.relevance.facts.known.bytes(part);
        if range == ByteRange::ANY || self.relevance.first_byte(part).is_some() {
            return Ok(());
        }
        self.words.mark(StateMark::Size)?;
        self.located(part)?;
        let limits = [range.least, range.most].map(i64::cast_unsigned);
        self.words.extend(&limits)
    }

    fn condition(&mut self, condition: Condition) -> Written {
        let graph = self.graph;
        self.words.mark(StateMark::Condition)?;
        self.words.push(u64::from(condition.is_negated()))?;
        match graph.formula(condition) {
            Formula::True => self.words.mark(StateMark::True),
            Formula::All(parts) => {
                self.words.mark(StateMark::All)?;
                self.words.number(parts.len())?;
                let mut parts = parts.iter();
                parts.try_for_each(|it| self.inside(|writer| writer.condition(*it)))
            }
            Formula::Kind(kinds, node) => {
                self.about(StateMark::Kind, u64::from(kinds.bits()), *node)
            }
            Formula::Arity(size, node) => self.about(StateMark::Arity, u64::from(*size), *node),
            Formula::FunArity(arity, node) => {
                self.about(StateMark::FunArity, u64::from(*arity), *node)
            }
            Formula::ProperList(node) => self.nodes(StateMark::ProperList, &[*node]),
            Formula::Member(of, node) => self.about(StateMark::Member, u64::from(of.0), *node),
            Formula::Fields(fields, node) => {
                self.words.mark(StateMark::Fields)?;
                self.words.number(fields.len())?;
                for field in fields.iter() {
                    let types = [field.key, field.value].map(|it| u64::from(it.0));
                    self.words.push(u64::from(field.is_required))?;
                    self.words.extend(&types)?;
                }
                self.inner(*node)
            }
            Formula::Utf8(from, node) => self.about(StateMark::Utf8, u64::from(*from), *node),
            Formula::HasKey(key, map) => self.nodes(StateMark::HasKey, &[*key, *map]),
            Formula::Equal(left, right) => self.equality(StateMark::Equal, *left, *right),
            Formula::Same(left, right) => self.equality(StateMark::Same, *left, *right),
            Formula::Less(left, right) => self.nodes(StateMark::Less, &[*left, *right]),
            Formula::Before(left, right) => self.nodes(StateMark::Before, &[*left, *right]),
            Formula::TooLarge(operator, left, right) => {
                self.words.mark(StateMark::TooLarge)?;
                self.words.push(*operator as u64)?;
                self.all(&[*left, *right])
            }
        }
    }

    /// Writes that two values are equal. Which one comes first depends on the run, so constants come
    /// last, and roots in their order.
    fn equality(&mut self, mark: StateMark, left: NodeId, right: NodeId) -> Written {
        let [first, second] = [left, right].map(|node| {
            let root = self.relevance.root(node);
            let number = root.and_then(|root| self.number(root));
            (self.graph.is_ground(node), number.unwrap_or(u64::MAX))
        });
        if first <= second {
            self.nodes(mark, &[left, right])
        } else {
            self.nodes(mark, &[right, left])
        }
    }

    fn about(&mut self, mark: StateMark, what: u64, node: NodeId) -> Written {
        self.words.mark(mark)?;
        self.words.push(what)?;
        self.inner(node)
    }
}
