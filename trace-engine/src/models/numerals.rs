//! The texts of numbers.

use super::{Stop, Walk, Walked};
use solver::graph::{Condition, Kinds, NodeId, Operator, characters};

/// A base of numerals: 2 to 36.
type Base = u8;

impl Walk<'_> {
    /// The base of numerals.
    pub(super) fn base(&mut self, base: NodeId) -> Result<Base, Stop> {
        let mut ways = Vec::new();
        for known in 2..=36 {
            let known = self.graph.integer(known);
            ways.push(self.graph.equal(base, known));
        }
        ways.push(Condition::TRUE);
        let chosen = self.choose(&ways)? + 2;
        let chosen = Base::try_from(chosen).ok().filter(|it| *it <= 36);
        chosen.ok_or(Stop::Raises)
    }

    /// `list_to_integer(List, Base)`: perhaps a sign, then one digit or more.
    pub(super) fn list_to_integer(&mut self, list: NodeId, base: Base) -> Walked {
        let (is_negative, digits) = self.sign(list)?;
        let (number, end) = self.integer_of_digits(digits, base)?;
        if self.next(end)?.is_some() {
            return Err(Stop::Raises);
        }
        if !is_negative {
            return Ok(number);
        }
        let zero = self.graph.integer(0);
        Ok(self.graph.arithmetic(Operator::Subtract, zero, number))
    }

    /// `string:list_to_integer(List)`: the integer that a text begins with, and what is behind it.
    pub(super) fn leading_integer(&mut self, list: NodeId) -> Walked {
        let is_list = self.graph.kind(Kinds::LIST, list);
        if !self.holds(is_list)? {
            return Ok(self.error("not_a_list"));
        }
        let Some(first) = self.cell(list)? else {
            return Ok(self.error("no_integer"));
        };
        let sign = self.which(first.0, &['-', '+'])?;
        let mut rest = if sign < 2 { first.1 } else { list };
        let factor = self.graph.integer(10);
        let mut number = None;
        while let Some((head, tail)) = self.cell(rest)? {
            let Some(digit) = self.digit(head, 10)? else {
                break;
            };
            let before = number.unwrap_or_else(|| self.graph.integer(0));
            let shifted = self.graph.arithmetic(Operator::Multiply, before, factor);
            number = Some(self.graph.arithmetic(Operator::Add, shifted, digit));
            rest = tail;
        }
        let Some(mut number) = number else {
            return Ok(self.error("no_integer"));
        };
        if sign == 0 {
            let zero = self.graph.integer(0);
            number = self.graph.arithmetic(Operator::Subtract, zero, number);
        }
        Ok(self.graph.tuple([number, rest]))
    }

    /// `{error, Reason}`.
    fn error(&mut self, reason: &str) -> NodeId {
        let parts = ["error", reason].map(|it| self.graph.atom(it));
        self.graph.tuple(parts)
    }

    /// Head and tail of a list cell; `None` if it is none.
    fn cell(&mut self, list: NodeId) -> Result<Option<(NodeId, NodeId)>, Stop> {
        let is_cell = self.graph.kind(Kinds::CONS, list);
        Ok(if self.holds(is_cell)? {
            Some((self.graph.head(list), self.graph.tail(list)))
        } else {
            None
        })
    }

    /// Which of these characters a value is; their number if it is none of them.
    fn which(&mut self, value: NodeId, characters: &[char]) -> Result<usize, Stop> {
        let mut ways = Vec::with_capacity(characters.len() + 1);
        for character in characters {
            let character = self.character(*character);
            ways.push(self.graph.equal(value, character));
        }
        ways.push(Condition::TRUE);
        self.choose(&ways)
    }

    /// `list_to_float(List)`: perhaps a sign, digits on both sides of a point, and perhaps an
    /// exponent. Which float that is only the run knows.
    pub(super) fn list_to_float(&mut self, list: NodeId) -> Walked {
        let (_, digits) = self.sign(list)?;
        let (_, rest) = self.integer_of_digits(digits, 10)?;
        let rest = self.skip(rest, &['.'])?.ok_or(Stop::Raises)?;
        let (_, rest) = self.integer_of_digits(rest, 10)?;
        let rest = match self.skip(rest, &['e', 'E'])? {
            Some(exponent) => {
                let (_, digits) = self.sign(exponent)?;
                self.integer_of_digits(digits, 10)?.1
            }
            None => rest,
        };
        if self.next(rest)?.is_some() {
            return Err(Stop::Raises);
        }
        let text = self.text_in_run(list)?;
        let float: f64 = text.parse().map_err(|_| Stop::Unknown)?;
        let is_constant = self.graph.is_ground(list);
        let is_finite = float.is_finite();
        let result = self.graph.float(float);
        match (is_constant, is_finite) {
            (true, true) => Ok(result),
            (true, false) => Err(Stop::Raises),
            (false, true) => Err(Stop::Taken(result)),
            (false, false) => Err(Stop::Unknown),
        }
    }

    /// Whether a numeral begins with a minus, and what is behind the sign.
    fn sign(&mut self, list: NodeId) -> Result<(bool, NodeId), Stop> {
        let Some((first, rest)) = self.next(list)? else {
            return Err(Stop::Raises);
        };
        let chosen = self.which(first, &['-', '+'])?;
        Ok((chosen == 0, if chosen == 2 { list } else { rest }))
    }

    /// What is behind one of these characters, if one of them comes first.
    fn skip(&mut self, list: NodeId, characters: &[char]) -> Result<Option<NodeId>, Stop> {
        let Some((first, rest)) = self.next(list)? else {
            return Ok(None);
        };
        let is_one = self.which(first, characters)? < characters.len();
        Ok(is_one.then_some(rest))
    }

    /// The number that one digit or more stand for, and what is behind them.
    fn integer_of_digits(&mut self, list: NodeId, base: Base) -> Result<(NodeId, NodeId), Stop> {
        let factor = self.graph.integer(base.into());
        let mut number = self.graph.integer(0);
        let mut rest = list;
        let mut is_first = true;
        while let Some((head, tail)) = self.next(rest)? {
            let Some(digit) = self.digit(head, base)? else {
                break;
            };
            let shifted = self.graph.arithmetic(Operator::Multiply, number, factor);
            number = self.graph.arithmetic(Operator::Add, shifted, digit);
            rest = tail;
            is_first = false;
        }
        if is_first {
            return Err(Stop::Raises);
        }
        Ok((number, rest))
    }

    /// The value of a digit; `None` if it is none.
    fn digit(&mut self, character: NodeId, base: Base) -> Result<Option<NodeId>, Stop> {
        let base = i64::from(base);
        // The first character of each range, and the value it stands for.
        let ranges = [('0', 0, base.min(10)), ('A', 10, base), ('a', 10, base)];
        let ranges = ranges.into_iter().filter(|(_, low, high)| low < high);
        let ranges: Vec<(char, i64, i64)> = ranges.collect();
        let mut ways = Vec::new();
        for (first, low, high) in &ranges {
            let first = i64::from(u32::from(*first));
            ways.push(self.is_between(character, first, first + high - low - 1));
        }
        ways.push(Condition::TRUE);
        let chosen = self.choose(&ways)?;
        let Some((first, low, _)) = ranges.get(chosen) else {
            return Ok(None);
        };
        let offset = self.graph.integer(i64::from(u32::from(*first)) - low);
        let value = self.graph.arithmetic(Operator::Subtract, character, offset);
        Ok(Some(value))
    }

    pub(super) fn is_between(&mut self, value: NodeId, first: i64, last: i64) -> Condition {
        let is_integer = self.graph.kind(Kinds::INTEGER, value);
        let (first, last) = (self.graph.integer(first), self.graph.integer(last));
        let is_below = self.graph.less(value, first);
        let is_above = self.graph.less(last, value);
        self.graph.all([is_integer, !is_below, !is_above])
    }

    fn character(&mut self, character: char) -> NodeId {
        self.graph.integer(i64::from(u32::from(character)))
    }

    /// `integer_to_list(Integer, Base)`.
    pub(super) fn integer_to_list(&mut self, integer: NodeId, base: Base) -> Walked {
        let is_integer = self.graph.kind(Kinds::INTEGER, integer);
        self.require(is_integer)?;
        let zero = self.graph.integer(0);
        let is_negative = self.graph.less(integer, zero);
        let is_negative = self.holds(is_negative)?;
        let magnitude = if is_negative {
            self.graph.arithmetic(Operator::Subtract, zero, integer)
        } else {
            integer
        };
        let mut powers = vec![self.graph.integer(1)];
        let mut power = i64::from(base);
        // Texts of larger numbers are not looked at digit by digit.
        loop {
            let next = self.graph.integer(power);
            let is_shorter = self.graph.less(magnitude, next);
            if self.holds(is_shorter)? {
                return Ok(self.digits(is_negative, magnitude, &powers, base));
            }
            powers.push(next);
            power = power.checked_mul(base.into()).ok_or(Stop::Unknown)?;
        }
    }

    /// The digits of a number, given the powers of the base that they stand for.
    fn digits(
        &mut self,
        is_negative: bool,
        number: NodeId,
        powers: &[NodeId],
        base: Base,
    ) -> NodeId {
        let (factor, zero) = (self.graph.integer(base.into()), self.character('0'));
        let (ten, letters) = (
            self.graph.integer(10),
            self.graph.integer(i64::from(b'A') - 10),
        );
        let mut characters = Vec::with_capacity(powers.len() + 1);
        if is_negative {
            characters.push(self.character('-'));
        }
        for power in powers.iter().rev() {
            let rest = self.graph.arithmetic(Operator::Divide, number, *power);
            let digit = self.graph.arithmetic(Operator::Remainder, rest, factor);
            let mut character = self.graph.arithmetic(Operator::Add, digit, zero);
            if base > 10 {
                let is_small = self.graph.less(digit, ten);
                let letter = self.graph.arithmetic(Operator::Add, digit, letters);
                character = self.graph.choice(is_small, character, letter);
            }
            characters.push(character);
        }
        self.list(&characters)
    }

    /// The text that a list of characters is in this run.
    fn text_in_run(&mut self, list: NodeId) -> Result<String, Stop> {
        let value = self.input.value(self.graph, list).ok_or(Stop::Unknown)?;
        characters(self.graph, value).ok_or(Stop::Unknown)
    }
}
