//! The code that plays a sequence of calls, as Core Erlang text.
//!
//! ```text
//! play([], N, Made) -> ok;
//! play([none | _], N, Made) -> ok;
//! play([Call | Calls], N, Made) -> call(Call, Calls, N, Made).
//!
//! call({push, X1, X2}, Calls, N, Made) ->
//!     {U, Y2} = made(X2, N, Made),
//!     R = m:push(X1, Y2),
//!     play(Calls, N + 1, [{1, N, 1, R} | Made]).
//! ```
//!
//! The first positions of a sequence have functions of their own: so a search that looks for clauses
//! which it did not reach tries each function at each position, before it looks closer at what a
//! function does.
//!
//! `Made` has what calls made: for which references it is good, the number of the call, the number of
//! the value, and the value. `Left` has the numbers of the calls whose results no call took.

use flattener::flat::FunctionId;
use reports::{Entry, MadePattern, REJECTED_INPUT};

use crate::program::callable::{Callable, Callables};
use crate::program::core_names::{call, clause_for, quoted};
use crate::program::needed_calls::NeededCalls;
use crate::program::reference_builder::ReferenceBuilder;

/// What a play tells the search.
pub(crate) const MARKS: &str = "erlconcolic_machine_mark";

/// How many positions have functions of their own.
const POSITIONS: usize = 6;

/// How the calls of a module are played.
#[derive(Debug)]
pub(crate) struct CallPlay<'calls> {
    pub(crate) module: &'calls Entry,
    pub(crate) callables: &'calls Callables,
    /// Asked of what calls make, if it is good for references of one of these types.
    pub(crate) invariant: Option<(&'calls Entry, &'calls [usize])>,
    pub(crate) needed: NeededCalls,
    /// How many calls there are at most.
    pub(crate) length: usize,
    /// Tells the functions of several modules apart.
    pub(crate) number: usize,
}

/// The functions that look for what a reference means, and remove a number from a list.
pub(crate) fn common_functions() -> String {
    format!(
        "'made'/5 = fun (T,B,P,N,Made) -> case Made of \
         <[{{T1,N1,P1,V}}|Rest]> when 'true' -> \
         case call 'erlang':'=:='(T,T1) of \
         <'true'> when 'true' -> let <A> = call 'erlang':'-'(N,N1) in case {{B,P}} of \
         <{{B1,P2}}> when call 'erlang':'and'(call 'erlang':'=:='(B1,A),\
         call 'erlang':'=:='(P2,P1)) -> {{N1,V}} \
         <O> when 'true' -> apply 'made'/5(T,B,P,N,Rest) end \
         <'false'> when 'true' -> apply 'made'/5(T,B,P,N,Rest) end \
         <[]> when 'true' -> call 'erlang':'exit'('{REJECTED_INPUT}') end\n\
         'numbered'/5 = fun (T,I,W,N,Made) -> case Made of \
         <[{{T1,N1,P1,V}}|Rest]> when 'true' -> \
         case call 'erlang':'=:='(T,T1) of \
         <'true'> when 'true' -> \
         let <A> = call 'erlang':'+'(call 'erlang':'*'(call 'erlang':'-'(N,N1),W),\
         call 'erlang':'-'(P1,W)) in case I of \
         <I1> when call 'erlang':'=:='(I1,A) -> {{N1,V}} \
         <O> when 'true' -> apply 'numbered'/5(T,I,W,N,Rest) end \
         <'false'> when 'true' -> apply 'numbered'/5(T,I,W,N,Rest) end \
         <[]> when 'true' -> call 'erlang':'exit'('{REJECTED_INPUT}') end\n\
         'without'/2 = fun (U,Left) -> case Left of \
         <[]> when 'true' -> [] \
         <[H|T]> when call 'erlang':'=:='(H,U) -> T \
         <[H|T]> when 'true' -> let <L> = apply 'without'/2(U,T) in [H|L] end\n"
    )
}

impl CallPlay<'_> {
    /// The functions that play a list of calls from a position on, and its first call.
    fn names(&self, position: usize) -> [String; 2] {
        let position = position.min(POSITIONS);
        let number = self.number;
        [
            format!("'play_{number}_{position}'"),
            format!("'call_{number}_{position}'"),
        ]
    }

    /// An expression that plays these calls.
    pub(crate) fn start(&self, calls: &str) -> String {
        let [play, _] = self.names(1);
        format!("apply {play}/4({calls},1,[],[])")
    }

    /// All functions of the play.
    pub(crate) fn functions(&self) -> String {
        let prefix = format!("meant_{}", self.number);
        let mut builder = ReferenceBuilder::new(self.callables, prefix);
        let positions = 1..=self.length.min(POSITIONS);
        let played = positions.map(|it| self.position(it, &mut builder));
        let played: String = played.collect();
        let (references, asking) = (builder.functions(), self.asking());
        format!("{played}{references}{asking}")
    }

    /// The functions of a position.
    fn position(&self, position: usize, builder: &mut ReferenceBuilder<'_>) -> String {
        let [play, call] = self.names(position);
        let functions = self.callables.functions.iter();
        let clauses = functions.map(|it| self.clause(it, position, builder));
        let clauses: Vec<String> = clauses.collect();
        let clauses = clauses.join(" ");
        format!(
            "{play}/4 = fun (Cs,N,Made,Left) -> case Cs of \
             <[]> when 'true' -> 'ok' \
             <[C|Rest]> when 'true' -> case C of \
             <'none'> when 'true' -> 'ok' \
             <D> when 'true' -> do call '{MARKS}':'waited'(N,0) \
             apply {call}/5(D,Rest,N,Made,Left) end end\n\
             {call}/5 = fun (C,Rest,N,Made,Left) -> case C of {clauses} end\n"
        )
    }

    /// The clause that calls a function.
    fn clause(
        &self,
        callable: &Callable,
        position: usize,
        builder: &mut ReferenceBuilder<'_>,
    ) -> String {
        let (mut patterns, mut arguments) = (vec![quoted(&callable.tag)], Vec::new());
        let (mut bindings, mut ends) = (String::new(), String::new());
        let mut left = "Left".to_owned();
        for (index, id) in (1..).zip(&callable.arguments) {
            let variable = format!("X{index}");
            if let Some(meant) = builder.meant(&variable, *id) {
                bindings.push_str(&format!(
                    "case {meant} of <{{U{index},Y{index}}}> when 'true' -> "
                ));
                ends.push_str(" end");
                left = format!("apply 'without'/2(U{index},{left})");
            } else {
                let made = builder.made(&variable, &[*id]);
                bindings.push_str(&format!("let <Y{index}> = {made} in "));
            }
            arguments.push(format!("Y{index}"));
            patterns.push(variable);
        }
        if self.callables.most_taken(callable).is_none() {
            // It may take all of them.
            left = "[]".to_owned();
        }
        let function = Entry {
            function: FunctionId {
                name: callable.function.clone(),
                arity: u32::try_from(arguments.len()).unwrap_or(u32::MAX),
            },
            ..self.module.clone()
        };
        let called = call(&function, &arguments);
        let after = self.after(callable, position + 1);
        let patterns = patterns.join(",");
        let performed =
            format!("let <R> = {called} in do call '{MARKS}':'state'(N,'none','none',R) {after}");
        let body = self.if_needed(callable, &left, &performed);
        format!("<{{{patterns}}}> when 'true' -> {bindings}{body}{ends}")
    }

    /// A call, unless later ones cannot take all results that nobody took yet.
    fn if_needed(&self, callable: &Callable, left: &str, performed: &str) -> String {
        let NeededCalls::Joined(most) = self.needed else {
            return performed.to_owned();
        };
        let most_left = if callable.makes_values() {
            let (length, most) = (self.length, most.saturating_sub(1));
            format!("call 'erlang':'*'(call 'erlang':'-'({length},N),{most})")
        } else {
            "0".to_owned()
        };
        format!(
            "let <L> = {left} in case call 'erlang':'=<'(call 'erlang':'length'(L),{most_left}) of \
             <'true'> when 'true' -> {performed} \
             <'false'> when 'true' -> call 'erlang':'exit'('{REJECTED_INPUT}') end"
        )
    }

    /// What comes after a call, which goes on with this position.
    fn after(&self, callable: &Callable, next: usize) -> String {
        if self.needed.ends_with(callable) {
            return format!("do call '{MARKS}':'replied'(N,R) 'ok'");
        }
        let has_effects = self.needed == NeededCalls::All;
        let others = match has_effects {
            true => self.goes_on("Made", next),
            false => "'ok'".to_owned(),
        };
        let others = format!("do call '{MARKS}':'replied'(N,R) {others}");
        let excluded = callable.excluded.iter().map(|it| clause_for(it, &others));
        let mut clauses: Vec<String> = excluded.collect();
        for pattern in &callable.patterns {
            let (mut made, mut asked, mut count) = ("Made".to_owned(), String::new(), 0);
            let text = core_pattern(pattern, &mut count, &mut |value| {
                let types = value.checked_sub(1).and_then(|it| callable.values.get(it));
                for reference in types.into_iter().flatten() {
                    made = format!("[{{{reference},N,{value},V{value}}}|{made}]");
                }
                if let Some((_, wanted)) = self.invariant
                    && types.into_iter().flatten().any(|it| wanted.contains(it))
                {
                    asked.push_str(&format!("do apply 'ask_{}'/1(V{value}) ", self.number));
                }
            });
            if has_effects {
                asked.clear();
            }
            let rest = self.goes_on("M", next);
            clauses.push(format!(
                "<{text}> when 'true' -> let <M> = {made} in {asked}{rest}"
            ));
        }
        let is_whole = callable.patterns == [MadePattern::Value(1)];
        if !is_whole {
            clauses.push(format!("<Other> when 'true' -> {others}"));
        }
        format!("case R of {} end", clauses.join(" "))
    }

    /// Plays the rest, given what calls made.
    fn goes_on(&self, made: &str, position: usize) -> String {
        let [play, _] = self.names(position.min(self.length));
        let number = self.number;
        let asked = match self.invariant {
            Some(_) if self.needed == NeededCalls::All => {
                format!("do apply 'ask_all_{number}'/1({made}) ")
            }
            Some(_) | None => String::new(),
        };
        let left = match self.needed {
            NeededCalls::Joined(_) => "[N|L]",
            NeededCalls::All | NeededCalls::Chain => "[]",
        };
        format!("{asked}apply {play}/4(Rest,call 'erlang':'+'(N,1),{made},{left})")
    }

    /// The functions that ask the invariant.
    fn asking(&self) -> String {
        let Some((invariant, wanted)) = self.invariant else {
            return String::new();
        };
        let number = self.number;
        let asked = call(invariant, &["V".to_owned()]);
        let (module, name) = (quoted(&invariant.module), quoted(&invariant.function.name));
        let clauses = wanted.iter().map(|reference| {
            format!(
                "<[{{{reference},N,P,V}}|Rest]> when 'true' -> do apply 'ask_{number}'/1(V) \
                 apply 'ask_all_{number}'/1(Rest)"
            )
        });
        let clauses: Vec<String> = clauses.collect();
        let clauses = clauses.join(" ");
        format!(
            "'ask_{number}'/1 = fun (V) -> case {asked} of \
             <'true'> when 'true' -> 'ok' \
             <'false'> when 'true' -> \
             call 'erlang':'error'({{'invariant',{{{module},{name},1}},V}}) \
             <Other> when 'true' -> \
             call 'erlang':'error'({{'bad_invariant',{{{module},{name},1}},Other}}) end\n\
             'ask_all_{number}'/1 = fun (Made) -> case Made of {clauses} \
             <[E|Rest]> when 'true' -> apply 'ask_all_{number}'/1(Rest) \
             <[]> when 'true' -> 'ok' end\n"
        )
    }
}

/// A pattern with variables `V1`, `V2`, ... for values. Others get names by the count.
fn core_pattern(
    pattern: &MadePattern,
    others: &mut usize,
    on_value: &mut dyn FnMut(usize),
) -> String {
    match pattern {
        MadePattern::Other => {
            *others += 1;
            format!("O{others}")
        }
        MadePattern::Atom(atom) => quoted(atom),
        MadePattern::Value(number) => {
            on_value(*number);
            format!("V{number}")
        }
        MadePattern::Tuple(parts) => {
            let parts = parts.iter();
            let parts: Vec<String> = parts.map(|it| core_pattern(it, others, on_value)).collect();
            format!("{{{}}}", parts.join(","))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::sync::Arc;

    use erlang_term::Atom;
    use solver::types::{Alternative, Signature, TypeId, Types};

    use super::*;
    use crate::program::library_code::flat_module;
    use crate::sources::call_specs::{CallSpec, CallSpecs};
    use crate::sources::specs::{Excluded, Spec};

    fn call_spec(function: &str, patterns: Vec<MadePattern>) -> CallSpec {
        CallSpec {
            function: Atom::new(function),
            values: patterns.iter().map(|_| vec![1]).collect(),
            patterns,
            excluded: Vec::new(),
        }
    }

    /// `new/0`, `push/2`, `pop/1`, `join/1` of a list, and `size/1`.
    fn specs() -> CallSpecs {
        let value = || vec![MadePattern::Value(1)];
        let in_ok = MadePattern::Tuple(vec![
            MadePattern::Atom(Atom::new("ok")),
            MadePattern::Other,
            MadePattern::Value(1),
        ]);
        let reference = Alternative::Atom(Atom::new("$erlconcolic_made\u{1f}1"));
        let types = vec![
            vec![Alternative::Integer(None, None)],
            vec![Alternative::Tuple(vec![TypeId(2)])],
            vec![reference],
            vec![Alternative::Nil, Alternative::Cons(TypeId(1), TypeId(3))],
        ];
        let clauses: [&[u32]; 5] = [&[], &[0, 1], &[1], &[3], &[1]];
        let ids = |clause: &&[u32]| clause.iter().copied().map(TypeId).collect();
        let mut calls = vec![
            call_spec("new", value()),
            call_spec("push", value()),
            call_spec("pop", vec![in_ok]),
            call_spec("join", value()),
            call_spec("size", Vec::new()),
        ];
        if let Some(push) = calls.get_mut(1) {
            push.excluded = vec![Excluded::Atom(Atom::new("full"))];
        }
        CallSpecs {
            calls,
            spec: Spec {
                signature: Signature {
                    types: Arc::new(Types::new(types)),
                    clauses: clauses.iter().map(ids).collect(),
                },
                excluded: HashMap::new(),
                unmade: Vec::new(),
            },
        }
    }

    fn module() -> Entry {
        Entry::calls(Atom::new("m"))
    }

    fn invariant() -> Entry {
        let (name, arity) = (Atom::new("is_valid"), 1);
        Entry::new(Atom::new("m"), FunctionId { name, arity })
    }

    fn core(needed: NeededCalls) -> String {
        let (module, callables, invariant) = (module(), Callables::new(&specs()), invariant());
        let play = CallPlay {
            module: &module,
            callables: &callables,
            invariant: Some((&invariant, &[1])),
            needed,
            length: 2,
            number: 0,
        };
        let (common, start, functions) = (common_functions(), play.start("[A1]"), play.functions());
        format!(
            "module 'p' ['run'/1] attributes []\n\
             {common}'run'/1 = fun (A1) -> {start}\n{functions}end\n"
        )
    }

    #[test]
    fn all_kinds_of_plays_are_core_erlang() {
        let kinds = [NeededCalls::All, NeededCalls::Chain, NeededCalls::Joined(2)];
        for needed in kinds {
            let text = core(needed);
            let module = flat_module(&Atom::new("p"), &text);
            assert!(module.is_ok(), "{needed:?}: {text}");
        }
    }

    #[test]
    fn a_play_calls_functions_and_keeps_what_they_make() {
        let text = core(NeededCalls::Joined(2));
        insta::assert_snapshot!(text.replace(['\u{1f}', '\u{1e}'], " "));
    }

    #[test]
    fn results_that_nobody_takes_end_a_sequence() {
        let callables = Callables::new(&specs());
        let needed = NeededCalls::of(&callables, false, 3);
        assert_eq!(needed, NeededCalls::Joined(3), "a list can have all");
        assert_eq!(NeededCalls::of(&callables, true, 3), NeededCalls::All);
        let size = callables.functions.last().expect("there are functions");
        assert!(needed.ends_with(size) && !NeededCalls::All.ends_with(size));
        assert!(needed.admits_beginning(1, 1) && !needed.admits_beginning(1, 0));
        assert!(!NeededCalls::Chain.admits_beginning(1, 1));
    }

    #[test]
    fn a_sequence_begins_with_calls_that_need_nothing() {
        let callables = Callables::new(&specs());
        let names = |calls: usize| {
            let functions = callables.callable_after(calls).into_iter();
            let names: Vec<String> = functions.map(|it| it.function.to_string()).collect();
            names.join(" ")
        };
        assert_eq!(names(0), "new join");
        assert_eq!(names(1), "new push pop join size");
    }
}
