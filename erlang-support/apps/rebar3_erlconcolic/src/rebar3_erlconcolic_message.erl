%%% The texts of errors, with advice.
-module(rebar3_erlconcolic_message).

-export([text/1]).

-define(HOW_TO_GET_IT,
        "To get it, either\n"
        "  - run `cargo install --locked --path cli' in the repository of "
        "erlconcolic, or\n"
        "  - unpack the archive that `make dist' makes there, and put its "
        "folder bin/ on the PATH.\n"
        "Or set its path with --binary PATH, with {binary, \"PATH\"} under "
        "erlconcolic in\nrebar.config, or with the environment variable "
        "ERLCONCOLIC.").

-spec text(term()) -> iolist().
text({findings, printed}) ->
    "There are findings: see the report above.";
text({findings, {written, File}}) ->
    format("There are findings: see ~ts.", [File]);
text(failed) ->
    "erlconcolic could not do its work: see the message above.";
text(interrupted) ->
    "The search was interrupted.";
text({ended, Status}) ->
    format("erlconcolic ended with the unexpected status ~w. "
           "`erlconcolic doctor' checks its requirements.", [Status]);
text({no_output, File, Reason}) ->
    format("Cannot write the report to ~ts: ~ts.",
           [File, file:format_error(Reason)]);
text({not_started, Path, Reason}) ->
    format("Cannot start ~ts: ~ts. ~ts",
           [Path, file:format_error(Reason), ?HOW_TO_GET_IT]);
text(no_binary) ->
    "The program erlconcolic is not on the PATH. " ?HOW_TO_GET_IT;
text({no_binary, Path, Origin}) ->
    format("There is no program ~ts, but ~ts names it. ~ts",
           [Path, origin(Origin), ?HOW_TO_GET_IT]);
text(no_modules) ->
    "The project has no modules, so there is nothing to explore.";
text({no_application, Name, Known}) ->
    format("--app ~ts: the project has no such application, only ~ts.",
           [Name, string:join(Known, ", ")]);
text({stray, Word}) ->
    format("Unexpected argument ~ts. To name a function, use --entry, for "
           "example --entry shop:total/1.", [Word]);
text({Origin, no_list, Options}) ->
    format("~ts must be a list of options, not ~tp.",
           [origin(Origin), Options]);
text({Origin, Reason}) ->
    format("~ts: ~ts", [origin(Origin), option_text(Reason)]).

-spec origin(atom()) -> string().
origin(command_line) -> "The command line";
origin(config) -> "{erlconcolic, [...]} in rebar.config";
origin(option) -> "the option `binary'";
origin(environment) -> "the environment variable ERLCONCOLIC".

-spec option_text(term()) -> iolist().
option_text({elsewhere, Name, Place}) ->
    format("~tw is not an option here. rebar3 compiles the modules, so put it "
           "in ~ts.", [Name, Place]);
option_text({unknown, Name, Nearest}) ->
    format("there is no option ~tw. Did you mean ~tw? `rebar3 help concolic' "
           "lists all options.", [Name, Nearest]);
option_text({no_option, Term}) ->
    format("~tp is not an option. Options look like {term_depth, 3} or first.",
           [Term]);
option_text({bad_value, Name, Kind, Value}) ->
    format("~tw must be ~ts, not ~tp.", [Name, kind(Kind), Value]).

-spec kind(rebar3_erlconcolic_options:kind()) -> iolist().
kind(flag) ->
    "true or false";
kind(count) ->
    "a number, 0 or more";
kind(text) ->
    "a text";
kind(texts) ->
    "a text or a list of texts";
kind(function) ->
    "a function such as \"shop:total/1\"";
kind(functions) ->
    "a function such as \"shop:total/1\", or a list of them";
kind({choice, Words}) ->
    {Others, [Last]} = lists:split(length(Words) - 1, Words),
    format("~ts or ~tw", [lists:join(", ", [atom_to_list(Word)
                                            || Word <- Others]), Last]).

-spec format(string(), [term()]) -> iolist().
format(Format, Values) ->
    io_lib:format(Format, Values).
