%% What is written to a log changes nothing that a program sees.
-module(error_logger).
-export([error_msg/1, error_msg/2, error_report/1, error_report/2, format/2,
         info_msg/1, info_msg/2, info_report/1, info_report/2,
         warning_msg/1, warning_msg/2, warning_report/1, warning_report/2]).

error_msg(_Text) -> ok.
error_msg(_Text, _Arguments) -> ok.
error_report(_Report) -> ok.
error_report(_Type, _Report) -> ok.
format(_Text, _Arguments) -> ok.
info_msg(_Text) -> ok.
info_msg(_Text, _Arguments) -> ok.
info_report(_Report) -> ok.
info_report(_Type, _Report) -> ok.
warning_msg(_Text) -> ok.
warning_msg(_Text, _Arguments) -> ok.
warning_report(_Report) -> ok.
warning_report(_Type, _Report) -> ok.
