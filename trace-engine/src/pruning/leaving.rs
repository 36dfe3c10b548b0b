//! Functions that may call a library function in their own place, or others that do.
//!
//! What such a library function raises is reported at the line of somebody who waits. So where
//! these functions run, the place of those who wait belongs to the state.

use flattener::flat::{Block, Function};
use rustc_hash::{FxHashMap, FxHashSet};
use trace_format::{CallKind, Callee, Program, ProgramModule};

use super::demand::FunctionPlace;

/// The functions of a program that may leave, apart from those of libraries, which all do.
#[derive(Debug)]
pub(super) struct LeavingFunctions(FxHashSet<FunctionPlace>);

/// Whether a module is a copy of a library module.
pub(super) fn is_library(module: &ProgramModule) -> bool {
    module.name != module.loaded_as
}

impl LeavingFunctions {
    pub(super) fn new(program: &Program) -> Self {
        let mut leaving = FxHashSet::default();
        let mut callers: FxHashMap<FunctionPlace, Vec<FunctionPlace>> = FxHashMap::default();
        let mut open = Vec::new();
        for (number, module) in program.modules().iter().enumerate() {
            if is_library(module) {
                continue;
            }
            for (index, function) in module.flat.functions.iter().enumerate() {
                let place = (number, index);
                for callee in last_calls(module, function) {
                    match callee {
                        Some(callee) if !program.module(callee.0).is_none_or(is_library) => {
                            callers.entry(callee).or_default().push(place);
                        }
                        Some(_) | None => open.push(place),
                    }
                }
            }
        }
        while let Some(place) = open.pop() {
            if leaving.insert(place) {
                open.extend(callers.get(&place).into_iter().flatten());
            }
        }
        Self(leaving)
    }

    /// Whether a function may leave.
    pub(super) fn has(&self, place: FunctionPlace) -> bool {
        self.0.contains(&place)
    }
}

/// The functions that a function may call in its own place; `None` stands for one that only the run
/// knows, or that is not followed.
fn last_calls(
    module: &ProgramModule,
    function: &Function,
) -> impl Iterator<Item = Option<FunctionPlace>> {
    let last_call = |block: &Block| {
        let last = block.statements.last()?;
        match module.plan.kind(last.site)? {
            _ if !block.ends_in_tail_position() => None,
            CallKind::Followed(Callee::Function(of, index)) => Some(Some((of, index))),
            CallKind::Computed | CallKind::Opaque => Some(None),
            CallKind::Followed(Callee::Local(_))
            | CallKind::Builtin
            | CallKind::Total
            | CallKind::StackTrace
            | CallKind::Raises
            | CallKind::Peek
            | CallKind::Take
            | CallKind::Wait => None,
        }
    };
    function.blocks.iter().filter_map(last_call)
}
