//! Erlang's terms as an algebraic data type of Z3, and conditions on them.
//!
//! The elements of a tuple are a list in it. Functions over terms are written out as deep as the
//! terms can be, since Z3 is slow with recursive ones.

use z3::ast::{Bool, Datatype, Dynamic, Int, Real};
use z3::{DatatypeAccessor, DatatypeBuilder, DatatypeVariant, Sort};

use super::fractions::{exact_fraction, negative_zero, real};
use crate::graph::Kinds;

/// The most elements of a tuple that a question can name. The elements after the named ones are
/// represented by one number, which differs for tuples that differ there.
pub(super) const MOST_ELEMENTS: u32 = 11;

/// How deep we look into terms where a question does not name their parts. Deeper parts are left
/// open.
pub(super) const MOST_LEVELS: u32 = 3;

/// How deep terms can be, and how deep we look into them.
type Levels = (u32, u32);

/// The data type.
#[derive(Debug)]
pub(super) struct Terms {
    pub(super) sort: Sort,
    /// How many elements of a tuple are represented one by one.
    pub(super) most: u32,
    /// Whether `0.0` and `-0.0` are different terms.
    pub(super) tells_zeros_apart: bool,
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
            .variant(
                "tuple",
                vec![("size", int()), ("rest", int()), ("elements", term())],
            )
            .variant("other", vec![("kind", int()), ("other_number", int())])
            .finish();
        let [integer, float, atom, nil, cons, tuple, other] =
            <[_; 7]>::try_from(built.variants).expect("seven variants were named");
        Self {
            sort: built.sort,
            most: 1,
            tells_zeros_apart: false,
            integer,
            float,
            atom,
            nil,
            cons,
            tuple,
            other,
        }
    }

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
        let size = Int::from(elements.len() as u64);
        let list = elements.fold(self.nil(), |tail, head| self.cons(head, &tail));
        term(self.tuple.constructor.apply(&[&size, &Int::from(0), &list]))
    }

    pub(super) fn other(&self, kind: Kinds, number: i64) -> Datatype {
        let (kind, number) = (Int::from(kind_number(kind)), Int::from(number));
        term(self.other.constructor.apply(&[&kind, &number]))
    }

    pub(super) fn head(&self, list: &Datatype) -> Datatype {
        term(field(&self.cons, 0, list))
    }

    pub(super) fn tail(&self, list: &Datatype) -> Datatype {
        term(field(&self.cons, 1, list))
    }

    fn elements(&self, tuple: &Datatype) -> Datatype {
        term(field(&self.tuple, 2, tuple))
    }

    pub(super) fn tuple_size(&self, tuple: &Datatype) -> Int {
        let size = field(&self.tuple, 0, tuple).as_int();
        size.expect("tuples hold their sizes")
    }

    /// The number that represents all further elements.
    fn tuple_rest(&self, tuple: &Datatype) -> Int {
        let rest = field(&self.tuple, 1, tuple).as_int();
        rest.expect("tuples hold a number for their other elements")
    }

    fn is_long(&self, tuple: &Datatype) -> Bool {
        self.tuple_size(tuple).gt(Int::from(self.most))
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

    pub(super) fn number_value(&self, number: &Datatype) -> Real {
        let integer = self.integer_value(number).to_real();
        let mut float = self.float_value(number);
        if self.tells_zeros_apart {
            let zero = real(&exact_fraction(0.0));
            float = float.eq(real(&negative_zero())).ite(&zero, &float);
        }
        is(&self.integer, number).ite(&integer, &float)
    }

    fn atom_number(&self, atom: &Datatype) -> Int {
        let number = field(&self.atom, 0, atom).as_int();
        number.expect("atoms hold their numbers")
    }

    fn other_kind(&self, other: &Datatype) -> Int {
        let kind = field(&self.other, 0, other).as_int();
        kind.expect("other terms hold their kinds")
    }

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
        Bool::and(&[
            is(&self.tuple, of),
            self.tuple_size(of).eq(Int::from(arity)),
        ])
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

    /// A term exists and is no deeper than this. Only some levels of it are checked. New terms of
    /// kinds that cannot be made exist only if `is_free`.
    pub(super) fn exists(
        &self,
        of: &Datatype,
        (depth, levels): Levels,
        known: &[Datatype],
        is_free: &Bool,
    ) -> Bool {
        let made = self.is_of_kind(Kinds::MAP | Kinds::BITS, of);
        let foreign = self.is_of_kind(Kinds::FOREIGN, of);
        let may_be_foreign = known.iter().map(|it| of.eq(it));
        let may_be_foreign: Vec<Bool> = may_be_foreign.chain([is_free.clone()]).collect();
        let foreign = Bool::and(&[foreign, Bool::or(&may_be_foreign)]);
        let other = is(&self.other, of).implies(Bool::or(&[made, foreign]));
        let own = Bool::and(&[other, self.is_no_large_float(of)]);
        let (is_cons, is_tuple) = (is(&self.cons, of), is(&self.tuple, of));
        if depth == 0 {
            // A tuple without elements and a map without keys have a depth of 1 as well.
            let is_map = self.is_of_kind(Kinds::MAP, of);
            return Bool::and(&[!is_cons, !is_tuple, !is_map, own]);
        }
        let exists = |part: &Datatype| {
            if levels == 0 {
                Bool::from_bool(true)
            } else {
                self.exists(part, (depth - 1, levels - 1), known, is_free)
            }
        };
        let cons = Bool::and(&[exists(&self.head(of)), exists(&self.tail(of))]);
        let tuple = self.is_well_formed(of, &exists);
        Bool::and(&[is_cons.implies(cons), is_tuple.implies(tuple), own])
    }

    /// A tuple has as many elements as its size says, as far as they are represented.
    fn is_well_formed(&self, tuple: &Datatype, exists: &dyn Fn(&Datatype) -> Bool) -> Bool {
        let size = self.tuple_size(tuple);
        let mut rest = self.elements(tuple);
        let mut all = vec![size.ge(0)];
        for place in 0..self.most {
            let is_here = size.gt(Int::from(place));
            let cell = Bool::and(&[is(&self.cons, &rest), exists(&self.head(&rest))]);
            all.push(is_here.ite(&cell, &is(&self.nil, &rest)));
            rest = self.tail(&rest);
        }
        all.push(self.is_long(tuple).implies(is(&self.nil, &rest)));
        all.push(Bool::or(&[
            self.is_long(tuple),
            self.tuple_rest(tuple).eq(0),
        ]));
        Bool::and(&all)
    }

    /// `==`, for terms of which one is no deeper than this.
    pub(super) fn same(&self, left: &Datatype, right: &Datatype, depth: u32) -> Bool {
        self.same_within(left, right, (depth, MOST_LEVELS))
    }

    fn same_within(&self, left: &Datatype, right: &Datatype, (depth, levels): Levels) -> Bool {
        let equal = left.eq(right);
        let both = |kinds| Bool::and(&[left, right].map(|it| self.is_of_kind(kinds, it)));
        let numbers = self.number_value(left).eq(self.number_value(right));
        let numbers = Bool::and(&[both(Kinds::NUMBER), numbers]);
        // Whether the numbers in maps are the same is left open.
        let maps = Bool::and(&[both(Kinds::MAP), Bool::fresh_const("maps")]);
        let atomic = Bool::or(&[equal, numbers, maps]);
        if depth == 0 {
            return atomic;
        }
        if levels == 0 {
            let deeper = [Kinds::CONS, Kinds::TUPLE].map(both);
            let deeper = Bool::and(&[Bool::or(&deeper), Bool::fresh_const("same")]);
            return Bool::or(&[atomic, deeper]);
        }
        let inner = (depth - 1, levels - 1);
        let heads = self.same_within(&self.head(left), &self.head(right), inner);
        let tails = self.same_within(&self.tail(left), &self.tail(right), inner);
        let lists = Bool::and(&[both(Kinds::CONS), heads, tails]);
        let tuples = Bool::and(&[
            both(Kinds::TUPLE),
            self.tuple_size(left).eq(self.tuple_size(right)),
            self.same_elements(
                &self.elements(left),
                &self.elements(right),
                self.most,
                inner,
            ),
            self.same_rest(left, right),
        ]);
        Bool::or(&[atomic, lists, tuples])
    }

    fn same_rest(&self, left: &Datatype, right: &Datatype) -> Bool {
        let equal = self.tuple_rest(left).eq(self.tuple_rest(right));
        let open = Bool::and(&[self.is_long(left), Bool::fresh_const("same_rest")]);
        Bool::or(&[equal, open])
    }

    fn same_elements(&self, left: &Datatype, right: &Datatype, most: u32, depth: Levels) -> Bool {
        let ends = Bool::and(&[left, right].map(|it| is(&self.nil, it)));
        if most == 0 {
            return ends;
        }
        let go_on = Bool::and(&[left, right].map(|it| is(&self.cons, it)));
        let heads = self.same_within(&self.head(left), &self.head(right), depth);
        let tails = self.same_elements(&self.tail(left), &self.tail(right), most - 1, depth);
        Bool::or(&[ends, Bool::and(&[go_on, heads, tails])])
    }

    /// `<`, for terms of which one is no deeper than this.
    pub(super) fn less(&self, left: &Datatype, right: &Datatype, depth: u32) -> Bool {
        self.less_within(left, right, (depth, MOST_LEVELS))
    }

    fn less_within(&self, left: &Datatype, right: &Datatype, (depth, levels): Levels) -> Bool {
        let (rank, other_rank) = (self.rank(left), self.rank(right));
        let by_rank = rank.lt(&other_rank);
        let is_both = |kinds| self.is_of_kind(kinds, left);
        let numbers = self.number_value(left).lt(self.number_value(right));
        let atoms = self.atom_number(left).lt(self.atom_number(right));
        let open = Bool::and(&[!left.eq(right), Bool::fresh_const("less")]);
        let mut within = vec![
            Bool::and(&[is_both(Kinds::NUMBER), numbers]),
            Bool::and(&[is_both(Kinds::ATOM), atoms]),
            // The order of maps and bit strings is left open.
            Bool::and(&[is(&self.other, left), open.clone()]),
        ];
        if depth > 0 && levels == 0 {
            within.push(Bool::and(&[is_both(Kinds::CONS | Kinds::TUPLE), open]));
        } else if depth > 0 {
            let inner = (depth - 1, levels - 1);
            let lists = self.less_lists(left, right, inner);
            within.push(Bool::and(&[is_both(Kinds::CONS), lists]));
            let tuples = self.less_tuples(left, right, inner);
            within.push(Bool::and(&[is_both(Kinds::TUPLE), tuples]));
        }
        let within = Bool::and(&[rank.eq(&other_rank), Bool::or(&within)]);
        Bool::or(&[by_rank, within])
    }

    fn less_lists(&self, left: &Datatype, right: &Datatype, depth: Levels) -> Bool {
        let (head, other) = (self.head(left), self.head(right));
        let heads = self.less_within(&head, &other, depth);
        let same = self.same_within(&head, &other, depth);
        let tails = self.less_within(&self.tail(left), &self.tail(right), depth);
        Bool::or(&[heads, Bool::and(&[same, tails])])
    }

    fn less_tuples(&self, left: &Datatype, right: &Datatype, depth: Levels) -> Bool {
        let (size, other) = (self.tuple_size(left), self.tuple_size(right));
        let rest = Bool::and(&[
            self.is_long(left),
            !self.tuple_rest(left).eq(self.tuple_rest(right)),
            Bool::fresh_const("less_rest"),
        ]);
        let (left, right) = (self.elements(left), self.elements(right));
        let elements = self.less_elements(&left, &right, &rest, self.most, depth);
        Bool::or(&[size.lt(&other), Bool::and(&[size.eq(&other), elements])])
    }

    /// The order of two lists of the same length. If they are the same, `rest` decides.
    fn less_elements(
        &self,
        left: &Datatype,
        right: &Datatype,
        rest: &Bool,
        most: u32,
        depth: Levels,
    ) -> Bool {
        if most == 0 {
            return rest.clone();
        }
        let (head, other) = (self.head(left), self.head(right));
        let heads = self.less_within(&head, &other, depth);
        let same = self.same_within(&head, &other, depth);
        let tails = self.less_elements(&self.tail(left), &self.tail(right), rest, most - 1, depth);
        let elements = Bool::or(&[heads, Bool::and(&[same, tails])]);
        Bool::and(&[is(&self.cons, left), elements])
    }

    /// A float is not too large.
    pub(super) fn is_no_large_float(&self, of: &Datatype) -> Bool {
        let value = self.float_value(of);
        let largest = real(&exact_fraction(f64::MAX));
        let is_within = Bool::and(&[value.le(&largest), value.ge(largest.unary_minus())]);
        is(&self.float, of).implies(is_within)
    }

    /// The place of a term's kind in the order of terms.
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
