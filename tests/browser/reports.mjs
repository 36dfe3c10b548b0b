// Makes the reports that the browser looks at, with the tool under test.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const CRASHING = 1; // the exit status of a search with findings

// An atom that would do harm if it were not treated as text.
export const INJECTION = "</script><img src=x onerror=document.title=0>";

const ODD = `-module(odd).
-export([f/1]).

%% </script><img src=x onerror=document.title=0> <!-- "&amp;
f('${INJECTION}') ->
    error({'${INJECTION}', "\\n' \\x{2028} é"});
f({hash, X}) ->
    case erlang:phash2(X) of
        17 -> never;
        _ -> ok
    end;
f(_) -> ok.
`;

// A path with hundreds of decisions.
const DEEP = `-module(deep).
-export([g/1]).

g([a | T]) -> g(T);
g([b | _]) -> error(b);
g([]) -> ok.
`;

// A function with a bug, one without, and one that is skipped.
const SEVERAL = `-module(several).
-export([good/1, bad/1, pid/1]).

-spec good(a | b) -> c | d.
good(a) -> c;
good(b) -> d.

-spec bad(1..9) -> ok.
bad(7) -> error(seven);
bad(_) -> ok.

-spec pid(pid()) -> pid().
pid(P) -> P.
`;

// A loop in which most ways lead to a state that is known.
const LOOP = `-module(loop).
-export([run/1]).

-spec run([a | b | c]) -> [a | b | c].
run(List) -> run(List, []).

run([a | Rest], Done) -> run(Rest, [b | Done]);
run([b | Rest], Done) -> run(Rest, [c | Done]);
run([c | Rest], Done) -> run(Rest, [a | Done]);
run([], Done) -> Done.
`;

export function makeReports(tool, samples, folder) {
  const machines = join(samples, "../tests/erlang_samples");
  mkdirSync(folder, { recursive: true });
  const explore = (name, source, ...more) => {
    const file = join(folder, `${name}.html`);
    try {
      execFileSync(tool, ["explore", source, "--quiet", "--html", file, ...more], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
    } catch (error) {
      if (error.status !== CRASHING) throw error;
    }
    return `file://${file}`;
  };
  const write = (name, text) => {
    writeFileSync(join(folder, name), text);
    return name;
  };
  const deep = `[[${Array(600).fill("a").join(",")}]]`;
  return {
    small: explore("small", join(samples, "firewall"), "--entry", "decide/1"),
    several: explore("several", write("several.erl", SEVERAL), "--all"),
    odd: explore("odd", write("odd.erl", ODD), "--entry", "f/1"),
    large: explore("large", join(samples, "tokenizer"), "--entry", "tokens/1", "--term-depth", "12", "--paths", "all", "--max-runs", "5000"),
    deep: explore("deep", write("deep.erl", DEEP), "--entry", "g/1", "--term-depth", "700", "--max-runs", "200", "--strategy", "dfs", "--args", deep),
    processes: explore("processes", join(samples, "processes/lock_order/lock_order.erl"), "--entry", "main/2"),
    machine: explore("machine", join(machines, "turnstile.erl"), "--machine", "turnstile", "--length", "3"),
    merged: explore("merged", write("loop.erl", LOOP), "--entry", "run/1", "--term-depth", "5", "--paths", "states"),
  };
}
