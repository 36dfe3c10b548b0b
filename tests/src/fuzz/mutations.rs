//! Damage to bytes, in ways that hurt readers of text, of lengths and of nested data.

use crate::random_programs::Random;

/// Numbers at the edges of their types, as they occur in lengths.
const EDGES: [u32; 12] = [
    0,
    1,
    0x7f,
    0x80,
    0xff,
    0x100,
    0x7fff,
    0xffff,
    0x0001_0000,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
];

/// Pieces of text that mean something to one reader or another.
const WORDS: [&str; 32] = [
    "'",
    "\"",
    "\\",
    "\\x{110000}",
    "\\^",
    "$\\",
    "#{}#",
    "~{",
    "}~",
    "#<",
    "{",
    "[",
    "(",
    "|",
    "-",
    "1e999",
    "16#",
    "37#1",
    "999999999999999999999999",
    "-1",
    "null",
    "\u{202e}",
    "\u{0}",
    "\u{feff}",
    "\u{1f600}",
    "%",
    "end",
    "fun",
    "letrec",
    "\n",
    "-| [",
    "\u{1b}[2J",
];

/// The most bytes that damage makes.
const LONGEST: usize = 1 << 16;

/// A damaged copy of one of several texts.
///
/// # Panics
/// When there are no texts.
pub fn damage(random: &mut Random, texts: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = random.pick(texts).clone();
    for _ in 0..=random.below(4) {
        let other = random.pick(texts);
        change(random, &mut bytes, other);
        bytes.truncate(LONGEST);
    }
    bytes
}

fn change(random: &mut Random, bytes: &mut Vec<u8>, other: &[u8]) {
    let at = random.below(bytes.len() + 1);
    match random.below(9) {
        0 => bytes.truncate(at),
        1 => flip(random, bytes),
        2 => overwrite(random, bytes, at),
        3 => insert(bytes, at, random.pick(&WORDS).as_bytes()),
        4 => {
            let piece = piece(random, other).to_vec();
            insert(bytes, at, &piece);
        }
        5 => {
            let token = token(random, other).to_vec();
            replace_token(random, bytes, &token);
        }
        6 => {
            let token = token(random, bytes).to_vec();
            let times = 1 << random.below(12);
            insert(bytes, at, &token.repeat(times));
        }
        7 => {
            let rest = bytes.split_off(at);
            bytes.extend(rest.into_iter().skip(1 + random.below(16)));
        }
        _ => {
            let start = random.below(other.len() + 1);
            bytes.truncate(at);
            bytes.extend(other.iter().skip(start));
        }
    }
}

fn insert(bytes: &mut Vec<u8>, at: usize, piece: &[u8]) {
    bytes.splice(at..at, piece.iter().copied());
}

fn flip(random: &mut Random, bytes: &mut [u8]) {
    let bit = random.below(8);
    if !bytes.is_empty() {
        let at = random.below(bytes.len());
        bytes
            .iter_mut()
            .skip(at)
            .take(1)
            .for_each(|byte| *byte ^= 1 << bit);
    }
}

/// Writes a number where one may be.
fn overwrite(random: &mut Random, bytes: &mut [u8], at: usize) {
    let number = *random.pick(&EDGES);
    let digits = if random.chance(50) {
        number.to_be_bytes()
    } else {
        number.to_le_bytes()
    };
    let width = *random.pick(&[1, 2, 4]);
    let places = bytes.iter_mut().skip(at).take(width);
    places
        .zip(digits.iter().rev())
        .for_each(|(place, digit)| *place = *digit);
}

fn piece<'bytes>(random: &mut Random, bytes: &'bytes [u8]) -> &'bytes [u8] {
    let start = random.below(bytes.len() + 1);
    let rest = bytes.get(start..).unwrap_or_default();
    let length = random.below(rest.len().min(200) + 1);
    rest.get(..length).unwrap_or_default()
}

/// Where a token is: a word, or something that is not a letter.
fn token_place(random: &mut Random, bytes: &[u8]) -> (usize, usize) {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let at = random.below(bytes.len() + 1);
    let (before, behind) = bytes.split_at(at);
    let start = at - before.iter().rev().take_while(|byte| is_word(byte)).count();
    let length = behind.iter().take_while(|byte| is_word(byte)).count();
    (start, (at + length.max(1)).min(bytes.len()))
}

fn token<'bytes>(random: &mut Random, bytes: &'bytes [u8]) -> &'bytes [u8] {
    let (start, end) = token_place(random, bytes);
    bytes.get(start..end).unwrap_or_default()
}

fn replace_token(random: &mut Random, bytes: &mut Vec<u8>, token: &[u8]) {
    let (start, end) = token_place(random, bytes);
    bytes.splice(start..end, token.iter().copied());
}
