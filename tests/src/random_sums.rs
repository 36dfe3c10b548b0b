//! Random functions in Erlang that add up numbers while they walk through a few values, and look at
//! the sums in the end: at their size, their remainders, at one value, at each other.
//!
//! Every function ends on every input: it calls itself only with the tail of its list.

use std::fmt::Write;

use crate::random_programs::{Random, module_of};

/// A module with functions `f0/1`, `f1/1` and so on.
pub fn module(name: &str, functions: usize, random: &mut Random) -> String {
    module_of(name, functions, |number| {
        SumWriter { random, number }.function()
    })
}

/// Writes a function and its loop, which has a list, a weight `W`, a sum `S` and a pair `P`.
struct SumWriter<'random> {
    random: &'random mut Random,
    number: usize,
}

impl SumWriter<'_> {
    fn function(&mut self) -> String {
        let number = self.number;
        let (pattern, list) = *self.random.pick(&[
            ("{A, B, C}", "[A, B, C]"),
            ("{A, B, C, D}", "[A, B, C, D]"),
            ("{A, B, C, D, E}", "[A, B, C, D, E]"),
            ("{A, B, C, D}", "[A, B, A, C, D]"),
            ("X", "X"),
        ]);
        let weight = self.pick(&["0", "1", "1", "2", "3"]);
        let sum = self.pick(&["0", "0", "1", "-3"]);
        let call = format!("l{number}({list}, {weight}, {sum}, {{0, 1}})");
        let call = self.around(&call);
        let mut text = format!("f{number}({pattern}) -> {call};\nf{number}(_) -> none.\n");
        if pattern == "X" {
            text = format!("f{number}(X) -> {call}.\n");
        }
        let end = self.end(3);
        let _ = writeln!(text, "l{number}([], W, S, {{M, N}}) -> {end};");
        for _ in 0..=self.random.below(2) {
            let (head, guard) = self.head();
            let step = self.step();
            let _ = writeln!(
                text,
                "l{number}([{head}|T], W, S, {{M, N}}){guard} -> {step};"
            );
        }
        let step = self.step();
        let _ = writeln!(text, "l{number}([H|T], W, S, {{M, N}}) -> {step};");
        let _ = writeln!(text, "l{number}(_, W, S, {{M, N}}) -> {{W, S, M, N}}.");
        let small = self.random.below(6);
        let _ = writeln!(text, "a{number}(X, Y) when X > {small} -> X - Y;");
        let _ = writeln!(text, "a{number}(X, Y) -> X + Y.");
        text
    }

    fn pick(&mut self, items: &[&'static str]) -> &'static str {
        self.random.pick::<&'static str>(items)
    }

    /// Perhaps catches what the loop throws.
    fn around(&mut self, call: &str) -> String {
        let small = self.random.below(9);
        match self.random.below(5) {
            0 => format!("try {call} catch throw:V when V > {small} -> error(thrown); _ -> ok end"),
            1 => format!("case {call} of {small} -> error(result); R -> R end"),
            _ => call.to_owned(),
        }
    }

    /// A pattern that binds `H`, and a guard.
    fn head(&mut self) -> (&'static str, &'static str) {
        *self.random.pick(&[
            ("a = H", ""),
            ("1 = H", ""),
            ("H", " when H > 9"),
            ("H", " when is_integer(H)"),
            ("H", " when is_atom(H)"),
            ("H", " when H =:= S"),
            ("H", " when H > S"),
            ("H", " when is_integer(H), H > 3, S > 4"),
            ("H", " when S rem 3 =:= 1"),
            ("{H, _}", ""),
        ])
    }

    fn step(&mut self) -> String {
        let number = self.number;
        let weight = self.number_expression(&["W", "W + 1", "2 * W", "W + 2", "W + N"]);
        let sum = self.number_expression(&[
            "S",
            "S + W",
            "S + W",
            "S - W",
            "S * 2",
            "S * W",
            "max(S, W)",
            "min(S, M)",
            "-S",
            "abs(S)",
            "S rem 3",
            "S div 2",
            "S bxor W",
        ]);
        let one = self.number_expression(&["M", "M + 1", "M + W", "N", "S"]);
        let other = self.number_expression(&["N", "N + 1", "N * 2", "M", "1 - N"]);
        let call = format!("l{number}(T, {weight}, {sum}, {{{one}, {other}}})");
        match self.random.below(10) {
            0 => format!("R = {call}, {}", self.after()),
            1 => format!("case {call} of R when R > W -> R; R -> {{R, M}} end"),
            2 => format!("throw({sum})"),
            _ => call,
        }
    }

    fn number_expression(&mut self, items: &[&'static str]) -> String {
        let item = self.pick(items);
        match self.random.below(10) {
            0 => format!("a{}({item}, W)", self.number),
            1 => format!("a{}(M, {item})", self.number),
            _ => item.to_owned(),
        }
    }

    /// What is done with the result `R` of the rest.
    fn after(&mut self) -> String {
        let small = self.random.below(12);
        match self.random.below(4) {
            0 => format!("if R =:= {small} -> error(rest); true -> R end"),
            1 => "if is_integer(R) -> R + W; true -> S end".to_owned(),
            2 => format!("case {{R, S}} of {{_, {small}}} -> error(sum); _ -> S end"),
            _ => "{R, S}".to_owned(),
        }
    }

    /// What is done at the end, with some things looked at before.
    fn end(&mut self, looks: usize) -> String {
        if looks > 0 && self.random.chance(70) {
            let rest = self.end(looks - 1);
            return self.look(&rest);
        }
        self.pick(&["S", "{S, W}", "ok", "throw(S)", "error({sum, S})", "W + M"])
            .to_owned()
    }

    /// Looks at something, and goes on.
    fn look(&mut self, rest: &str) -> String {
        let small = self.random.below(8);
        let number = self.random.below(24);
        match self.random.below(12) {
            0 => format!("case S of {number} -> error(exactly); _ -> {rest} end"),
            1 => format!("if S > {number} -> error(large); true -> {rest} end"),
            2 => format!("if S < -{small} -> error(negative); true -> {rest} end"),
            3 => format!("if S rem 2 =:= 1 -> error({{odd, W}}); true -> {rest} end"),
            4 => format!("if S =:= W -> error(equal); true -> {rest} end"),
            5 => format!("if S + M > {number} -> error(both); true -> {rest} end"),
            6 => format!("case {{M, N}} of {{{small}, _}} -> error(pair); _ -> {rest} end"),
            7 => format!("if M > N -> error(order); true -> {rest} end"),
            8 => format!("if S * S > {number} -> error(square); true -> {rest} end"),
            9 => format!("if S >= W * W div 2 -> error(product); true -> {rest} end"),
            10 => format!("_ = {number} div (S - {small}), {rest}"),
            _ => format!("case S of N -> error(S); _ -> {rest} end"),
        }
    }
}
