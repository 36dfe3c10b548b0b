//! Compiles the Erlang side and embeds it, so that users install one file: the runtime as beams,
//! and models of library modules as Core Erlang.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn main() {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let runtime = Path::new("../erlang-support/apps/erlconcolic_rt");
    println!("cargo:rerun-if-changed={}", runtime.display());
    let machine = runtime.join("src/machine");
    let sources = erlang_files(&runtime.join("src")).into_iter();
    let (players, sources): (Vec<PathBuf>, Vec<PathBuf>) =
        sources.partition(|path| path.starts_with(&machine));
    // What plays machines is followed like programs; some of it also plays the real ones.
    compile(&players, &["+to_core"], &out);
    let core = out.join("machine_players.rs");
    write_table(&players, "core", "include_str", &core);
    compile(&players, &["+deterministic"], &out);
    let beams = out.join("machine_beams.rs");
    write_table(&players, "beam", "include_bytes", &beams);
    compile(&sources, &["+debug_info", "+deterministic"], &out);
    // Only nodes of a cluster need these.
    let cluster = runtime.join("src/cluster");
    let (cluster, sources): (Vec<PathBuf>, Vec<PathBuf>) = sources
        .into_iter()
        .partition(|path| path.starts_with(&cluster));
    for (sources, table) in [(sources, "runtime_beams.rs"), (cluster, "cluster_beams.rs")] {
        write_table(&sources, "beam", "include_bytes", &out.join(table));
    }
    let models = Path::new("../erlang-support/models");
    println!("cargo:rerun-if-changed={}", models.display());
    let models = erlang_files(models);
    compile(&models, &["+to_core"], &out);
    write_table(
        &models,
        "core",
        "include_str",
        &out.join("library_models.rs"),
    );
    fs::copy(
        runtime.join("priv/bootstrap.expr"),
        out.join("bootstrap.expr"),
    )
    .expect("the bootstrap expression can be copied");
}

/// The Erlang sources of a folder and the folders in it, in the order of their paths.
fn erlang_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder of Erlang sources can be read");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("the folder can be read").path())
        .flat_map(|path| {
            if path.is_dir() {
                erlang_files(&path)
            } else {
                vec![path]
            }
        })
        .filter(|path| path.extension().is_some_and(|extension| extension == "erl"))
        .collect();
    files.sort();
    files
}

fn compile(sources: &[PathBuf], options: &[&str], out: &Path) {
    let status = Command::new("erlc")
        .args(options)
        .args(["-Werror", "-o"])
        .arg(out)
        .args(sources)
        .status()
        .expect("erlc is on the PATH (`make setup` installs it)");
    assert!(status.success(), "the Erlang side compiles");
}

/// `&[("erlconcolic_channel", include_bytes!("…")), …]`.
fn write_table(sources: &[PathBuf], extension: &str, include: &str, table: &Path) {
    let mut text = String::from("&[\n");
    for source in sources {
        let module = source
            .file_stem()
            .expect("a source has a name")
            .to_string_lossy();
        let made = table.with_file_name(format!("{module}.{extension}"));
        writeln!(text, "({module:?}, {include}!({made:?})),")
            .expect("writing to a string cannot fail");
    }
    text.push(']');
    fs::write(table, text).expect("the output folder can be written");
}
