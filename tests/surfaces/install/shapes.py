"""Settings of agents as people have them: written by hand, by the agents themselves, and by other tools."""

from __future__ import annotations

# Of settings.json of Claude Code, where hooks go.
HOOKED: dict[str, str] = {
    "nothing at all": "",
    "an empty object": "{}",
    "an empty object with a line end": "{}\n",
    "an empty object with a blank": "{ }\n",
    "an empty object on two lines": "{\n}\n",
    "blank lines only": "\n\n",
    "one setting": '{\n  "model": "opus"\n}\n',
    "no line end at the end": '{\n  "model": "opus"\n}',
    "tabs": '{\n\t"model": "opus",\n\t"env": {\n\t\t"A": "1"\n\t}\n}\n',
    "four blanks": '{\n    "model": "opus",\n    "permissions": {\n        "allow": ["Bash(ls:*)"]\n    }\n}\n',
    "line ends of Windows": '{\r\n  "model": "opus",\r\n  "theme": "dark"\r\n}\r\n',
    "a byte order mark": '\ufeff{\n  "model": "opus"\n}\n',
    "a mark and line ends of Windows": '\ufeff{\r\n\t"model": "opus"\r\n}',
    "minified": '{"model":"opus","env":{"A":"1"},"permissions":{"allow":["Bash(ls:*)","Read"],"deny":[]}}',
    "one line with blanks": '{"model": "opus", "env": {"A": "1"}}\n',
    "one line, padded": '{ "model": "opus" }\n',
    "comments": '// my settings\n{\n  // which one\n  "model": "opus", // the best\n  /* none */ "env": {}\n}\n',
    "a comment behind the last setting": '{\n  "model": "opus" // keep\n}\n',
    "a comment below the last setting": '{\n  "model": "opus"\n  // "theme": "dark"\n}\n',
    "a comment in an empty object": "{\n  // nothing yet\n}\n",
    "a block comment in an empty object": "{ /* nothing yet */ }\n",
    "a comment of several lines at the end": '{\n  "model": "opus" /* was\n  sonnet */\n}\n',
    "trailing commas": '{\n  "model": "opus",\n  "env": {\n    "A": "1",\n  },\n}\n',
    "a trailing comma on one line": '{"model": "opus",}',
    "a trailing comma and a comment": '{\n  "model": "opus", // best\n}\n',
    "comments that look like settings": '{\n  "a": "// no comment",\n  "b": "/* nor this */",\n  "c": "}{][,:"\n}\n',
    "unicode": '{\n  "name": "Jürgen Müller 🌲",\n  "größe": "\\u00e9\\ud83c\\udf32"\n}\n',
    "escapes": '{\n  "path": "C:\\\\Users\\\\x\\\\",\n  "quote": "\\"",\n  "a\\u0022b": 1\n}\n',
    "empty hooks": '{\n  "model": "opus",\n  "hooks": {}\n}\n',
    "hooks that are null": '{\n  "hooks": null,\n  "model": "opus"\n}\n',
    "an empty event": '{\n  "hooks": {\n    "Stop": []\n  }\n}\n',
    "hooks of another tool on the same events": """{
  "hooks": {
    "SessionStart": [
      {
        "hooks": [
          {
            "type": "command",
            "command": "$CLAUDE_PROJECT_DIR/.claude/hooks/start.sh"
          }
        ]
      }
    ],
    "PostToolUse": [
      {
        "matcher": "Edit|Write",
        "hooks": [
          {
            "type": "command",
            "command": "prettier --write",
            "timeout": 30
          }
        ]
      }
    ]
  },
  "model": "opus"
}
""",
    "hooks of another tool, minified": '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"say done"}]}]}}',
    "hooks on one line each": """{
  "hooks": {
    "Stop": [{ "hooks": [{ "type": "command", "command": "say done" }] }],
    "UserPromptSubmit": [{ "hooks": [{ "type": "command", "command": "date" }] }]
  }
}
""",
    "hooks of another tool with comments and trailing commas": """{
    // two tools
    "hooks": {
        "Stop": [
            {
                "hooks": [
                    { "type": "command", "command": "say done", }, // loud
                ],
            },
            // { "hooks": [] },
        ],
    },
}
""",
    "hooks in other events only": '{\n  "hooks": {\n    "Notification": [\n      {"hooks": []}\n    ]\n  }\n}\n',
    "many settings": """{
  "$schema": "https://json.schemastore.org/claude-code-settings.json",
  "cleanupPeriodDays": 90,
  "includeCoAuthoredBy": false,
  "permissions": {
    "allow": [
      "Bash(npm run test:*)",
      "Read(~/.zshrc)"
    ],
    "deny": [
      "Bash(curl:*)"
    ],
    "defaultMode": "acceptEdits"
  },
  "statusLine": {
    "type": "command",
    "command": "~/.claude/statusline.sh",
    "padding": 0
  },
  "enabledPlugins": {
    "formatter@tools": true
  },
  "number": -1.5e-7,
  "nothing": null
}
""",
    "settings below each other without indentation": '{\n"model": "opus",\n"env": {\n"A": "1"\n}\n}\n',
    "blank lines between": '{\n\n  "model": "opus",\n\n\n  "theme": "dark"\n\n}\n\n\n',
    "the end on the same line": '{\n  "model": "opus" }',
    "the beginning on the same line": '{"model": "opus",\n "theme": "dark",\n "env": {}}\n',
    "commas first": '{\n    "model": "opus"\n  , "theme": "dark"\n}\n',
    "colons apart": '{\n  "model" : "opus",\n  "env" : { }\n}\n',
    "something behind the end": '{\n  "model": "opus"\n}\n// the end\n',
    "a name twice": '{\n  "model": "opus",\n  "hooks": {},\n  "hooks": {}\n}\n',
}

# Of ~/.claude.json, where the MCP server goes.
SERVED: dict[str, str] = {
    "as the agent writes it": """{
  "numStartups": 42,
  "userID": "0f3e",
  "oauthAccount": {
    "emailAddress": "a@b.example"
  },
  "projects": {
    "/home/u/app": {
      "allowedTools": [],
      "mcpServers": {},
      "history": []
    }
  }
}""",
    "with servers": """{
  "mcpServers": {
    "github": {
      "type": "http",
      "url": "https://example.com/mcp",
      "headers": {
        "Authorization": "Bearer x"
      }
    },
    "memory": {
      "command": "npx",
      "args": [
        "-y",
        "@modelcontextprotocol/server-memory"
      ]
    }
  },
  "numStartups": 1
}""",
    "empty servers": '{\n  "mcpServers": {}\n}\n',
    "minified servers": '{"mcpServers":{"a":{"command":"b","args":[]}},"x":1}',
    "servers on one line each": '{\n  "mcpServers": {\n    "a": {"command": "b"}\n  }\n}\n',
    "nothing": "{}",
    "line ends of Windows": '{\r\n  "mcpServers": {\r\n    "a": {\r\n      "command": "b"\r\n    }\r\n  }\r\n}\r\n',
}

# Of config.toml of Codex.
TABLED: dict[str, str] = {
    "nothing": "",
    "one setting": 'model = "gpt-5"\n',
    "no line end at the end": 'model = "gpt-5"',
    "comments": '# mine\nmodel = "gpt-5" # the best\n\n# end\n',
    "tables": 'model = "gpt-5"\n\n[features]\nhooks = true\n\n[projects."/home/u/app"]\ntrust_level = "trusted"\n',
    "servers": '[mcp_servers.github]\ncommand = "npx"\nargs = ["-y", "x"]\n\n[mcp_servers.github.env]\nTOKEN = "x"\n',
    "servers on one line": 'mcp_servers = { github = { command = "npx", args = ["-y"] } }\nmodel = "gpt-5"\n',
    "no servers on one line": "mcp_servers = {}\n",
    "servers as dotted keys": 'mcp_servers.github.command = "npx"\nmcp_servers.github.args = [ "-y", ]\n',
    "servers in a table": '[mcp_servers]\ngithub = { command = "npx" }\n\n[tui]\ntheme = "dark"\n',
    "line ends of Windows": 'model = "gpt-5"\r\n\r\n[tui]\r\ntheme = "dark"\r\n',
    "arrays of tables": '[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "say"\n',
    "texts of several lines": 'notes = """\n[mcp_servers.treering]\ncommand = "no"\n"""\nraw = \'\'\'\n# [x]\n\'\'\'\n',
    "lists of several lines": 'args = [\n  "a", # one ]\n  "b",\n]\n\n\n',
    "a byte order mark": '\ufeffmodel = "gpt-5"\n',
    "quoted names": '["mcp_servers".\'my server\']\n"command" = "x"\n',
}

# What no reader takes; each must be left alone.
BROKEN: dict[str, str] = {
    "cut off": '{"hooks": {',
    "a comma missing": '{"a": 1 "b": 2}',
    "two values": "{} {}",
    "no object": "[1, 2]\n",
    "single quotes": "{'a': 1}",
    "a word without quotes": "{a: 1}",
    "hooks that are a list": '{"hooks": []}',
    "an event that is an object": '{"hooks": {"Stop": {}}}',
    "an open text": '{"a": "b\n}',
    "an open comment": '{"a": 1} /* and',
    "conflict of git": '<<<<<<< HEAD\n{"a": 1}\n=======\n{"a": 2}\n>>>>>>> other\n',
}
