//! Models of OTP modules: simpler forms that are followed instead.

use models::{FOLLOWED_MODULES, Form};

/// The models (`erlang-support/models`), as Core Erlang.
const MODELS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/library_models.rs"));

/// The model of an OTP module, if there is one.
pub(crate) fn model(module: &str) -> Option<&'static str> {
    let mut models = MODELS.iter();
    models.find_map(|(name, text)| (*name == module).then_some(*text))
}

/// The followed OTP modules that have no model.
pub(crate) fn followed_without_model() -> impl Iterator<Item = &'static str> {
    let originals = FOLLOWED_MODULES.iter();
    let originals = originals.filter(|module| module.form == Form::Original);
    originals.map(|module| module.name)
}

#[cfg(test)]
mod tests {
    use models::MODELLED_ELIXIR_MODULES;

    use super::*;

    #[test]
    fn each_model_in_erlang_is_in_the_table() {
        let mut models: Vec<&str> = MODELS.iter().map(|(name, _)| *name).collect();
        models.sort_unstable();
        let known = FOLLOWED_MODULES.iter();
        let known = known.filter(|module| module.form == Form::ErlangModel);
        let known = known.map(|module| module.name.to_owned());
        let elixir = MODELLED_ELIXIR_MODULES.iter();
        let elixir = elixir.map(|name| format!("Elixir.{name}"));
        let known: Vec<String> = elixir.chain(known).collect();
        assert_eq!(models, known);
    }
}
