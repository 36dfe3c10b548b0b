//! Numbers from lists of characters, and lists of characters from numbers.

use solver::graph::{Condition, Kinds, NodeId, Operator, characters};

use crate::model::{Model, Walker};
use crate::walk::{Stop, Walk, Walked};

pub(crate) const ENTRIES: &[Model] = &[
    Model::walk("erlang", "list_to_integer", Walker::One(decimal_to_integer)),
    Model::walk("erlang", "list_to_integer", Walker::Two(numeral_to_integer)),
    Model::walk("erlang", "integer_to_list", Walker::One(integer_to_decimal)),
    Model::walk("erlang", "integer_to_list", Walker::Two(integer_to_numeral)),
    Model::walk("erlang", "list_to_float", Walker::One(list_to_float)),
    Model::walk("string", "list_to_integer", Walker::One(leading_integer)),
];

/// `list_to_integer(List)`.
fn decimal_to_integer(walk: &mut Walk<'_>, list: NodeId) -> Walked {
    list_to_integer(walk, list, 10)
}

/// `list_to_integer(List, Base)`.
fn numeral_to_integer(walk: &mut Walk<'_>, list: NodeId, base: NodeId) -> Walked {
    let base = known_base(walk, base)?;
    list_to_integer(walk, list, base)
}

/// `integer_to_list(Integer)`.
fn integer_to_decimal(walk: &mut Walk<'_>, integer: NodeId) -> Walked {
    integer_to_list(walk, integer, 10)
}

/// `integer_to_list(Integer, Base)`.
fn integer_to_numeral(walk: &mut Walk<'_>, integer: NodeId, base: NodeId) -> Walked {
    let base = known_base(walk, base)?;
    integer_to_list(walk, integer, base)
}

/// A base of numerals: 2 to 36.
type Base = u8;

/// The base of numerals.
pub(crate) fn known_base(walk: &mut Walk<'_>, base: NodeId) -> Result<Base, Stop> {
    let mut ways = Vec::new();
    for known in 2..=36 {
        let known = walk.graph.integer(known);
        ways.push(walk.graph.equal(base, known));
    }
    ways.push(Condition::TRUE);
    let chosen = walk.choose(&ways)? + 2;
    let chosen = Base::try_from(chosen).ok().filter(|it| *it <= 36);
    chosen.ok_or(Stop::Raises)
}

/// `list_to_integer(List, Base)`: perhaps a sign, then one digit or more.
pub(crate) fn list_to_integer(walk: &mut Walk<'_>, list: NodeId, base: Base) -> Walked {
    let (is_negative, digits) = sign(walk, list)?;
    let (number, end) = integer_of_digits(walk, digits, base)?;
    if walk.next(end)?.is_some() {
        return Err(Stop::Raises);
    }
    if !is_negative {
        return Ok(number);
    }
    let zero = walk.graph.integer(0);
    Ok(walk.graph.arithmetic(Operator::Subtract, zero, number))
}

/// `string:list_to_integer(List)`: the integer that a text begins with, and the rest.
pub(crate) fn leading_integer(walk: &mut Walk<'_>, list: NodeId) -> Walked {
    let is_list = walk.graph.kind(Kinds::LIST, list);
    if !walk.holds(is_list)? {
        return Ok(error(walk, "not_a_list"));
    }
    let Some(first) = cell(walk, list)? else {
        return Ok(error(walk, "no_integer"));
    };
    let sign = which(walk, first.0, &['-', '+'])?;
    let mut rest = if sign < 2 { first.1 } else { list };
    let factor = walk.graph.integer(10);
    let mut number = None;
    while let Some((head, tail)) = cell(walk, rest)? {
        let Some(digit) = digit(walk, head, 10)? else {
            break;
        };
        let before = number.unwrap_or_else(|| walk.graph.integer(0));
        let shifted = walk.graph.arithmetic(Operator::Multiply, before, factor);
        number = Some(walk.graph.arithmetic(Operator::Add, shifted, digit));
        rest = tail;
    }
    let Some(mut number) = number else {
        return Ok(error(walk, "no_integer"));
    };
    if sign == 0 {
        let zero = walk.graph.integer(0);
        number = walk.graph.arithmetic(Operator::Subtract, zero, number);
    }
    Ok(walk.graph.tuple([number, rest]))
}

/// `{error, Reason}`.
fn error(walk: &mut Walk<'_>, reason: &str) -> NodeId {
    let parts = ["error", reason].map(|it| walk.graph.atom(it));
    walk.graph.tuple(parts)
}

/// Head and tail of a list cell; `None` for other values.
fn cell(walk: &mut Walk<'_>, list: NodeId) -> Result<Option<(NodeId, NodeId)>, Stop> {
    let is_cell = walk.graph.kind(Kinds::CONS, list);
    Ok(if walk.holds(is_cell)? {
        Some((walk.graph.head(list), walk.graph.tail(list)))
    } else {
        None
    })
}

/// Which of these characters a value is; how many there are if it is none of them.
fn which(walk: &mut Walk<'_>, value: NodeId, characters: &[char]) -> Result<usize, Stop> {
    let mut ways = Vec::with_capacity(characters.len() + 1);
    for character in characters {
        let character = code_of(walk, *character);
        ways.push(walk.graph.equal(value, character));
    }
    ways.push(Condition::TRUE);
    walk.choose(&ways)
}

/// `list_to_float(List)`: perhaps a sign, digits on both sides of a point, and perhaps an
/// exponent. Only the run tells which float that is.
pub(crate) fn list_to_float(walk: &mut Walk<'_>, list: NodeId) -> Walked {
    let (_, digits) = sign(walk, list)?;
    let (_, rest) = integer_of_digits(walk, digits, 10)?;
    let rest = skip(walk, rest, &['.'])?.ok_or(Stop::Raises)?;
    let (_, rest) = integer_of_digits(walk, rest, 10)?;
    let rest = match skip(walk, rest, &['e', 'E'])? {
        Some(exponent) => {
            let (_, digits) = sign(walk, exponent)?;
            integer_of_digits(walk, digits, 10)?.1
        }
        None => rest,
    };
    if walk.next(rest)?.is_some() {
        return Err(Stop::Raises);
    }
    let text = text_in_run(walk, list)?;
    let float: f64 = text.parse().map_err(|_| Stop::Unknown)?;
    let is_constant = walk.graph.is_ground(list);
    let is_finite = float.is_finite();
    let result = walk.graph.float(float);
    match (is_constant, is_finite) {
        (true, true) => Ok(result),
        (true, false) => Err(Stop::Raises),
        (false, true) if cannot_overflow(&text) => Err(Stop::Taken(result)),
        (false, true) => Err(Stop::Perhaps(result)),
        (false, false) => Err(Stop::Unknown),
    }
}

/// Whether no numeral with as many digits is too large for a float.
fn cannot_overflow(numeral: &str) -> bool {
    let parts = numeral.split_once(['e', 'E']);
    let (mantissa, exponent) = parts.unwrap_or((numeral, ""));
    mantissa.len() < 200 && exponent.trim_start_matches(['+', '-']).len() < 3
}

/// Whether a numeral begins with a minus, and the rest after the sign.
fn sign(walk: &mut Walk<'_>, list: NodeId) -> Result<(bool, NodeId), Stop> {
    let Some((first, rest)) = walk.next(list)? else {
        return Err(Stop::Raises);
    };
    let chosen = which(walk, first, &['-', '+'])?;
    Ok((chosen == 0, if chosen == 2 { list } else { rest }))
}

/// The rest after one of these characters, if one of them comes first.
fn skip(walk: &mut Walk<'_>, list: NodeId, characters: &[char]) -> Result<Option<NodeId>, Stop> {
    let Some((first, rest)) = walk.next(list)? else {
        return Ok(None);
    };
    let is_one = which(walk, first, characters)? < characters.len();
    Ok(is_one.then_some(rest))
}

/// The number that one digit or more stand for, and the rest.
fn integer_of_digits(
    walk: &mut Walk<'_>,
    list: NodeId,
    base: Base,
) -> Result<(NodeId, NodeId), Stop> {
    let factor = walk.graph.integer(base.into());
    let mut number = walk.graph.integer(0);
    let mut rest = list;
    let mut is_first = true;
    while let Some((head, tail)) = walk.next(rest)? {
        let Some(digit) = digit(walk, head, base)? else {
            break;
        };
        let shifted = walk.graph.arithmetic(Operator::Multiply, number, factor);
        number = walk.graph.arithmetic(Operator::Add, shifted, digit);
        rest = tail;
        is_first = false;
    }
    if is_first {
        return Err(Stop::Raises);
    }
    Ok((number, rest))
}

/// The value of a digit; `None` for other characters.
fn digit(walk: &mut Walk<'_>, character: NodeId, base: Base) -> Result<Option<NodeId>, Stop> {
    let base = i64::from(base);
    // The first character of each range, and the value it stands for.
    let ranges = [('0', 0, base.min(10)), ('A', 10, base), ('a', 10, base)];
    let ranges = ranges.into_iter().filter(|(_, low, high)| low < high);
    let ranges: Vec<(char, i64, i64)> = ranges.collect();
    let mut ways = Vec::new();
    for (first, low, high) in &ranges {
        let first = i64::from(u32::from(*first));
        ways.push(walk.is_between(character, first, first + high - low - 1));
    }
    ways.push(Condition::TRUE);
    let chosen = walk.choose(&ways)?;
    let Some((first, low, _)) = ranges.get(chosen) else {
        return Ok(None);
    };
    let offset = walk.graph.integer(i64::from(u32::from(*first)) - low);
    let value = walk.graph.arithmetic(Operator::Subtract, character, offset);
    Ok(Some(value))
}

fn code_of(walk: &mut Walk<'_>, character: char) -> NodeId {
    walk.graph.integer(i64::from(u32::from(character)))
}

/// `integer_to_list(Integer, Base)`.
pub(crate) fn integer_to_list(walk: &mut Walk<'_>, integer: NodeId, base: Base) -> Walked {
    let is_integer = walk.graph.kind(Kinds::INTEGER, integer);
    walk.require(is_integer)?;
    let zero = walk.graph.integer(0);
    let is_negative = walk.graph.less(integer, zero);
    let is_negative = walk.holds(is_negative)?;
    let magnitude = if is_negative {
        walk.graph.arithmetic(Operator::Subtract, zero, integer)
    } else {
        integer
    };
    let mut powers = vec![walk.graph.integer(1)];
    let mut power = i64::from(base);
    // Larger numbers are not taken apart digit by digit.
    loop {
        let next = walk.graph.integer(power);
        let is_shorter = walk.graph.less(magnitude, next);
        if walk.holds(is_shorter)? {
            return Ok(digits(walk, is_negative, magnitude, &powers, base));
        }
        powers.push(next);
        power = power.checked_mul(base.into()).ok_or(Stop::Unknown)?;
    }
}

/// The digits of a number, given the powers of the base that they stand for.
fn digits(
    walk: &mut Walk<'_>,
    is_negative: bool,
    number: NodeId,
    powers: &[NodeId],
    base: Base,
) -> NodeId {
    let (factor, zero) = (walk.graph.integer(base.into()), code_of(walk, '0'));
    let (ten, letters) = (
        walk.graph.integer(10),
        walk.graph.integer(i64::from(b'A') - 10),
    );
    let mut characters = Vec::with_capacity(powers.len() + 1);
    if is_negative {
        characters.push(code_of(walk, '-'));
    }
    for power in powers.iter().rev() {
        let rest = walk.graph.arithmetic(Operator::Divide, number, *power);
        let digit = walk.graph.arithmetic(Operator::Remainder, rest, factor);
        let mut character = walk.graph.arithmetic(Operator::Add, digit, zero);
        if base > 10 {
            let is_small = walk.graph.less(digit, ten);
            let letter = walk.graph.arithmetic(Operator::Add, digit, letters);
            character = walk.graph.choice(is_small, character, letter);
        }
        characters.push(character);
    }
    walk.list(&characters)
}

/// The text that a list of characters is in this run.
fn text_in_run(walk: &mut Walk<'_>, list: NodeId) -> Result<String, Stop> {
    let value = walk.input.value(walk.graph, list).ok_or(Stop::Unknown)?;
    characters(walk.graph, value).ok_or(Stop::Unknown)
}
