//! Values to the external term format.

use num_bigint::Sign;

use crate::atom::Atom;
use crate::external_tags::{self as tag, VERSION};
use crate::integer::Integer;
use crate::term::Term;

/// Encodes a term, version byte included.
pub fn encode(term: &Term) -> Vec<u8> {
    let mut bytes = vec![VERSION];
    write_term(&mut bytes, term);
    bytes
}

/// Encodes a list whose elements come one by one.
#[derive(Debug, Default)]
pub struct ListEncoder {
    elements: Vec<u8>,
    count: usize,
}

impl ListEncoder {
    /// Adds an element at the end.
    pub fn push(&mut self, element: &Term) {
        write_term(&mut self.elements, element);
        self.count += 1;
    }

    /// The list, version byte included.
    pub fn finish(self) -> Vec<u8> {
        let mut bytes = vec![VERSION];
        if self.count > 0 {
            bytes.push(tag::LIST);
            bytes.extend(length(self.count));
            bytes.extend(self.elements);
        }
        bytes.push(tag::NIL);
        bytes
    }
}

fn length(count: usize) -> [u8; 4] {
    u32::try_from(count)
        .expect("no part of a term exceeds the format's limit of 4 GiB")
        .to_be_bytes()
}

fn write_term(out: &mut Vec<u8>, term: &Term) {
    match term {
        Term::Integer(integer) => write_integer(out, integer),
        Term::Float(float) => {
            out.push(tag::NEW_FLOAT);
            out.extend(float.to_be_bytes());
        }
        Term::Atom(atom) => write_atom(out, atom),
        Term::List(elements, tail) => {
            if !elements.is_empty() {
                out.push(tag::LIST);
                out.extend(length(elements.len()));
                elements.iter().for_each(|element| write_term(out, element));
            }
            match tail {
                Some(tail) => write_term(out, tail),
                None => out.push(tag::NIL),
            }
        }
        Term::Tuple(elements) => {
            match u8::try_from(elements.len()) {
                Ok(count) => out.extend([tag::SMALL_TUPLE, count]),
                Err(_) => {
                    out.push(tag::LARGE_TUPLE);
                    out.extend(length(elements.len()));
                }
            }
            elements.iter().for_each(|element| write_term(out, element));
        }
        Term::Map(pairs) => {
            out.push(tag::MAP);
            out.extend(length(pairs.len()));
            for (key, value) in pairs {
                write_term(out, key);
                write_term(out, value);
            }
        }
        Term::Bits(bytes, 8) => {
            out.push(tag::BINARY);
            out.extend(length(bytes.len()));
            out.extend(bytes);
        }
        Term::Bits(bytes, last_bits) => {
            out.push(tag::BIT_BINARY);
            out.extend(length(bytes.len()));
            out.push(*last_bits);
            out.extend(bytes);
        }
        Term::ExternalFun(fun) => {
            out.push(tag::EXPORT);
            write_atom(out, &fun.module);
            write_atom(out, &fun.name);
            out.extend([tag::SMALL_INTEGER, fun.arity]);
        }
        Term::TableFun(fun) => {
            out.extend([tag::TABLE_FUN, fun.arity()]);
            out.extend(length(fun.entries().len()));
            for (arguments, result) in fun.entries() {
                arguments.iter().for_each(|it| write_term(out, it));
                write_term(out, result);
            }
            write_term(out, fun.default());
        }
    }
}

fn write_integer(out: &mut Vec<u8>, integer: &Integer) {
    let small = integer.to_i64();
    if let Some(byte) = small.and_then(|value| u8::try_from(value).ok()) {
        out.extend([tag::SMALL_INTEGER, byte]);
    } else if let Some(word) = small.and_then(|value| i32::try_from(value).ok()) {
        out.push(tag::INTEGER);
        out.extend(word.to_be_bytes());
    } else {
        let (sign, digits) = integer.to_big().to_bytes_le();
        match u8::try_from(digits.len()) {
            Ok(count) => out.extend([tag::SMALL_BIG, count]),
            Err(_) => {
                out.push(tag::LARGE_BIG);
                out.extend(length(digits.len()));
            }
        }
        out.push(u8::from(sign == Sign::Minus));
        out.extend(digits);
    }
}

fn write_atom(out: &mut Vec<u8>, atom: &Atom) {
    let text = atom.as_str().as_bytes();
    match u8::try_from(text.len()) {
        Ok(count) => out.extend([tag::SMALL_ATOM_UTF8, count]),
        Err(_) => {
            let count = u16::try_from(text.len()).expect("an atom has at most 255 characters");
            out.push(tag::ATOM_UTF8);
            out.extend(count.to_be_bytes());
        }
    }
    out.extend(text);
}
