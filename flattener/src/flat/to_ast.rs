//! From flat form back to a syntax tree, to print it or to make code from it.

mod guard_exprs;
mod term_exprs;

use erlang_term::Atom;
use smol_str::SmolStr;

use self::term_exprs::{literal, term_expr, term_pattern};
use super::{
    Block, BlockId, Bound, Clause, Endianness, Fun, Function, FunctionId, FunctionRef,
    LocalFunction, LocalId, Module, Operation, Pattern, PatternSegment, Segment, SegmentType,
    SiteId, Statement, Value, VarId,
};
use crate::ast::{
    self, Alias, Annotations, Apply, Binary, Call, Case, Catch, Child, Cons, Definition, Expr,
    FunctionName, Let, Letrec, LiteralValue, Map, MapOperator, MapPair, Meta, PatternBinary,
    PatternCons, PatternMap, PatternMapPair, PatternTuple, Primop, Receive, Sequence, Try, Tuple,
    Values, Variable, deep,
};

/// How the last statement of a block is written when it is in tail position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TailForm {
    /// Bare: `apply 'f'/1(X)`, for making code. Tail calls are tail calls.
    Bare,
    /// Bound like any other: `let <W1> = apply 'f'/1(X) in W1`, as the paper writes it.
    Bound,
}

/// A place where an emitter may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A top-level function returns.
    Exit,
    /// The fun made at a site returns.
    FunExit(SiteId),
    /// A function of the `letrec` at a site returns.
    LocalExit(SiteId, LocalId),
    /// Something is called at a site.
    Call(SiteId),
    /// A value is bound at a site.
    Bind(SiteId),
    /// A clause of the case at a site is chosen, counted from 1.
    Case(SiteId, usize),
    /// That clause has a value.
    ExitCase(SiteId, usize),
}

/// The text of the emitter at a place in the function with this index, if there is one.
pub type Emitters<'text> = dyn Fn(usize, Mark) -> Option<String> + 'text;

/// The syntax tree of a flat module.
pub fn to_ast(module: &Module, tail_form: TailForm) -> ast::CoreModule {
    to_ast_with_emitters(module, tail_form, &|_, _| None)
}

/// The syntax tree of a flat module, with emitters: `out(Text, Value)`, as the paper writes them.
/// For reading only: such code would emit events in another order.
pub fn to_ast_with_emitters(
    module: &Module,
    tail_form: TailForm,
    emitters: &Emitters<'_>,
) -> ast::CoreModule {
    let definitions = module
        .functions
        .iter()
        .enumerate()
        .map(|(index, function)| {
            let unflattener = Unflattener {
                function,
                index,
                tail_form,
                emitters,
            };
            Definition {
                name: function_name(&function.id, &function.name_annotations),
                fun: unflattener.fun(&function.fun, Mark::Exit),
            }
        })
        .collect();
    ast::CoreModule {
        meta: noted(&module.annotations),
        name: module.name.clone(),
        exports: module
            .exports
            .iter()
            .map(|export| function_name(export, &Annotations::default()))
            .collect(),
        attributes: module.attributes.clone(),
        definitions,
    }
}

fn noted(annotations: &Annotations) -> Meta {
    Meta {
        annotations: annotations.clone(),
        ..Meta::default()
    }
}

fn function_name(id: &FunctionId, annotations: &Annotations) -> FunctionName {
    FunctionName {
        meta: noted(annotations),
        name: id.name.clone(),
        arity: id.arity,
    }
}

struct Unflattener<'flat> {
    function: &'flat Function,
    index: usize,
    tail_form: TailForm,
    emitters: &'flat Emitters<'flat>,
}

impl Unflattener<'_> {
    fn fun(&self, fun: &Fun, exit: Mark) -> ast::CoreFun {
        ast::CoreFun {
            meta: noted(&fun.annotations),
            parameters: self.variables(&fun.parameters),
            body: self.block(fun.body, Some(exit)),
        }
    }

    /// The expression, in an emitter if there is one for this mark.
    fn emit(&self, mark: Mark, expr: Expr) -> Expr {
        let Some(text) = (self.emitters)(self.index, mark) else {
            return expr;
        };
        let atom = |text| Expr::Literal(Box::new(literal(LiteralValue::Atom(Atom::new(text)))));
        let text = Expr::Literal(Box::new(literal(LiteralValue::String(text.into()))));
        Expr::Call(Child::new(Call {
            meta: Meta::default(),
            module: atom("erlconcolic"),
            name: atom("out"),
            arguments: vec![text, expr],
        }))
    }

    fn name(&self, id: VarId) -> SmolStr {
        self.function.variable(id).name.clone()
    }

    /// A variable where it is bound.
    fn bound_variable(&self, id: VarId) -> Variable {
        Variable {
            meta: noted(&self.function.variable(id).annotations),
            name: self.name(id),
        }
    }

    fn variables(&self, ids: &[VarId]) -> Vec<Variable> {
        ids.iter().map(|id| self.bound_variable(*id)).collect()
    }

    fn block(&self, id: BlockId, end: Option<Mark>) -> Expr {
        deep(|| self.statements(self.function.block(id), end))
    }

    fn statements(&self, block: &Block, end: Option<Mark>) -> Expr {
        let (last, before) = match block.statements.split_last() {
            Some((last, before))
                if self.tail_form == TailForm::Bare && block.ends_in_tail_position() =>
            {
                (self.operation(last), before)
            }
            _ => {
                let result = self.several(&block.result);
                let result = match end {
                    Some(mark) => self.emit(mark, result),
                    None => result,
                };
                (result, block.statements.as_slice())
            }
        };
        before
            .iter()
            .rev()
            .fold(last, |body, statement| self.bind(statement, body))
    }

    fn bind(&self, statement: &Statement, body: Expr) -> Expr {
        let operation = self.operation(statement);
        match &statement.bound {
            Bound::Variables(variables) => Expr::Let(Child::new(Let {
                meta: Meta::default(),
                variables: self.variables(variables),
                argument: operation,
                body,
            })),
            Bound::Discarded => Expr::Sequence(Child::new(Sequence {
                meta: Meta::default(),
                first: operation,
                second: body,
            })),
        }
    }

    fn operation(&self, statement: &Statement) -> Expr {
        let expr = self.bare_operation(statement);
        match &statement.operation {
            Operation::Values(_) if !statement.is_discarded() => {
                self.emit(Mark::Bind(statement.site), expr)
            }
            Operation::Apply { .. } | Operation::Call { .. } => {
                self.emit(Mark::Call(statement.site), expr)
            }
            Operation::Values(_)
            | Operation::Primop { .. }
            | Operation::Map { .. }
            | Operation::Binary(_)
            | Operation::Fun(_)
            | Operation::Case { .. }
            | Operation::Letrec { .. }
            | Operation::Try { .. }
            | Operation::Catch(_)
            | Operation::Receive { .. } => expr,
        }
    }

    fn bare_operation(&self, statement: &Statement) -> Expr {
        let meta = noted(&statement.annotations);
        let site = statement.site;
        match &statement.operation {
            Operation::Values(values) => {
                let mut expr = self.several(values);
                expr.meta_mut().annotations = meta.annotations;
                expr
            }
            Operation::Apply {
                operator,
                arguments,
            } => Expr::Apply(Child::new(Apply {
                meta,
                operator: self.value(operator),
                arguments: self.values(arguments),
            })),
            Operation::Call {
                module,
                name,
                arguments,
            } => Expr::Call(Child::new(Call {
                meta,
                module: self.value(module),
                name: self.value(name),
                arguments: self.values(arguments),
            })),
            Operation::Primop { name, arguments } => Expr::Primop(Child::new(Primop {
                meta,
                name: literal(LiteralValue::Atom(name.clone())),
                arguments: self.values(arguments),
            })),
            Operation::Map { base, pairs } => self.map(meta, base.as_ref(), pairs),
            Operation::Binary(segments) => self.binary(meta, segments),
            Operation::Fun(fun) => Expr::Fun(Child::new(ast::CoreFun {
                meta,
                ..self.fun(fun, Mark::FunExit(site))
            })),
            Operation::Case { arguments, clauses } => Expr::Case(Child::new(Case {
                meta,
                argument: self.several(arguments),
                clauses: self.clauses(site, clauses),
            })),
            Operation::Letrec { definitions, body } => Expr::Letrec(Child::new(Letrec {
                meta,
                definitions: definitions
                    .iter()
                    .map(|local| self.local(site, local))
                    .collect(),
                body: self.block(*body, None),
            })),
            Operation::Try {
                argument,
                variables,
                body,
                exception_variables,
                handler,
            } => Expr::Try(Child::new(Try {
                meta,
                argument: self.block(*argument, None),
                variables: self.variables(variables),
                body: self.block(*body, None),
                exception_variables: self.variables(exception_variables),
                handler: self.block(*handler, None),
            })),
            Operation::Catch(body) => Expr::Catch(Child::new(Catch {
                meta,
                body: self.block(*body, None),
            })),
            Operation::Receive {
                clauses,
                timeout,
                action,
            } => Expr::Receive(Child::new(Receive {
                meta,
                clauses: self.clauses(site, clauses),
                timeout: self.value(timeout),
                action: self.block(*action, None),
            })),
        }
    }

    fn map(&self, meta: Meta, base: Option<&Value>, pairs: &[(MapOperator, Value, Value)]) -> Expr {
        let pair = |(operator, key, value): &(MapOperator, Value, Value)| MapPair {
            meta: Meta::default(),
            operator: *operator,
            key: self.value(key),
            value: self.value(value),
        };
        Expr::Map(Child::new(Map {
            meta,
            pairs: pairs.iter().map(pair).collect(),
            base: base.map(|base| self.value(base)),
        }))
    }

    fn binary(&self, meta: Meta, segments: &[Segment]) -> Expr {
        let segment = |segment| self.segment(segment);
        Expr::Binary(Child::new(Binary {
            meta,
            segments: segments.iter().map(segment).collect(),
        }))
    }

    fn local(&self, site: SiteId, local: &LocalFunction) -> Definition {
        Definition {
            name: function_name(self.function.local(local.id), &local.name_annotations),
            fun: self.fun(&local.fun, Mark::LocalExit(site, local.id)),
        }
    }

    fn clauses(&self, site: SiteId, clauses: &[Clause]) -> Vec<ast::CoreClause> {
        let body = |index: usize, clause: &Clause| {
            let body = self.block(clause.body, Some(Mark::ExitCase(site, index + 1)));
            self.emit(Mark::Case(site, index + 1), body)
        };
        clauses
            .iter()
            .enumerate()
            .map(|(index, clause)| ast::CoreClause {
                meta: noted(&clause.annotations),
                patterns: self.patterns(&clause.patterns),
                guard: self.guard(&clause.guard),
                body: body(index, clause),
            })
            .collect()
    }

    fn values(&self, values: &[Value]) -> Vec<Expr> {
        values.iter().map(|value| self.value(value)).collect()
    }

    /// One value as it is, any other number in `<…>`.
    fn several(&self, values: &[Value]) -> Expr {
        match values {
            [only] => self.value(only),
            several => Expr::Values(Child::new(Values {
                meta: Meta::default(),
                elements: self.values(several),
            })),
        }
    }

    fn value(&self, value: &Value) -> Expr {
        deep(|| match value {
            Value::Variable(id) => Expr::Variable(Box::new(Variable {
                meta: Meta::default(),
                name: self.name(*id),
            })),
            Value::Literal(term) => term_expr(term),
            Value::Function(function) => {
                let id = match &**function {
                    FunctionRef::Module(id) => id,
                    FunctionRef::Local(local) => self.function.local(*local),
                };
                Expr::FunctionName(Child::new(function_name(id, &Annotations::default())))
            }
            Value::Cons(parts) => Expr::Cons(Child::new(Cons {
                meta: Meta::default(),
                head: self.value(&parts.0),
                tail: self.value(&parts.1),
            })),
            Value::Tuple(elements) => Expr::Tuple(Child::new(Tuple {
                meta: Meta::default(),
                elements: self.values(elements),
            })),
        })
    }

    fn segment(&self, segment: &Segment) -> ast::CoreSegment {
        let [unit, kind, flags] = layout(segment.kind);
        ast::CoreSegment {
            meta: noted(&segment.annotations),
            value: self.value(&segment.value),
            size: self.value(&segment.size),
            unit,
            kind,
            flags,
        }
    }

    fn patterns(&self, patterns: &[Pattern]) -> Vec<ast::CorePattern> {
        patterns
            .iter()
            .map(|pattern| self.pattern(pattern))
            .collect()
    }

    fn pattern(&self, pattern: &Pattern) -> ast::CorePattern {
        let meta = Meta::default();
        deep(|| match pattern {
            Pattern::Variable(id) => ast::CorePattern::Variable(Box::new(self.bound_variable(*id))),
            Pattern::Literal(term) => term_pattern(term),
            Pattern::Cons(parts) => ast::CorePattern::Cons(Child::new(PatternCons {
                meta,
                head: self.pattern(&parts.0),
                tail: self.pattern(&parts.1),
            })),
            Pattern::Tuple(elements) => ast::CorePattern::Tuple(Child::new(PatternTuple {
                meta,
                elements: self.patterns(elements),
            })),
            Pattern::Map(pairs) => ast::CorePattern::Map(Child::new(PatternMap {
                meta,
                pairs: pairs
                    .iter()
                    .map(|(key, value)| PatternMapPair {
                        meta: Meta::default(),
                        key: self.value(key),
                        value: self.pattern(value),
                    })
                    .collect(),
            })),
            Pattern::Binary(segments) => ast::CorePattern::Binary(Child::new(PatternBinary {
                meta,
                segments: segments
                    .iter()
                    .map(|segment| self.pattern_segment(segment))
                    .collect(),
            })),
            Pattern::Alias(parts) => ast::CorePattern::Alias(Child::new(Alias {
                meta,
                variable: self.bound_variable(parts.0),
                pattern: self.pattern(&parts.1),
            })),
        })
    }

    fn pattern_segment(&self, segment: &PatternSegment) -> ast::CorePatternSegment {
        let [unit, kind, flags] = layout(segment.kind);
        ast::CorePatternSegment {
            meta: Meta::default(),
            value: self.pattern(&segment.value),
            size: self.value(&segment.size),
            unit,
            kind,
            flags,
        }
    }
}

/// Unit, type and flags of a segment as Core Erlang writes them.
fn layout(kind: SegmentType) -> [Expr; 3] {
    use erlang_term::Term;
    let unit = match kind.unit {
        Some(bits) => Term::Integer(i64::from(bits).into()),
        None => Term::atom("undefined"),
    };
    let sign = Term::atom(if kind.signed { "signed" } else { "unsigned" });
    let endianness = Term::atom(match kind.endianness {
        Endianness::Big => "big",
        Endianness::Little => "little",
        Endianness::Native => "native",
    });
    [
        unit,
        Term::atom(kind.kind.name()),
        Term::list([sign, endianness]),
    ]
    .map(|term| term_expr(&term))
}
