//! The user's modules without instrumentation, ready to run.

use std::path::PathBuf;

use erlang_term::{Atom, Term};
use flattener::flat;
use rayon::prelude::*;
use reports::OwnSources;

use crate::beam::Beam;
use crate::failure::Failure;
use crate::program::build_folder::BuildFolder;
use crate::program::renaming::{NamedModule, Renaming};
use crate::program::source_names::own_sources;
use crate::program::target::{original_code, sources_or_default};
use crate::sources::finding::{find_sources, is_build_folder};
use crate::sources::front_end::{FrontEnd, Loaded, Runs};
use crate::terminal::render;

/// Modules and their code.
#[derive(Debug)]
pub(crate) struct OriginalProgram {
    /// The modules in flat form.
    pub(crate) modules: Vec<flat::Module>,
    /// Their code.
    pub(crate) beams: Vec<Beam>,
    /// Those that are loaded under other names.
    pub(crate) renaming: Renaming,
    /// The command that tells where other code is.
    pub(crate) configuration: Term,
    /// The sources of the modules.
    pub(crate) own_sources: OwnSources,
    /// The modules and their files.
    pub(crate) files: Vec<(Atom, PathBuf)>,
}

impl OriginalProgram {
    /// Reads sources or a build folder; without any, those of the current folder.
    pub(crate) fn prepare(sources: &[PathBuf], front_end: &FrontEnd) -> Result<Self, Failure> {
        let sources = sources_or_default(sources)?;
        match sources.as_slice() {
            [folder] if is_build_folder(folder) => {
                front_end.get_ready(Runs::OnOneBeam);
                Self::from_build(&BuildFolder::open(folder)?, front_end)
            }
            paths => {
                let sources = find_sources(paths)?;
                front_end.get_ready(Runs::OnOneBeam);
                Self::from_sources(&sources, front_end)
            }
        }
    }

    fn from_build(build: &BuildFolder, front_end: &FrontEnd) -> Result<Self, Failure> {
        build.check_sources()?;
        let own = build.manifest.modules.iter();
        let own = own.filter(|module| module.source.is_some());
        let names = own.clone().map(|module| {
            let names = [&module.name, &module.loaded_as].map(Atom::new);
            names.into()
        });
        let renaming = Renaming::of_build(names);
        let (mut modules, mut beams) = (Vec::new(), Vec::new());
        for module in own {
            let flat = build.flat(&module.file)?;
            beams.push(Beam {
                name: renaming.loaded_as(&flat.name).clone(),
                code: build.original(&module.file)?,
            });
            modules.push(flat);
        }
        let names = modules.iter().map(|it: &flat::Module| it.name.clone());
        let files: Vec<(Atom, PathBuf)> = names.zip(build.sources()).collect();
        Ok(Self {
            own_sources: own_sources(files.iter().cloned(), &modules),
            files,
            modules,
            beams,
            renaming,
            configuration: front_end.configuration(&build.sources()),
        })
    }

    fn from_sources(sources: &[PathBuf], front_end: &FrontEnd) -> Result<Self, Failure> {
        let loaded = front_end.load(sources);
        render::show(&front_end.take_warnings());
        let loaded = loaded?;
        let own = loaded.iter().map(|it| NamedModule::from(&it.module));
        let renaming = Renaming::find(&*front_end.helper()?, own)?;
        let compile = |module: &Loaded| {
            let code = original_code(front_end, &module.path, &module.text, &renaming)?;
            let name = renaming.loaded_as(&module.module.name).clone();
            Ok(Beam { name, code })
        };
        let beams: Result<Vec<Beam>, Failure> = loaded.par_iter().map(compile).collect();
        let paths = loaded
            .iter()
            .map(|it| (it.module.name.clone(), it.path.clone()));
        let paths: Vec<(Atom, PathBuf)> = paths.collect();
        let modules = loaded.into_iter().map(Loaded::flatten);
        let modules: Vec<flat::Module> = modules.collect::<Result<_, _>>()?;
        Ok(Self {
            own_sources: own_sources(paths.iter().cloned(), &modules),
            files: paths,
            modules,
            beams: beams?,
            renaming,
            configuration: front_end.configuration(sources),
        })
    }
}
