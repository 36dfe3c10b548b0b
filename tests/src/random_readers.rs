//! Random functions in Erlang that read a binary from its beginning to its end: bytes, fields whose
//! lengths stand before them, other sizes of fields. They carry along a state, a byte, a count or
//! what they have read.
//!
//! Every function ends on every input: it calls itself only with a shorter rest.

use std::fmt::Write;

use crate::random_programs::{Random, module_of};

/// A module with functions `f0/1`, `f1/1` and so on.
pub fn module(name: &str, functions: usize, random: &mut Random) -> String {
    module_of(name, functions, |number| {
        ReaderWriter { random, number }.function()
    })
}

/// Writes a function and its loop. The loop has a binary, a state `S`, a count `N` and what was read
/// so far, `A`.
struct ReaderWriter<'random> {
    random: &'random mut Random,
    number: usize,
}

impl ReaderWriter<'_> {
    fn function(&mut self) -> String {
        let number = self.number;
        let state = self.pick(&["a", "none", "0", "<<>>"]);
        let read = self.pick(&["<<>>", "<<>>", "[]", "#{}"]);
        let mut text = format!("f{number}(X) -> l{number}(X, {state}, 0, {read}).\n");
        for _ in 0..=self.random.below(3) {
            let (pattern, guard) = self.head();
            let step = self.step();
            let _ = writeln!(text, "l{number}({pattern}, S, N, A){guard} -> {step};");
        }
        let step = self.step();
        let _ = writeln!(text, "l{number}(<<H, T/binary>>, S, N, A) -> {step};");
        let end = self.end();
        let _ = writeln!(text, "l{number}(<<>>, S, N, A) -> {end};");
        let end = self.end();
        let _ = writeln!(text, "l{number}(T, S, N, A) -> H = T, {end}.");
        text
    }

    fn pick(&mut self, items: &[&'static str]) -> &'static str {
        self.random.pick::<&'static str>(items)
    }

    /// A pattern that binds `H` and the rest `T`, and a guard.
    fn head(&mut self) -> (&'static str, &'static str) {
        *self.random.pick(&[
            ("<<H, T/binary>>", " when H =:= $a"),
            ("<<\"ab\", H, T/binary>>", ""),
            ("<<H, T/binary>>", " when H < 3"),
            ("<<H, T/binary>>", " when H =:= S"),
            ("<<H, T/binary>>", " when H > $x"),
            ("<<H, T/binary>>", " when N > 1"),
            ("<<H, T/binary>>", " when byte_size(T) < 2"),
            ("<<H, T/binary>>", " when byte_size(T) =:= N"),
            ("<<H:16, T/binary>>", " when H > 16#FF00"),
            ("<<2, H:2/binary, T/binary>>", ""),
            ("<<L, H:L/binary, T/binary>>", " when L < 3, L > 0"),
            ("<<H:4, _:4, T/binary>>", " when H =:= 3"),
            ("<<H, _, T/binary>>", " when S =:= b"),
        ])
    }

    /// What is done with what was read: mostly the loop goes on.
    fn step(&mut self) -> String {
        let call = self.call();
        match self.random.below(12) {
            0..=7 => call,
            8 => format!("{{{call}, H}}"),
            9 => format!("R = {call}, case R of S -> error(same); _ -> R end"),
            10 => format!("try {call} catch throw:V -> {{V, T}} end"),
            _ => self.end(),
        }
    }

    fn call(&mut self) -> String {
        let state = self.pick(&["S", "S", "a", "b", "H", "N", "{S, H}", "T"]);
        let count = self.pick(&["N", "N + 1", "N + 1", "0", "byte_size(T)"]);
        let read = self.pick(&["A", "A", "A", "[H | A]", "<<A/binary, $x>>", "A#{x => H}"]);
        format!("l{}(T, {state}, {count}, {read})", self.number)
    }

    /// Where it ends: with a value or an exception, which may depend on what was carried along.
    fn end(&mut self) -> String {
        let end = self.pick(&[
            "{ok, A}",
            "{S, N}",
            "throw(S)",
            "case N of 2 -> error(two); 3 -> error(three); _ -> N end",
            "case S of b -> error(b); <<$a, _/binary>> -> error(rest); _ -> A end",
            "case S of {a, $a} -> error(pair); 7 -> error(seven); _ -> S end",
            "case A of <<\"xx\">> -> error(read); [$a | _] -> error(a); _ -> ok end",
            "case A of [X, X | _] -> error(twice); #{x := $a} -> error(in_map); _ -> A end",
            "<<A/binary, 1>>",
            "A#{y => S}",
            "length(A)",
        ]);
        end.to_owned()
    }
}
