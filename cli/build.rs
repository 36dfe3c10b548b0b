//! Compiles the Erlang side and embeds its beams, so that users install one file.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn main() {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let runtime = Path::new("../erlang-support/apps/erlconcolic_rt");
    println!("cargo:rerun-if-changed={}", runtime.display());
    let sources = erlang_files(&runtime.join("src"));
    compile(&sources, &out);
    write_table(&sources, &out);
    fs::copy(
        runtime.join("priv/bootstrap.expr"),
        out.join("bootstrap.expr"),
    )
    .expect("the bootstrap expression can be copied");
}

fn erlang_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the sources of the runtime are there");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "erl"))
        .collect();
    files.sort();
    files
}

fn compile(sources: &[PathBuf], out: &Path) {
    let status = Command::new("erlc")
        .args(["+debug_info", "+deterministic", "-Werror", "-o"])
        .arg(out)
        .args(sources)
        .status()
        .expect("erlc is on the PATH (`make setup` installs it)");
    assert!(status.success(), "the Erlang side compiles");
}

/// `[("erlconcolic_channel", include_bytes!("…")), …]`.
fn write_table(sources: &[PathBuf], out: &Path) {
    let mut table = String::from("[\n");
    for source in sources {
        let module = source
            .file_stem()
            .expect("a source has a name")
            .to_string_lossy();
        let beam = out.join(format!("{module}.beam"));
        writeln!(table, "({module:?}, include_bytes!({beam:?}).as_slice()),")
            .expect("writing to a string cannot fail");
    }
    table.push(']');
    fs::write(out.join("runtime_beams.rs"), table).expect("the output folder can be written");
}
