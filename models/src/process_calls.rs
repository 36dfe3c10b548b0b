//! Functions that read or change the state of their process, call what they are given, or undo what
//! was done before. Their results are in the log; the replay of a process keeps them symbolic where
//! it can.

use crate::model::{Model, ProcessCall};

pub(crate) const ENTRIES: &[Model] = &[
    Model::process("get", 0, ProcessCall::GetAll),
    Model::process("get", 1, ProcessCall::Get),
    Model::process("get_keys", 0, ProcessCall::GetKeys),
    Model::process("put", 2, ProcessCall::Put),
    Model::process("erase", 0, ProcessCall::EraseAll),
    Model::process("erase", 1, ProcessCall::Erase),
    Model::process("self", 0, ProcessCall::OwnPid),
    Model::process("!", 2, ProcessCall::Send),
    Model::process("send", 2, ProcessCall::Send),
    Model::process("apply", 2, ProcessCall::Apply),
    Model::process("apply", 3, ProcessCall::Apply),
    Model::process("make_fun", 3, ProcessCall::MakeFun),
    Model::process("raise", 3, ProcessCall::Raise),
    Model::process("term_to_binary", 1, ProcessCall::Encode),
    Model::process("term_to_binary", 2, ProcessCall::Encode),
    Model::process("binary_to_term", 1, ProcessCall::Decode),
    Model::process("binary_to_term", 2, ProcessCall::Decode),
];
