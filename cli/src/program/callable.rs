//! The functions of a module that sequences of calls call, and what they need.

use std::collections::{BTreeSet, HashMap};

use erlang_term::Atom;
use flattener::flat::FunctionId;
use reports::{CallArgument, MOST_VALUES, MadePattern, call_tag, reference_type};
use solver::types::{Alternative, TypeId};

use crate::sources::call_specs::{CallSpec, CallSpecs};
use crate::sources::specs::Excluded;

/// The functions of a module, and the types of their arguments.
#[derive(Debug)]
pub(crate) struct Callables {
    pub(crate) functions: Vec<Callable>,
    definitions: Vec<Vec<Alternative>>,
    /// For each type whether its values can have references in them.
    has_references: Vec<bool>,
    /// For references of a type, how many values of one call there are.
    most_values: HashMap<usize, usize>,
}

/// A function that is called, with one clause of its spec.
#[derive(Debug)]
pub(crate) struct Callable {
    pub(crate) function: Atom,
    /// The tag of its calls.
    pub(crate) tag: Atom,
    /// The types of its arguments.
    pub(crate) arguments: Vec<TypeId>,
    /// Results with values.
    pub(crate) patterns: Vec<MadePattern>,
    /// Results without values.
    pub(crate) excluded: Vec<Excluded>,
    /// For each value, the types of references to it.
    pub(crate) values: Vec<Vec<usize>>,
}

impl Callable {
    fn new(
        number: usize,
        spec: &CallSpec,
        arguments: &[TypeId],
        kinds: &[CallArgument],
    ) -> Option<Self> {
        let is_known = spec.values.len() <= MOST_VALUES;
        let patterns = spec.patterns.clone();
        Some(Self {
            tag: call_tag(number, &spec.function, kinds, &patterns).filter(|_| is_known)?,
            function: spec.function.clone(),
            arguments: arguments.to_vec(),
            patterns,
            excluded: spec.excluded.clone(),
            values: spec.values.clone(),
        })
    }

    /// Whether calls of it make values.
    pub(crate) fn makes_values(&self) -> bool {
        !self.patterns.is_empty()
    }
}

impl Callables {
    pub(crate) fn new(specs: &CallSpecs) -> Self {
        let types = &specs.spec.signature.types;
        let count = u32::try_from(types.count()).unwrap_or(u32::MAX);
        let definitions = (0..count).map(|number| types.alternatives(TypeId(number)).to_vec());
        let mut callables = Self {
            functions: Vec::new(),
            definitions: definitions.collect(),
            has_references: vec![false; types.count()],
            most_values: HashMap::new(),
        };
        for (value, types) in specs.calls.iter().flat_map(|it| (1..).zip(&it.values)) {
            for reference in types {
                let most = callables.most_values.entry(*reference).or_insert(1);
                *most = value.max(*most);
            }
        }
        callables.find_references();
        let clauses = &specs.spec.signature.clauses;
        for (number, (call, arguments)) in specs.calls.iter().zip(clauses).enumerate() {
            let can_be_made = arguments.iter().all(|it| callables.is_understood(*it));
            let kinds = arguments.iter().map(|it| callables.kind(*it));
            let kinds: Vec<CallArgument> = kinds.collect();
            let callable = Callable::new(number, call, arguments, &kinds);
            let callable = callable.filter(|_| can_be_made);
            callables.functions.extend(callable);
        }
        callables
    }

    /// The functions by their names.
    pub(crate) fn names(&self) -> Vec<FunctionId> {
        let functions = self.functions.iter().map(|it| FunctionId {
            name: it.function.clone(),
            arity: u32::try_from(it.arguments.len()).unwrap_or(u32::MAX),
        });
        functions.collect()
    }

    /// All types.
    pub(crate) fn definitions(&self) -> &[Vec<Alternative>] {
        &self.definitions
    }

    /// The forms of a type.
    pub(crate) fn alternatives(&self, id: TypeId) -> &[Alternative] {
        self.definitions.get(id.0 as usize).map_or(&[], |it| it)
    }

    /// The tag and the type of a form that is a reference.
    pub(crate) fn reference(&self, form: &Alternative) -> Option<(Atom, usize)> {
        let Alternative::Tuple(elements) = form else {
            return None;
        };
        let [tag] = elements.as_slice() else {
            return None;
        };
        match self.alternatives(*tag) {
            [Alternative::Atom(tag)] => Some((tag.clone(), reference_type(tag)?)),
            _ => None,
        }
    }

    /// The tags and types of all references that values of a type can have in them.
    pub(crate) fn reference_types(&self, id: TypeId) -> Vec<(Atom, usize)> {
        let (mut seen, mut waiting) = (BTreeSet::new(), vec![id]);
        let mut found = Vec::new();
        while let Some(id) = waiting.pop() {
            if !seen.insert(id) {
                continue;
            }
            for form in self.alternatives(id) {
                match self.reference(form) {
                    Some(reference) => found.push(reference),
                    None => waiting.extend(form.parts()),
                }
            }
        }
        found.dedup();
        found
    }

    /// The type of references, if an argument is nothing else.
    pub(crate) fn only_reference(&self, id: TypeId) -> Option<usize> {
        match self.alternatives(id) {
            [only] => Some(self.reference(only)?.1),
            _ => None,
        }
    }

    fn kind(&self, id: TypeId) -> CallArgument {
        match self.only_reference(id) {
            Some(reference) => CallArgument::Made(self.most_values(reference)),
            None if self.has_references(id) => CallArgument::Mixed,
            None => CallArgument::Plain,
        }
    }

    /// Whether values of a type can have references in them.
    pub(crate) fn has_references(&self, id: TypeId) -> bool {
        let known = self.has_references.get(id.0 as usize);
        known.copied().unwrap_or(false)
    }

    /// The least fixed point: a form is a reference, or has a part that has some.
    fn find_references(&mut self) {
        let mut is_changed = true;
        while is_changed {
            is_changed = false;
            for number in 0..self.definitions.len() {
                let id = TypeId(u32::try_from(number).unwrap_or(u32::MAX));
                let has = self.alternatives(id).iter().any(|form| {
                    let in_part = form.parts().into_iter().any(|it| self.has_references(it));
                    in_part || self.reference(form).is_some()
                });
                if let Some(known) = self.has_references.get_mut(number) {
                    is_changed |= has && !*known;
                    *known |= has;
                }
            }
        }
    }

    /// Whether references of a type are only alone, in tuples and in lists.
    fn is_understood(&self, id: TypeId) -> bool {
        let (mut seen, mut waiting) = (BTreeSet::new(), vec![id]);
        while let Some(id) = waiting.pop() {
            if !self.has_references(id) || !seen.insert(id) {
                continue;
            }
            for form in self.alternatives(id) {
                let parts = form.parts();
                let has = parts.iter().any(|it| self.has_references(*it));
                let is_plain = matches!(form, Alternative::Tuple(_) | Alternative::Cons(..));
                if has && !is_plain {
                    return false;
                }
                waiting.extend(parts);
            }
        }
        true
    }

    /// The types of the references that a function cannot be called without.
    pub(crate) fn needs(&self, callable: &Callable) -> Vec<usize> {
        let arguments = callable.arguments.iter();
        arguments
            .filter_map(|it| self.only_reference(*it))
            .collect()
    }

    /// How many results of calls a function takes at most; `None` if nothing says.
    pub(crate) fn most_taken(&self, callable: &Callable) -> Option<usize> {
        let arguments = callable.arguments.iter();
        let counts = arguments.map(|it| match self.alternatives(*it) {
            forms if forms.iter().all(|form| self.is_leaf(form)) => {
                Some(usize::from(self.has_references(*it)))
            }
            _ => None,
        });
        counts.sum()
    }

    /// Whether a form is a reference, or has none in it.
    fn is_leaf(&self, form: &Alternative) -> bool {
        let has = form.parts().into_iter().any(|it| self.has_references(it));
        self.reference(form).is_some() || !has
    }

    /// How many calls it takes at least to make a value for references of a type; `None` if no calls
    /// make one.
    fn levels(&self) -> Vec<(usize, usize)> {
        let mut levels: Vec<(usize, usize)> = Vec::new();
        loop {
            let before = levels.len();
            for callable in &self.functions {
                let needs = self.needs(callable);
                let needs = needs.iter().map(|it| level_of(&levels, *it));
                let Some(most) = needs.collect::<Option<Vec<usize>>>() else {
                    continue;
                };
                let level = 1 + most.into_iter().max().unwrap_or(0);
                for made in callable.values.iter().flatten() {
                    if level_of(&levels, *made).is_none() {
                        levels.push((*made, level));
                    }
                }
            }
            if levels.len() == before {
                return levels;
            }
        }
    }

    /// Which functions can be called after some other calls.
    pub(crate) fn callable_after(&self, calls: usize) -> Vec<&Callable> {
        let levels = self.levels();
        let is_made = |it: &usize| level_of(&levels, *it).is_some_and(|level| level <= calls);
        let functions = self.functions.iter();
        functions
            .filter(|it| self.needs(it).iter().all(is_made))
            .collect()
    }

    /// The types of the values that a function is asked of: those that it takes. Others than these
    /// functions are asked of what the first function makes that makes something.
    pub(crate) fn asked_by(&self, function: Option<&FunctionId>) -> Vec<usize> {
        let arity = function.map_or(0, |it| it.arity as usize);
        let mut own = self.functions.iter().filter(|it| {
            let is_it = function.is_some_and(|function| it.function == function.name);
            is_it && it.arguments.len() == arity
        });
        let taken = own.next().map(|it| self.needs(it));
        if let Some(taken) = taken.filter(|it| !it.is_empty()) {
            return taken;
        }
        let mut made = self.functions.iter().flat_map(|it| &it.values);
        made.find(|it| !it.is_empty()).cloned().unwrap_or_default()
    }

    /// How many values of one call are good for references of a type.
    pub(crate) fn most_values(&self, reference: usize) -> usize {
        self.most_values.get(&reference).copied().unwrap_or(1)
    }
}

fn level_of(levels: &[(usize, usize)], reference: usize) -> Option<usize> {
    let level = levels.iter().find(|it| it.0 == reference);
    level.map(|it| it.1)
}
