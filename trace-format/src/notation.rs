//! Events in the paper's notation: `call([X],[W],W,[X,X])`.

use std::fmt::{self, Write};

use flattener::ast::deep;
use flattener::flat::visit::{Inside, Visitor, walk_scope};
use flattener::flat::{
    BlockId, Bound, Callable, Clause, Fun, Function, FunctionRef, Guard, GuardOperator, Operation,
    Pattern, SiteId, Statement, Value, VarId,
};

use crate::event::{Event, EventKind, Payload};
use crate::program::{Program, ProgramModule};

/// Writes events of a program.
#[derive(Clone, Copy, Debug)]
pub struct Notation<'program> {
    program: &'program Program,
    with_pattern_variables: bool,
}

impl<'program> Notation<'program> {
    /// The notation for events of a program.
    pub fn new(program: &'program Program) -> Self {
        Self {
            program,
            with_pattern_variables: false,
        }
    }

    /// The same, but the bound variables of a function include those of its patterns, as in the
    /// paper's Definition 1 and Figure 9. Example 2 omits them.
    pub fn with_pattern_variables(self) -> Self {
        Self {
            with_pattern_variables: true,
            ..self
        }
    }

    /// An event on one line; empty if it belongs to another program.
    pub fn event(&self, event: &Event) -> String {
        let mut out = String::new();
        let Some(module) = self.program.module(event.module) else {
            return out;
        };
        let Some((function, fun)) = module.callable(event.callable) else {
            return out;
        };
        let Some(function) = module.function(function) else {
            return out;
        };
        let statement = event
            .site
            .and_then(|site| module.statement(site))
            .map(|(_, statement)| statement);
        let mut writer = Writer {
            out: &mut out,
            module,
            function,
            fun,
            with_pattern_variables: self.with_pattern_variables,
        };
        // Writing to a string cannot fail.
        let _ = writer.event(event, statement);
        out
    }

    /// The source file and line of an event, as far as known.
    pub fn line(&self, event: &Event) -> Option<u32> {
        let module = self.program.module(event.module)?;
        let (_, fun) = module.callable(event.callable)?;
        let annotations = match event.site {
            Some(site) => &module.statement(site)?.1.annotations,
            None => &fun.annotations,
        };
        annotations.position().map(|(line, _)| line)
    }
}

/// Writes the parts of one function.
struct Writer<'a> {
    out: &'a mut String,
    module: &'a ProgramModule,
    function: &'a Function,
    fun: &'a Fun,
    with_pattern_variables: bool,
}

impl Writer<'_> {
    fn event(&mut self, event: &Event, statement: Option<&Statement>) -> fmt::Result {
        self.out.write_str(name(&event.kind))?;
        self.out.write_str("(")?;
        if let EventKind::Enter(arguments) = &event.kind {
            self.callable(event.callable)?;
            if let Some(arguments) = arguments {
                self.out.write_str(",")?;
                self.payload(arguments)?;
            }
            return self.out.write_str(")");
        }
        self.context()?;
        match (&event.kind, statement) {
            (EventKind::Exit, _) => {
                self.out.write_str(",")?;
                self.result(self.fun.body)?;
            }
            (kind, Some(statement)) => self.details(kind, statement)?,
            (_, None) => {}
        }
        self.out.write_str(")")
    }

    /// Parameters and bound variables of the function or fun that runs.
    fn context(&mut self) -> fmt::Result {
        self.variables(&self.fun.parameters)?;
        self.out.write_str(",")?;
        let mut bound = BoundVariables {
            function: self.function,
            statements: Vec::new(),
            patterns: Vec::new(),
        };
        bound.visit_block(self.fun.body);
        let mut variables = bound.statements;
        if self.with_pattern_variables {
            variables.extend(bound.patterns);
        }
        self.variables(&variables)
    }

    fn details(&mut self, kind: &EventKind, statement: &Statement) -> fmt::Result {
        match kind {
            EventKind::Call => {
                self.bound(&statement.bound)?;
                self.out.write_str(",[")?;
                self.values(arguments(&statement.operation))?;
                self.out.write_str("]")
            }
            EventKind::Bind => {
                self.bound(&statement.bound)?;
                self.out.write_str(",")?;
                self.operation(statement)
            }
            EventKind::Case(chosen) => self.case(*chosen, &statement.operation),
            EventKind::ExitCase(chosen) => {
                self.bound(&statement.bound)?;
                self.out.write_str(",")?;
                match clauses(&statement.operation).get(chosen.saturating_sub(1)) {
                    Some(clause) => self.result(clause.body),
                    None => self.out.write_str("_"),
                }
            }
            EventKind::Builtin => {
                self.bound(&statement.bound)?;
                self.out.write_str(",")?;
                self.operation(statement)
            }
            EventKind::Result(value) => {
                self.bound(&statement.bound)?;
                self.out.write_str(",")?;
                self.operation(statement)?;
                self.out.write_str(",")?;
                self.payload(value)
            }
            EventKind::Raised(exception) => {
                self.out.write_str(",")?;
                self.operation(statement)?;
                match exception {
                    Some(exception) => {
                        self.out.write_str(",")?;
                        self.payload(exception)
                    }
                    None => Ok(()),
                }
            }
            EventKind::Received(message) => {
                self.out.write_str(",")?;
                self.payload(message)
            }
            EventKind::ExitTry => self.bound(&statement.bound),
            EventKind::Try | EventKind::Leave | EventKind::Caught => Ok(()),
            EventKind::Exit | EventKind::Enter(_) => Ok(()),
        }
    }

    /// A comma and the variables that a statement binds.
    fn bound(&mut self, bound: &Bound) -> fmt::Result {
        self.out.write_str(",")?;
        match bound {
            Bound::Discarded => self.out.write_str("_"),
            Bound::Variables(variables) => match variables.as_slice() {
                [only] => self.variable(*only),
                several => {
                    self.out.write_str("<")?;
                    self.names(several)?;
                    self.out.write_str(">")
                }
            },
        }
    }

    fn case(&mut self, chosen: usize, operation: &Operation) -> fmt::Result {
        let clauses = clauses(operation);
        let scrutinee = arguments(operation);
        write!(self.out, ",{chosen},")?;
        self.several(scrutinee)?;
        self.out.write_str(",")?;
        match clauses.get(chosen.saturating_sub(1)) {
            Some(clause) => self.clause(clause)?,
            None => self.out.write_str("_")?,
        }
        self.out.write_str(",[")?;
        for (index, clause) in clauses.iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            write!(self.out, "{comma}({},", index + 1)?;
            self.several(scrutinee)?;
            self.out.write_str(",")?;
            self.clause(clause)?;
            self.out.write_str(")")?;
        }
        self.out.write_str("]")
    }

    fn clause(&mut self, clause: &Clause) -> fmt::Result {
        match clause.patterns.as_slice() {
            [only] => self.pattern(only)?,
            several => {
                self.out.write_str("<")?;
                self.separated(several, Self::pattern)?;
                self.out.write_str(">")?;
            }
        }
        if let Guard::Value(value) = &clause.guard
            && value.as_literal().and_then(|literal| literal.as_atom()) == Some("true")
        {
            return Ok(());
        }
        self.out.write_str(" when ")?;
        self.guard(&clause.guard)
    }

    fn guard(&mut self, guard: &Guard) -> fmt::Result {
        deep(|| match guard {
            Guard::Value(value) => self.value(value),
            Guard::Call(call) => {
                match &call.operator {
                    GuardOperator::Call(module, name) => write!(self.out, "{module}:{name}")?,
                    GuardOperator::Primop(name) => write!(self.out, "{name}")?,
                }
                self.out.write_str("(")?;
                self.separated(&call.arguments, Self::guard)?;
                self.out.write_str(")")
            }
            Guard::Try(protected) => self.guard(&protected.argument),
            Guard::Let(binding) => {
                self.out.write_str("let ")?;
                self.names(&binding.variables)?;
                self.out.write_str(" = ")?;
                self.guard(&binding.argument)?;
                self.out.write_str(" in ")?;
                self.guard(&binding.body)
            }
            Guard::Cons(_)
            | Guard::Tuple(_)
            | Guard::Map(_)
            | Guard::Binary(_)
            | Guard::Values(_)
            | Guard::Sequence(_)
            | Guard::Case(_) => self.out.write_str("..."),
        })
    }

    fn operation(&mut self, statement: &Statement) -> fmt::Result {
        match &statement.operation {
            Operation::Values(values) => self.several(values),
            Operation::Apply {
                operator,
                arguments,
            } => {
                self.value(operator)?;
                self.parenthesised(arguments)
            }
            Operation::Call {
                module,
                name,
                arguments,
            } => {
                self.value(module)?;
                self.out.write_str(":")?;
                self.value(name)?;
                self.parenthesised(arguments)
            }
            Operation::Primop { name, arguments } => {
                write!(self.out, "{name}")?;
                self.parenthesised(arguments)
            }
            Operation::Map { base, pairs } => {
                if let Some(base) = base {
                    self.value(base)?;
                }
                self.out.write_str("#{")?;
                self.separated(pairs, |writer, (operator, key, value)| {
                    writer.value(key)?;
                    writer.out.write_str(match operator {
                        flattener::ast::MapOperator::Assoc => "=>",
                        flattener::ast::MapOperator::Exact => ":=",
                    })?;
                    writer.value(value)
                })?;
                self.out.write_str("}")
            }
            Operation::Binary(segments) => {
                self.out.write_str("<<")?;
                self.separated(segments, |writer, segment| {
                    writer.value(&segment.value)?;
                    writer.out.write_str(":")?;
                    writer.value(&segment.size)
                })?;
                self.out.write_str(">>")
            }
            Operation::Fun(fun) => write!(self.out, "fun/{}", fun.parameters.len()),
            Operation::Letrec { body, .. } => self.result(*body),
            Operation::Case { .. }
            | Operation::Try { .. }
            | Operation::Catch(_)
            | Operation::Receive { .. } => Ok(()),
        }
    }

    fn parenthesised(&mut self, values: &[Value]) -> fmt::Result {
        self.out.write_str("(")?;
        self.values(values)?;
        self.out.write_str(")")
    }

    fn callable(&mut self, callable: Callable) -> fmt::Result {
        let id = &self.function.id;
        write!(self.out, "{}:{}/{}", self.module.name, id.name, id.arity)?;
        match callable {
            Callable::Function(_) => Ok(()),
            Callable::Fun(SiteId(site)) | Callable::Local(SiteId(site), _) => {
                write!(self.out, "-fun-{site}")
            }
        }
    }

    /// The result of a block.
    fn result(&mut self, block: BlockId) -> fmt::Result {
        self.several(&self.function.block(block).result)
    }

    fn several(&mut self, values: &[Value]) -> fmt::Result {
        match values {
            [only] => self.value(only),
            several => {
                self.out.write_str("<")?;
                self.values(several)?;
                self.out.write_str(">")
            }
        }
    }

    fn values(&mut self, values: &[Value]) -> fmt::Result {
        self.separated(values, Self::value)
    }

    fn separated<T>(
        &mut self,
        items: &[T],
        mut write: impl FnMut(&mut Self, &T) -> fmt::Result,
    ) -> fmt::Result {
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.out.write_str(",")?;
            }
            write(self, item)?;
        }
        Ok(())
    }

    fn value(&mut self, value: &Value) -> fmt::Result {
        deep(|| match value {
            Value::Variable(id) => self.variable(*id),
            Value::Literal(term) => write!(self.out, "{}", **term),
            Value::Function(function) => {
                let id = match &**function {
                    FunctionRef::Module(id) => id,
                    FunctionRef::Local(local) => self.function.local(*local),
                };
                write!(self.out, "{}/{}", id.name, id.arity)
            }
            Value::Tuple(elements) => {
                self.out.write_str("{")?;
                self.values(elements)?;
                self.out.write_str("}")
            }
            Value::Cons(parts) => {
                self.out.write_str("[")?;
                self.value(&parts.0)?;
                let mut tail = &parts.1;
                while let Value::Cons(next) = tail {
                    self.out.write_str(",")?;
                    self.value(&next.0)?;
                    tail = &next.1;
                }
                let is_nil = tail.as_literal().and_then(|it| it.as_list()) == Some(&[]);
                if !is_nil {
                    self.out.write_str("|")?;
                    self.value(tail)?;
                }
                self.out.write_str("]")
            }
        })
    }

    fn pattern(&mut self, pattern: &Pattern) -> fmt::Result {
        deep(|| match pattern {
            Pattern::Variable(id) => self.variable(*id),
            Pattern::Literal(term) => write!(self.out, "{}", **term),
            Pattern::Tuple(elements) => {
                self.out.write_str("{")?;
                self.separated(elements, Self::pattern)?;
                self.out.write_str("}")
            }
            Pattern::Cons(parts) => {
                self.out.write_str("[")?;
                self.pattern(&parts.0)?;
                self.out.write_str("|")?;
                self.pattern(&parts.1)?;
                self.out.write_str("]")
            }
            Pattern::Alias(parts) => {
                self.variable(parts.0)?;
                self.out.write_str("=")?;
                self.pattern(&parts.1)
            }
            Pattern::Map(pairs) => {
                self.out.write_str("#{")?;
                self.separated(pairs, |writer, (key, value)| {
                    writer.value(key)?;
                    writer.out.write_str(":=")?;
                    writer.pattern(value)
                })?;
                self.out.write_str("}")
            }
            Pattern::Binary(segments) => {
                self.out.write_str("<<")?;
                self.separated(segments, |writer, segment| {
                    writer.pattern(&segment.value)?;
                    writer.out.write_str(":")?;
                    writer.value(&segment.size)
                })?;
                self.out.write_str(">>")
            }
        })
    }

    fn payload(&mut self, payload: &Payload) -> fmt::Result {
        match payload.term() {
            Ok(term) => write!(self.out, "{term}"),
            // Pids, references and funs of the run have no text that could be read back.
            Err(_) => self.out.write_str("..."),
        }
    }

    fn variables(&mut self, ids: &[VarId]) -> fmt::Result {
        self.out.write_str("[")?;
        self.names(ids)?;
        self.out.write_str("]")
    }

    fn names(&mut self, ids: &[VarId]) -> fmt::Result {
        self.separated(ids, |writer, id| writer.variable(*id))
    }

    fn variable(&mut self, id: VarId) -> fmt::Result {
        self.out.write_str(&self.function.variable(id).name)
    }
}

fn name(kind: &EventKind) -> &'static str {
    match kind {
        EventKind::Call => "call",
        EventKind::Exit => "exit",
        EventKind::Bind => "bind",
        EventKind::Case(_) => "case",
        EventKind::ExitCase(_) => "exitcase",
        EventKind::Enter(_) => "enter",
        EventKind::Builtin => "builtin",
        EventKind::Result(_) => "result",
        EventKind::Raised(_) => "raised",
        EventKind::Try => "try",
        EventKind::Leave => "leave",
        EventKind::Caught => "caught",
        EventKind::ExitTry => "exittry",
        EventKind::Received(_) => "received",
    }
}

/// The arguments of a call or a `case`.
fn arguments(operation: &Operation) -> &[Value] {
    if let Operation::Apply { arguments, .. }
    | Operation::Call { arguments, .. }
    | Operation::Primop { arguments, .. }
    | Operation::Case { arguments, .. } = operation
    {
        arguments
    } else {
        &[]
    }
}

fn clauses(operation: &Operation) -> &[Clause] {
    if let Operation::Case { clauses, .. } | Operation::Receive { clauses, .. } = operation {
        clauses
    } else {
        &[]
    }
}

/// Finds the variables that statements bind, in the order of the text, and those that patterns
/// bind: those of nested blocks too, but not those of nested functions.
struct BoundVariables<'flat> {
    function: &'flat Function,
    statements: Vec<VarId>,
    patterns: Vec<VarId>,
}

impl<'flat> Visitor<'flat> for BoundVariables<'flat> {
    fn function(&self) -> &'flat Function {
        self.function
    }

    fn visit_fun(&mut self, _: &'flat Fun) {}

    fn visit_guard(&mut self, _: &'flat Guard) {}

    fn visit_scope(&mut self, _: &'flat [VarId], inside: Inside<'flat>) {
        walk_scope(self, &[], inside);
    }

    fn visit_statement(&mut self, statement: &'flat Statement) {
        if let Bound::Variables(variables) = &statement.bound {
            self.statements.extend(variables);
        }
        self.visit_operation(&statement.operation);
    }

    /// Only patterns come here.
    fn visit_binding(&mut self, variable: VarId) {
        self.patterns.push(variable);
    }
}
