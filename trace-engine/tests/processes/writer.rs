//! Logs of processes, written by hand.

use erlang_term::{Atom, Term, encode};
use flattener::flat::{Operation, SiteId, Statement};
use flattener::{flatten, parse_module};
use trace_format::{ENTER, Program, ProgramModule, encode_number, offset};

/// A program of one module.
pub(crate) fn program(functions: &str) -> Program {
    let text = format!("module 'm' ['f'/1] attributes []\n{functions}\nend\n");
    let module = parse_module(&text).expect("the text is a module");
    let flat = flatten(module).expect("the module is a program");
    let name = Atom::new(flat.name.as_str());
    Program::new([(flat, name)])
}

/// A `receive` with clauses, whose bodies begin with `do primop 'remove_message'()`.
pub(crate) fn receive(clauses: &str, timeout: &str, action: &str) -> String {
    format!(
        "( letrec 'recv$^0'/0 = fun () ->
            let <Is, M> = primop 'recv_peek_message'() in
            case Is of
              <'true'> when 'true' ->
                case M of
                  {clauses}
                  <Other> when 'true' -> do primop 'recv_next'() apply 'recv$^0'/0()
                end
              <'false'> when 'true' ->
                let <T> = primop 'recv_wait_timeout'({timeout}) in
                case T of
                  <'true'> when 'true' -> {action}
                  <'false'> when 'true' -> apply 'recv$^0'/0()
                end
            end
          in apply 'recv$^0'/0()
          -| ['letrec_goto','no_inline'] )"
    )
}

/// Writes the log of a process.
pub(crate) struct Writer<'program> {
    program: &'program Program,
    pub(crate) bytes: Vec<u8>,
}

impl<'program> Writer<'program> {
    pub(crate) fn new(program: &'program Program) -> Self {
        Self {
            program,
            bytes: Vec::new(),
        }
    }

    fn module(&self) -> &'program ProgramModule {
        self.program.module(0).expect("there is one")
    }

    /// The n-th statement, from 0, for which something holds.
    fn site(&self, number: usize, is_it: impl Fn(&Statement) -> bool) -> SiteId {
        let module = self.module();
        let mut statements: Vec<&Statement> = module.flat.statements().collect();
        statements.sort_by_key(|statement| statement.site);
        let mut found = statements.into_iter().filter(|it| is_it(it));
        found.nth(number).expect("there is such a statement").site
    }

    fn item(mut self, site: SiteId, offset: u32) -> Self {
        let number = self.module().numbering.number(site, offset);
        self.bytes.extend(encode_number(number));
        self
    }

    fn payload(mut self, bytes: &[u8]) -> Self {
        let length = u32::try_from(bytes.len()).expect("it is short");
        self.bytes.extend(encode_number(length));
        self.bytes.extend(bytes);
        self
    }

    /// The n-th call of a function or primitive operation returned these bytes.
    pub(crate) fn returned(self, name: &str, number: usize, bytes: &[u8]) -> Self {
        let site = self.site(number, |it| calls(it, name));
        self.item(site, offset::RESULT).payload(bytes)
    }

    /// The n-th call of a function raised an error.
    pub(crate) fn raised(self, name: &str, number: usize, reason: &str) -> Self {
        let site = self.site(number, |it| calls(it, name));
        let exception = Term::Tuple(vec![Term::atom("error"), Term::atom(reason)]);
        self.item(site, offset::RAISED).payload(&encode(&exception))
    }

    /// The n-th case chose a clause, from 0.
    pub(crate) fn chose(self, number: usize, clause: u32) -> Self {
        let is_case = |it: &Statement| matches!(it.operation, Operation::Case { .. });
        let site = self.site(number, is_case);
        self.item(site, offset::CLAUSE + clause)
    }

    /// The n-th `receive` of older compilers chose a clause, from 0.
    pub(crate) fn received(self, number: usize, clause: u32) -> Self {
        let is_receive = |it: &Statement| matches!(it.operation, Operation::Receive { .. });
        let site = self.site(number, is_receive);
        self.item(site, offset::CLAUSE + clause)
    }

    /// The n-th fun is entered from outside with these arguments.
    pub(crate) fn entered_fun(self, number: usize, arguments: &[Vec<u8>]) -> Self {
        let site = self.site(number, |it| matches!(it.operation, Operation::Fun(_)));
        self.entered(site.0 * 2 + 1, arguments)
    }

    /// The n-th function is entered from outside with these arguments.
    pub(crate) fn entered_function(self, number: u32, arguments: &[Vec<u8>]) -> Self {
        self.entered(number * 2, arguments)
    }

    fn entered(mut self, callable: u32, arguments: &[Vec<u8>]) -> Self {
        let numbers = [ENTER, 0, callable, 1];
        let numbers = numbers.into_iter().flat_map(encode_number);
        self.bytes.extend(numbers);
        self.payload(&list(arguments))
    }
}

fn calls(statement: &Statement, wanted: &str) -> bool {
    if let Operation::Call { name, .. } = &statement.operation {
        return name.as_literal().and_then(|name| name.as_atom()) == Some(wanted);
    }
    matches!(&statement.operation, Operation::Primop { name, .. } if name.as_str() == wanted)
}

/// A list of terms in external term format.
fn list(elements: &[Vec<u8>]) -> Vec<u8> {
    let Ok(count @ 1..) = u8::try_from(elements.len()) else {
        return encode(&Term::list([]));
    };
    let mut bytes = vec![131, 108, 0, 0, 0, count];
    bytes.extend(elements.iter().flat_map(|it| it.iter().skip(1)));
    bytes.push(106);
    bytes
}

/// The pid of a process of the run.
pub(crate) fn pid(number: u32) -> Vec<u8> {
    let mut bytes = b"\x83\x58\x77\x0ferlconcolic@run".to_vec();
    bytes.extend(number.to_be_bytes());
    bytes.extend([0; 8]);
    bytes
}

/// `{Tag, Value}` in external term format.
pub(crate) fn tagged(tag: &str, value: i64) -> Vec<u8> {
    encode(&Term::Tuple(vec![
        Term::atom(tag),
        Term::Integer(value.into()),
    ]))
}

/// An atom in external term format.
pub(crate) fn atom(text: &str) -> Vec<u8> {
    encode(&Term::atom(text))
}

/// An integer in external term format.
pub(crate) fn integer(value: i64) -> Vec<u8> {
    encode(&Term::Integer(value.into()))
}
