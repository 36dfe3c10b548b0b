//! The types of a machine's input: the argument of `init/1`, and events. What calls, casts and infos
//! contain comes from the specs of the callbacks, or from a type that the user names; without either
//! it is any term.

use std::path::PathBuf;
use std::sync::Arc;

use diagnostic::Diagnostic;
use erlang_term::Atom;
use flattener::flat::{FunctionId, Module};
use reports::{Behaviour, Entry};
use solver::types::{Alternative, Signature, TypeId, Types, join_equal};

use crate::failure::Failure;
use crate::program::names;
use crate::sources::front_end::FrontEnd;
use crate::sources::specs::{OpaqueTypes, Spec, Specs, all_specs, declared_type};

/// The kinds of events that have a content.
const KINDS: [&str; 3] = ["call", "cast", "info"];

/// Where specs are.
pub(crate) struct SpecSources<'sources> {
    pub(crate) front_end: &'sources FrontEnd,
    /// The files of the user's modules.
    pub(crate) files: &'sources [(Atom, PathBuf)],
    /// How specs are read; `None` if they are ignored.
    pub(crate) opaque: Option<OpaqueTypes>,
}

impl SpecSources<'_> {
    /// The specs of some functions, if they are read, with this change in how they are.
    fn specs(
        &self,
        functions: impl IntoIterator<Item = Entry>,
        change: impl Fn(OpaqueTypes) -> OpaqueTypes,
    ) -> Result<Specs, Failure> {
        match self.opaque {
            Some(opaque) => all_specs(self.front_end, functions, self.files, change(opaque)),
            None => Ok(Specs::new()),
        }
    }
}

/// The types of a machine's input with at most `length` events.
pub(crate) fn machine_spec(
    (entry, behaviour): (&Entry, Behaviour),
    module: &Module,
    events: Option<&str>,
    length: usize,
    sources: &SpecSources<'_>,
) -> Result<Spec, Failure> {
    let own = |function: &FunctionId| Entry::new(entry.module.clone(), function.clone());
    let specs = sources.specs(behaviour.callbacks(module).map(own), |it| it)?;
    // The client of a call has an opaque tag. No input is made from these.
    let events_of = behaviour.event_functions(module);
    let open_specs = sources.specs(events_of.map(own), |_| OpaqueTypes::Open)?;
    let of = |name: &str, arity: u32| {
        let name = Atom::new(name);
        specs.get(&own(&FunctionId { name, arity }))
    };
    let mut grammar = Grammar::default();
    let arguments = grammar.arguments(of("init", 1), 0);
    let contents = match events {
        Some(text) => {
            let declared = named_type(text, sources)?;
            grammar.declared_events(&declared)
        }
        None => match behaviour {
            Behaviour::GenServer => [
                grammar.arguments(of("handle_call", 3), 0),
                grammar.arguments(of("handle_cast", 2), 0),
                grammar.arguments(of("handle_info", 2), 0),
            ],
            Behaviour::GenStatem => {
                let functions = behaviour.event_functions(module).map(own);
                let read = functions.map(|it| open_specs.get(&it).zip(specs.get(&it)));
                grammar.statem_events(read.collect())
            }
        },
    };
    let event = grammar.event(&contents);
    let clauses = arguments.into_iter().map(|argument| {
        let events = std::iter::repeat_n(event, length);
        std::iter::once(argument).chain(events).collect()
    });
    let clauses = clauses.collect();
    Ok(Spec {
        signature: Signature {
            types: Arc::new(Types::new(grammar.definitions)),
            clauses,
        },
        excluded: grammar
            .specs
            .iter()
            .flat_map(|it| it.excluded.clone())
            .collect(),
        unmade: grammar
            .specs
            .iter()
            .flat_map(|it| it.unmade.clone())
            .collect(),
    })
}

/// The type of `--events`.
fn named_type(text: &str, sources: &SpecSources<'_>) -> Result<Spec, Failure> {
    let bad = |why: &str, help: &str| {
        let title = format!("--events {text}: {why}");
        Failure::from(Diagnostic::error("bad-events", title).help(help))
    };
    let named = names::function(text).filter(|it| it.1.arity == 0);
    let Some((Some(module), name)) = named else {
        let help = "write a type without parameters, as in --events door:event/0";
        return Err(bad("this is not a type", help));
    };
    let Some((_, path)) = sources.files.iter().find(|it| it.0 == module) else {
        return Err(bad(
            "there is no such module",
            "name a module that is explored",
        ));
    };
    let opaque = sources.opaque.unwrap_or(OpaqueTypes::Open);
    let files: Vec<PathBuf> = sources.files.iter().map(|it| it.1.clone()).collect();
    let declared = declared_type(sources.front_end, &name.name, path, &files, opaque)?;
    declared.ok_or_else(|| {
        let title = format!("{module} declares no type {}()", name.name);
        bad(&title, "declare it with -type, or name another one")
    })
}

/// The types of several specs in one grammar.
#[derive(Default)]
struct Grammar<'specs> {
    definitions: Vec<Vec<Alternative>>,
    specs: Vec<&'specs Spec>,
}

/// The contents of calls, casts and infos. An event of a kind without types does not happen.
type EventContents = [Vec<TypeId>; 3];

impl<'specs> Grammar<'specs> {
    fn define(&mut self, alternatives: Vec<Alternative>) -> TypeId {
        let id = u32::try_from(self.definitions.len()).unwrap_or(u32::MAX);
        self.definitions.push(alternatives);
        TypeId(id)
    }

    fn any(&mut self) -> TypeId {
        self.define(vec![Alternative::Any])
    }

    /// Takes the types of a spec over. Returns by how much their numbers are larger now.
    fn add(&mut self, spec: &Spec) -> u32 {
        let by = u32::try_from(self.definitions.len()).unwrap_or(u32::MAX);
        let types = &spec.signature.types;
        let count = u32::try_from(types.count()).unwrap_or(u32::MAX);
        let definitions = (0..count).map(|number| {
            let alternatives = types.alternatives(TypeId(number)).iter();
            alternatives.map(|it| it.shifted(by)).collect()
        });
        self.definitions.extend(definitions);
        by
    }

    /// The types of an argument in all clauses of a spec; any term without a spec.
    fn arguments(&mut self, spec: Option<&'specs Spec>, position: usize) -> Vec<TypeId> {
        let Some(spec) = spec else {
            return vec![self.any()];
        };
        let by = self.add(spec);
        self.specs.push(spec);
        let clauses = spec.signature.clauses.iter();
        let types = clauses.filter_map(|clause| clause.get(position));
        types.map(|id| TypeId(id.0 + by)).collect()
    }

    /// The contents of events, given the specs of functions that get the kind of an event first and
    /// then its content: each with open types, and as inputs are made from it.
    fn statem_events(&mut self, specs: Vec<Option<(&Spec, &'specs Spec)>>) -> EventContents {
        let mut contents = EventContents::default();
        if specs.is_empty() {
            return [self.any(), self.any(), self.any()].map(|it| vec![it]);
        }
        for spec in specs {
            let Some((open, spec)) = spec else {
                let any = self.any();
                contents.iter_mut().for_each(|it| it.push(any));
                continue;
            };
            let types = self.arguments(Some(spec), 1);
            let by = self.add(open);
            let kinds = open.signature.clauses.iter();
            let kinds = kinds
                .filter_map(|it| it.first())
                .map(|it| TypeId(it.0 + by));
            for (kind, content) in kinds.zip(types) {
                for (of_kind, is_admitted) in contents.iter_mut().zip(self.kinds(kind)) {
                    of_kind.extend(is_admitted.then_some(content));
                }
            }
        }
        contents
    }

    /// Which kinds of events a type of event types admits.
    fn kinds(&self, id: TypeId) -> [bool; 3] {
        let alternatives = self.alternatives(id);
        KINDS.map(|kind| {
            alternatives.iter().any(|it| match it {
                Alternative::Any => true,
                Alternative::AnyAtom => kind != "call",
                Alternative::Atom(atom) => kind != "call" && atom.as_str() == kind,
                Alternative::AnyTuple => kind == "call",
                Alternative::Tuple(elements) => {
                    kind == "call" && elements.first().is_some_and(|it| self.admits(*it, kind))
                }
                Alternative::Integer(..)
                | Alternative::Float
                | Alternative::Nil
                | Alternative::Cons(..)
                | Alternative::AnyMap
                | Alternative::Map(_)
                | Alternative::Bits(..)
                | Alternative::Text
                | Alternative::AnyFun
                | Alternative::Fun(..)
                | Alternative::Pid
                | Alternative::Port
                | Alternative::Reference => false,
            })
        })
    }

    fn alternatives(&self, id: TypeId) -> &[Alternative] {
        self.definitions.get(id.0 as usize).map_or(&[], |it| it)
    }

    fn admits(&self, id: TypeId, name: &str) -> bool {
        let named = Alternative::Atom(Atom::new(name));
        let alternatives = self.alternatives(id);
        let any = [Alternative::Any, Alternative::AnyAtom, named];
        alternatives.iter().any(|it| any.contains(it))
    }

    /// The contents of events of a type that the user declared: `{call, T} | {cast, T} | {info, T}`,
    /// or else a type of what all events contain.
    fn declared_events(&mut self, declared: &Spec) -> EventContents {
        let by = self.add(declared);
        let ids = declared.signature.clauses.iter().flatten();
        let ids: Vec<TypeId> = ids.map(|it| TypeId(it.0 + by)).collect();
        let forms = ids.iter().flat_map(|it| self.alternatives(*it));
        let whole = forms
            .map(|it| self.whole_event(it))
            .collect::<Option<Vec<_>>>();
        let Some(events) = whole else {
            return [ids.clone(), ids.clone(), ids];
        };
        let mut contents = EventContents::default();
        for (kind, content) in events.into_iter().flatten() {
            if let Some(of_kind) = contents.get_mut(kind) {
                of_kind.push(content);
            }
        }
        contents
    }

    /// Kind and content of a form such as `{call, T}`, nothing for `timeout`; `None` for others.
    fn whole_event(&self, form: &Alternative) -> Option<Option<(usize, TypeId)>> {
        if *form == Alternative::Atom(Atom::new("timeout")) {
            return Some(None);
        }
        let Alternative::Tuple(elements) = form else {
            return None;
        };
        let [kind, content] = elements.as_slice() else {
            return None;
        };
        let [Alternative::Atom(kind)] = self.alternatives(*kind) else {
            return None;
        };
        let kind = KINDS.iter().position(|it| *it == kind.as_str())?;
        Some(Some((kind, *content)))
    }

    /// The type of events. Each state function has its own copy of the same types.
    fn event(&mut self, contents: &EventContents) -> TypeId {
        join_equal(&mut self.definitions);
        let mut forms = ["none", "timeout"]
            .map(|it| Alternative::Atom(Atom::new(it)))
            .to_vec();
        for (kind, types) in KINDS.iter().zip(contents) {
            if types.is_empty() {
                continue;
            }
            let content = self.union(types);
            let kind = self.define(vec![Alternative::Atom(Atom::new(kind))]);
            forms.push(Alternative::Tuple(vec![kind, content]));
        }
        self.define(forms)
    }

    fn union(&mut self, types: &[TypeId]) -> TypeId {
        if let [only] = types {
            return *only;
        }
        let mut all: Vec<Alternative> = Vec::new();
        for form in types.iter().flat_map(|it| self.alternatives(*it)) {
            if !all.contains(form) {
                all.push(form.clone());
            }
        }
        if all.contains(&Alternative::Any) {
            all = vec![Alternative::Any];
        }
        self.define(all)
    }
}
