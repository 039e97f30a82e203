// What Treering hears of a session in opencode, and what it says to it. Nothing here blocks a session or fails it.
import { spawn, spawnSync } from "node:child_process"

const HOOK = ["treering-hook"]
const MILLISECONDS = 5000 // for one event: it takes a tenth of a second
const SHELL = "bash"
const ONE_TURN = process.argv[2] === "run"
const ENDS = new Set(["stop", "length", "content-filter", "error"]) // how the last message of a turn finishes

// Run the hook for an event, and return what it says to the model; nothing on any trouble.
function run(event, payload, then = []) {
  return new Promise((resolve) => {
    let said = ""
    const child = spawn(HOOK[0], [...HOOK.slice(1), event, "--agent", "opencode", ...then], {
      stdio: ["pipe", "pipe", "ignore"],
    })
    const timer = setTimeout(() => child.kill(), MILLISECONDS)
    const done = () => {
      clearTimeout(timer)
      try {
        resolve(JSON.parse(said).hookSpecificOutput.additionalContext)
      } catch {
        resolve("")
      }
    }
    child.on("error", done)
    child.on("close", done)
    child.stdout.on("data", (part) => (said += part))
    child.stdin.on("error", () => {})
    child.stdin.end(JSON.stringify({ ...payload, hook_event_name: event }))
  })
}

const textOf = (parts) =>
  parts
    .filter((part) => part.type === "text" && !part.synthetic)
    .map((part) => part.text)
    .join("\n")
    .replace(/^"([^"]*)"$/s, "$1") // `opencode run` puts what has blanks into quotes

export const Treering = async ({ directory }) => {
  const begun = new Set() // sessions that were briefed
  const answers = new Map() // the last words of the agent, by session
  const roles = new Map() // who wrote a message, by its id
  const turns = new Set() // sessions whose turn is not over
  const maintain = ["--then", "maintain"]

  async function context(session, message, parts) {
    const payload = { session_id: session, cwd: directory }
    const briefing = begun.has(session) ? "" : await run("SessionStart", { ...payload, source: "startup" }, maintain)
    begun.add(session)
    const prompt = textOf(parts)
    const about = prompt ? await run("UserPromptSubmit", { ...payload, prompt, prompt_id: message }) : ""
    return [briefing, about].filter(Boolean).join("\n\n")
  }

  // The turn is over. `opencode run` ends then, and waits for nobody; it may end before it says that the session is idle.
  function stop(session) {
    if (!turns.delete(session)) return
    const input = JSON.stringify({ session_id: session, cwd: directory, last_assistant_message: answers.get(session) ?? "" })
    for (const event of ONE_TURN ? ["Stop", "SessionEnd"] : ["Stop"])
      spawnSync(HOOK[0], [...HOOK.slice(1), event, "--agent", "opencode", ...maintain], { input, timeout: MILLISECONDS })
  }

  return {
    "chat.message": async (input, output) => {
      const { id, sessionID } = output.message
      turns.add(sessionID)
      const text = await context(sessionID, id, output.parts)
      const last = output.parts.at(-1)
      if (text && last) output.parts.push({ ...last, id: `${last.id}t`, type: "text", text, synthetic: true })
    },
    "tool.execute.after": async (input, output) => {
      const code = output.metadata?.exit
      const failed = input.tool === SHELL && typeof code === "number" && code !== 0
      const payload = { session_id: input.sessionID, cwd: directory, tool_name: input.tool, tool_use_id: input.callID }
      const given = { tool_input: input.args ?? {}, ok: !failed }
      const error = failed ? `Exit code ${code}\n${output.output ?? ""}` : undefined
      const hint = await run("PostToolUse", { ...payload, ...given, error })
      if (hint && typeof output.output === "string") output.output += `\n\n${hint}`
    },
    event: async ({ event }) => {
      const told = event.properties ?? {}
      const info = told.info ?? {}
      if (event.type === "message.updated") roles.set(info.id, info.role)
      if (event.type === "message.part.updated" && told.part?.type === "text" && roles.get(told.part.messageID) === "assistant")
        answers.set(told.part.sessionID, told.part.text)
      if (event.type === "message.updated" && info.role === "assistant" && ENDS.has(info.finish)) stop(info.sessionID)
      if (event.type === "session.idle") stop(told.sessionID)
    },
  }
}
