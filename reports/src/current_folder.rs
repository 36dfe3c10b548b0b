//! Paths as reports show them.

use std::path::Path;

/// The folder in which the tool was started, if its name is known.
#[derive(Clone, Debug, Default)]
pub struct CurrentFolder(Option<String>);

impl CurrentFolder {
    /// The folder with this path.
    pub fn new(path: Option<String>) -> Self {
        Self(path)
    }

    /// A path relative to this folder if it is below. A beam knows its source by an absolute
    /// path, but a report should be the same everywhere.
    pub fn near(&self, path: String) -> String {
        let relative = self.0.as_deref().and_then(|folder| below(folder, &path));
        relative.unwrap_or(path)
    }
}

fn below(folder: &str, path: &str) -> Option<String> {
    let rest = Path::new(path).strip_prefix(folder).ok()?.to_str()?;
    (!rest.is_empty()).then(|| rest.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_below_the_folder_are_shortened() {
        let folder = CurrentFolder::new(Some("/projects/shop".to_owned()));
        let near = |path: &str| folder.near(path.to_owned());
        assert_eq!(near("/projects/shop/src/shop.erl"), "src/shop.erl");
        for path in [
            "/projects/shopping/src/shop.erl",
            "/projects/shop",
            "src/shop.erl",
            "",
        ] {
            assert_eq!(near(path), path);
        }
    }
}
