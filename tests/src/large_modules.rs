//! Generated modules of the kinds that programs write: tables, parsers, decoders. One function, or
//! many, with as many clauses as one likes.

use std::fmt::Write;

/// A kind of large module.
#[derive(Clone, Copy, Debug)]
pub struct LargeModule {
    /// The name of the module.
    pub name: &'static str,
    /// Its exported functions.
    exports: &'static str,
    /// The clauses or functions, from how many there are.
    code: fn(usize) -> String,
    /// Calls, with `@` for the module, which have results or raise.
    pub calls: &'static [&'static str],
}

/// All kinds.
pub const LARGE_MODULES: [LargeModule; 12] = [
    LargeModule {
        name: "large_ranges",
        exports: "f/1",
        code: |count| {
            clauses(count, "f(_) -> other", |n| {
                let (low, high) = (10 * n, 10 * n + 7);
                format!("f(X) when X >= {low}, X =< {high} -> c{}", n % 30)
            })
        },
        calls: &[
            "@:f(0)",
            "@:f(8)",
            "@:f(1234)",
            "@:f(1999)",
            "@:f(a)",
            "@:f(-1)",
        ],
    },
    LargeModule {
        name: "large_characters",
        exports: "f/1",
        code: |count| {
            clauses(count, "f(_) -> erlang:error(badarg)", |n| match n % 3 {
                0 => format!("f(C) when {} =< C, C =< {} -> 'V'", 5 * n, 5 * n + 2),
                1 => format!("f({}) -> 'X'", 5 * n),
                _ => format!("f({}) -> {{'M', [{n}, {}]}}", 5 * n, n + 1),
            })
        },
        calls: &[
            "@:f(0)", "@:f(5)", "@:f(10)", "@:f(11)", "@:f(505)", "@:f(-7)",
        ],
    },
    LargeModule {
        name: "large_strings",
        exports: "f/1",
        code: |count| {
            clauses(count, "f(_) -> unknown", |n| {
                format!("f(\"x{}.{n}\") -> \"application/x-{n}\"", n % 7)
            })
        },
        calls: &[
            "@:f(\"x0.0\")",
            "@:f(\"x3.17\")",
            "@:f(\"x\")",
            "@:f([])",
            "@:f(x)",
        ],
    },
    LargeModule {
        name: "large_binaries",
        exports: "f/2",
        code: |count| {
            clauses(count, "f(<<>>, Acc) -> Acc", |n| {
                format!("f(<<\"k{n};\", Rest/binary>>, Acc) -> f(Rest, [{n} | Acc])")
            })
        },
        calls: &[
            "@:f(<<\"k0;k150;k7;\">>, [])",
            "@:f(<<>>, x)",
            "@:f(<<\"k0;k\">>, [])",
            "@:f(a, b)",
        ],
    },
    LargeModule {
        name: "large_decoder",
        exports: "f/2",
        code: |count| {
            clauses(count, "f(<<>>, Acc) -> Acc", |n| {
                if n % 2 == 0 {
                    format!(
                        "f(<<{n}:16, A:8, B:{}/signed, R/bitstring>>, Acc) when A > {} -> f(R, [A + B | Acc])",
                        8 + 8 * (n % 3),
                        n % 7
                    )
                } else {
                    format!(
                        "f(<<{n}:16, L:16, V:L/binary, R/binary>>, Acc) -> f(R, [{{tag{n}, V}} | Acc])"
                    )
                }
            })
        },
        calls: &[
            "@:f(<<0:16, 9:8, 255:8, 1:16, 2:16, 7:8, 8:8>>, [])",
            "@:f(<<151:16, 1:16, 3:8>>, [])",
            "@:f(<<1:16, 9:16>>, [])",
            "@:f(<<>>, x)",
            "@:f(a, b)",
        ],
    },
    LargeModule {
        name: "large_machine",
        exports: "f/3",
        code: |count| {
            let steps = clauses(count, "f(_, X, S) -> {X, length(S)}", |n| {
                let next = (n * 7 + 1) % count;
                format!("f(s{n}, X, S) when X > {n} -> Y = g(X + {n}), f(s{next}, Y - 1, [X | S])")
            });
            format!("{steps}g(X) -> X div 2.\n")
        },
        calls: &[
            "@:f(s0, 900, [])",
            "@:f(s3, 4, [])",
            "@:f(s0, a, [])",
            "@:f(none, 1, [])",
        ],
    },
    LargeModule {
        name: "large_case",
        exports: "f/1, g/1",
        code: |count| {
            let ops = |body: &str| -> String {
                let one = |n: usize| {
                    format!("        {{op{n}, A, B}} when is_integer(A) -> {body};\n")
                        .replace('@', &n.to_string())
                };
                (0..count).map(one).collect()
            };
            format!(
                "f(X) ->\n    R = case X of\n{}        _ -> {{none, 0}}\n    end,\n    {{element(1, R), X}}.\n\
                 g(X) ->\n    case X of\n{}        _ -> Z = 0, W = X\n    end,\n    [Z, W].\n",
                ops("Z = A * B + @, {Z, h(@)}"),
                ops("Z = A + h(@), W = {Z, B}"),
            ) + "h(X) -> X + 1.\n"
        },
        calls: &[
            "@:f({op0, 2, 3})",
            "@:f({op150, 2, 3})",
            "@:f({op7, 2, x})",
            "@:f(none)",
            "@:g({op0, 2, 3})",
            "@:g({op150, 2, x})",
            "@:g(none)",
            "@:g({op1, a, 1})",
        ],
    },
    LargeModule {
        name: "large_protection",
        exports: "f/1",
        code: |count| {
            let inner: String = (0..count)
                .map(|n| format!("        {n} -> h({n}) div (X - {n});\n"))
                .collect();
            format!(
                "f(X) ->\n    try case X of\n{inner}        _ when X > 1000 -> throw(X);\n        \
                 _ -> exit({{no, X}})\n    end\n    catch throw:T -> {{thrown, T}};\n        \
                 error:badarith:S -> {{zero, length(S) > 0}}\n    end.\nh(X) -> X + 1.\n"
            )
        },
        calls: &["@:f(0)", "@:f(150)", "@:f(2000)", "@:f(a)", "@:f(-1)"],
    },
    LargeModule {
        name: "large_receive",
        exports: "f/1",
        code: |count| {
            let inner: String = (0..count)
                .map(|n| format!("        {{m{n}, X}} -> {{h(X + {n}), {n}}};\n"))
                .collect();
            format!(
                "f(Messages) ->\n    [self() ! M || M <- Messages],\n    loop([]).\n\
                 loop(Acc) ->\n    case get_one() of\n        none -> Acc;\n        \
                 M -> loop([M | Acc])\n    end.\n\
                 get_one() ->\n    receive\n{inner}        {{last, X}} -> X\n    after 0 -> none\n    end.\n\
                 h(X) -> X + 1.\n"
            )
        },
        calls: &[
            "@:f([{m0, 1}, {other, 1}, {m150, 2}, {last, x}])",
            "@:f([])",
        ],
    },
    LargeModule {
        name: "large_parser",
        exports: "f/2",
        code: |count| {
            let states = count / 3;
            let table: String = (0..states)
                .map(|n| format!("f({n} = S, Ts) -> f_{n}(S, Ts, [S]);\n"))
                .collect();
            let rows: String = (0..states)
                .map(|n| {
                    let next = (n * 5 + 3) % states;
                    format!(
                        "f_{n}(S, [id | Ts], Ss) -> f_{next}({next}, Ts, [S | Ss]);\n\
                         f_{n}(_, [{{num, X}} | Ts], [_ | Ss]) -> f({next}, [X | Ts] ++ Ss);\n\
                         f_{n}(_, [], Ss) -> {{ok, Ss}};\n\
                         f_{n}(_, [T | _], _) -> erlang:error({{syntax, T, {n}}}).\n"
                    )
                })
                .collect();
            format!("{table}f(Other, _) -> erlang:error({{missing_state, Other}}).\n{rows}")
        },
        calls: &[
            "@:f(0, [id, id])",
            "@:f(3, [{num, id}])",
            "@:f(1, [x])",
            "@:f(none, [])",
        ],
    },
    LargeModule {
        name: "large_functions",
        exports: "f0/1, f1/1",
        code: |count| {
            (0..count)
                .map(|n| {
                    let next = (n + 1) % count;
                    format!("f{n}(0) -> {n};\nf{n}(N) -> f{next}(N - 1).\n")
                })
                .collect()
        },
        calls: &["@:f0(0)", "@:f1(500)", "@:f0(a)"],
    },
    LargeModule {
        name: "large_literals",
        exports: "f/0, g/1",
        code: |count| {
            let rows: Vec<String> = (0..count)
                .map(|n| {
                    format!("{{k{n}, \"value {n}\", <<\"b{n}\">>, {n}.5, [{n}, #{{a => {n}}}]}}")
                })
                .collect();
            format!(
                "f() -> [{}].\ng(K) -> lists:keyfind(K, 1, f()).\n",
                rows.join(",\n")
            )
        },
        calls: &["erlang:phash2(@:f())", "@:g(k17)", "@:g(none)"],
    },
];

impl LargeModule {
    /// The text of the module with about this many clauses.
    pub fn text(&self, count: usize) -> String {
        let Self { name, exports, .. } = self;
        format!(
            "-module({name}).\n-export([{exports}]).\n\n{}",
            (self.code)(count)
        )
    }

    /// The calls, each as an Erlang expression.
    pub fn calls(&self) -> impl Iterator<Item = String> {
        self.calls.iter().map(|it| it.replace('@', self.name))
    }
}

/// A function of clauses, each made from its number, and a last one.
fn clauses(count: usize, last: &str, clause: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    for number in 0..count {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{};", clause(number));
    }
    format!("{text}{last}.\n")
}
