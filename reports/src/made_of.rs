//! What a report was made with and from: reports of different programs do not belong together.

use std::collections::BTreeMap;

use flattener::flat::{TailForm, to_ast};
use flattener::{Detail, print_module};
use serde::{Deserialize, Serialize};
use trace_format::manifest::hash;

use crate::coverage::{OwnClause, ReachableCode};
use crate::explored_code::ExploredCode;

/// What a report was made with and from.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub struct MadeOf {
    /// The version of the tool.
    pub tool: String,
    /// The release of OTP.
    pub otp: String,
    /// The user's modules, each with a hash of its code and of the lines of its clauses.
    pub modules: BTreeMap<String, String>,
}

impl MadeOf {
    /// What a search was made with and from. Folders do not count: they differ between machines.
    pub fn new(tool: &str, otp: String, code: &ExploredCode<'_>, own: &ReachableCode) -> Self {
        let modules = code.modules().enumerate().map(|(number, module)| {
            let text = print_module(&to_ast(&module.flat, TailForm::Bound), Detail::Readable);
            let clauses = own.clauses.iter().filter(|it| it.function.0 == number);
            let line = |it: &OwnClause| format!("{} {:?}", it.place.clause, it.place.line);
            let lines = clauses.map(line).collect::<Vec<_>>().join("\n");
            let hash = hash([text.as_bytes(), lines.as_bytes()]);
            (module.name.to_string(), hash)
        });
        Self {
            tool: tool.to_owned(),
            otp,
            modules: modules.collect(),
        }
    }
}
