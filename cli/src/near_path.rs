//! Paths as users see them.

use std::env;
use std::path::Path;
use std::sync::LazyLock;

/// The current folder, which never changes.
static HERE: LazyLock<Option<String>> =
    LazyLock::new(|| Some(env::current_dir().ok()?.to_str()?.to_owned()));

/// A path, relative to the current folder if it is inside. A beam has the absolute path of its
/// source, but reports should be the same everywhere.
pub(crate) fn near(path: String) -> String {
    match HERE.as_deref().and_then(|here| below(here, &path)) {
        Some(relative) => relative,
        None => path,
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
    fn only_paths_inside_the_folder_are_shortened() {
        let short = |path| below("/projects/shop", path);
        assert_eq!(
            short("/projects/shop/src/shop.erl").as_deref(),
            Some("src/shop.erl")
        );
        assert_eq!(short("/projects/shopping/src/shop.erl"), None);
        assert_eq!(short("/projects/shop"), None);
        assert_eq!(short("src/shop.erl"), None);
        assert_eq!(short(""), None);
    }
}
