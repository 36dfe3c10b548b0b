//! Views that grow until nothing changes any more, and the functions that have to be looked at
//! again because of that.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use erlang_term::Term;
use flattener::flat::visit::Visitor;
use flattener::flat::{Function, FunctionId};
use rustc_hash::FxHashSet;
use trace_format::Program;

use super::demand::{Demand, FunctionPlace};
use super::view::View;

/// Views so far.
pub(super) struct GrowingDemand<'program> {
    pub(super) program: &'program Program,
    pub(super) found: Demand,
    /// Functions to be looked at again.
    waiting: VecDeque<FunctionPlace>,
    is_waiting: FxHashSet<FunctionPlace>,
    /// Who calls a function.
    callers: BTreeMap<FunctionPlace, BTreeSet<FunctionPlace>>,
    /// The functions that raise.
    raising: BTreeSet<FunctionPlace>,
    /// Whether all exported functions may be called by names that are values.
    all_are_exposed: bool,
}

impl<'program> GrowingDemand<'program> {
    /// Nobody looks at anything yet. What the entries return is looked at by nobody.
    pub(super) fn new(program: &'program Program, entries: &[FunctionPlace]) -> Self {
        let mut growing = Self {
            program,
            found: Demand::default(),
            waiting: VecDeque::new(),
            is_waiting: FxHashSet::default(),
            callers: BTreeMap::new(),
            raising: BTreeSet::new(),
            all_are_exposed: false,
        };
        for entry in entries {
            growing.reach(*entry);
        }
        growing
    }

    /// The next function to be looked at.
    pub(super) fn next(&mut self) -> Option<FunctionPlace> {
        let place = self.waiting.pop_front()?;
        self.is_waiting.remove(&place);
        Some(place)
    }

    pub(super) fn code(&self, place: FunctionPlace) -> Option<&'program Function> {
        self.program.module(place.0)?.function(place.1)
    }

    /// The views of the parameters of a function.
    pub(super) fn parameters(&self, place: FunctionPlace) -> Vec<View> {
        let function = self.code(place);
        let parameters = function.into_iter().flat_map(|it| &it.fun.parameters);
        let views = parameters.map(|it| self.found.variable(place, *it).clone());
        views.collect()
    }

    /// The parameters of a function are looked at more than before.
    pub(super) fn tell_callers(&mut self, place: FunctionPlace) {
        let callers = self.callers.get(&place).cloned().unwrap_or_default();
        callers.into_iter().for_each(|it| self.wait(it));
    }

    /// A function calls another.
    pub(super) fn add_caller(&mut self, callee: FunctionPlace, caller: FunctionPlace) {
        self.callers.entry(callee).or_default().insert(caller);
    }

    /// A function raises something.
    pub(super) fn add_raising(&mut self, place: FunctionPlace) {
        self.raising.insert(place);
    }

    fn wait(&mut self, place: FunctionPlace) {
        if self.is_waiting.insert(place) {
            self.waiting.push_back(place);
        }
    }

    /// A function can be called.
    fn reach(&mut self, place: FunctionPlace) {
        let Some(function) = self.code(place) else {
            return;
        };
        if self.found.variables.contains_key(&place) {
            return;
        }
        let nothing = vec![View::nothing(); function.variables.len()];
        self.found.variables.insert(place, nothing);
        self.wait(place);
        let mut funs = ExternalFuns {
            function,
            found: Vec::new(),
        };
        funs.visit_fun(&function.fun);
        for (module, id) in funs.found {
            if let Some(place) = self.program.exported(&module, &id) {
                self.want_result(place, &View::Full);
            }
        }
    }

    /// Somebody looks at what a function returns.
    pub(super) fn want_result(&mut self, place: FunctionPlace, view: &View) {
        self.reach(place);
        if self.found.results.entry(place).or_default().add(view) {
            self.wait(place);
        }
    }

    /// Somebody looks at what is raised.
    pub(super) fn want_raised(&mut self, view: &View) {
        if self.found.raised.add(view) {
            let raising: Vec<FunctionPlace> = self.raising.iter().copied().collect();
            raising.into_iter().for_each(|it| self.wait(it));
        }
    }

    /// Any exported function may be called.
    pub(super) fn expose_all(&mut self) {
        if std::mem::replace(&mut self.all_are_exposed, true) {
            return;
        }
        for (number, module) in self.program.modules().iter().enumerate() {
            for export in &module.flat.exports {
                if let Some(index) = module.index(export) {
                    self.want_result((number, index), &View::Full);
                }
            }
        }
    }
}

/// The functions that literals of a function name: `fun M:F/A`.
struct ExternalFuns<'program> {
    function: &'program Function,
    found: Vec<(erlang_term::Atom, FunctionId)>,
}

impl<'program> Visitor<'program> for ExternalFuns<'program> {
    fn function(&self) -> &'program Function {
        self.function
    }

    fn visit_literal(&mut self, literal: &'program Term) {
        let mut open = vec![literal];
        while let Some(term) = open.pop() {
            match term {
                Term::ExternalFun(fun) => {
                    let id = FunctionId {
                        name: fun.name.clone(),
                        arity: u32::from(fun.arity),
                    };
                    self.found.push((fun.module.clone(), id));
                }
                Term::List(elements, tail) => {
                    open.extend(elements);
                    open.extend(tail.as_deref());
                }
                Term::Tuple(elements) => open.extend(elements),
                Term::Map(pairs) => open.extend(pairs.iter().flat_map(|it| [&it.0, &it.1])),
                Term::Integer(_)
                | Term::Float(_)
                | Term::Atom(_)
                | Term::Bits(..)
                | Term::TableFun(_) => {}
            }
        }
    }
}
