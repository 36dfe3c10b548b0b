//! The manifest of a build: its modules, and where their sites are.

use std::fmt::Write;

use flattener::flat::{Module, Operation};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::numbering::Wire;
use crate::program::Program;

/// The version of log and manifest. Readers must refuse other versions.
pub const VERSION: u32 = 1;

/// The contents of a build.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Manifest {
    /// [`VERSION`].
    pub version: u32,
    /// The version of the tool that made it.
    pub tool: String,
    /// The release of OTP that compiled it.
    pub otp: String,
    /// Which events its programs log.
    pub wire: Wire,
    /// A hash of all its code; the same as in logs of its runs.
    pub hash: String,
    /// The modules, in the order of their numbers.
    pub modules: Vec<ManifestModule>,
}

/// A module of a build.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct ManifestModule {
    /// Its name in the program.
    pub name: String,
    /// The name under which its instrumented code is loaded.
    pub loaded_as: String,
    /// The name of its files in the build, without their endings.
    pub file: String,
    /// Where it came from; `None` for modules of OTP.
    pub source: Option<ManifestSource>,
    /// A hash of all that its instrumented code depends on.
    pub key: String,
    /// Its sites, by number.
    pub sites: Vec<Site>,
}

/// Where a module came from.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct ManifestSource {
    /// The file.
    pub path: String,
    /// The files it was compiled from, itself first, with hashes of their contents.
    pub files: Vec<(String, String)>,
    /// A hash of the options it was compiled with.
    pub options: String,
}

/// A site.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Site {
    /// The function it is in, as `f/1`.
    pub function: String,
    /// What it does.
    pub kind: SiteKind,
    /// The line in the source; 0 if unknown.
    pub line: u32,
    /// The column; 0 if unknown.
    pub column: u32,
}

/// What a site does.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SiteKind {
    /// Binds values.
    Bind,
    /// Calls something.
    Call,
    /// Makes a map or a bit string.
    Make,
    /// Makes a fun.
    Fun,
    /// Chooses a clause.
    Case,
    /// Defines local functions.
    Letrec,
    /// Catches exceptions.
    Try,
    /// Receives a message.
    Receive,
}

impl Manifest {
    /// The sites of a module.
    pub fn sites(module: &Module) -> Vec<Site> {
        let mut sites: Vec<_> = module
            .functions
            .iter()
            .flat_map(|function| {
                let statements = function.blocks.iter().flat_map(|block| &block.statements);
                statements.map(|statement| {
                    let (line, column) = statement.annotations.position().unwrap_or_default();
                    let site = Site {
                        function: format!("{}/{}", function.id.name, function.id.arity),
                        kind: kind(&statement.operation),
                        line,
                        column,
                    };
                    (statement.site, site)
                })
            })
            .collect();
        sites.sort_by_key(|(number, _)| *number);
        sites.into_iter().map(|(_, site)| site).collect()
    }
}

fn kind(operation: &Operation) -> SiteKind {
    match operation {
        Operation::Values(_) => SiteKind::Bind,
        Operation::Apply { .. } | Operation::Call { .. } | Operation::Primop { .. } => {
            SiteKind::Call
        }
        Operation::Map { .. } | Operation::Binary(_) => SiteKind::Make,
        Operation::Fun(_) => SiteKind::Fun,
        Operation::Case { .. } => SiteKind::Case,
        Operation::Letrec { .. } => SiteKind::Letrec,
        Operation::Try { .. } | Operation::Catch(_) => SiteKind::Try,
        Operation::Receive { .. } => SiteKind::Receive,
    }
}

/// The interface between the modules of a program: their names, numbers and exports.
pub fn interface(program: &Program) -> String {
    let mut text = String::new();
    for module in program.modules() {
        // Writing to a string cannot fail.
        let _ = write!(text, "{} {}:", module.name, module.loaded_as);
        for export in &module.flat.exports {
            let index = module.index(export).unwrap_or_default();
            let _ = write!(text, " {export} {index}");
        }
        text.push('\n');
    }
    text
}

/// A hash of some texts, as hexadecimal digits.
pub fn hash<'text>(texts: impl IntoIterator<Item = &'text [u8]>) -> String {
    let mut hasher = Sha256::new();
    for text in texts {
        // With its length, so that no two sequences of texts look the same.
        hasher.update(text.len().to_be_bytes());
        hasher.update(text);
    }
    hasher
        .finalize()
        .iter()
        .fold(String::new(), |mut digits, byte| {
            let _ = write!(digits, "{byte:02x}");
            digits
        })
}
