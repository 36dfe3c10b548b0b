%%% What nodes must have in common. Each asks the other for it, also those with
%%% other versions.
-module(erlconcolic_cluster_hello).

-export([prepare/1, hello/0]).

-export_type([hello/0]).

-type hello() :: #{tool := binary(), otp := binary()}.

%% Before other nodes ask. The version of the tool is that of the program that
%% started this node.
-spec prepare(Tool :: binary()) -> ok.
prepare(Tool) ->
    Otp = list_to_binary(erlang:system_info(otp_release)),
    persistent_term:put(?MODULE, #{tool => Tool, otp => Otp}).

-spec hello() -> hello().
hello() -> persistent_term:get(?MODULE).
