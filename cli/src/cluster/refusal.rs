//! Why nodes cannot take part, in words that say what to do.

use diagnostic::Diagnostic;

use super::node_name::NodeName;

/// A member that could not be started.
pub(super) fn not_started(name: &NodeName, why: &str, text: &str) -> Diagnostic {
    let title = match why {
        "name_in_use" => format!("a node with the name {name} runs already"),
        "port_in_use" => format!("the node {name} cannot listen on port {text}"),
        _ => format!("the node {name} cannot be started: {text}"),
    };
    let message = Diagnostic::error("node-not-started", title);
    match why {
        "name_in_use" => message.help("choose another --name, or end that node"),
        "port_in_use" => message.help("choose another --port"),
        _ => message
            .help("does its host have this name? is ~/.erlang.cookie readable for its owner alone?")
            .help("without --port, epmd must run, or `erl` must be able to start it"),
    }
}

/// A node that does not take part now. There may be one later.
pub(super) fn refused(node: &str, why: &str, text: &str) -> Diagnostic {
    let (code, title) = match why {
        "other_tool" => (
            "other-version",
            format!("{node} has another version of erlconcolic: {text}"),
        ),
        "other_otp" => (
            "other-version",
            format!("{node} has another release of Erlang/OTP: {text}"),
        ),
        "not_ours" => (
            "other-version",
            format!("{node} is not a node of `erlconcolic serve`"),
        ),
        "cookie" => ("node-refused", format!("{node} refuses the connection")),
        "certificate" => (
            "node-refused",
            format!("a certificate is not trusted: {node}: {text}"),
        ),
        "no_tls" => (
            "node-refused",
            format!("{node} does not speak TLS as --tls says: {text}"),
        ),
        "unknown_host" => ("no-node", format!("{node}: there is no host {text}")),
        "no_epmd" => ("no-node", format!("{node}: no epmd answers on {text}")),
        "no_node" => (
            "no-node",
            format!("{node}: epmd knows no node {text} on that host"),
        ),
        _ => ("no-node", format!("{node} does not answer: {text}")),
    };
    let message = match code {
        "other-version" => Diagnostic::warning("other-version", title),
        "node-refused" => Diagnostic::warning("node-refused", title),
        _ => Diagnostic::warning("no-node", title),
    };
    match why {
        "other_tool" => message.help("install the same version of erlconcolic on all machines"),
        "other_otp" => message.help("install the same release of Erlang/OTP on all machines"),
        "not_ours" => message.help("start one there: erlconcolic serve --name NAME@HOST"),
        "cookie" => message
            .help("is the cookie the same? --cookie-file names its file, or else ~/.erlang.cookie")
            .help("if the node was started with --tls, this search needs --tls as well"),
        "certificate" => {
            message.help("do the files of --tls name the authority of the other side?")
        }
        "no_tls" => message.help("was the node started with --tls? do both sides allow a version?"),
        "unknown_host" => message.help("is the name right? try it with `getent hosts`"),
        "no_epmd" => message
            .help("does `erlconcolic serve` run there? may this machine connect to port 4369?")
            .help("a node with --port P needs no epmd: --on NAME@HOST:P"),
        _ => message.help("does `erlconcolic serve` run there under this name, on this port?"),
    }
}
