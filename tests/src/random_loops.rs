//! Random functions in Erlang that carry something along while they walk through a list: states,
//! counters, accumulators, the last element. What they carry is compared later, or only returned,
//! or looked at a little.
//!
//! Every function ends on every input: it calls itself only with the tail of its list, and calls
//! only functions that stand before it.

use std::fmt::Write;

use crate::random_programs::{Random, module_of};

const ATOMS: [&str; 3] = ["a", "b", "c"];

/// A module with functions `f0/1`, `f1/1` and so on.
pub fn module(name: &str, functions: usize, random: &mut Random) -> String {
    module_of(name, functions, |number| {
        LoopWriter { random, number }.function()
    })
}

/// Writes a function and its loop. The loop has a list, a state `S`, a counter `N` and an
/// accumulator `A`.
struct LoopWriter<'random> {
    random: &'random mut Random,
    number: usize,
}

impl LoopWriter<'_> {
    fn function(&mut self) -> String {
        let number = self.number;
        let state = self.pick(&["a", "none", "{a, 0}", "[]", "fun(X) -> {X, 1} end", "#{}"]);
        let counter = self.pick(&["0", "1", "-1"]);
        let mut text = format!("f{number}(X) -> l{number}(X, {state}, {counter}, []).\n");
        let end = self.end(2);
        let _ = writeln!(text, "l{number}([], S, N, A) -> {end};");
        for _ in 0..=self.random.below(3) {
            let (pattern, guard) = self.head();
            let step = self.step();
            let _ = writeln!(text, "l{number}([{pattern}|T], S, N, A){guard} -> {step};");
        }
        if self.random.chance(80) {
            let step = self.step();
            let _ = writeln!(text, "l{number}([H|T], S, N, A) -> {step};");
        }
        let end = self.end(1);
        let _ = writeln!(text, "l{number}(_, S, N, A) -> {end}.");
        text
    }

    fn pick(&mut self, items: &[&'static str]) -> &'static str {
        self.random.pick::<&'static str>(items)
    }

    /// A pattern that binds `H`, and a guard.
    fn head(&mut self) -> (&'static str, &'static str) {
        *self.random.pick(&[
            ("a = H", ""),
            ("b = H", ""),
            ("1 = H", ""),
            ("H", " when is_atom(H)"),
            ("H", " when is_integer(H)"),
            ("H", " when H > N"),
            ("H", " when H =:= S"),
            ("H", " when N > 1"),
            ("H", " when S =:= b"),
            ("{H, _}", ""),
            ("{_, H} ", " when H =/= a"),
            ("[H|_]", ""),
        ])
    }

    /// What is done with an element: mostly the loop goes on.
    fn step(&mut self) -> String {
        let call = self.call();
        match self.random.below(14) {
            0..=7 => call,
            8 => format!("[H|{call}]"),
            9 => format!("{{R, _}} = {{{call}, N}}, {}", self.after()),
            10 => format!("R = {call}, {}", self.after()),
            11 => format!("try {call} catch throw:V -> {} end", self.caught()),
            12 => format!("case catch {call} of {{'EXIT', _}} -> crashed; R -> R end"),
            _ => self.end(1),
        }
    }

    fn call(&mut self) -> String {
        let state = self.pick(&[
            "S",
            "S",
            "S",
            "a",
            "b",
            "H",
            "{S, H}",
            "{H, N}",
            "N",
            "fun() -> H end",
            "#{k => H}",
            "element(1, {H, S})",
        ]);
        let counter = self.pick(&[
            "N",
            "N + 1",
            "N + 1",
            "N - 1",
            "N * 2",
            "0",
            "-N",
            "length(A)",
        ]);
        let list = self.pick(&[
            "A",
            "[H|A]",
            "[H|A]",
            "[S|A]",
            "[N|A]",
            "[{H, N}|A]",
            "[]",
            "[x|A]",
        ]);
        format!("l{}(T, {state}, {counter}, {list})", self.number)
    }

    /// What is done with the result `R` of the rest.
    fn after(&mut self) -> &'static str {
        self.pick(&[
            "R",
            "{H, R}",
            "case R of H -> error({same, H}); _ -> R end",
            "case R of {_, _} -> R; _ -> {ok, R} end",
            "case is_list(R) of true -> lists:reverse(R); false -> N end",
            "if R =:= S -> error(state); true -> S end",
            "if R > N -> R; true -> [R, H] end",
        ])
    }

    fn caught(&mut self) -> &'static str {
        self.pick(&[
            "V",
            "case V of {_, a} -> error(thrown_a); _ -> caught end",
            "case V of N -> error(thrown_n); _ -> {V, S} end",
            "throw({again, V})",
            "{caught, N}",
        ])
    }

    /// What is done at the end, with some things looked at before.
    fn end(&mut self, looks: usize) -> String {
        if looks > 0 && self.random.chance(35) {
            let rest = self.end(looks - 1);
            return self.look(&rest);
        }
        self.pick(&[
            "{S, N, A}",
            "lists:reverse(A)",
            "A ++ [S]",
            "N + 1",
            "S",
            "ok",
            "throw({done, S})",
            "throw(N)",
            "error({end_of, N})",
        ])
        .to_owned()
    }

    /// Looks at something, and goes on.
    fn look(&mut self, rest: &str) -> String {
        let atom = self.random.pick::<&str>(&ATOMS);
        let small = self.random.below(4);
        match self.random.below(14) {
            0 => format!("case N of {small} -> error(count); _ -> {rest} end"),
            1 => format!("case S of {atom} -> error({{state, N}}); _ -> {rest} end"),
            2 => format!("case A of [{atom}|_] -> error(top); _ -> {rest} end"),
            3 => format!("case A of [X, X|_] -> error(twins); _ -> {rest} end"),
            4 => format!("case lists:reverse(A) of [{atom}|_] -> error(first); _ -> {rest} end"),
            5 => format!("case length(A) of {small} -> error(long); _ -> {rest} end"),
            6 => format!("case S of {{X, {small}}} -> error({{pair, X}}); _ -> {rest} end"),
            7 => format!("if N rem 2 =:= 1 -> error(odd); true -> {rest} end"),
            8 => format!("if N > {small} -> error(large); true -> {rest} end"),
            9 => format!("if is_function(S, 0) -> {{fn, S() =:= {atom}}}; true -> {rest} end"),
            10 => format!("case S of #{{k := {atom}}} -> error(key); _ -> {rest} end"),
            11 => format!("case lists:member(S, A) of true -> error(member); _ -> {rest} end"),
            12 => format!("case {{S, N}} of {{_, {small}}} -> error(pair); _ -> {rest} end"),
            _ => format!("_ = hd(A), {rest}"),
        }
    }
}
