//! Paths as users see them.

use std::env;
use std::sync::LazyLock;

use reports::CurrentFolder;

/// The current folder, which never changes.
static HERE: LazyLock<CurrentFolder> = LazyLock::new(|| {
    let folder = env::current_dir().ok();
    CurrentFolder::new(folder.and_then(|it| Some(it.to_str()?.to_owned())))
});

/// The current folder.
pub(crate) fn current_folder() -> CurrentFolder {
    HERE.clone()
}

/// A path, relative to the current folder if it is inside.
pub(crate) fn near(path: String) -> String {
    HERE.near(path)
}
