//! Values of all types, the same ones for the same seed.

use erlang_term::{Atom, ExternalFun, Integer, Term};
use num_bigint::BigInt;

/// Texts of atoms, strings and keys, among them some that need quotes or escapes.
const TEXTS: [&str; 24] = [
    "a",
    "ok",
    "nil",
    "true",
    "Elixir.Cart",
    "Elixir.Cart.Item",
    "Elixir.cart",
    "Elixir",
    "",
    "a b",
    "it's",
    "valid?",
    "go!",
    "a@b",
    "+",
    "end",
    "do",
    "fn",
    "\"q\"",
    "#{x}",
    "a\\b\n",
    "ünï ☃",
    "\u{1b}[31m",
    "Upper",
];

/// A sequence of values.
#[derive(Debug)]
pub struct RandomTerms {
    state: u64,
}

impl RandomTerms {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Self {
        Self {
            state: seed.wrapping_add(0x9e37_79b9_7f4a_7c15),
        }
    }

    /// The next value, nested at most this deep.
    pub fn next(&mut self, depth: usize) -> Term {
        let kinds = if depth == 0 { 7 } else { 13 };
        match self.below(kinds) {
            0 => Term::Integer(Integer::from(self.small())),
            1 => Term::Integer(self.large()),
            2 => Term::Float(self.float()),
            3 => Term::Atom(Atom::new(self.text())),
            4 => Term::binary(self.text()),
            5 => self.bits(),
            6 => self.function(),
            7 => Term::list(self.several(depth)),
            8 => Term::list(
                self.text()
                    .chars()
                    .map(|it| Term::Integer(Integer::from(i64::from(u32::from(it)))))
                    .collect::<Vec<_>>(),
            ),
            9 => Term::Tuple(self.several(depth)),
            10 => {
                let mut elements = self.several(depth);
                elements.push(Term::Integer(1.into()));
                Term::list_before(elements, Term::Atom(Atom::new(self.text())))
            }
            11 => self.keywords(depth),
            _ => self.map(depth),
        }
    }

    /// A number below a limit.
    fn below(&mut self, limit: u64) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state % limit
    }

    fn text(&mut self) -> &'static str {
        let count = u64::try_from(TEXTS.len()).unwrap_or(1);
        let index = usize::try_from(self.below(count)).unwrap_or(0);
        TEXTS.get(index).copied().unwrap_or_default()
    }

    fn small(&mut self) -> i64 {
        i64::try_from(self.below(400)).unwrap_or(0) - 200
    }

    /// Near a power of two, or not.
    fn large(&mut self) -> Integer {
        let power = BigInt::from(1 + self.below(5)) << (60 + self.below(300));
        let rest = BigInt::from(self.below(u64::MAX)) * BigInt::from(self.below(2)) + self.small();
        let value = power + rest;
        Integer::from(if self.below(2) == 0 { value } else { -value })
    }

    fn float(&mut self) -> f64 {
        let any = f64::from_bits(self.below(u64::MAX));
        match self.below(4) {
            0 => 0.0,
            1 => 2.5,
            2 => -1.0e22,
            _ if any.is_finite() => any,
            _ => 1.0e-7,
        }
    }

    fn bits(&mut self) -> Term {
        let length = self.below(4);
        let byte = |it: &mut Self| u8::try_from(it.below(256)).unwrap_or(0);
        let mut bytes: Vec<u8> = (0..length).map(|_| byte(self)).collect();
        let last = u8::try_from(self.below(8) + 1).unwrap_or(8);
        match bytes.last_mut() {
            Some(end) => *end &= 0xff << (8 - last),
            None => return Term::binary([]),
        }
        Term::Bits(bytes, last)
    }

    fn function(&mut self) -> Term {
        Term::ExternalFun(Box::new(ExternalFun {
            module: Atom::new(self.text()),
            name: Atom::new(self.text()),
            arity: u8::try_from(self.below(4)).unwrap_or(0),
        }))
    }

    fn several(&mut self, depth: usize) -> Vec<Term> {
        let count = self.below(4);
        (0..count).map(|_| self.next(depth - 1)).collect()
    }

    fn keywords(&mut self, depth: usize) -> Term {
        let values = self.several(depth);
        let pairs = values.into_iter().map(|value| {
            let key = Term::Atom(Atom::new(self.text()));
            Term::Tuple(vec![key, value])
        });
        Term::list(pairs.collect::<Vec<_>>())
    }

    fn map(&mut self, depth: usize) -> Term {
        let is_short = self.below(2) == 0;
        let mut pairs: Vec<(Term, Term)> = Vec::new();
        for value in self.several(depth) {
            let key = if is_short {
                Term::Atom(Atom::new(self.text()))
            } else {
                self.next(depth - 1)
            };
            if pairs.iter().all(|it| it.0 != key) {
                pairs.push((key, value));
            }
        }
        Term::Map(pairs)
    }
}
