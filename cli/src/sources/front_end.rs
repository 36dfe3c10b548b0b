//! From source files to syntax trees and flat form.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::Instant;

use diagnostic::{Diagnostic, Level};
use erlang_term::Term;
use flattener::flat::is_elixir_module;
use flattener::{Detail, parse_module, print_module};
use rayon::prelude::*;
use trace_format::manifest::hash;

use super::broken_source::BrokenSource;
use super::cache::Cache;
use super::compiler_errors::{compiler_diagnostic, compiler_failure};
use super::core_text::{
    CoreText, compiled_text, is_core, loaded, loaded_or_broken, path_term, to_core,
};
use super::loaded_module::parse;
use crate::arguments::CompilationOptions;
use crate::beam::worker::{WORKER_BYTES, rehearsal};
use crate::beam::{BeamError, Effort, Helper, Message, Standby, parse_messages};
use crate::failure::Failure;
use crate::files::plain_file;

pub use super::loaded_module::Loaded;

/// Loads modules. The helper BEAM is started only when a file needs it.
#[derive(Debug)]
pub struct FrontEnd {
    settings: Settings,
    helper: OnceLock<Arc<Helper>>,
    standby: Arc<Standby>,
    cache: Cache,
    /// Identifies the compiler of the helper.
    compiler: OnceLock<String>,
    /// Replaces a helper that died.
    spare: OnceLock<Arc<Helper>>,
    /// When all work must be done.
    deadline: Option<Instant>,
    warnings: Mutex<Vec<Diagnostic>>,
}

/// The file of a module of OTP or of Elixir.
#[derive(Clone, Debug)]
pub(crate) struct LibraryBeam {
    pub(crate) path: PathBuf,
    /// The types for which a protocol is implemented. Its code depends on them.
    pub(crate) implementations: String,
}

/// Which code a command will run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Runs {
    /// Instrumented code, or original code.
    OnOneBeam,
    /// Instrumented code, and crashes again on the original code.
    OnTwoBeams,
}

/// How modules are compiled.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Folders of included files.
    pub includes: Vec<PathBuf>,
    /// Macros, with their values as text.
    pub defines: Vec<(String, Option<String>)>,
    /// Folders of compiled modules.
    pub code_paths: Vec<PathBuf>,
}

impl FrontEnd {
    /// A front end for the options of a command.
    ///
    /// # Errors
    /// When a macro has no name, or the name of a folder is not UTF-8.
    pub(crate) fn new(options: &CompilationOptions) -> Result<Self, Failure> {
        let defines = options
            .defines
            .iter()
            .map(|text| parse_define(text))
            .collect::<Result<_, _>>()?;
        reject_unreadable_names(&options.includes)?;
        reject_unreadable_names(&options.code_paths)?;
        Ok(Self::with_settings(Settings {
            includes: options.includes.clone(),
            defines,
            code_paths: options.code_paths.clone(),
        }))
    }

    /// A front end with these settings.
    pub fn with_settings(settings: Settings) -> Self {
        Self {
            settings,
            helper: OnceLock::new(),
            standby: Arc::default(),
            cache: Cache::of_user(),
            compiler: OnceLock::new(),
            spare: OnceLock::new(),
            deadline: None,
            warnings: Mutex::default(),
        }
    }

    /// The same for a command that must end at this time.
    pub(crate) fn until(mut self, deadline: Instant) -> Self {
        self.deadline = Some(deadline);
        self
    }

    fn start_helper(&self) -> Result<Arc<Helper>, BeamError> {
        let helper = Helper::start()?;
        if let Some(deadline) = self.deadline {
            helper.give_up_at(deadline);
        }
        Ok(Arc::new(helper))
    }

    /// Reads modules, in parallel; the result is in the order of the files.
    ///
    /// # Errors
    /// When a file cannot be read, compiled or parsed, or two have the same module. All errors are
    /// reported, not only the first.
    pub fn load(&self, paths: &[PathBuf]) -> Result<Vec<Loaded>, Failure> {
        let texts = self.core_texts(paths)?;
        loaded(paths, texts)
    }

    /// The same, without the sources that do not compile.
    ///
    /// # Errors
    /// When a file cannot be read, or two have the same module.
    pub(crate) fn load_what_compiles(
        &self,
        paths: &[PathBuf],
    ) -> Result<(Vec<Loaded>, Vec<BrokenSource>), Failure> {
        let texts = self.core_texts(paths)?;
        loaded_or_broken(paths, texts)
    }

    /// The same for modules that will be compiled: meanwhile, the whole compiler is loaded.
    ///
    /// # Errors
    /// As above.
    pub(crate) fn load_to_compile(&self, paths: &[PathBuf]) -> Result<Vec<Loaded>, Failure> {
        let texts = self.core_texts(paths)?;
        if !paths.is_empty() {
            drop(self.helper()?.submit(Term::atom("load_compiler")));
        }
        loaded(paths, texts)
    }

    /// Reads compiled modules of OTP.
    ///
    /// # Errors
    /// When one has no debug information.
    pub(crate) fn load_library(&self, beams: &[LibraryBeam]) -> Result<Vec<Loaded>, Failure> {
        let load = |beam: &LibraryBeam| {
            let path = &beam.path;
            let bytes = fs::read(path).map_err(|error| Failure::io("read", path, &error))?;
            let command = format!("to_core {}", beam.implementations);
            let key = self.key(&command, &bytes)?;
            if let Some(text) = self.cache.get(&key)
                && let Ok(text) = String::from_utf8(text)
            {
                return parse(path, text);
            }
            let text = compiled_text(self.helper()?.call(to_core(path))?)?;
            self.cache.put(&key, text.as_bytes());
            parse(path, text)
        };
        beams.par_iter().map(load).collect()
    }

    /// Compiles the text of a Core Erlang module.
    ///
    /// # Errors
    /// When there is no Erlang.
    pub(crate) fn compile_core(
        &self,
        text: &str,
        effort: Effort,
    ) -> Result<Result<Vec<u8>, Vec<Message>>, BeamError> {
        let key = self.key(effort.name(), text.as_bytes())?;
        if let Some(code) = self.cache.get(&key) {
            return Ok(Ok(code));
        }
        let compiled = self.compile_by_helper(text, effort)?;
        if let Ok(code) = &compiled {
            self.cache.put(&key, code);
        }
        Ok(compiled)
    }

    /// Compiles a loaded module without instrumentation.
    ///
    /// # Errors
    /// When there is no Erlang, or the text is not Core Erlang.
    pub(crate) fn compile_original(&self, path: &Path, text: &str) -> Result<Vec<u8>, Failure> {
        let key = self.key("original", text.as_bytes())?;
        if let Some(code) = self.cache.get(&key) {
            return Ok(code);
        }
        let code = match self.code_of_loaded(text) {
            Some(code) => code,
            None => {
                let name = path.display().to_string();
                let module = parse_module(text).map_err(|error| error.diagnostic(&name, text))?;
                let text = print_module(&module, Detail::Code);
                let compiled = self.compile_by_helper(&text, Effort::Usual)?;
                compiled.map_err(|messages| BeamError::refused(&name, messages))?
            }
        };
        self.cache.put(&key, &code);
        Ok(code)
    }

    /// Compiles a loaded module without instrumentation, in which some modules have other names:
    /// `[{Name, Alias, Exports}]`.
    ///
    /// # Errors
    /// As above.
    pub(crate) fn compile_renamed(
        &self,
        path: &Path,
        text: &str,
        renamings: &Term,
    ) -> Result<Vec<u8>, Failure> {
        let name = path.display().to_string();
        let module = parse_module(text).map_err(|error| error.diagnostic(&name, text))?;
        let text = print_module(&module, Detail::Code);
        let command = Term::Tuple(vec![
            Term::atom("rename"),
            Term::binary(text.as_bytes()),
            renamings.clone(),
        ]);
        let compiled = self.helper()?.call(command)?;
        let answer = compiled.map_err(|messages| BeamError::refused(&name, messages))?;
        match answer.get("beam").and_then(Term::as_binary) {
            Some(beam) => Ok(beam.to_vec()),
            None => Err(BeamError::BadAnswer(answer.to_string()).into()),
        }
    }

    /// The code of a module, if the helper still has the module of this text.
    fn code_of_loaded(&self, text: &str) -> Option<Vec<u8>> {
        let command = vec![Term::atom("to_code"), Term::binary(text.as_bytes())];
        let command = Term::Tuple(command);
        let answer = self.helper.get()?.call(command).ok()?.ok()?;
        Some(answer.get("beam")?.as_binary()?.to_vec())
    }

    /// A helper that died is replaced once: the last module may be compiled an hour after the first,
    /// to confirm findings.
    fn compile_by_helper(
        &self,
        text: &str,
        effort: Effort,
    ) -> Result<Result<Vec<u8>, Vec<Message>>, BeamError> {
        if self.spare.get().is_none() {
            match self.helper()?.compile_core(text, effort) {
                Err(BeamError::Died) => {
                    let spare = self.start_helper()?;
                    self.spare.get_or_init(|| spare);
                }
                compiled => return compiled,
            }
        }
        let spare = self.spare.get().ok_or(BeamError::Died)?;
        spare.compile_core(text, effort)
    }

    /// A hash of a request to the compiler, and of the compiler itself.
    fn key(&self, command: &str, text: &[u8]) -> Result<String, BeamError> {
        let compiler = match self.compiler.get() {
            Some(compiler) => compiler,
            None => {
                let compiler = self.helper()?.compiler()?;
                self.compiler.get_or_init(|| compiler)
            }
        };
        Ok(hash([compiler.as_bytes(), command.as_bytes(), text]))
    }

    /// Requests the text of each file, without waiting for answers.
    fn core_texts(&self, paths: &[PathBuf]) -> Result<Vec<CoreText>, Failure> {
        reject_unreadable_names(paths)?;
        reject_unreadable_files(paths)?;
        if paths.iter().all(|path| is_core(path)) {
            return Ok(paths.iter().map(|_| CoreText::File).collect());
        }
        let helper = self.helper()?;
        self.configure(&helper, paths)?;
        let text_of = |path: &PathBuf| {
            if is_core(path) {
                return CoreText::File;
            }
            CoreText::Compiled(helper.submit(to_core(path)))
        };
        Ok(paths.iter().map(text_of).collect())
    }

    /// The helper BEAM, started when first needed.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn helper(&self) -> Result<Arc<Helper>, BeamError> {
        if let Some(helper) = self.helper.get() {
            return Ok(Arc::clone(helper));
        }
        let helper = self.start_helper()?;
        Ok(Arc::clone(self.helper.get_or_init(|| helper)))
    }

    /// Starts the helper, and BEAMs that will run inputs: one at once, and one more when the helper is
    /// up and leaves a core for it. Errors are ignored: they show up again when the BEAMs are
    /// needed.
    pub(crate) fn get_ready(&self, runs: Runs) {
        let Ok(helper) = self.helper() else {
            return;
        };
        // A first run loads the code that runs need.
        let rehearsal = [self.configuration(&[]), rehearsal()];
        self.standby.start_one(WORKER_BYTES, rehearsal.clone());
        if runs == Runs::OnTwoBeams {
            let standby = Arc::clone(&self.standby);
            let up = helper.submit(Term::atom("ping"));
            thread::spawn(move || {
                if up.wait().is_ok() {
                    standby.start_one(WORKER_BYTES, rehearsal);
                }
            });
        }
    }

    /// The release of Erlang/OTP that runs.
    pub(crate) fn otp_release(&self) -> Result<String, Failure> {
        let answer = self.helper()?.call(Term::atom("ping"))?;
        let release = answer
            .ok()
            .and_then(|answer| Some(answer.get("otp_release")?.as_binary()?.to_vec()));
        Ok(String::from_utf8_lossy(&release.unwrap_or_default()).into_owned())
    }

    /// BEAMs for workers.
    pub(crate) fn standby(&self) -> Arc<Standby> {
        Arc::clone(&self.standby)
    }

    /// The command that tells a BEAM how to compile these files, and where to find compiled modules
    /// that they need.
    pub fn configuration(&self, paths: &[PathBuf]) -> Term {
        let list = |paths: &[PathBuf]| Term::list(paths.iter().map(|path| path_term(path)));
        let define = |(name, value): &(String, Option<String>)| {
            let value = match value {
                Some(text) => Term::binary(text.as_bytes()),
                None => Term::atom("true"),
            };
            Term::Tuple(vec![Term::binary(name.as_bytes()), value])
        };
        let request = Term::Map(vec![
            (Term::atom("sources"), list(paths)),
            (Term::atom("includes"), list(&self.settings.includes)),
            (
                Term::atom("defines"),
                Term::list(self.settings.defines.iter().map(define)),
            ),
            (Term::atom("code_paths"), list(&self.settings.code_paths)),
        ]);
        Term::Tuple(vec![Term::atom("configure"), request])
    }

    /// Lets the helper find what modules of Elixir need, if some of these files are such.
    pub(crate) fn find_elixir(&self, paths: &[PathBuf]) -> Result<(), Failure> {
        let is_elixir = |path: &PathBuf| {
            let name = path.file_name().and_then(OsStr::to_str);
            name.is_some_and(is_elixir_module)
        };
        if paths.iter().any(is_elixir) {
            self.configure(&*self.helper()?, paths)?;
        }
        Ok(())
    }

    fn configure(&self, helper: &Helper, paths: &[PathBuf]) -> Result<(), Failure> {
        match helper.call(self.configuration(paths))? {
            Ok(warnings) => {
                let messages = parse_messages(&warnings).unwrap_or_default();
                let warnings = messages.iter().map(|message| Diagnostic {
                    level: Level::Warning,
                    ..compiler_diagnostic(message, None)
                });
                self.warnings
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .extend(warnings);
                Ok(())
            }
            Err(messages) => Err(compiler_failure(&messages)),
        }
    }

    /// The warnings about the modules loaded so far, such as a `rebar.config` that cannot be read.
    /// Each is returned once.
    pub fn take_warnings(&self) -> Vec<Diagnostic> {
        let mut warnings = self.warnings.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut warnings)
    }
}

impl Drop for FrontEnd {
    fn drop(&mut self) {
        self.standby.close();
    }
}

/// File names are sent to the helper as UTF-8, and are text in build folders.
fn reject_unreadable_names(paths: &[PathBuf]) -> Result<(), Failure> {
    match paths.iter().find(|path| path.to_str().is_none()) {
        None => Ok(()),
        Some(path) => Err(Diagnostic::error(
            "encoding",
            format!("the name of {} is not UTF-8", path.display()),
        )
        .help("rename the file or folder")
        .into()),
    }
}

/// The compiler would use other words, and does not report some of these errors.
fn reject_unreadable_files(paths: &[PathBuf]) -> Result<(), Failure> {
    let read = |path: &PathBuf| {
        let error = plain_file::check_readable(path).err()?;
        Some(Failure::io("read", path, &error).0)
    };
    let diagnostics: Vec<Diagnostic> = paths.iter().filter_map(read).flatten().collect();
    if diagnostics.is_empty() {
        Ok(())
    } else {
        Err(Failure(diagnostics))
    }
}

fn parse_define(text: &str) -> Result<(String, Option<String>), Failure> {
    let (name, value) = match text.split_once('=') {
        Some((name, value)) => (name, Some(value.to_owned())),
        None => (text, None),
    };
    if name.is_empty() {
        return Err(Diagnostic::error(
            "bad-define",
            format!("--define {text}: the name is missing"),
        )
        .help("write --define NAME or --define NAME=VALUE")
        .into());
    }
    Ok((name.to_owned(), value))
}
