//! The value of `--shard`.

use std::str::FromStr;

/// A share of all functions: `2/3` is the second of three.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ShardNumber {
    /// Which one, from 1.
    pub(crate) number: usize,
    /// How many there are.
    pub(crate) of: usize,
}

impl FromStr for ShardNumber {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts = text.split_once('/');
        let numbers = parts.and_then(|(number, of)| Some((whole(number)?, whole(of)?)));
        match numbers {
            None => Err("write a number and how many there are, such as 2/3"),
            Some((_, 0)) => Err("there must be at least one shard, as in 1/1"),
            Some((0, _)) => Err("shards are counted from 1"),
            Some((number, of)) if number > of => {
                Err("the number is larger than how many there are")
            }
            Some((number, of)) => Ok(Self { number, of }),
        }
    }
}

/// A number without a sign.
fn whole(text: &str) -> Option<usize> {
    let is_number = !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_shards_that_exist_are_read() {
        let read = |text: &str| text.parse::<ShardNumber>();
        let (first, last) = (
            ShardNumber { number: 1, of: 1 },
            ShardNumber { number: 3, of: 3 },
        );
        assert_eq!((read("1/1"), read("3/3")), (Ok(first), Ok(last)));
        for text in [
            "", "x", "2", "/", "1/", "/3", "+1/3", "1/-3", "1/3/3", "0/0", "0/3", "4/3",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
