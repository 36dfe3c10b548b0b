//! Aliases: references to which messages can be sent as long as they are active.

use solver::graph::NodeId;

use super::arguments_of_calls::elements_of_list;
use super::known_calls::KnownCall;
use super::objects::Shared;
use super::run_state::RunState;
use super::shared_access::{Access, Object};
use super::together::{AliasEnd, KnownAlias};

/// `alias` returned. Messages to an alias that other options end are not understood.
pub(super) fn aliased(run: &mut RunState<'_>, call: &KnownCall, reference: NodeId) {
    let options = call.arguments.first().copied().unwrap_or(NodeId::NIL);
    let options = elements_of_list(run.graph(), options);
    let ends_with = match *options.as_slice() {
        [] => Some(AliasEnd::Unalias),
        [option] => AliasEnd::of_option(run.graph(), option),
        _ => None,
    };
    if let Some(ends_with) = ends_with {
        add_alias(run, reference, ends_with);
    }
}

/// The process that is replayed has a new alias.
pub(super) fn add_alias(run: &mut RunState<'_>, reference: NodeId, ends_with: AliasEnd) {
    if let Some(together) = &mut run.together {
        let alias = KnownAlias {
            owner: together.current,
            ends_with,
            is_active: true,
        };
        together.aliases.insert(reference, alias);
    }
}

/// The alias with a reference.
pub(super) fn alias(run: &RunState<'_>, reference: NodeId) -> Option<KnownAlias> {
    let aliases = run.together.as_ref().map(|it| &it.aliases);
    aliases.and_then(|it| it.get(&reference)).copied()
}

/// The alias that ends with a monitor, as something that processes share.
pub(super) fn alias_of_monitor(run: &RunState<'_>, reference: NodeId) -> Option<Object> {
    let alias = alias(run, reference)?;
    (alias.ends_with != AliasEnd::Unalias).then(|| object(run, reference))
}

/// The step that ends an alias changes it.
pub(super) fn accesses_of_unalias(run: &RunState<'_>, call: &KnownCall) -> Option<Access> {
    let reference = *call.arguments.first()?;
    alias(run, reference).map(|_| Access::write(object(run, reference)))
}

/// A message is sent to an alias. It changes the alias if that ends with the first message.
pub(super) fn access_of_send(run: &RunState<'_>, reference: NodeId, alias: KnownAlias) -> Access {
    let object = object(run, reference);
    match alias.ends_with {
        AliasEnd::Reply => Access::write(object),
        AliasEnd::Unalias | AliasEnd::Monitor => Access::read(object),
    }
}

/// An alias is not active any longer.
pub(super) fn end_alias(run: &mut RunState<'_>, reference: NodeId) {
    let aliases = run.together.as_mut().map(|it| &mut it.aliases);
    if let Some(alias) = aliases.and_then(|it| it.get_mut(&reference)) {
        alias.is_active = false;
    }
}

/// The same if it ends with the monitor that has its reference.
pub(super) fn end_alias_of_monitor(run: &mut RunState<'_>, reference: NodeId) {
    if alias_of_monitor(run, reference).is_some() {
        end_alias(run, reference);
    }
}

fn object(run: &RunState<'_>, reference: NodeId) -> Object {
    Shared::Alias(reference).object(&run.replayed.graph)
}
