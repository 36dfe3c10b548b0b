//! The code is in an order that readers can rely on.
//!
//! The files are read line by line, which is enough for code that `cargo fmt` has laid out.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::slice;

use end_to_end::erlang::package_path;

/// The names of a path.
type Names = Vec<String>;

/// What a file says outside of its tests.
#[derive(Default)]
struct Code {
    /// The names that it imports and their paths; those with `true` are offered to others.
    uses: Vec<(String, Names, bool)>,
    /// Other paths in its code.
    paths: Vec<Names>,
    /// The names of types and traits that it defines.
    types: Vec<String>,
}

impl Code {
    fn read(text: &str) -> Self {
        let mut code = Self::default();
        let before_tests = text.split("#[cfg(test)]\nmod tests {").next();
        let mut lines = before_tests.into_iter().flat_map(str::lines);
        while let Some(line) = lines.next() {
            let line = line.split("//").next().unwrap_or_default();
            let is_public = line.trim_start().starts_with("pub");
            let item = match line.trim_start().strip_prefix("pub(") {
                Some(rest) => rest.split_once(") ").map_or("", |(_, item)| item),
                None => line.trim_start().trim_start_matches("pub "),
            };
            if let Some(start) = item.strip_prefix("use ") {
                let mut tree = start.to_owned();
                while !tree.ends_with(';') {
                    tree.push_str(lines.next().expect("`use` ends").trim());
                }
                code.read_use("", tree.trim_end_matches(';'), is_public);
                continue;
            }
            let mut words = item.split(|letter: char| !letter.is_alphanumeric());
            let is_type = matches!(words.next(), Some("struct" | "enum" | "trait" | "type"));
            let is_outside = !line.starts_with(' ');
            code.types.extend(
                words
                    .next()
                    .filter(|_| is_type && is_outside)
                    .map(str::to_owned),
            );
            let is_sign = |letter: char| !letter.is_alphanumeric() && !"_:".contains(letter);
            let paths = line.split(is_sign).map(|path| path.trim_end_matches(':'));
            code.paths
                .extend(paths.filter(|path| path.contains("::")).map(names));
        }
        code
    }

    /// Reads what is imported below a path.
    fn read_use(&mut self, above: &str, tree: &str, is_public: bool) {
        if let Some((path, parts)) = tree.split_once('{') {
            let mut depth = 0;
            let parts = parts.strip_suffix('}').expect("the brace is closed");
            for part in parts.split(|sign| {
                depth += i32::from(sign == '{') - i32::from(sign == '}');
                sign == ',' && depth == 0
            }) {
                self.read_use(&format!("{above}{path}"), part.trim(), is_public);
            }
        } else if !tree.is_empty() {
            let (path, name) = tree.split_once(" as ").unwrap_or((tree, ""));
            let path = names(&format!("{above}{path}"));
            let last = path.iter().rfind(|name| *name != "self");
            let name = last
                .filter(|_| name.is_empty())
                .map_or(name, String::as_str);
            self.uses.push((name.to_owned(), path, is_public));
        }
    }
}

fn names(path: &str) -> Names {
    path.split("::").map(str::to_owned).collect()
}

/// The files of a crate by the paths of their modules; that of `lib.rs` is empty.
#[derive(Default)]
struct Files(BTreeMap<Names, Code>);

impl Files {
    fn add_folder(&mut self, folder: &Path, parent: &[String]) {
        for entry in fs::read_dir(folder).expect("the folder can be read") {
            let path = entry.expect("the folder can be read").path();
            let name = path.file_stem().and_then(|name| name.to_str());
            let name = name.expect("names are UTF-8").to_owned();
            let is_rust = path.extension().is_some_and(|it| it == "rs");
            match name.as_str() {
                "tests" | "main" => {}
                _ if path.is_dir() => self.add_folder(&path, &[parent, &[name]].concat()),
                _ if is_rust => {
                    let text = fs::read_to_string(&path).expect("code is UTF-8");
                    self.add([parent, &[name]].concat(), &text);
                }
                _ => {}
            }
        }
    }

    fn add(&mut self, mut module: Names, text: &str) {
        module.retain(|name| name != "lib");
        self.0.insert(module, Code::read(text));
    }

    /// The module whose file defines what a path means that is written in `module`; nothing if the
    /// path leads to another crate or to a whole module. There are no more re-exports than `hops`.
    fn origin(&self, module: &[String], path: &[String], hops: usize) -> Option<Names> {
        let mut place = module.to_vec();
        for (index, name) in path.iter().enumerate() {
            let rest = path.get(index + 1..)?;
            let child = [place.as_slice(), slice::from_ref(name)].concat();
            let is_child = self.0.contains_key(&child);
            let mut uses = self.0.get(&place)?.uses.iter();
            match (name.as_str(), uses.find(|(it, ..)| it == name)) {
                ("crate", _) => place.clear(),
                ("self", _) => {}
                ("super", _) => drop(place.pop()?),
                (_, Some((_, used, _))) if hops > 0 && (rest.is_empty() || !is_child) => {
                    return self.origin(&place, &[used, rest].concat(), hops - 1);
                }
                _ if is_child => place = child,
                _ => return (index > 0).then_some(place),
            }
        }
        None
    }

    /// The modules that a module imports something from. One that offers what is in the folder
    /// beside it does not import that.
    fn imports(&self, module: &[String], code: &Code) -> BTreeSet<Names> {
        let uses = code.uses.iter().map(|(_, path, offered)| (path, *offered));
        let paths = code.paths.iter().map(|path| (path, false));
        let origins = uses.chain(paths).filter_map(|(path, is_offered)| {
            let origin = self.origin(module, path, 9)?;
            let is_below = origin.starts_with(module);
            (origin != module && !(is_offered && is_below)).then_some(origin)
        });
        origins.collect()
    }

    /// The imports that are part of a circle.
    fn circles(&self) -> Vec<String> {
        let all = self.0.iter();
        let all = all.map(|(module, code)| (module, self.imports(module, code)));
        let all: BTreeMap<&Names, BTreeSet<Names>> = all.collect();
        let reaches = |start, end| {
            let mut reached = BTreeSet::from([start]);
            let mut open = vec![start];
            while let Some(module) = open.pop() {
                let imported = all.get(module).into_iter().flatten();
                open.extend(imported.filter(|it| reached.insert(*it)));
            }
            reached.contains(end)
        };
        let pairs = all
            .iter()
            .flat_map(|(it, imports)| imports.iter().map(move |to| (*it, to)));
        let circles = pairs.filter(|(importer, imported)| reaches(*imported, *importer));
        let shown = |(importer, imported): (&Names, &Names)| {
            format!("{} imports {}", importer.join("::"), imported.join("::"))
        };
        circles.map(shown).collect()
    }
}

/// The crates of the workspace by their folders.
fn crates() -> Vec<(String, Files)> {
    let manifest = fs::read_to_string(package_path("../Cargo.toml")).expect("it can be read");
    let (_, members) = manifest.split_once("members = [").expect("it has members");
    let (members, _) = members.split_once(']').expect("the list ends");
    let folders = members.split('"').skip(1).step_by(2);
    let read = |folder| {
        let mut files = Files::default();
        files.add_folder(&package_path("..").join(folder).join("src"), &[]);
        (String::from(folder), files)
    };
    folders.map(read).collect()
}

/// The names that occur more than once.
fn repeated<'names>(names: impl Iterator<Item = &'names String>) -> Vec<&'names String> {
    let mut seen = BTreeSet::new();
    names.filter(|name| !seen.insert(*name)).collect()
}

#[test]
fn no_files_of_a_crate_import_each_other_in_a_circle() {
    let circles: Vec<(String, Vec<String>)> = crates()
        .into_iter()
        .map(|(name, files)| (name, files.circles()))
        .filter(|(_, circles)| !circles.is_empty())
        .collect();
    assert!(circles.is_empty(), "{circles:#?}");
}

#[test]
fn a_circle_is_found_through_names_that_parents_offer() {
    let mut files = Files::default();
    files.add(
        names("lib"),
        "mod a;\nmod b;\npub use b::{Leaf, Other as Renamed};",
    );
    files.add(names("a"), "use crate::Renamed;\nstruct A;");
    files.add(
        names("b"),
        "mod leaf;\nmod other;\npub use self::{\n    leaf::Leaf,\n    other::Other,\n};",
    );
    files.add(
        names("b::leaf"),
        "//! crate::a::A\nstruct Leaf;\n#[cfg(test)]\nmod tests {\n    use crate::a::A;\n}",
    );
    files.add(names("b::other"), "struct Other(super::Leaf, crate::a::A);");
    assert_eq!(
        files.circles(),
        ["a imports b::other", "b::other imports a"]
    );
}

#[test]
fn a_type_name_means_one_thing_in_a_crate() {
    for (name, Files(files)) in crates() {
        let types = repeated(files.values().flat_map(|code| &code.types));
        assert!(types.is_empty(), "{name} has several types {types:?}");
        let names = repeated(files.keys().filter_map(|module| module.last()));
        assert!(names.is_empty(), "{name} has several files {names:?}");
    }
}

#[test]
fn the_readme_is_short() {
    let readme = fs::read_to_string(package_path("../README.md")).expect("it can be read");
    let count = readme.lines().count();
    assert!(count <= 130, "README.md has {count} lines");
}
