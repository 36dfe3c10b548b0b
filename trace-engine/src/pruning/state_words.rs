//! The words in which a state is written down: numbers that say exactly what it is.

use erlang_term::Integer;
use flattener::flat::Callable;
use smallvec::SmallVec;

/// More words than this are too many.
const MOST: usize = 2_000;

/// How deep the roots of a state are in the input, if their values can be nested.
pub(crate) type Levels = SmallVec<[u16; 8]>;

/// The state is too large, or something in it is not known.
#[derive(Debug)]
pub(super) struct NoState;

/// The result of writing a part of a state.
pub(super) type Written = Result<(), NoState>;

/// What the next words are.
#[derive(Clone, Copy, Debug)]
#[repr(u64)]
pub(super) enum StateMark {
    Live = 1,
    Nil,
    Cons,
    Tuple,
    Spine,
    SomeInteger,
    SomeIntegerOfInput,
    SomeComputedInteger,
    SomeKind,
    KeysOfMap,
    PutKey,
    WithoutKey,
    NewRoot,
    NewByte,
    Root,
    SmallInteger,
    LargeInteger,
    Float,
    Atom,
    OtherConstant,
    Arithmetic,
    Truth,
    Choice,
    Closure,
    Bits,
    Rounded,
    Length,
    TupleSize,
    MapSize,
    AtomOf,
    FloatOf,
    Map,
    Put,
    Without,
    Condition,
    NotAll,
    Fact,
    Constant,
    AskedKeys,
    AllKeys,
    True,
    All,
    Kind,
    Arity,
    FunArity,
    ProperList,
    Member,
    Fields,
    Utf8,
    Size,
    HasKey,
    Equal,
    Same,
    Less,
    Before,
    TooLarge,
}

/// Words so far.
#[derive(Debug, Default)]
pub(super) struct StateWords {
    words: Vec<u64>,
    /// How many were written, with those that were taken out.
    written: usize,
}

impl StateWords {
    /// Goes on after other words.
    pub(super) fn after(words: Vec<u64>) -> Self {
        Self {
            written: words.len(),
            words,
        }
    }

    pub(super) fn words(&self) -> &[u64] {
        &self.words
    }

    /// How many were written.
    pub(super) fn written(&self) -> usize {
        self.written
    }

    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    /// Takes the words from some number on out.
    pub(super) fn truncate(&mut self, at: usize) {
        self.words.truncate(at);
    }

    pub(super) fn mark(&mut self, mark: StateMark) -> Written {
        self.push(mark as u64)
    }

    pub(super) fn push(&mut self, word: u64) -> Written {
        if self.written >= MOST {
            return Err(NoState);
        }
        self.written += 1;
        self.words.push(word);
        Ok(())
    }

    pub(super) fn extend(&mut self, words: &[u64]) -> Written {
        if self.written + words.len() > MOST {
            return Err(NoState);
        }
        self.written += words.len();
        self.words.extend_from_slice(words);
        Ok(())
    }

    pub(super) fn number(&mut self, number: usize) -> Written {
        self.push(number as u64)
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) -> Written {
        self.number(bytes.len())?;
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word.iter_mut()
                .zip(chunk)
                .for_each(|(to, from)| *to = *from);
            self.push(u64::from_le_bytes(word))?;
        }
        Ok(())
    }

    pub(super) fn integer(&mut self, integer: &Integer) -> Written {
        if let Integer::Small(small) = integer {
            self.mark(StateMark::SmallInteger)?;
            return self.push(small.cast_unsigned());
        }
        self.mark(StateMark::LargeInteger)?;
        self.bytes(&integer.to_big().to_signed_bytes_le())
    }

    pub(super) fn callable(&mut self, module: usize, callable: Callable) -> Written {
        self.number(module)?;
        match callable {
            Callable::Function(index) => self.extend(&[0, index as u64]),
            Callable::Fun(site) => self.extend(&[1, u64::from(site.0)]),
            Callable::Local(site, local) => {
                self.extend(&[2, u64::from(site.0), u64::from(local.0)])
            }
        }
    }
}
