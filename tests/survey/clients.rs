//! Clients of modules of OTP that are made of processes: `clients` has functions in which two
//! processes use such a module together.

use std::path::Path;
use std::process::{Command, Stdio};

use end_to_end::erlang::package_path;
use end_to_end::otp::{Application, Otp};
use serde_json::Value as Json;

use crate::module::{headers, list, problems};

/// Functions that use modules of OTP.
pub(crate) struct Clients {
    /// The module with the functions, in `clients`.
    pub(crate) name: &'static str,
    /// Modules beside it that it uses.
    pub(crate) helpers: &'static [&'static str],
    /// The modules that they use, with their applications. Behaviours are followed anyway.
    pub(crate) uses: &'static [(&'static str, &'static str)],
    /// What a reader should know of the results.
    pub(crate) note: Option<&'static str>,
}

pub(crate) const CLIENTS: [Clients; 5] = [
    Clients {
        name: "pg_clients",
        helpers: &[],
        uses: &[("kernel", "pg")],
        note: None,
    },
    Clients {
        name: "timer_clients",
        helpers: &[],
        uses: &[("stdlib", "timer")],
        note: Some(
            "the server of `timer` is started by a supervisor that was there before, so nobody \
             controls it. Programs that use `timer` are followed by a model of it",
        ),
    },
    Clients {
        name: "event_clients",
        helpers: &["sum_handler"],
        uses: &[("sasl", "alarm_handler")],
        note: None,
    },
    Clients {
        name: "supervisor_clients",
        helpers: &["children"],
        uses: &[("stdlib", "supervisor_bridge")],
        note: Some(
            "`restart_and_delete` finds what the client does not expect: the other process has \
             deleted the child. `bridge` lets a worker crash, and the bridge ends with it",
        ),
    },
    Clients {
        name: "table_clients",
        helpers: &[],
        uses: &[("stdlib", "digraph"), ("stdlib", "pool")],
        note: Some(
            "`graph` finds a race in `digraph`: a process that looks for a path while another one \
             adds an edge raises `badarg`, because the edge is known to its vertex before it is in \
             the table. `pool` asks `global`, which is refused",
        ),
    },
];

/// What came out for one function.
#[derive(Debug)]
pub(crate) struct ClientResult {
    function: String,
    runs: u64,
    findings: u64,
    /// Why the search is not complete.
    gaps: Vec<String>,
}

impl ClientResult {
    /// A row of the table.
    pub(crate) fn row(&self) -> String {
        let gaps = if self.gaps.is_empty() {
            "all".to_owned()
        } else {
            self.gaps.join(", ")
        };
        let Self {
            function,
            runs,
            findings,
            ..
        } = self;
        format!("| `{function}` | {runs} | {gaps} | {findings} |")
    }
}

/// Explores the functions of a module. Returns the results, and what is wrong with the tool.
pub(crate) fn explore(
    tool: &Path,
    folder: &Path,
    otp: &Otp,
    clients: &Clients,
) -> (Vec<ClientResult>, Vec<String>) {
    let name = clients.name;
    let applications: Vec<&Application> = otp.applications.iter().collect();
    let source = |(application, module): &(&str, &str)| {
        let mut found = applications.iter();
        let found = found.find(|it| it.name == *application);
        found.expect("it was asked for").source(module)
    };
    let client = |name: &&str| package_path("survey/clients").join(format!("{name}.erl"));
    let output = Command::new(tool)
        .current_dir(folder)
        .arg("explore")
        .args([name].iter().chain(clients.helpers).map(client))
        .args(clients.uses.iter().map(source))
        .args(applications.iter().flat_map(|it| headers(it)))
        .args(["--module", name, "--timeout", "60"])
        .args(["--workers", "2", "--format", "json"])
        .stdin(Stdio::null())
        .output()
        .expect("the tool can be started");
    match serde_json::from_slice::<Json>(&output.stdout) {
        Ok(report) => (results(&report), problems(name, &report)),
        Err(error) => {
            let messages = String::from_utf8_lossy(&output.stderr);
            (Vec::new(), vec![format!("{name}: {error}: {messages}")])
        }
    }
}

fn results(report: &Json) -> Vec<ClientResult> {
    let entries = list(report.get("entries").unwrap_or(&Json::Null)).iter();
    let explored = entries.filter(|it| it.get("left_out").is_none_or(Json::is_null));
    let result = |entry: &Json| {
        let count = |key: &str| entry.get(key).and_then(Json::as_u64).unwrap_or(0);
        let text = |of: &Json, key: &str| Some(of.get(key)?.as_str()?.to_owned());
        let gaps = list(entry.get("incomplete").unwrap_or(&Json::Null)).iter();
        let mut gaps: Vec<String> = gaps.filter_map(|gap| text(gap, "code")).collect();
        gaps.sort();
        gaps.dedup();
        ClientResult {
            function: text(entry, "entry").unwrap_or_default(),
            runs: count("runs"),
            findings: count("findings"),
            gaps,
        }
    };
    explored.map(result).collect()
}
