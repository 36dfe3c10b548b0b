//! Random functions that take bit strings apart and put them together.

use std::fmt::Write;

use erlang_term::Term;

use crate::random_programs::Random;

/// A module of functions `f0/1`, `f1/1` and so on.
pub fn module(name: &str, functions: usize, random: &mut Random) -> String {
    let exports: Vec<String> = (0..functions).map(|it| format!("f{it}/1")).collect();
    let mut text = format!("-module({name}).\n-export([{}]).\n", exports.join(","));
    for number in 0..functions {
        let body = function(random);
        // Writing to a string cannot fail.
        let _ = write!(text, "f{number}(X) ->\n    {body}.\n");
    }
    text
}

/// A bit string, mostly, or something that functions take.
pub fn value(random: &mut Random) -> Term {
    match random.below(10) {
        0 => Term::Integer((random.below(9) as i64 - 2).into()),
        1 => {
            let size = Term::Integer((random.below(20) as i64 - 2).into());
            Term::Tuple(vec![size, bits(random)])
        }
        _ => bits(random),
    }
}

/// A bit string.
pub fn bits(random: &mut Random) -> Term {
    let likely = [0, 1, 2, 7, 63, 97, 128, 200, 0xC3, 0xE2, 0xF0, 0xD8, 255];
    let count = random.below(8);
    let mut bytes = Vec::new();
    for _ in 0..count {
        bytes.push(if random.chance(50) {
            likely.get(random.below(likely.len())).copied().unwrap_or(0)
        } else {
            random.below(256) as u8
        });
    }
    let used = if random.chance(30) {
        1 + random.below(8) as u8
    } else {
        8
    };
    let Some(last) = bytes.last_mut() else {
        return Term::binary([]);
    };
    *last = *last >> (8 - used) << (8 - used);
    Term::Bits(bytes, used)
}

/// The variables of a clause.
#[derive(Default)]
struct Clause {
    /// Small numbers, which can be sizes.
    small: Vec<String>,
    integers: Vec<String>,
    floats: Vec<String>,
    bits: Vec<String>,
    count: usize,
}

impl Clause {
    fn variable(&mut self) -> String {
        self.count += 1;
        format!("V{}", self.count)
    }
}

fn pick(random: &mut Random, of: &[String]) -> Option<String> {
    if of.is_empty() {
        return None;
    }
    of.get(random.below(of.len())).cloned()
}

fn function(random: &mut Random) -> String {
    let is_pair = random.chance(20);
    let mut clauses = Vec::new();
    for number in 0..1 + random.below(3) {
        let mut clause = Clause::default();
        if is_pair {
            clause.small.push("N".to_owned());
        }
        let pattern = pattern(random, &mut clause);
        let guard = guard(random, &clause);
        let body = body(random, &clause, number);
        clauses.push(format!("{pattern}{guard} -> {body}"));
    }
    clauses.push("_ -> none".to_owned());
    let clauses = clauses.join(";\n        ");
    let head = if is_pair {
        "{N, Y} = X,\n    case Y of"
    } else {
        "case X of"
    };
    format!("{head}\n        {clauses}\n    end")
}

fn flags(random: &mut Random) -> &'static str {
    let flags = ["", "-signed", "-little", "-signed-little", "-unsigned-big"];
    flags.get(random.below(flags.len())).copied().unwrap_or("")
}

fn pattern(random: &mut Random, clause: &mut Clause) -> String {
    let mut segments = Vec::new();
    for _ in 0..1 + random.below(4) {
        segments.push(segment(random, clause));
    }
    match random.below(6) {
        0 => {}
        1 => segments.push("_/bits".to_owned()),
        2 => segments.push("_/binary".to_owned()),
        kind => {
            let tail = clause.variable();
            let kind = ["bits", "binary", "binary-unit:16"].get(kind - 3).copied();
            segments.push(format!("{tail}/{}", kind.unwrap_or("bits")));
            clause.bits.push(tail);
        }
    }
    format!("<<{}>>", segments.join(", "))
}

fn segment(random: &mut Random, clause: &mut Clause) -> String {
    let width = 1 + random.below(12);
    match random.below(14) {
        0..=2 => {
            let variable = clause.variable();
            let width = 1 + random.below(4);
            clause.small.push(variable.clone());
            clause.integers.push(variable.clone());
            format!("{variable}:{width}")
        }
        3 | 4 => {
            let variable = clause.variable();
            clause.integers.push(variable.clone());
            format!("{variable}:{width}/integer{}", flags(random))
        }
        5 => {
            let literal = random.below(1 << width.min(5)) as i64 - 1;
            format!("{literal}:{width}/integer{}", flags(random))
        }
        6 => format!("_:{width}"),
        7 | 8 => match pick(random, &clause.small) {
            Some(size) => {
                let variable = clause.variable();
                if random.chance(50) {
                    clause.integers.push(variable.clone());
                    format!("{variable}:{size}/integer{}", flags(random))
                } else {
                    clause.bits.push(variable.clone());
                    let unit = ["binary", "bits", "binary-unit:3"]
                        .get(random.below(3))
                        .copied();
                    format!("{variable}:{size}/{}", unit.unwrap_or("bits"))
                }
            }
            None => "3:3".to_owned(),
        },
        9 => {
            let variable = clause.variable();
            clause.bits.push(variable.clone());
            format!("{variable}:{}/binary", 1 + random.below(2))
        }
        10 | 11 => {
            let kind = ["utf8", "utf8", "utf16", "utf16-little", "utf32"];
            let kind = kind.get(random.below(5)).copied().unwrap_or("utf8");
            if random.chance(20) {
                return format!("8364/{kind}");
            }
            let variable = clause.variable();
            clause.integers.push(variable.clone());
            format!("{variable}/{kind}")
        }
        12 => {
            let variable = clause.variable();
            clause.floats.push(variable.clone());
            let size = [16, 32, 64].get(random.below(3)).copied().unwrap_or(64);
            let order = if random.chance(50) { "-little" } else { "" };
            format!("{variable}:{size}/float{order}")
        }
        _ => format!(
            "\"{}\"",
            ["a", "ab"].get(random.below(2)).copied().unwrap_or("a")
        ),
    }
}

fn guard(random: &mut Random, clause: &Clause) -> String {
    let number = random.below(200) as i64 - 20;
    let test = match random.below(8) {
        0 | 1 => pick(random, &clause.integers).map(|it| format!("{it} > {number}")),
        2 => pick(random, &clause.integers).map(|it| format!("{it} rem 5 =:= {}", number % 5)),
        3 => pick(random, &clause.bits).map(|it| format!("bit_size({it}) > {}", number / 8)),
        4 => pick(random, &clause.bits).map(|it| format!("byte_size({it}) =:= {}", number / 40)),
        5 => pick(random, &clause.bits).map(|it| format!("{it} < <<\"b\">>")),
        6 => pick(random, &clause.floats).map(|it| format!("{it} < {number}.5")),
        _ => None,
    };
    test.map_or(String::new(), |it| format!(" when {it}"))
}

fn body(random: &mut Random, clause: &Clause, number: usize) -> String {
    if random.chance(30) {
        return number.to_string();
    }
    let mut segments = Vec::new();
    for _ in 0..1 + random.below(3) {
        let integer = pick(random, &clause.integers).unwrap_or_else(|| "77".to_owned());
        segments.push(match random.below(6) {
            0..=2 => format!(
                "{integer}:{}/integer{}",
                1 + random.below(12),
                flags(random)
            ),
            3 => match pick(random, &clause.small) {
                Some(size) => format!("{integer}:{size}"),
                None => "5:4".to_owned(),
            },
            4 => match pick(random, &clause.bits) {
                Some(bits) => format!("{bits}/bits"),
                None => "1:1".to_owned(),
            },
            _ => format!("{integer}/utf8"),
        });
    }
    let built = format!("<<{}>>", segments.join(", "));
    let limit = random.below(30);
    match random.below(3) {
        0 => format!("case {built} of <<Q:5, _/bits>> when Q > {limit} -> a; _ -> b end"),
        1 => format!("byte_size({built}) > 2 orelse {built} < <<\"c\">>"),
        _ => format!("[Q || <<Q:4>> <= {built}, Q > {}]", limit / 2),
    }
}
