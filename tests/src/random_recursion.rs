//! Random functions in Erlang whose calls are not the last thing they do: they walk through lists
//! and trees, compare what they get back, return rests of their input, throw and catch, and call each
//! other.
//!
//! Every function ends on every input: functions call each other only with parts of their argument.

use std::fmt::Write;

use crate::random_programs::{Random, module_of};

/// A module with functions `f0/1`, `f1/1` and so on.
pub fn module(name: &str, functions: usize, random: &mut Random) -> String {
    module_of(name, functions, |number| {
        RecursionWriter { random, number }.function()
    })
}

/// Writes a function: `f` looks at the result of `g`, which walks through its argument, with the help
/// of `h`, which does the same in another way, and of `p`, which returns something and a rest.
struct RecursionWriter<'random> {
    random: &'random mut Random,
    number: usize,
}

impl RecursionWriter<'_> {
    fn function(&mut self) -> String {
        let number = self.number;
        let look = self.look();
        let mut text = match self.random.below(4) {
            0 => format!("f{number}(X) -> {}.\n", self.guarded("g", "X")),
            1 => format!(
                "f{number}({{X, H}}) -> R = g{number}(X), {look};\nf{number}(_) -> other.\n"
            ),
            _ => format!("f{number}(X) -> H = x, R = g{number}(X), {look}.\n"),
        };
        for name in ["g", "h"] {
            let _ = writeln!(text, "{name}{number}([]) -> {};", self.leaf());
            for _ in 0..=self.random.below(2) {
                let (pattern, guard) = self.head();
                let body = self.body();
                let _ = writeln!(text, "{name}{number}([{pattern}|T]){guard} -> {body};");
            }
            if self.random.chance(60) {
                let body = self.tree();
                let _ = writeln!(text, "{name}{number}({{L, T}}) -> H = L, {body};");
            }
            let _ = writeln!(text, "{name}{number}(_) -> {}.", self.leaf());
        }
        let stop = self.pick(&["H =:= b", "is_integer(H)", "H > 1"]);
        let end = self.pick(&["{none, T}", "{T, T}", "throw(T)", "{0, T}"]);
        let value = self.pick(&["{H, T}", "{H, [H|T]}", "{1, T}", "error(stop)"]);
        let more = self.pick(&["{V, R}", "{[H|V], R}", "{{H, V}, R}", "{V + 1, R}"]);
        let _ = writeln!(text, "p{number}([H|T]) when {stop} -> {value};");
        let _ = writeln!(text, "p{number}([a|T]) -> p{number}(T);");
        let _ = writeln!(text, "p{number}([H|T]) -> {{V, R}} = p{number}(T), {more};");
        let _ = writeln!(text, "p{number}(T) -> {end}.");
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
            ("H", " when is_integer(H), H > 3"),
            ("{H, _}", ""),
            ("H", ""),
            ("H", ""),
        ])
    }

    fn callee(&mut self) -> &'static str {
        self.pick(&["g", "g", "h"])
    }

    /// What is returned where nothing is left.
    fn leaf(&mut self) -> &'static str {
        self.pick(&[
            "0",
            "0",
            "[]",
            "none",
            "{ok, 0}",
            "throw(none)",
            "{error, none}",
            "error(leaf)",
        ])
    }

    /// What is done with an element `H` and the rest `T`.
    fn body(&mut self) -> String {
        let number = self.number;
        let callee = self.callee();
        let look = self.look();
        match self.random.below(12) {
            0 => format!("[H|{callee}{number}(T)]"),
            1 => format!("{callee}{number}(T)"),
            2 => format!("1 + {callee}{number}(T)"),
            3 => self.guarded(callee, "T"),
            4 => format!("{{V, Rest}} = p{number}(T), R = {callee}{number}(Rest), {{V, R}}"),
            5 => format!("{{V, Rest}} = p{number}(T), R = {{V, {callee}{number}(Rest)}}, {look}"),
            6 => format!("{{R, Rest}} = p{number}(T), {look}"),
            7 => format!("R = {callee}{number}(T), _ = length(T), {look}"),
            8 => format!("lists:foldl(fun(E, A) -> [{callee}{number}(E)|A] end, [], T)"),
            9 => format!("[{callee}{number}(E) || E <- T, E =/= H]"),
            _ => format!("R = {callee}{number}(T), {look}"),
        }
    }

    /// What is done with two parts `L` and `T`.
    fn tree(&mut self) -> String {
        let number = self.number;
        let (left, right) = (self.callee(), self.callee());
        let look = self.look();
        let both = format!("A = {left}{number}(L), R = {right}{number}(T)");
        match self.random.below(6) {
            0 => format!("{both}, if A > R -> A; true -> {{R, A}} end"),
            1 => format!("{both}, case A of R -> error({{same, R}}); _ -> R end"),
            2 => format!("{both}, _ = A, {look}"),
            3 => format!("{both}, max(A, R)"),
            4 => format!(
                "case {} of {{caught, _}} -> none; R -> {look} end",
                self.guarded(left, "L")
            ),
            _ => format!("{both}, {{A, R}}"),
        }
    }

    /// A call with a handler around it.
    fn guarded(&mut self, callee: &str, argument: &str) -> String {
        let caught = self.pick(&[
            "V",
            "{caught, V}",
            "case V of none -> error(thrown); _ -> caught end",
            "throw({again, V})",
        ]);
        let number = self.number;
        match self.random.below(3) {
            0 => format!("try {callee}{number}({argument}) catch throw:V -> {caught} end"),
            1 => format!("try {callee}{number}({argument}) catch _:V -> {caught} end"),
            _ => format!(
                "case catch {callee}{number}({argument}) of {{'EXIT', _}} -> crashed; V -> {caught} end"
            ),
        }
    }

    /// What is done with a result `R`, beside an element `H`.
    fn look(&mut self) -> &'static str {
        self.pick(&[
            "R",
            "{ok, R}",
            "{R, H}",
            "case R of 2 -> error(two); _ -> R end",
            "case R of {_, none} -> error(pair); _ -> R end",
            "case R of {ok, Y} -> {ok, {H, Y}}; Y -> Y end",
            "case R of [_, _|_] -> error(long); _ -> R end",
            "case R of H -> error({same, H}); _ -> {H, R} end",
            "case {H, R} of {b, 0} -> error(b_zero); {_, N} when is_integer(N) -> N + 1; _ -> R end",
            "case is_list(R) of true -> length(R); false -> R end",
            "if R =:= [] -> throw(empty); true -> R end",
        ])
    }
}
