// Experience Pack for Pi and OMP: asks before each turn, and keeps what a turn came to.
// `experience-pack host install pi --hooks` fills in the settings. Every way out of here
// lets the host go on: what cannot be asked has nothing to say.
import { spawn } from "node:child_process";

const settings = __SETTINGS__;
const PATIENCE_MS = 5000;

/** Runs the program and gives what it printed, "" where it failed. */
function run(words, input, cwd) {
  const [program, ...rest] = [...settings.command, ...words];
  const env = { ...process.env, ...settings.environment };
  return new Promise((resolve) => {
    const child = spawn(program, rest, { cwd, env, stdio: ["pipe", "pipe", "ignore"] });
    const patience = setTimeout(() => child.kill(), PATIENCE_MS);
    let printed = "";
    child.stdout.setEncoding("utf8").on("data", (part) => (printed += part));
    child.on("error", () => resolve(""));
    child.on("close", () => {
      clearTimeout(patience);
      resolve(printed);
    });
    child.stdin.on("error", () => {}).end(input);
  });
}

/** Asks about an event; gives the decision, or null where there is nothing to say. */
async function ask(event, payload, cwd) {
  const printed = await run(["hook", "pi", event], JSON.stringify(payload), cwd);
  try {
    return printed ? JSON.parse(printed) : null;
  } catch {
    return null;
  }
}

function textOf(message) {
  const content = message?.content;
  if (typeof content === "string") return content;
  const parts = Array.isArray(content) ? content : [];
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("\n").trim();
}

function lastOf(messages, role) {
  return textOf([...(messages ?? [])].reverse().find((one) => one.role === role));
}

export default function (pi) {
  let asked = null; // the prompt that was asked about last, and what was said
  let session = "";

  async function decide(prompt, ctx) {
    if (asked?.prompt !== prompt) {
      const cwd = ctx?.cwd ?? process.cwd();
      asked = { prompt, decision: await ask("input", { prompt, session_id: session }, cwd) };
    }
    return asked.decision;
  }

  /** Shows an answer where the host has a screen, else on standard output. */
  function show(decision, ctx) {
    const steered = { steered_by: decision.steered_by, action: decision.action };
    pi.appendEntry("experience-steered", steered);
    pi.sendMessage({ customType: "experience", content: decision.text, display: true });
    if (!ctx?.hasUI) process.stdout.write(`${decision.text}\n`);
  }

  pi.on("session_start", () => {
    session = `pi-${process.pid}-${Date.now()}`;
  });

  if (settings.asks) {
    pi.on("input", async (event, ctx) => {
      const decision = await decide(event.text, ctx);
      if (decision?.action !== "bypass") return undefined;
      show(decision, ctx);
      asked = null;
      return { action: "handled", handled: true }; // Pi's word, and OMP's
    });

    pi.on("before_agent_start", async (event, ctx) => {
      const decision = await decide(event.prompt, ctx);
      asked = null;
      if (!decision) return undefined;
      if (decision.action === "bypass") {
        show(decision, ctx); // OMP without a screen does not fire `input`
        ctx?.abort?.();
        return undefined;
      }
      pi.appendEntry("experience-steered", { steered_by: decision.steered_by });
      const content = `${decision.steered_by}\n\n${decision.told}`;
      return { message: { customType: "experience", content, display: true } };
    });
  }

  if (settings.captures) {
    let kept = null; // the messages of the turn that was kept last

    async function keep(event, ctx) {
      const prompt = lastOf(event.messages, "user");
      const reply = lastOf(event.messages, "assistant");
      const turn = `${event.messages?.length} ${prompt} ${reply}`;
      if (turn === kept) return;
      kept = turn;
      const cwd = ctx?.cwd ?? process.cwd();
      await ask("agent_end", { prompt, reply, session_id: session }, cwd);
    }

    pi.on("session_stop", keep); // OMP waits for this one, and not for the next
    pi.on("agent_end", keep);
  }

  pi.registerCommand("experience", {
    description: "Ask or look through the project's experience: /experience request TEXT",
    handler: async (args, ctx) => {
      const words = args?.trim() ? args.trim().split(/\s+/) : ["status"];
      const [command, ...rest] = words;
      const told = command === "request" ? ["request", rest.join(" ")] : words;
      const printed = await run(told, "", ctx?.cwd ?? process.cwd());
      ctx.ui.notify(printed || "Nothing to say; is there a workspace here?", "info");
    },
  });
}
