//! A pass through a function, from its end to its beginning: what is looked at of the values of a
//! statement follows from what is looked at of what it binds.

use flattener::ast::{MapOperator, deep};
use flattener::flat::{
    BlockId, Bound, Clause, Function, FunctionRef, LocalId, Operation, Pattern, Statement, Value,
    VarId,
};
use models::Exception;
use trace_format::{CallKind, Callee};

use super::built_in_views::{
    MapViews, view_of_segment, view_of_type_test, views_of_arguments, views_of_library_call,
    views_of_replacing,
};
use super::called::{arguments_of, called_name, is_function_clause, raised_by};
use super::demand::FunctionPlace;
use super::growing_demand::GrowingDemand;
use super::leaving::is_library;
use super::liveness::local_function;
use super::view::View;
use super::view_rule::ViewRule;
use crate::scopes::used_in_guard;

/// A pass through a function, from its end to its beginning.
pub(super) struct FunctionPass<'search, 'program> {
    place: FunctionPlace,
    function: &'program Function,
    /// Whether a view of this function is larger than before.
    has_changed: bool,
    demand: &'search mut GrowingDemand<'program>,
}

impl<'search, 'program> FunctionPass<'search, 'program> {
    /// Passes through a function until its views do not change any more.
    pub(super) fn run(demand: &'search mut GrowingDemand<'program>, place: FunctionPlace) {
        let Some(function) = demand.code(place) else {
            return;
        };
        let before = demand.parameters(place);
        let mut pass = Self {
            place,
            function,
            has_changed: true,
            demand,
        };
        while std::mem::take(&mut pass.has_changed) {
            let result = pass.demand.found.results.get(&place);
            let result = result.cloned().unwrap_or_default();
            pass.block(function.fun.body, &[result]);
        }
        let demand = pass.demand;
        if demand.parameters(place) != before {
            demand.tell_callers(place);
        }
    }

    fn view(&self, variable: VarId) -> View {
        self.demand.found.variable(self.place, variable).clone()
    }

    fn views(&self, variables: &[VarId]) -> Vec<View> {
        variables.iter().map(|it| self.view(*it)).collect()
    }

    fn want(&mut self, variable: VarId, view: &View) {
        let views = self.demand.found.variables.get_mut(&self.place);
        let known = views.and_then(|views| views.get_mut(variable.index()));
        self.has_changed |= known.is_some_and(|known| known.add(view));
    }

    fn want_local(&mut self, local: LocalId, view: &View) {
        let results = &mut self.demand.found.results_of_locals;
        let result = results.entry((self.place, local));
        self.has_changed |= result.or_default().add(view);
    }

    /// A value is looked at.
    fn value(&mut self, value: &Value, view: &View) {
        let view = match view {
            // What is neither a map nor a binary may end up in the reason of an exception.
            View::Some(aspects)
                if (aspects.is_kind || aspects.in_map.is_some())
                    && !matches!(value, Value::Variable(_)) =>
            {
                &View::Full
            }
            View::Full | View::Some(_) => view,
        };
        match value {
            Value::Variable(variable) => self.want(*variable, view),
            Value::Literal(_) => {}
            Value::Function(reference) => self.function_value(reference),
            Value::Cons(parts) => match view {
                View::Full => {
                    self.value(&parts.0, view);
                    deep(|| self.value(&parts.1, view));
                }
                View::Some(aspects) if aspects.is_word => deep(|| self.value(value, &View::Full)),
                View::Some(aspects) if aspects.is_spine => {
                    deep(|| self.value(&parts.1, &View::spine()));
                }
                View::Some(_) => {}
            },
            Value::Tuple(elements) => {
                let known = view.elements(elements.len());
                for (place, element) in elements.iter().enumerate() {
                    let inner = match view {
                        View::Full => Some(view),
                        View::Some(aspects) if aspects.is_word && place == 0 => Some(&View::Full),
                        View::Some(_) => known.and_then(|known| known.get(place)),
                    };
                    if let Some(inner) = inner {
                        deep(|| self.value(element, inner));
                    }
                }
            }
        }
    }

    /// A function as a value may be called by anybody, who may look at what it returns.
    fn function_value(&mut self, reference: &FunctionRef) {
        match reference {
            FunctionRef::Module(id) => {
                let module = self.demand.program.module(self.place.0);
                if let Some(index) = module.and_then(|module| module.index(id)) {
                    self.demand.want_result((self.place.0, index), &View::Full);
                }
            }
            FunctionRef::Local(id) => self.want_local(*id, &View::Full),
        }
    }

    fn all_values<'code>(&mut self, values: impl IntoIterator<Item = &'code Value>, view: &View) {
        for value in values {
            self.value(value, view);
        }
    }

    fn block(&mut self, id: BlockId, results: &[View]) {
        let block = self.function.block(id);
        for (place, value) in block.result.iter().enumerate() {
            let view = results.get(place).cloned().unwrap_or(View::Full);
            self.value(value, &view);
        }
        for statement in block.statements.iter().rev() {
            deep(|| self.statement(statement));
        }
    }

    fn statement(&mut self, statement: &Statement) {
        let bound = match &statement.bound {
            Bound::Variables(variables) => self.views(variables),
            Bound::Discarded => vec![View::nothing()],
        };
        match &statement.operation {
            Operation::Values(values) => {
                for (value, view) in values.iter().zip(&bound) {
                    self.value(value, view);
                }
            }
            Operation::Apply { .. } | Operation::Call { .. } | Operation::Primop { .. } => {
                let result = bound.first().cloned().unwrap_or_else(View::nothing);
                self.call(statement, &result);
            }
            Operation::Map { base, pairs } => self.map(base.as_ref(), pairs, &bound),
            Operation::Binary(segments) => {
                let is_unseen = bound.iter().all(View::is_at_most_kind);
                for segment in segments {
                    let view = view_of_segment(segment, is_unseen);
                    self.value(&segment.value, &ViewRule::Segments.view(view));
                    self.value(&segment.size, &ViewRule::Segments.view(View::Full));
                }
            }
            Operation::Fun(fun) => {
                let result = ViewRule::FunResults.view(View::Full);
                self.block(fun.body, &[result]);
            }
            Operation::Case { arguments, clauses } => self.case(arguments, clauses, &bound),
            Operation::Letrec { definitions, body } => {
                for local in definitions {
                    let results = &self.demand.found.results_of_locals;
                    let result = results.get(&(self.place, local.id));
                    let result = result.cloned().unwrap_or_else(View::nothing);
                    self.block(local.fun.body, &[result]);
                }
                self.block(*body, &bound);
            }
            Operation::Try {
                argument,
                variables,
                body,
                exception_variables,
                handler,
            } => {
                self.block(*body, &bound);
                self.block(*handler, &bound);
                let results = self.views(variables);
                self.block(*argument, &results);
                if let Some(reason) = exception_variables.get(1) {
                    let view = self.view(*reason);
                    self.demand.want_raised(&ViewRule::CaughtReasons.view(view));
                }
            }
            Operation::Catch(body) => {
                // The result may also be an exception.
                let view = if bound.iter().all(View::is_nothing) {
                    View::nothing()
                } else {
                    View::Full
                };
                self.demand
                    .want_raised(&ViewRule::CaughtReasons.view(view.clone()));
                self.block(*body, &[view]);
            }
            Operation::Receive {
                clauses,
                timeout,
                action,
            } => {
                self.value(timeout, &View::Full);
                self.block(*action, &bound);
                self.clauses(clauses, &bound);
            }
        }
    }

    fn map(&mut self, base: Option<&Value>, pairs: &[(MapOperator, Value, Value)], bound: &[View]) {
        let mut result = View::nothing();
        bound.iter().for_each(|it| {
            result.add(it);
        });
        let is_exact = pairs.iter().any(|it| it.0 == MapOperator::Exact);
        let views = MapViews::of_result(&result, is_exact);
        self.all_values(base, &views.map);
        for (operator, key, value) in pairs {
            let of_key = match operator {
                // It raises if the key is missing.
                MapOperator::Exact => &View::Full,
                MapOperator::Assoc => &views.key,
            };
            self.value(key, of_key);
            self.value(value, &views.value);
        }
    }

    fn case(&mut self, arguments: &[Value], clauses: &[Clause], bound: &[View]) {
        self.clauses(clauses, bound);
        for (place, argument) in arguments.iter().enumerate() {
            let mut view = View::nothing();
            for clause in clauses {
                if let Some(pattern) = clause.patterns.get(place) {
                    view.add(&self.view_of_pattern(pattern));
                }
            }
            self.value(argument, &view);
        }
    }

    fn clauses(&mut self, clauses: &[Clause], bound: &[View]) {
        for clause in clauses {
            self.block(clause.body, bound);
            match view_of_type_test(&clause.guard) {
                Some((variable, view)) => self.want(variable, &ViewRule::TypeTests.view(view)),
                None => {
                    for variable in used_in_guard(self.function, clause) {
                        self.want(variable, &ViewRule::Guards.view(View::Full));
                    }
                }
            }
            for pattern in &clause.patterns {
                self.values_in_pattern(pattern);
            }
        }
    }

    /// What a pattern looks at, and those who use its variables.
    fn view_of_pattern(&self, pattern: &Pattern) -> View {
        match pattern {
            Pattern::Variable(variable) => self.view(*variable),
            Pattern::Literal(_) => ViewRule::PatternConstants.view(View::outer()),
            Pattern::Tuple(elements) => {
                let views = elements.iter().map(|it| {
                    let view = deep(|| self.view_of_pattern(it));
                    ViewRule::PatternElements.view(view)
                });
                View::tuple(views.collect())
            }
            Pattern::Alias(parts) => {
                let mut view = self.view(parts.0);
                view.add(&deep(|| self.view_of_pattern(&parts.1)));
                view
            }
            Pattern::Cons(_) if !ViewRule::PatternCells.is_kept() => View::spine(),
            Pattern::Map(pairs) if pairs.is_empty() => View::kind(),
            Pattern::Map(pairs) => {
                let mut values = View::nothing();
                for (_, value) in pairs.iter() {
                    values.add(&deep(|| self.view_of_pattern(value)));
                }
                View::map(ViewRule::PatternElements.view(values))
            }
            Pattern::Cons(_) | Pattern::Binary(_) => View::Full,
        }
    }

    /// The values that a pattern uses are looked at.
    fn values_in_pattern(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::Variable(_) | Pattern::Literal(_) => {}
            Pattern::Cons(parts) => {
                self.values_in_pattern(&parts.0);
                deep(|| self.values_in_pattern(&parts.1));
            }
            Pattern::Tuple(elements) => {
                for element in elements.iter() {
                    deep(|| self.values_in_pattern(element));
                }
            }
            Pattern::Alias(parts) => deep(|| self.values_in_pattern(&parts.1)),
            Pattern::Map(pairs) => {
                for (key, value) in pairs.iter() {
                    self.value(key, &View::Full);
                    deep(|| self.values_in_pattern(value));
                }
            }
            Pattern::Binary(segments) => {
                for segment in segments.iter() {
                    self.value(&segment.size, &View::Full);
                    deep(|| self.values_in_pattern(&segment.value));
                }
            }
        }
    }

    // ---- Calls

    fn call(&mut self, statement: &Statement, result: &View) {
        let program = self.demand.program;
        let module = program.module(self.place.0);
        let kind = module.and_then(|module| module.plan.kind(statement.site));
        match kind {
            Some(CallKind::Followed(Callee::Function(module, index))) => {
                self.followed(&statement.operation, (module, index), result);
            }
            Some(CallKind::Followed(Callee::Local(id))) => {
                self.want_local(id, &ViewRule::LocalResults.view(result.clone()));
                let local = local_function(self.function, id);
                let views = local.map(|fun| self.views(&fun.parameters));
                self.arguments(&statement.operation, &views.unwrap_or_default());
            }
            Some(CallKind::Raises) => self.raises(&statement.operation),
            Some(kind @ (CallKind::Builtin | CallKind::Total)) => {
                let known = called_name(&statement.operation).and_then(|name| {
                    let arguments = arguments_of(&statement.operation);
                    views_of_replacing(name, arguments, result)
                        .or_else(|| views_of_arguments(name, kind == CallKind::Total, result))
                });
                match known {
                    Some(views) => self.arguments(&statement.operation, &views),
                    None => self.operands(&statement.operation, ViewRule::OtherBuiltIns),
                }
            }
            Some(CallKind::Computed) => {
                self.operands(&statement.operation, ViewRule::CalledValues);
                let is_fun = matches!(statement.operation, Operation::Apply { .. })
                    || called_name(&statement.operation) == Some(("erlang", "apply", 2));
                if !is_fun {
                    self.demand.expose_all();
                }
            }
            Some(
                CallKind::Opaque
                | CallKind::StackTrace
                | CallKind::Peek
                | CallKind::Take
                | CallKind::Wait,
            )
            | None => self.operands(&statement.operation, ViewRule::UnknownCalls),
        }
    }

    /// By this rule, all operands of a statement are looked at.
    fn operands(&mut self, operation: &Operation, rule: ViewRule) {
        self.all_values(operation.operands(), &rule.view(View::Full));
    }

    /// A followed function looks at its arguments as its body does.
    fn followed(&mut self, operation: &Operation, callee: FunctionPlace, result: &View) {
        let program = self.demand.program;
        let wanted = ViewRule::Results.view(result.clone());
        self.demand.want_result(callee, &wanted);
        self.demand.add_caller(callee, self.place);
        let (Some(module), Some(function)) = (program.module(callee.0), self.demand.code(callee))
        else {
            return;
        };
        let name = (
            module.name.as_str(),
            function.id.name.as_str(),
            function.fun.parameters.len(),
        );
        let known = views_of_library_call(name, result).filter(|_| is_library(module));
        let views = known.unwrap_or_else(|| self.demand.parameters(callee));
        self.arguments(operation, &views);
    }

    fn arguments(&mut self, operation: &Operation, views: &[View]) {
        for (argument, view) in arguments_of(operation).iter().zip(views) {
            self.value(argument, view);
        }
    }

    /// Whoever catches an exception looks at its reason. Otherwise only its first word counts.
    fn raises(&mut self, operation: &Operation) {
        self.demand.add_raising(self.place);
        let mut reason = ViewRule::ReasonWords.view(View::word());
        reason.add(&self.demand.found.raised);
        match (raised_by(operation), arguments_of(operation)) {
            (Exception::MatchFailure, [value]) if is_function_clause(value) => {}
            // The arguments are in the stack trace only, and nobody knows them there.
            (Exception::OfClass(_), [value, arguments, options @ ..]) => {
                self.value(value, &reason);
                self.value(arguments, &View::spine());
                self.all_values(options, &View::Full);
            }
            (Exception::OfClass(_), [value]) => self.value(value, &reason),
            (Exception::MatchFailure, [value]) => self.value(value, &reason),
            // Whoever raises an exception again passes its reason on.
            (Exception::Again, [stack, value]) => {
                self.value(stack, &View::Full);
                self.value(value, &reason);
            }
            (Exception::Given, [class, value, _]) => {
                self.value(class, &View::Full);
                self.value(value, &reason);
            }
            (
                Exception::OfClass(_)
                | Exception::MatchFailure
                | Exception::Given
                | Exception::Again
                | Exception::Unknown,
                all,
            ) => self.all_values(all, &View::Full),
        }
    }
}
