//! Models of library modules: modules of OTP that are followed in a simpler form.

use instrumenter::linking::followed_modules;

/// The models (`erlang-support/models`), as Core Erlang.
const MODELS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/library_models.rs"));

/// The model of a module of OTP, if there is one.
pub(crate) fn model(module: &str) -> Option<&'static str> {
    let mut models = MODELS.iter();
    models.find_map(|(name, text)| (*name == module).then_some(*text))
}

/// The followed modules of OTP that have no model.
pub(crate) fn followed_without_model() -> impl Iterator<Item = &'static str> {
    followed_modules().filter(|name| model(name).is_none())
}
