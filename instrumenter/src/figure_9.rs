//! Instrumented modules for reading, as Figure 9 of the paper shows them.

use flattener::flat::{Callable, Mark, TailForm, to_ast_with_emitters};
use flattener::{Detail, print_module};
use trace_format::{CallKind, Event, EventKind, Notation, Program};

/// The module with this number, with the events that it emits written out; `None` if there is no
/// such module.
pub fn figure_9(program: &Program, number: usize) -> Option<String> {
    let module = program.module(number)?;
    let notation = Notation::new(program).with_pattern_variables();
    let emitters = |index: usize, mark: Mark| {
        let own = Callable::Function(index);
        let (callable, site, kind) = match mark {
            Mark::Exit => (own, None, EventKind::Exit),
            Mark::FunExit(site) => (Callable::Fun(site), None, EventKind::Exit),
            Mark::LocalExit(site, id) => (Callable::Local(site, id), None, EventKind::Exit),
            Mark::Call(site) => (own, Some(site), call_event(module.plan.kind(site))?),
            Mark::Bind(site) => (own, Some(site), EventKind::Bind),
            Mark::Case(site, clause) => (own, Some(site), EventKind::Case(clause)),
            Mark::ExitCase(site, clause) => (own, Some(site), EventKind::ExitCase(clause)),
        };
        let callable = site
            .and_then(|site| module.callable_at(site))
            .unwrap_or(callable);
        Some(notation.event(&Event {
            module: number,
            callable,
            site,
            kind,
        }))
    };
    let tree = to_ast_with_emitters(&module.flat, TailForm::Bound, &emitters);
    Some(print_module(&tree, Detail::Readable))
}

/// The event at a call, as far as the program text tells.
fn call_event(kind: Option<CallKind>) -> Option<EventKind> {
    match kind? {
        CallKind::Followed(_) | CallKind::Computed => Some(EventKind::Call),
        CallKind::Builtin | CallKind::Total => Some(EventKind::Builtin),
        CallKind::Raises => Some(EventKind::Raised(None)),
        CallKind::Opaque
        | CallKind::StackTrace
        | CallKind::Peek
        | CallKind::Take
        | CallKind::Wait => None,
    }
}
