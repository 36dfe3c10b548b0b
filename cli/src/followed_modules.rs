//! The modules of OTP that are followed by default.

use models::{FOLLOWED_MODULES, Form};

/// Modules that are followed in a simpler form (`erlang-support/models`), as Core Erlang.
const MODELS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/library_models.rs"));

/// The simpler form of a module of OTP, if there is one.
pub(crate) fn model(module: &str) -> Option<&'static str> {
    let mut models = MODELS.iter();
    models.find_map(|(name, text)| (*name == module).then_some(*text))
}

/// The modules that are followed by way of the code that Erlang comes with.
pub(crate) fn followed_as_they_are() -> impl Iterator<Item = &'static str> {
    let originals = FOLLOWED_MODULES.iter();
    let originals = originals.filter(|module| module.form == Form::Original);
    originals.map(|module| module.name)
}

/// Whether calls into a module of OTP are followed.
pub(crate) fn is_followed(module: &str) -> bool {
    FOLLOWED_MODULES.iter().any(|known| known.name == module)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_model_in_erlang_is_in_the_table() {
        let mut models: Vec<&str> = MODELS.iter().map(|(name, _)| *name).collect();
        models.sort_unstable();
        let known = FOLLOWED_MODULES.iter();
        let known = known.filter(|module| module.form == Form::ErlangModel);
        let known: Vec<&str> = known.map(|module| module.name).collect();
        assert_eq!(models, known);
    }
}
