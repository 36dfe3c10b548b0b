%%% The actions that a callback of a gen_statem returns. Replies are sent and
%%% callback modules are changed at once, in the order of the actions; all else
%%% is collected for the transition.
-module(erlconcolic_play_actions).

-include("erlconcolic_play_effects.hrl").

-export([read/3, reply_all/2]).

-export_type([effects/0, call/0]).

-type effects() :: #effects{}.

%% Whether the callback handled an event or an enter call, which may not
%% postpone, insert events, or change modules.
-type call() :: event | enter.

%% A failure comes with what was done before it.
-type failed() :: {failed, erlconcolic_play_callbacks:failure(), effects()}.

-define(IS_TIME(Time), Time =:= infinity;
                       is_integer(Time), Time >= 0).

-spec read(Actions :: term(), call(), effects()) -> {ok, effects()} | failed().
read(Actions, Call, Effects) when is_list(Actions) ->
    read_all(Actions, Call, Effects);
read(Action, Call, Effects) ->
    action(Action, Call, Effects).

-spec read_all([Action :: term()], call(), effects()) ->
          {ok, effects()} | failed().
read_all([], _Call, Effects) ->
    {ok, Effects};
read_all([Action | Actions], Call, Effects) ->
    case action(Action, Call, Effects) of
        {ok, Changed} -> read_all(Actions, Call, Changed);
        Failed -> Failed
    end.

-spec action(Action :: term(), call(), effects()) -> {ok, effects()} | failed().
action({reply, From, Reply} = Action, _Call, Effects) ->
    reply(bad_action_from_state_function, Action, From, Reply, Effects);
action(hibernate, _Call, Effects) ->
    {ok, Effects};
action({hibernate, Hibernate}, _Call, Effects) when is_boolean(Hibernate) ->
    {ok, Effects};
action(postpone, event, Effects) ->
    {ok, Effects#effects{postpone = true}};
action({postpone, true}, event, Effects) ->
    {ok, Effects#effects{postpone = true}};
action({postpone, false}, _Call, Effects) ->
    {ok, Effects#effects{postpone = false}};
action({next_event, Type, Content} = Action, event, Effects) ->
    case is_event_type(Type) of
        true -> {ok, insert({Type, Content}, Effects)};
        false -> bad(Action, Effects)
    end;
action({next_event, _, _} = Action, enter, Effects) ->
    bad_in_enter(Action, Effects);
action(postpone, enter, Effects) ->
    bad_in_enter(postpone, Effects);
action({change_callback_module, Module} = Action, Call, Effects)
  when is_atom(Module) ->
    change_module(Action, Call, Effects);
action({push_callback_module, Module} = Action, Call, Effects)
  when is_atom(Module) ->
    change_module(Action, Call, Effects);
action(pop_callback_module, Call, Effects) ->
    pop_module(Call, Effects);
action(Action, _Call, Effects) ->
    timeout(Action, Effects).

-spec insert({Type :: term(), Content :: term()}, effects()) -> effects().
insert(Event, #effects{inserted = Inserted} = Effects) ->
    Effects#effects{inserted = [Event | Inserted]}.

-spec is_event_type(Type :: term()) -> boolean().
is_event_type({call, {Client, _}}) -> is_pid(Client);
is_event_type(cast) -> true;
is_event_type(info) -> true;
is_event_type(internal) -> true;
is_event_type(Type) -> is_timeout_type(Type).

-spec is_timeout_type(Type :: term()) -> boolean().
is_timeout_type(timeout) -> true;
is_timeout_type(state_timeout) -> true;
is_timeout_type({timeout, _Name}) -> true;
is_timeout_type(_) -> false.

-spec change_module({change_callback_module | push_callback_module, module()},
                    call(), effects()) -> {ok, effects()} | failed().
change_module(Action, enter, Effects) ->
    bad_in_enter(Action, Effects);
change_module({change_callback_module, Module}, event, Effects) ->
    #effects{callbacks = Callbacks} = Effects,
    changed(erlconcolic_play_callbacks:change(Module, Callbacks), Effects);
change_module({push_callback_module, Module}, event, Effects) ->
    #effects{callbacks = Callbacks} = Effects,
    changed(erlconcolic_play_callbacks:push(Module, Callbacks), Effects).

%% The first module stays: there the action is an unknown one.
-spec pop_module(call(), effects()) -> {ok, effects()} | failed().
pop_module(Call, #effects{callbacks = Callbacks} = Effects) ->
    case erlconcolic_play_callbacks:has_one(Callbacks) of
        true ->
            bad(pop_callback_module, Effects);
        false when Call =:= enter ->
            bad_in_enter(pop_callback_module, Effects);
        false ->
            changed(erlconcolic_play_callbacks:pop(Callbacks), Effects)
    end.

-spec changed({ok, erlconcolic_play_callbacks:callbacks()}
              | erlconcolic_play_callbacks:failure(), effects()) ->
          {ok, effects()} | failed().
changed({ok, Callbacks}, Effects) ->
    {ok, Effects#effects{callbacks = Callbacks}};
changed(Failure, Effects) ->
    {failed, Failure, Effects}.

%% All other actions are about timers.
-spec timeout(Action :: term(), effects()) -> {ok, effects()} | failed().
timeout({Type, Time, Content, Options} = Action, Effects) ->
    case is_timeout_type(Type) of
        true -> with_options(Options, Type, Time, Content, Action, Effects);
        false -> bad(Action, Effects)
    end;
timeout({Type, update, Content} = Action, Effects) ->
    setting({Type, update, Content}, Action, Effects);
timeout({Type, Time, Content} = Action, Effects) when ?IS_TIME(Time) ->
    setting({Type, relative, Time, Content}, Action, Effects);
timeout({Type, cancel} = Action, Effects) ->
    setting({Type, cancel}, Action, Effects);
timeout(Time, Effects) when ?IS_TIME(Time) ->
    setting({timeout, relative, Time, Time}, Time, Effects);
timeout(Action, Effects) ->
    bad(Action, Effects).

-spec with_options(Options :: term(), Type :: erlconcolic_play_timers:type(),
                   Time :: term(), Content :: term(), Action :: term(),
                   effects()) -> {ok, effects()} | failed().
with_options([Option], Type, Time, Content, Action, Effects) ->
    with_option(Option, Type, Time, Content, Action, Effects);
with_options([], Type, Time, Content, Action, Effects) ->
    with_option({abs, false}, Type, Time, Content, Action, Effects);
with_options(Option, Type, Time, Content, Action, Effects) ->
    with_option(Option, Type, Time, Content, Action, Effects).

-spec with_option(Option :: term(), Type :: erlconcolic_play_timers:type(),
                  Time :: term(), Content :: term(), Action :: term(),
                  effects()) -> {ok, effects()} | failed().
with_option({abs, true}, Type, Time, Content, Action, Effects)
  when is_integer(Time); Time =:= infinity ->
    setting({Type, absolute, Time, Content}, Action, Effects);
with_option({abs, false}, Type, Time, Content, Action, Effects)
  when ?IS_TIME(Time) ->
    setting({Type, relative, Time, Content}, Action, Effects);
with_option(_Bad, _Type, _Time, _Content, Action, Effects) ->
    bad(Action, Effects).

-spec setting(erlconcolic_play_timers:setting(), Action :: term(),
              effects()) -> {ok, effects()} | failed().
setting(Setting, Action, #effects{settings = Settings} = Effects) ->
    case is_timeout_type(element(1, Setting)) of
        true -> {ok, Effects#effects{settings = [Setting | Settings]}};
        false -> bad(Action, Effects)
    end.

%% Sends the replies of a callback that stops the machine.
-spec reply_all(Replies :: term(), effects()) -> {ok, effects()} | failed().
reply_all(Replies, Effects) when is_list(Replies) ->
    reply_each(Replies, Effects);
reply_all(Reply, Effects) ->
    reply_each([Reply], Effects).

-spec reply_each([Action :: term()], effects()) -> {ok, effects()} | failed().
reply_each([], Effects) ->
    {ok, Effects};
reply_each([{reply, From, Reply} = Action | Rest], Effects) ->
    Bad = bad_reply_action_from_state_function,
    case reply(Bad, Action, From, Reply, Effects) of
        {ok, Changed} -> reply_each(Rest, Changed);
        Failed -> Failed
    end;
reply_each([Action | _], Effects) ->
    failed(bad_reply_action_from_state_function, Action, Effects).

-spec reply(Bad :: atom(), Action :: term(), From :: term(), Reply :: term(),
            effects()) -> {ok, effects()} | failed().
reply(_Bad, _Action, {Client, _} = From, Reply, Effects)
  when is_pid(Client) ->
    #effects{play = Play} = Effects,
    {ok, Effects#effects{play = erlconcolic_play:reply(From, Reply, Play)}};
reply(Bad, Action, _From, _Reply, Effects) ->
    failed(Bad, Action, Effects).

-spec bad(Action :: term(), effects()) -> failed().
bad(Action, Effects) ->
    failed(bad_action_from_state_function, Action, Effects).

-spec bad_in_enter(Action :: term(), effects()) -> failed().
bad_in_enter(Action, Effects) ->
    failed(bad_state_enter_action_from_state_function, Action, Effects).

-spec failed(What :: atom(), Action :: term(), effects()) -> failed().
failed(What, Action, Effects) ->
    {failed, {error, {What, Action}, none}, Effects}.
