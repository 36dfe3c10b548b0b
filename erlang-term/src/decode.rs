//! Values from the external term format.
//!
//! Written here rather than taken from a library because the bytes may come from a program under
//! test: decoding is bounded in depth, never trusts a length, and builds [`Term`] directly.

use num_bigint::{BigInt, Sign};
use smol_str::SmolStr;
use thiserror::Error;

use crate::atom::Atom;
use crate::external_tags::{self as tag, VERSION};
use crate::term::{ExternalFun, TableFun, Term};

/// How deeply a term may nest. Lists count one level however long they are.
const MAX_DEPTH: usize = 1_000;
/// How many characters an atom may have.
const MAX_ATOM: usize = 255;

/// Why bytes are not a term.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum DecodeError {
    /// The bytes do not begin with the format's version number.
    #[error("not in external term format (the first byte is not 131)")]
    BadVersion,
    /// The bytes end inside a term.
    #[error("the bytes end inside a term")]
    Truncated,
    /// Bytes are left after the term.
    #[error("{0} bytes are left after the term")]
    TrailingBytes(usize),
    /// A tag that does not exist, or that this reader does not support (local funs, pids, ports).
    #[error("unknown tag {0}")]
    UnknownTag(u8),
    /// An atom or a float with impossible content.
    #[error("malformed {0}")]
    Malformed(&'static str),
    /// Nested too deeply.
    #[error("nested more than {MAX_DEPTH} levels deep")]
    TooDeep,
}

/// Decodes one term, version byte included; all bytes must be used.
///
/// # Errors
/// When the bytes are not exactly one term.
pub fn decode(bytes: &[u8]) -> Result<Term, DecodeError> {
    let Some((&VERSION, rest)) = bytes.split_first() else {
        return Err(DecodeError::BadVersion);
    };
    let mut reader = Reader { rest };
    let term = reader.term(0)?;
    match reader.rest.len() {
        0 => Ok(term),
        left => Err(DecodeError::TrailingBytes(left)),
    }
}

struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    fn bytes(&mut self, count: usize) -> Result<&'a [u8], DecodeError> {
        let (taken, rest) = self
            .rest
            .split_at_checked(count)
            .ok_or(DecodeError::Truncated)?;
        self.rest = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        let (taken, rest) = self
            .rest
            .split_first_chunk()
            .ok_or(DecodeError::Truncated)?;
        self.rest = rest;
        Ok(*taken)
    }

    fn u8(&mut self) -> Result<u8, DecodeError> {
        self.array().map(|[byte]| byte)
    }

    fn u16(&mut self) -> Result<usize, DecodeError> {
        self.array()
            .map(|bytes| usize::from(u16::from_be_bytes(bytes)))
    }

    fn u32(&mut self) -> Result<usize, DecodeError> {
        self.array().map(|bytes| u32::from_be_bytes(bytes) as usize)
    }

    /// A count of things that take at least one byte each. A wrong count cannot make us reserve
    /// more memory than there are bytes.
    fn count(&mut self) -> Result<usize, DecodeError> {
        let count = self.u32()?;
        if count > self.rest.len() {
            Err(DecodeError::Truncated)
        } else {
            Ok(count)
        }
    }

    fn term(&mut self, depth: usize) -> Result<Term, DecodeError> {
        if depth > MAX_DEPTH {
            return Err(DecodeError::TooDeep);
        }
        // Stack frames are large in debug builds; threads of the test runner have small stacks.
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.tagged(depth))
    }

    fn tagged(&mut self, depth: usize) -> Result<Term, DecodeError> {
        match self.u8()? {
            tag::SMALL_INTEGER => Ok(Term::Integer(i64::from(self.u8()?).into())),
            tag::INTEGER => Ok(Term::Integer(
                i64::from(i32::from_be_bytes(self.array()?)).into(),
            )),
            tag::SMALL_BIG => {
                let count = self.u8()?;
                self.big(usize::from(count))
            }
            tag::LARGE_BIG => {
                let count = self.count()?;
                self.big(count)
            }
            tag::NEW_FLOAT => self.float(),
            tag::SMALL_ATOM_UTF8 => {
                let count = self.u8()?;
                self.utf8_atom(usize::from(count))
            }
            tag::ATOM_UTF8 => {
                let count = self.u16()?;
                self.utf8_atom(count)
            }
            tag::SMALL_ATOM => {
                let count = self.u8()?;
                self.latin1_atom(usize::from(count))
            }
            tag::ATOM => {
                let count = self.u16()?;
                self.latin1_atom(count)
            }
            tag::SMALL_TUPLE => {
                let count = self.u8()?;
                self.terms(usize::from(count), depth).map(Term::Tuple)
            }
            tag::LARGE_TUPLE => {
                let count = self.count()?;
                self.terms(count, depth).map(Term::Tuple)
            }
            tag::NIL => Ok(Term::List(Vec::new(), None)),
            tag::STRING => self.string(),
            tag::LIST => {
                let count = self.count()?;
                let elements = self.terms(count, depth)?;
                Ok(Term::list_before(elements, self.term(depth + 1)?))
            }
            tag::MAP => self.map(depth),
            tag::BINARY => {
                let count = self.u32()?;
                Ok(Term::binary(self.bytes(count)?))
            }
            tag::BIT_BINARY => self.bit_binary(),
            tag::EXPORT => self.external_fun(depth),
            tag::TABLE_FUN => self.table_fun(depth),
            unknown => Err(DecodeError::UnknownTag(unknown)),
        }
    }

    fn terms(&mut self, count: usize, depth: usize) -> Result<Vec<Term>, DecodeError> {
        (0..count).map(|_| self.term(depth + 1)).collect()
    }

    fn float(&mut self) -> Result<Term, DecodeError> {
        let float = f64::from_be_bytes(self.array()?);
        if float.is_finite() {
            Ok(Term::Float(float))
        } else {
            Err(DecodeError::Malformed("float"))
        }
    }

    fn string(&mut self) -> Result<Term, DecodeError> {
        let count = self.u16()?;
        let integer = |byte: &u8| Term::Integer(i64::from(*byte).into());
        Ok(Term::list(self.bytes(count)?.iter().map(integer)))
    }

    fn map(&mut self, depth: usize) -> Result<Term, DecodeError> {
        let count = self.count()?;
        let pairs = (0..count)
            .map(|_| Ok((self.term(depth + 1)?, self.term(depth + 1)?)))
            .collect::<Result<_, _>>()?;
        Ok(Term::Map(pairs))
    }

    fn bit_binary(&mut self) -> Result<Term, DecodeError> {
        let count = self.u32()?;
        let last_bits = self.u8()?;
        let bytes = self.bytes(count)?.to_vec();
        match (last_bits, bytes.is_empty()) {
            (1..=8, false) => Ok(Term::Bits(bytes, last_bits)),
            _ => Err(DecodeError::Malformed("bit string")),
        }
    }

    fn external_fun(&mut self, depth: usize) -> Result<Term, DecodeError> {
        let (module, name) = (self.term(depth + 1)?, self.term(depth + 1)?);
        let arity = self
            .term(depth + 1)?
            .as_i64()
            .and_then(|arity| u8::try_from(arity).ok());
        match (module, name, arity) {
            (Term::Atom(module), Term::Atom(name), Some(arity)) => {
                Ok(Term::ExternalFun(Box::new(ExternalFun {
                    module,
                    name,
                    arity,
                })))
            }
            _ => Err(DecodeError::Malformed("fun")),
        }
    }

    fn table_fun(&mut self, depth: usize) -> Result<Term, DecodeError> {
        let arity = self.u8()?;
        let count = self.count()?;
        let entries = (0..count)
            .map(|_| {
                let arguments = self.terms(usize::from(arity), depth)?;
                Ok((arguments, self.term(depth + 1)?))
            })
            .collect::<Result<_, _>>()?;
        let default = self.term(depth + 1)?;
        let fun = TableFun::new(arity, entries, default);
        Ok(Term::TableFun(Box::new(fun)))
    }

    fn big(&mut self, count: usize) -> Result<Term, DecodeError> {
        let sign = if self.u8()? == 0 {
            Sign::Plus
        } else {
            Sign::Minus
        };
        let digits = self.bytes(count)?;
        Ok(Term::Integer(BigInt::from_bytes_le(sign, digits).into()))
    }

    fn utf8_atom(&mut self, count: usize) -> Result<Term, DecodeError> {
        let bytes = self.bytes(count)?;
        let text = std::str::from_utf8(bytes).map_err(|_| DecodeError::Malformed("atom"))?;
        if text.chars().count() > MAX_ATOM {
            return Err(DecodeError::Malformed("atom"));
        }
        Ok(Term::atom(text))
    }

    fn latin1_atom(&mut self, count: usize) -> Result<Term, DecodeError> {
        let bytes = self.bytes(count)?;
        if count > MAX_ATOM {
            return Err(DecodeError::Malformed("atom"));
        }
        let text: SmolStr = bytes.iter().map(|byte| char::from(*byte)).collect();
        Ok(Term::Atom(Atom(text)))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::encode::encode;
    use crate::integer::Integer;

    fn any_term() -> impl Strategy<Value = Term> {
        let leaf = prop_oneof![
            any::<i64>().prop_map(|small| Term::Integer(small.into())),
            "[0-9]{25,80}".prop_map(|digits| Term::Integer(
                Integer::parse(&format!("-1{digits}"), 10).expect("digits are valid")
            )),
            any::<f64>()
                .prop_filter("Erlang has no infinities", |float| float.is_finite())
                .prop_map(Term::Float),
            "\\PC{0,12}".prop_map(Term::atom_owned),
            (proptest::collection::vec(any::<u8>(), 1..20), 1_u8..=8)
                .prop_map(|(bytes, last)| Term::Bits(bytes, last)),
            ("[a-z]{1,4}", "\\PC{0,4}", any::<u8>()).prop_map(|(module, name, arity)| {
                Term::ExternalFun(Box::new(ExternalFun {
                    module: Atom::new(module),
                    name: Atom::new(name),
                    arity,
                }))
            }),
        ];
        leaf.prop_recursive(4, 64, 6, |inner| {
            let many = proptest::collection::vec(inner.clone(), 0..6);
            prop_oneof![
                many.clone().prop_map(Term::Tuple),
                many.clone().prop_map(|elements| Term::List(elements, None)),
                (many, inner.clone())
                    .prop_map(|(elements, tail)| Term::list_before(elements, tail)),
                proptest::collection::vec((inner.clone(), inner.clone()), 0..4).prop_map(Term::Map),
                (
                    proptest::collection::vec(
                        (proptest::collection::vec(inner.clone(), 2), inner.clone()),
                        0..4
                    ),
                    inner
                )
                    .prop_map(|(entries, default)| {
                        Term::TableFun(Box::new(TableFun::new(2, entries, default)))
                    }),
            ]
        })
    }

    impl Term {
        fn atom_owned(text: String) -> Self {
            Self::atom(&text)
        }
    }

    proptest! {
        #[test]
        fn decoding_undoes_encoding(term in any_term()) {
            prop_assert_eq!(decode(&encode(&term)), Ok(term));
        }

        #[test]
        fn damaged_bytes_never_panic(term in any_term(), at: usize, byte: u8, cut: usize) {
            let mut bytes = encode(&term);
            let at = at % bytes.len();
            bytes[at] = byte;
            let _ = decode(&bytes);
            bytes.truncate(cut % (bytes.len() + 1));
            let _ = decode(&bytes);
        }
    }

    #[test]
    fn reads_what_the_beam_writes() {
        // term_to_binary({ok, "ab", 300, -1, <<1:1>>})
        let bytes = [
            131, 104, 5, 119, 2, b'o', b'k', 107, 0, 2, 97, 98, 98, 0, 0, 1, 44, 98, 255, 255, 255,
            255, 77, 0, 0, 0, 1, 1, 128,
        ];
        let term = decode(&bytes).expect("the bytes are a term");
        assert_eq!(term.to_string(), "{ok,\"ab\",300,-1,<<1:1>>}");
    }

    #[test]
    fn a_list_without_elements_is_its_tail() {
        assert_eq!(
            decode(&[131, 108, 0, 0, 0, 0, 97, 7]),
            Ok(Term::Integer(7.into()))
        );
    }

    #[test]
    fn a_wrong_length_is_an_error() {
        assert_eq!(
            decode(&[131, 108, 255, 255, 255, 255, 106]),
            Err(DecodeError::Truncated)
        );
    }

    #[test]
    fn an_atom_with_too_many_characters_is_an_error() {
        let atom = |tag: u8, count: u16, character: &[u8]| {
            let characters = character.repeat(usize::from(count));
            let length = u16::try_from(characters.len()).expect("it is short");
            [&[131, tag], &length.to_be_bytes()[..], &characters].concat()
        };
        for (tag, character) in [(100, &b"\xe9"[..]), (118, "ü".as_bytes())] {
            let longest = decode(&atom(tag, 255, character)).expect("it is an atom");
            assert_eq!(decode(&encode(&longest)), Ok(longest));
            let longer = decode(&atom(tag, 256, character));
            assert_eq!(longer, Err(DecodeError::Malformed("atom")));
        }
    }

    #[test]
    fn endless_nesting_is_an_error() {
        let mut bytes = vec![131];
        bytes.extend([104, 1].repeat(100_000));
        assert_eq!(decode(&bytes), Err(DecodeError::TooDeep));
    }
}
