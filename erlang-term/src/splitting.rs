//! Splits the external term format into terms, also where a term cannot be decoded: pids, ports,
//! references and funs have a meaning only on their BEAM.

use crate::external_tags as tag;

/// What a term has inside, each part in external term format without the version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TermParts<'bytes> {
    /// The elements of a tuple.
    Tuple(Vec<&'bytes [u8]>),
    /// The elements of a list, and what follows the last one.
    List(Vec<&'bytes [u8]>, &'bytes [u8]),
    /// The keys and values of a map.
    Map(Vec<(&'bytes [u8], &'bytes [u8])>),
    /// A term without parts, or a fun.
    Single,
}

/// The parts of a term, which is given without the version; `None` if the bytes are not one term.
///
/// ```
/// use erlang_term::{TermParts, parts_of_term};
///
/// let tuple = [104, 2, 97, 1, 106];
/// let parts = vec![&[97, 1][..], &[106][..]];
/// assert_eq!(parts_of_term(&tuple), Some(TermParts::Tuple(parts)));
/// assert_eq!(parts_of_term(&tuple[..4]), None);
/// ```
pub fn parts_of_term(bytes: &[u8]) -> Option<TermParts<'_>> {
    let mut scanner = Scanner { rest: bytes };
    let parts = match scanner.byte()? {
        tag::SMALL_TUPLE => {
            let count = usize::from(scanner.byte()?);
            TermParts::Tuple(scanner.terms(count)?)
        }
        tag::LARGE_TUPLE => {
            let count = scanner.long()?;
            TermParts::Tuple(scanner.terms(count)?)
        }
        tag::LIST => {
            let count = scanner.long()?;
            TermParts::List(scanner.terms(count)?, scanner.term()?)
        }
        tag::MAP => {
            let count = scanner.long()?;
            let pairs = (0..count).map(|_| Some((scanner.term()?, scanner.term()?)));
            TermParts::Map(pairs.collect::<Option<_>>()?)
        }
        _ => {
            scanner.rest = bytes;
            scanner.term()?;
            TermParts::Single
        }
    };
    scanner.rest.is_empty().then_some(parts)
}

struct Scanner<'bytes> {
    rest: &'bytes [u8],
}

impl<'bytes> Scanner<'bytes> {
    fn skip(&mut self, count: usize) -> Option<()> {
        self.rest = self.rest.get(count..)?;
        Some(())
    }

    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    fn short(&mut self) -> Option<usize> {
        let (first, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        Some(usize::from(u16::from_be_bytes(*first)))
    }

    fn long(&mut self) -> Option<usize> {
        let (first, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        Some(u32::from_be_bytes(*first) as usize)
    }

    /// The bytes of so many terms.
    fn terms(&mut self, count: usize) -> Option<Vec<&'bytes [u8]>> {
        (0..count).map(|_| self.term()).collect()
    }

    /// The bytes of the next term.
    fn term(&mut self) -> Option<&'bytes [u8]> {
        let start = self.rest;
        let mut missing = 1_usize;
        while missing > 0 {
            missing = (missing - 1).checked_add(self.head()?)?;
        }
        start.get(..start.len() - self.rest.len())
    }

    /// Skips the head of a term. Returns how many terms are inside.
    fn head(&mut self) -> Option<usize> {
        let tag = self.byte()?;
        match tag {
            tag::SMALL_TUPLE => return Some(usize::from(self.byte()?)),
            tag::LARGE_TUPLE => return self.long(),
            tag::LIST => return self.long()?.checked_add(1),
            tag::MAP => return self.long()?.checked_mul(2),
            tag::EXPORT => return Some(3),
            _ => {}
        }
        let length = self.length(tag)?;
        self.skip(length)?;
        Some(0)
    }

    /// How many bytes of a term without parts are left.
    fn length(&mut self, tag: u8) -> Option<usize> {
        Some(match tag {
            tag::NIL => 0,
            tag::SMALL_INTEGER => 1,
            tag::INTEGER => 4,
            tag::NEW_FLOAT => 8,
            tag::SMALL_ATOM | tag::SMALL_ATOM_UTF8 => usize::from(self.byte()?),
            tag::SMALL_BIG => usize::from(self.byte()?) + 1,
            tag::ATOM | tag::ATOM_UTF8 | tag::STRING => self.short()?,
            tag::BINARY => self.long()?,
            tag::BIT_BINARY | tag::LARGE_BIG => self.long()?.checked_add(1)?,
            tag::NEW_FUN => self.long()?.checked_sub(4)?,
            tag::NEW_PID => self.behind_node(12)?,
            tag::NEW_PORT => self.behind_node(8)?,
            tag::V4_PORT => self.behind_node(12)?,
            tag::NEWER_REFERENCE => {
                let words = self.short()?;
                self.behind_node(words.checked_mul(4)?.checked_add(4)?)?
            }
            _ => return None,
        })
    }

    /// Skips the name of a node.
    fn behind_node(&mut self, length: usize) -> Option<usize> {
        let tag = self.byte()?;
        let is_atom = matches!(
            tag,
            tag::SMALL_ATOM | tag::SMALL_ATOM_UTF8 | tag::ATOM | tag::ATOM_UTF8
        );
        let name = self.length(tag).filter(|_| is_atom)?;
        self.skip(name)?;
        Some(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::encode;
    use crate::term::Term;

    fn pid(number: u8) -> Vec<u8> {
        let mut bytes = vec![88, 119, 1, b'n'];
        bytes.extend([0, 0, 0, number, 0, 0, 0, 0, 0, 0, 0, 0]);
        bytes
    }

    #[test]
    fn every_kind_of_term_has_its_length() {
        let atom = Term::atom("a");
        let terms = [
            Term::Integer(1.into()),
            Term::Integer(1_000.into()),
            Term::Integer((1_i64 << 40).into()),
            Term::Float(1.5),
            atom.clone(),
            Term::list([]),
            Term::list([Term::Integer(1.into())]),
            Term::list([atom.clone(), Term::Float(0.5)]),
            Term::Tuple(vec![atom.clone(), Term::list([])]),
            Term::Map(vec![(atom.clone(), atom)]),
            Term::binary([1, 2, 3]),
            Term::Bits(vec![1, 128], 1),
        ];
        for term in terms {
            let bytes = encode(&term);
            let inside = bytes.get(1..).expect("the version is there");
            assert!(parts_of_term(inside).is_some(), "{term}");
            let mut longer = inside.to_vec();
            longer.push(0);
            assert_eq!(parts_of_term(&longer), None, "{term}");
            for end in 0..inside.len() {
                assert_eq!(parts_of_term(&inside[..end]), None, "{term} cut at {end}");
            }
        }
    }

    #[test]
    fn pids_ports_references_and_funs_are_single_terms() {
        let mut reference = vec![90, 0, 3, 119, 1, b'n'];
        reference.extend([0; 16]);
        let mut port = vec![120, 119, 1, b'n'];
        port.extend([0; 12]);
        let fun = vec![112, 0, 0, 0, 6, 7, 7];
        for term in [pid(3), reference, port, fun] {
            assert_eq!(parts_of_term(&term), Some(TermParts::Single));
            let mut tuple = vec![104, 2];
            tuple.extend(term.iter().chain(&pid(1)));
            let parts = [term.clone(), pid(1)];
            let parts = parts.iter().map(Vec::as_slice).collect();
            assert_eq!(parts_of_term(&tuple), Some(TermParts::Tuple(parts)));
        }
    }

    #[test]
    fn lists_and_maps_have_parts() {
        let (one, two) = (pid(1), pid(2));
        let mut list = vec![108, 0, 0, 0, 1];
        list.extend(one.iter().chain(&two));
        let parts = TermParts::List(vec![&one], &two);
        assert_eq!(parts_of_term(&list), Some(parts));
        let mut map = vec![116, 0, 0, 0, 1];
        map.extend(one.iter().chain(&two));
        let parts = TermParts::Map(vec![(&one, &two)]);
        assert_eq!(parts_of_term(&map), Some(parts));
    }

    #[test]
    fn impossible_lengths_do_no_harm() {
        for tag in 0..=u8::MAX {
            let bytes = [tag, 255, 255, 255, 255, 255, 255, 255, 255];
            let _ = parts_of_term(&bytes);
        }
    }
}
