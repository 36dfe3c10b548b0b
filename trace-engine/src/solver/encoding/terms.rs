//! Erlang's terms as an algebraic data type of Z3, and what can be said about them.
//!
//! The elements of a tuple are a list in it. Functions over terms are written out as deep as the
//! terms can be, since Z3 is slow with recursive ones.

use z3::ast::{Bool, Datatype, Dynamic, Int, Real};
use z3::{DatatypeAccessor, DatatypeBuilder, DatatypeVariant, Sort};

use crate::graph::Kinds;

/// The most elements of a tuple. Tuples with this many stand for all that are larger than those
/// that a question names.
pub(super) const MOST_ELEMENTS: u32 = 4;

/// The data type.
#[derive(Debug)]
pub(super) struct Terms {
    pub(super) sort: Sort,
    integer: DatatypeVariant,
    float: DatatypeVariant,
    atom: DatatypeVariant,
    nil: DatatypeVariant,
    cons: DatatypeVariant,
    tuple: DatatypeVariant,
    other: DatatypeVariant,
}

impl Terms {
    pub(super) fn new() -> Self {
        let term = || DatatypeAccessor::datatype("term");
        let int = || DatatypeAccessor::sort(Sort::int());
        let built = DatatypeBuilder::new("term")
            .variant("integer", vec![("integer_value", int())])
            .variant(
                "float",
                vec![("float_value", DatatypeAccessor::sort(Sort::real()))],
            )
            .variant("atom", vec![("atom_number", int())])
            .variant("nil", vec![])
            .variant("cons", vec![("head", term()), ("tail", term())])
            .variant("tuple", vec![("elements", term())])
            .variant("other", vec![("kind", int()), ("other_number", int())])
            .finish();
        let [integer, float, atom, nil, cons, tuple, other] =
            <[_; 7]>::try_from(built.variants).expect("seven variants were named");
        Self {
            sort: built.sort,
            integer,
            float,
            atom,
            nil,
            cons,
            tuple,
            other,
        }
    }

    // ---- Making terms

    pub(super) fn integer(&self, value: &Int) -> Datatype {
        term(self.integer.constructor.apply(&[value]))
    }

    pub(super) fn float(&self, value: &Real) -> Datatype {
        term(self.float.constructor.apply(&[value]))
    }

    pub(super) fn atom(&self, number: i64) -> Datatype {
        term(self.atom.constructor.apply(&[&Int::from(number)]))
    }

    pub(super) fn nil(&self) -> Datatype {
        term(self.nil.constructor.apply(&[]))
    }

    pub(super) fn cons(&self, head: &Datatype, tail: &Datatype) -> Datatype {
        term(self.cons.constructor.apply(&[head, tail]))
    }

    pub(super) fn tuple(&self, elements: &[Datatype]) -> Datatype {
        let elements = elements.iter().rev();
        let list = elements.fold(self.nil(), |tail, head| self.cons(head, &tail));
        term(self.tuple.constructor.apply(&[&list]))
    }

    pub(super) fn other(&self, kind: Kinds, number: i64) -> Datatype {
        let (kind, number) = (Int::from(kind_number(kind)), Int::from(number));
        term(self.other.constructor.apply(&[&kind, &number]))
    }

    // ---- Taking them apart

    pub(super) fn head(&self, list: &Datatype) -> Datatype {
        term(field(&self.cons, 0, list))
    }

    pub(super) fn tail(&self, list: &Datatype) -> Datatype {
        term(field(&self.cons, 1, list))
    }

    fn elements(&self, tuple: &Datatype) -> Datatype {
        term(field(&self.tuple, 0, tuple))
    }

    pub(super) fn element(&self, index: u32, tuple: &Datatype) -> Datatype {
        let rest = (0..index).fold(self.elements(tuple), |rest, _| self.tail(&rest));
        self.head(&rest)
    }

    pub(super) fn integer_value(&self, integer: &Datatype) -> Int {
        let value = field(&self.integer, 0, integer).as_int();
        value.expect("integers hold integers")
    }

    fn float_value(&self, float: &Datatype) -> Real {
        let value = field(&self.float, 0, float).as_real();
        value.expect("floats hold real numbers")
    }

    fn number_value(&self, number: &Datatype) -> Real {
        let integer = self.integer_value(number).to_real();
        is(&self.integer, number).ite(&integer, &self.float_value(number))
    }

    fn atom_number(&self, atom: &Datatype) -> Int {
        let number = field(&self.atom, 0, atom).as_int();
        number.expect("atoms hold their numbers")
    }

    fn other_kind(&self, other: &Datatype) -> Int {
        let kind = field(&self.other, 0, other).as_int();
        kind.expect("other terms hold their kinds")
    }

    // ---- What can be said about them

    pub(super) fn is_of_kind(&self, kinds: Kinds, of: &Datatype) -> Bool {
        let each = kinds.each().map(|kind| match kind {
            Kinds::INTEGER => is(&self.integer, of),
            Kinds::FLOAT => is(&self.float, of),
            Kinds::ATOM => is(&self.atom, of),
            Kinds::NIL => is(&self.nil, of),
            Kinds::CONS => is(&self.cons, of),
            Kinds::TUPLE => is(&self.tuple, of),
            _ => {
                let kind = self.other_kind(of).eq(kind_number(kind));
                Bool::and(&[is(&self.other, of), kind])
            }
        });
        Bool::or(&each.collect::<Vec<_>>())
    }

    pub(super) fn has_arity(&self, arity: u32, of: &Datatype) -> Bool {
        let mut all = vec![is(&self.tuple, of)];
        let mut rest = self.elements(of);
        for _ in 0..arity {
            all.push(is(&self.cons, &rest));
            rest = self.tail(&rest);
        }
        all.push(is(&self.nil, &rest));
        Bool::and(&all)
    }

    pub(super) fn is_proper(&self, list: &Datatype, depth: u32) -> Bool {
        let is_nil = is(&self.nil, list);
        if depth == 0 {
            return is_nil;
        }
        let tail = self.is_proper(&self.tail(list), depth - 1);
        Bool::or(&[is_nil, Bool::and(&[is(&self.cons, list), tail])])
    }

    pub(super) fn length(&self, list: &Datatype, depth: u32) -> Int {
        let zero = Int::from(0);
        if depth == 0 {
            return zero;
        }
        let tail = self.length(&self.tail(list), depth - 1);
        is(&self.cons, list).ite(&Int::add(&[Int::from(1), tail]), &zero)
    }

    pub(super) fn tuple_size(&self, tuple: &Datatype) -> Int {
        self.length(&self.elements(tuple), MOST_ELEMENTS)
    }

    /// A term that exists and is no deeper than this. New terms of the kinds that cannot be made
    /// exist only if `is_free`.
    pub(super) fn exists(
        &self,
        of: &Datatype,
        depth: u32,
        known: &[Datatype],
        is_free: &Bool,
    ) -> Bool {
        let made = self.is_of_kind(Kinds::MAP | Kinds::BITS, of);
        let foreign = self.is_of_kind(Kinds::FOREIGN, of);
        let may_be_foreign = known.iter().map(|it| of.eq(it));
        let may_be_foreign: Vec<Bool> = may_be_foreign.chain([is_free.clone()]).collect();
        let foreign = Bool::and(&[foreign, Bool::or(&may_be_foreign)]);
        let other = is(&self.other, of).implies(Bool::or(&[made, foreign]));
        let (is_cons, is_tuple) = (is(&self.cons, of), is(&self.tuple, of));
        if depth == 0 {
            return Bool::and(&[!is_cons, !is_tuple, other]);
        }
        let exists = |part: &Datatype| self.exists(part, depth - 1, known, is_free);
        let cons = Bool::and(&[exists(&self.head(of)), exists(&self.tail(of))]);
        let tuple = self.elements_exist(&self.elements(of), MOST_ELEMENTS, &exists);
        Bool::and(&[is_cons.implies(cons), is_tuple.implies(tuple), other])
    }

    fn elements_exist(
        &self,
        list: &Datatype,
        most: u32,
        exists: &dyn Fn(&Datatype) -> Bool,
    ) -> Bool {
        let is_nil = is(&self.nil, list);
        if most == 0 {
            return is_nil;
        }
        let tail = self.elements_exist(&self.tail(list), most - 1, exists);
        let head = exists(&self.head(list));
        Bool::or(&[is_nil, Bool::and(&[is(&self.cons, list), head, tail])])
    }

    /// `==`, for terms of which one is no deeper than this.
    pub(super) fn same(&self, left: &Datatype, right: &Datatype, depth: u32) -> Bool {
        let equal = left.eq(right);
        let both = |kinds| Bool::and(&[left, right].map(|it| self.is_of_kind(kinds, it)));
        let numbers = self.number_value(left).eq(self.number_value(right));
        let numbers = Bool::and(&[both(Kinds::NUMBER), numbers]);
        if depth == 0 {
            return Bool::or(&[equal, numbers]);
        }
        let heads = self.same(&self.head(left), &self.head(right), depth - 1);
        let tails = self.same(&self.tail(left), &self.tail(right), depth - 1);
        let lists = Bool::and(&[both(Kinds::CONS), heads, tails]);
        let tuples = self.same_elements(
            &self.elements(left),
            &self.elements(right),
            MOST_ELEMENTS,
            depth - 1,
        );
        let tuples = Bool::and(&[both(Kinds::TUPLE), tuples]);
        Bool::or(&[equal, numbers, lists, tuples])
    }

    fn same_elements(&self, left: &Datatype, right: &Datatype, most: u32, depth: u32) -> Bool {
        let ends = Bool::and(&[left, right].map(|it| is(&self.nil, it)));
        if most == 0 {
            return ends;
        }
        let go_on = Bool::and(&[left, right].map(|it| is(&self.cons, it)));
        let heads = self.same(&self.head(left), &self.head(right), depth);
        let tails = self.same_elements(&self.tail(left), &self.tail(right), most - 1, depth);
        Bool::or(&[ends, Bool::and(&[go_on, heads, tails])])
    }

    /// `<`, for terms of which one is no deeper than this.
    pub(super) fn less(&self, left: &Datatype, right: &Datatype, depth: u32) -> Bool {
        let (rank, other_rank) = (self.rank(left), self.rank(right));
        let by_rank = rank.lt(&other_rank);
        let is_both = |kinds| self.is_of_kind(kinds, left);
        let numbers = self.number_value(left).lt(self.number_value(right));
        let atoms = self.atom_number(left).lt(self.atom_number(right));
        // The order of maps and bit strings is left open.
        let others = Bool::and(&[!left.eq(right), Bool::fresh_const("others")]);
        let mut within = vec![
            Bool::and(&[is_both(Kinds::NUMBER), numbers]),
            Bool::and(&[is_both(Kinds::ATOM), atoms]),
            Bool::and(&[is(&self.other, left), others]),
        ];
        if depth > 0 {
            within.push(Bool::and(&[
                is_both(Kinds::CONS),
                self.less_lists(left, right, depth - 1),
            ]));
            within.push(Bool::and(&[
                is_both(Kinds::TUPLE),
                self.less_tuples(left, right, depth - 1),
            ]));
        }
        let within = Bool::and(&[rank.eq(&other_rank), Bool::or(&within)]);
        Bool::or(&[by_rank, within])
    }

    fn less_lists(&self, left: &Datatype, right: &Datatype, depth: u32) -> Bool {
        let (head, other) = (self.head(left), self.head(right));
        let heads = self.less(&head, &other, depth);
        let same = self.same(&head, &other, depth);
        let tails = self.less(&self.tail(left), &self.tail(right), depth);
        Bool::or(&[heads, Bool::and(&[same, tails])])
    }

    fn less_tuples(&self, left: &Datatype, right: &Datatype, depth: u32) -> Bool {
        let (size, other) = (self.tuple_size(left), self.tuple_size(right));
        let (left, right) = (self.elements(left), self.elements(right));
        let elements = self.less_elements(&left, &right, MOST_ELEMENTS, depth);
        Bool::or(&[size.lt(&other), Bool::and(&[size.eq(&other), elements])])
    }

    fn less_elements(&self, left: &Datatype, right: &Datatype, most: u32, depth: u32) -> Bool {
        if most == 0 {
            return Bool::from_bool(false);
        }
        let (head, other) = (self.head(left), self.head(right));
        let heads = self.less(&head, &other, depth);
        let same = self.same(&head, &other, depth);
        let tails = self.less_elements(&self.tail(left), &self.tail(right), most - 1, depth);
        let elements = Bool::or(&[heads, Bool::and(&[same, tails])]);
        Bool::and(&[is(&self.cons, left), elements])
    }

    /// Where the kind of a term is in the order of terms.
    fn rank(&self, of: &Datatype) -> Int {
        let bits = Int::from(kind_number(Kinds::BINARY));
        let mut rank = self
            .is_of_kind(Kinds::BITS, of)
            .ite(&bits, &self.other_kind(of));
        for (variant, kind) in [
            (&self.integer, Kinds::INTEGER),
            (&self.float, Kinds::INTEGER),
            (&self.atom, Kinds::ATOM),
            (&self.nil, Kinds::NIL),
            (&self.cons, Kinds::CONS),
            (&self.tuple, Kinds::TUPLE),
        ] {
            rank = is(variant, of).ite(&Int::from(kind_number(kind)), &rank);
        }
        rank
    }
}

/// The place of a single kind among all kinds.
pub(super) fn kind_number(kind: Kinds) -> i64 {
    let mut numbered = (0..).zip(Kinds::ANY.each());
    let found = numbered.find(|it| it.1 == kind);
    found.expect("each kind is among all kinds").0
}

fn term(value: Dynamic) -> Datatype {
    value.as_datatype().expect("terms are a data type")
}

fn is(variant: &DatatypeVariant, of: &Datatype) -> Bool {
    let is = variant.tester.apply(&[of]).as_bool();
    is.expect("testers give booleans")
}

fn field(variant: &DatatypeVariant, index: usize, of: &Datatype) -> Dynamic {
    let accessor = variant.accessors.get(index);
    accessor.expect("the variant has this field").apply(&[of])
}
