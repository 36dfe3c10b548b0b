//! Where arguments of a function can have parts that a wrapper changes: recipes, or funs whose calls it
//! checks.

use erlang_term::{RecipeTag, Term};
use solver::types::{Alternative, Field, Signature, TypeId, Types};

/// What a wrapper does with arguments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Change {
    /// It makes the values of recipes.
    #[default]
    MakeValues,
    /// It checks what funs are given.
    CheckFuns,
}

/// The types of arguments, and for each whether its values can contain what is changed.
#[derive(Debug)]
pub(crate) struct RecipeGrammar {
    pub(crate) change: Change,
    definitions: Vec<Vec<Alternative>>,
    /// The types of each argument.
    pub(crate) arguments: Vec<Vec<TypeId>>,
    is_changed: Vec<bool>,
}

impl RecipeGrammar {
    /// The grammar of a signature and of inputs that the user gave.
    pub(crate) fn new(
        arity: usize,
        signature: Option<&Signature>,
        seeds: &[Vec<Term>],
        change: Change,
    ) -> Self {
        let types = signature.map(|it| it.types.as_ref());
        let mut grammar = Self {
            change,
            definitions: types.map(definitions).unwrap_or_default(),
            arguments: vec![Vec::new(); arity],
            is_changed: Vec::new(),
        };
        let clauses = signature.map(|it| it.clauses.as_slice());
        for clause in clauses.unwrap_or_default() {
            grammar.admit(clause.iter().copied());
        }
        for seed in seeds.iter().filter(|it| it.iter().any(Term::has_recipes)) {
            let shapes: Vec<TypeId> = seed.iter().map(|it| grammar.shape(it)).collect();
            grammar.admit(shapes);
        }
        grammar.find_changes();
        grammar
    }

    fn admit(&mut self, clause: impl IntoIterator<Item = TypeId>) {
        for (types, id) in self.arguments.iter_mut().zip(clause) {
            types.push(id);
        }
    }

    /// The forms of a type.
    pub(crate) fn alternatives(&self, id: TypeId) -> &[Alternative] {
        self.definitions.get(id.0 as usize).map_or(&[], |it| it)
    }

    /// Whether values of a type can contain what is changed.
    pub(crate) fn is_changed(&self, id: TypeId) -> bool {
        self.is_changed.get(id.0 as usize).copied().unwrap_or(false)
    }

    /// Whether every value is of a type.
    pub(crate) fn is_any(&self, id: TypeId) -> bool {
        self.alternatives(id).contains(&Alternative::Any)
    }

    /// Whether values of a form are changed themselves.
    fn changes(&self, alternative: &Alternative) -> bool {
        match (self.change, alternative) {
            (Change::MakeValues, _) => self.tag(alternative).is_some(),
            (Change::CheckFuns, Alternative::Fun(Some(parameters), _)) => {
                parameters.iter().any(|it| !self.is_any(*it))
            }
            (Change::CheckFuns, _) => false,
        }
    }

    /// The tag of a form that is a recipe.
    pub(crate) fn tag(&self, alternative: &Alternative) -> Option<RecipeTag> {
        let Alternative::Tuple(elements) = alternative else {
            return None;
        };
        match self.alternatives(*elements.first()?) {
            [Alternative::Atom(tag)] => RecipeTag::of(tag),
            _ => None,
        }
    }

    /// The least fixed point: a type is changed if one of its forms is, or has such a part.
    fn find_changes(&mut self) {
        self.is_changed = vec![false; self.definitions.len()];
        loop {
            let has = |alternative: &Alternative| {
                let mut parts = alternative.parts().into_iter();
                self.changes(alternative) || parts.any(|part| self.is_changed(part))
            };
            let definitions = self.definitions.iter();
            let found: Vec<bool> = definitions.map(|forms| forms.iter().any(has)).collect();
            if found == self.is_changed {
                return;
            }
            self.is_changed = found;
        }
    }

    fn add(&mut self, alternatives: Vec<Alternative>) -> TypeId {
        let id = TypeId(u32::try_from(self.definitions.len()).unwrap_or(u32::MAX));
        self.definitions.push(alternatives);
        id
    }

    /// A type whose values have recipes where this term has some.
    fn shape(&mut self, term: &Term) -> TypeId {
        let alternatives = match term {
            Term::Tuple(elements) => {
                let elements = elements.iter().map(|it| self.shape(it)).collect();
                vec![Alternative::Tuple(elements)]
            }
            Term::List(elements, tail) => return self.list_shape(elements, tail.as_deref()),
            Term::Map(pairs) => {
                let field = |(key, value): &(Term, Term)| Field {
                    is_required: false,
                    key: self.shape(key),
                    value: self.shape(value),
                };
                vec![Alternative::Map(pairs.iter().map(field).collect())]
            }
            Term::TableFun(fun) => {
                let any = self.add(vec![Alternative::Any]);
                let parameters = vec![any; usize::from(fun.arity())];
                let results = fun.results().map(|it| self.shape(it));
                let results: Vec<TypeId> = results.collect();
                let results = results.into_iter();
                results
                    .map(|it| Alternative::Fun(Some(parameters.clone()), it))
                    .collect()
            }
            Term::Atom(atom) => vec![Alternative::Atom(atom.clone())],
            Term::Integer(_) | Term::Float(_) | Term::Bits(..) | Term::ExternalFun(_) => Vec::new(),
        };
        self.add(alternatives)
    }

    fn list_shape(&mut self, elements: &[Term], tail: Option<&Term>) -> TypeId {
        let end = match tail {
            Some(tail) => self.shape(tail),
            None => self.add(vec![Alternative::Nil]),
        };
        elements.iter().rev().fold(end, |rest, element| {
            let head = self.shape(element);
            self.add(vec![Alternative::Cons(head, rest)])
        })
    }
}

fn definitions(types: &Types) -> Vec<Vec<Alternative>> {
    let ids = (0..types.count()).filter_map(|it| u32::try_from(it).ok());
    ids.map(|id| types.alternatives(TypeId(id)).to_vec())
        .collect()
}
