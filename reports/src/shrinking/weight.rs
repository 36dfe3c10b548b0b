//! How heavy a term is: shrinking only makes it lighter, so it ends.

use erlang_term::{Integer, TableFun, Term};

/// How heavy a term is. Fields are compared in their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Weight {
    /// The number of its parts; each byte is one.
    parts: u64,
    /// The number of bits of all numbers in it.
    bits: u64,
    /// The sum of all numbers in it, without their signs.
    sum: u128,
    /// Things that are hard to read: negative numbers, fractions, bytes that are not text, and
    /// atoms with quotes.
    oddities: u64,
}

/// The weight of a term.
pub(super) fn weight(term: &Term) -> Weight {
    let mut total = Weight::default();
    let mut waiting: Vec<&Term> = vec![term];
    while let Some(term) = waiting.pop() {
        for inner in term.subterms() {
            total.add_own(inner);
            if let Term::TableFun(fun) = inner {
                waiting.extend(in_table(fun));
            }
        }
    }
    total
}

fn in_table(fun: &TableFun) -> impl Iterator<Item = &Term> {
    let keys = fun.entries().iter().flat_map(|it| &it.0);
    keys.chain(fun.results())
}

impl Weight {
    /// Adds the weight of a term without that of the terms inside.
    fn add_own(&mut self, term: &Term) {
        self.parts += 1;
        match term {
            Term::Integer(value) => self.add_integer(value),
            Term::Float(value) => self.add_float(*value),
            Term::Atom(atom) => self.oddities += u64::from(!is_readable(atom.as_str())),
            Term::Bits(bytes, last_bits) => {
                self.parts += bytes.len() as u64;
                self.oddities += bytes.iter().filter(|it| !is_text(**it)).count() as u64;
                self.oddities += u64::from(*last_bits < 8);
            }
            Term::List(_, tail) => self.oddities += u64::from(tail.is_some()),
            Term::Tuple(_) | Term::Map(_) | Term::ExternalFun(_) | Term::TableFun(_) => {}
        }
    }

    fn add_integer(&mut self, value: &Integer) {
        let big = value.to_big();
        self.bits += big.bits();
        self.sum = self
            .sum
            .saturating_add(u128::try_from(big.magnitude()).unwrap_or(u128::MAX));
        self.oddities += u64::from(*value < Integer::from(0));
    }

    /// A fraction is heavier than all whole numbers of usual size.
    fn add_float(&mut self, value: f64) {
        let whole = value.abs().trunc();
        if whole < 1e18 {
            let whole = whole as u64;
            self.bits += u64::from(u64::BITS - whole.leading_zeros());
            self.sum = self.sum.saturating_add(u128::from(whole));
        } else {
            self.bits += 1_100;
        }
        self.bits += if value.fract() == 0.0 { 0 } else { 64 };
        self.oddities += u64::from(value.is_sign_negative());
    }
}

/// Whether an atom needs no quotes and is short.
pub(super) fn is_readable(atom: &str) -> bool {
    let mut characters = atom.chars();
    let begins_well = characters.next().is_some_and(|it| it.is_ascii_lowercase());
    let is_plain = |it: char| it.is_ascii_alphanumeric() || it == '_';
    begins_well && characters.all(is_plain) && atom.len() <= 32
}

/// Whether a byte is a character that can be printed.
pub(super) fn is_text(byte: u8) -> bool {
    matches!(byte, b' '..=b'~')
}
