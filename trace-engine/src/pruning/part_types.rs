//! The types of parts of the input, where the function has a spec.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use solver::graph::{Graph, Kinds, Node, NodeId, Place};
use solver::types::{Alternative, Signature, TypeId};

use super::known_parts::KnownParts;
use super::node_tables::NodeTable;

/// Several types: a value has one of them.
pub(super) type SomeTypes = SmallVec<[TypeId; 2]>;

/// The type of a part.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum PartType {
    /// Any value.
    Any,
    /// A value of one of these types, in order.
    OneOf(SomeTypes),
    /// It depends on other parts.
    Depends,
}

/// The number of a type among those that were found.
#[derive(Clone, Copy, Debug)]
struct TypeNumber(u32);

/// The type of a part, as it was found.
#[derive(Clone, Copy, Debug)]
struct FoundType {
    number: TypeNumber,
    /// What was known then, by its version; `None` if it does not depend on that.
    version: Option<u32>,
}

/// Finds the types of parts.
#[derive(Debug)]
pub(super) struct PartTypes<'search> {
    signature: Option<&'search Signature>,
    /// The types that were found, each once, with their kinds.
    types: Vec<(PartType, Kinds)>,
    numbers: FxHashMap<PartType, TypeNumber>,
    found: NodeTable<Option<FoundType>>,
}

impl<'search> PartTypes<'search> {
    pub(super) fn new(signature: Option<&'search Signature>) -> Self {
        Self {
            signature,
            types: Vec::new(),
            numbers: FxHashMap::default(),
            found: NodeTable::default(),
        }
    }

    /// The kinds that a part can have by its type.
    pub(super) fn kinds(&mut self, graph: &Graph, facts: &KnownParts, part: NodeId) -> Kinds {
        let Some(signature) = self.signature else {
            return Kinds::ANY;
        };
        let number = self.number(signature, graph, facts, part);
        self.numbered(number).1
    }

    /// The type of a part.
    pub(super) fn of(&mut self, graph: &Graph, facts: &KnownParts, part: NodeId) -> &PartType {
        let Some(signature) = self.signature else {
            return &PartType::Any;
        };
        let number = self.number(signature, graph, facts, part);
        &self.numbered(number).0
    }

    fn numbered(&self, number: TypeNumber) -> &(PartType, Kinds) {
        let found = self.types.get(number.0 as usize);
        found.expect("a number is made with its type")
    }

    /// The number of the type of a part.
    fn number(
        &mut self,
        signature: &Signature,
        graph: &Graph,
        facts: &KnownParts,
        part: NodeId,
    ) -> TypeNumber {
        match self.valid(facts, part) {
            Some(known) => known.number,
            None => self.find(signature, graph, facts, part),
        }
    }

    /// What was found of a part, if that is still so.
    fn valid(&self, facts: &KnownParts, part: NodeId) -> Option<FoundType> {
        let known = self.found.get(part);
        known.filter(|it| it.version.is_none_or(|it| it == facts.version()))
    }

    fn find(
        &mut self,
        signature: &Signature,
        graph: &Graph,
        facts: &KnownParts,
        part: NodeId,
    ) -> TypeNumber {
        // From the part up to one whose type is known, and down again.
        let mut way = SmallVec::<[(NodeId, Place); 8]>::new();
        let mut at = part;
        let mut found = loop {
            if let Some(known) = self.valid(facts, at) {
                break known;
            }
            if let Node::Part(place, of) = graph.node(at) {
                way.push((at, *place));
                at = *of;
                continue;
            }
            let argument = if let Node::Input(number) = graph.node(at) {
                type_of_argument(signature, *number)
            } else {
                PartType::Any
            };
            let found = FoundType {
                number: self.number_of(signature, argument),
                version: None,
            };
            *self.found.entry(at) = Some(found);
            break found;
        };
        while let Some((inner, place)) = way.pop() {
            let outer = &self.numbered(found.number).0;
            let inside = inside(signature, graph, facts, outer, at, place);
            let is_lasting = !matches!(place, Place::Element(_));
            found = FoundType {
                number: self.number_of(signature, inside),
                version: found
                    .version
                    .or_else(|| (!is_lasting).then(|| facts.version())),
            };
            *self.found.entry(inner) = Some(found);
            at = inner;
        }
        found.number
    }

    /// The number of a type, which may be new.
    fn number_of(&mut self, signature: &Signature, of: PartType) -> TypeNumber {
        if let Some(known) = self.numbers.get(&of) {
            return *known;
        }
        let number = u32::try_from(self.types.len()).expect("fewer than 2^32 types");
        let number = TypeNumber(number);
        let kinds = kinds_of(signature, &of);
        self.numbers.insert(of.clone(), number);
        self.types.push((of, kinds));
        number
    }

    /// Whether a part that is a binary may be any binary.
    pub(super) fn is_any_binary(
        &mut self,
        graph: &Graph,
        facts: &KnownParts,
        part: NodeId,
    ) -> bool {
        let Some(signature) = self.signature else {
            return true;
        };
        let types = match self.of(graph, facts, part) {
            PartType::Any => return true,
            PartType::Depends => return false,
            PartType::OneOf(types) => types,
        };
        let mut forms = types
            .iter()
            .flat_map(|it| signature.types.alternatives(*it))
            .filter(|form| form.kinds().intersects(Kinds::BINARY));
        forms.all(|form| matches!(form, Alternative::Any | Alternative::Bits(0, 1 | 8)))
    }
}

/// The kinds that values of a type can have.
fn kinds_of(signature: &Signature, of: &PartType) -> Kinds {
    match of {
        PartType::Any | PartType::Depends => Kinds::ANY,
        PartType::OneOf(types) => {
            let alternatives = types
                .iter()
                .flat_map(|it| signature.types.alternatives(*it));
            let kinds = alternatives.map(Alternative::kinds);
            kinds.fold(Kinds::NONE, |all, kinds| all | kinds)
        }
    }
}

/// The type of a part in a place of another part with a type.
fn inside(
    signature: &Signature,
    graph: &Graph,
    facts: &KnownParts,
    outer: &PartType,
    of: NodeId,
    place: Place,
) -> PartType {
    let PartType::OneOf(types) = outer else {
        return outer.clone();
    };
    let forms = types
        .iter()
        .flat_map(|it| signature.types.alternatives(*it));
    let forms: SmallVec<[&Alternative; 8]> = forms.collect();
    match place {
        Place::Head | Place::Tail => cell_types(&forms, place),
        Place::Element(index) => {
            let fits = |types: &[TypeId]| fits(signature, graph, facts, of, types);
            element_types(&forms, facts.size(of), index, &fits)
        }
        Place::Text
        | Place::Value(_)
        | Place::Key(_)
        | Place::Result(_)
        | Place::Default
        | Place::Bytes
        | Place::Unused
        | Place::Byte(_) => PartType::Depends,
    }
}

/// Several clauses of a spec would tie arguments to each other.
fn type_of_argument(signature: &Signature, number: u32) -> PartType {
    let [clause] = signature.clauses.as_slice() else {
        return PartType::Depends;
    };
    match clause.get(number as usize) {
        Some(of) => one_of([*of].into_iter()),
        None => PartType::Depends,
    }
}

/// Each of these once, in order.
fn one_of(types: impl Iterator<Item = TypeId>) -> PartType {
    let mut types: SomeTypes = types.collect();
    types.sort_unstable();
    types.dedup();
    PartType::OneOf(types)
}

/// Whether there are two different ones.
fn differ(mut types: impl Iterator<Item = TypeId>) -> bool {
    let first = types.next();
    types.any(|it| Some(it) != first)
}

fn cell_types(forms: &[&Alternative], place: Place) -> PartType {
    if forms.iter().any(|it| matches!(it, Alternative::Any)) {
        return PartType::Any;
    }
    let cells: SmallVec<[(TypeId, TypeId); 4]> = forms
        .iter()
        .filter_map(|form| {
            if let Alternative::Cons(head, tail) = form {
                return Some((*head, *tail));
            }
            None
        })
        .collect();
    let heads = || cells.iter().map(|it| it.0);
    let tails = || cells.iter().map(|it| it.1);
    if differ(heads()) && differ(tails()) {
        PartType::Depends
    } else if place == Place::Head {
        one_of(heads())
    } else {
        one_of(tails())
    }
}

fn element_types(
    forms: &[&Alternative],
    size: Option<u32>,
    index: u32,
    fits: &dyn Fn(&[TypeId]) -> bool,
) -> PartType {
    let is_any = |form: &&Alternative| matches!(form, Alternative::Any | Alternative::AnyTuple);
    if forms.iter().any(is_any) {
        return PartType::Any;
    }
    let Some(size) = size else {
        return PartType::Depends;
    };
    let tuples: SmallVec<[&[TypeId]; 4]> = forms
        .iter()
        .filter_map(|form| {
            if let Alternative::Tuple(types) = form {
                return Some(types.as_slice());
            }
            None
        })
        .filter(|types| types.len() == size as usize)
        .filter(|types| fits(types))
        .collect();
    let column = |place: usize| tuples.iter().filter_map(move |it| it.get(place).copied());
    let differing = (0..size as usize).filter(|place| differ(column(*place)));
    if differing.count() > 1 {
        return PartType::Depends;
    }
    one_of(column(index as usize))
}

/// Whether the elements of a tuple that are known allow these types.
fn fits(
    signature: &Signature,
    graph: &Graph,
    facts: &KnownParts,
    tuple: NodeId,
    types: &[TypeId],
) -> bool {
    facts.constant_elements(graph, tuple).all(|(place, value)| {
        let Some(of) = types.get(place as usize) else {
            return true;
        };
        let mut forms = signature.types.alternatives(*of).iter();
        forms.any(|form| match (form, graph.node(value)) {
            (Alternative::Atom(atom), Node::Atom(known)) => atom == known,
            (Alternative::Atom(_), _) => false,
            _ => true,
        })
    })
}
