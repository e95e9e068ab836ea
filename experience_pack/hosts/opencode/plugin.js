// Experience Pack for OpenCode: adds what is known to a prompt, keeps what a turn came to.
// `experience-pack host install opencode --hooks` fills in the settings. OpenCode cannot
// show an answer in place of the model's, so a ready answer is handed to the model.
import { spawn } from "node:child_process";

const settings = __SETTINGS__;
const PATIENCE_MS = 5000;

/** Asks about an event; gives the decision, or null where there is nothing to say. */
function ask(event, payload, cwd) {
  const [program, ...rest] = [...settings.command, "hook", "opencode", event];
  const env = { ...process.env, ...settings.environment };
  return new Promise((resolve) => {
    const child = spawn(program, rest, { cwd, env, stdio: ["pipe", "pipe", "ignore"] });
    const patience = setTimeout(() => child.kill(), PATIENCE_MS);
    let printed = "";
    child.stdout.setEncoding("utf8").on("data", (part) => (printed += part));
    child.on("error", () => resolve(null));
    child.on("close", () => {
      clearTimeout(patience);
      try {
        resolve(printed ? JSON.parse(printed) : null);
      } catch {
        resolve(null);
      }
    });
    child.stdin.on("error", () => {}).end(JSON.stringify(payload));
  });
}

export const ExperiencePack = async ({ directory }) => {
  const turns = new Map(); // by session: the prompt, and the reply so far

  return {
    "chat.message": async (input, output) => {
      const said = output.parts.filter((part) => part.type === "text" && !part.synthetic);
      const prompt = said.map((part) => part.text).join("\n");
      turns.set(input.sessionID, { prompt, reply: "" });
      if (!settings.asks) return;
      const payload = { prompt, session_id: input.sessionID };
      const decision = await ask("chat.message", payload, directory);
      if (!decision) return;
      output.parts.push({
        id: `prt_${crypto.randomUUID().replaceAll("-", "")}`,
        sessionID: input.sessionID,
        messageID: output.message.id,
        type: "text",
        text: `${decision.steered_by}\n\n${decision.told}`,
        synthetic: true,
      });
    },

    "experimental.text.complete": async (input, output) => {
      const turn = turns.get(input.sessionID);
      if (turn) turn.reply = output.text;
    },

    event: async ({ event }) => {
      if (event.type !== "session.idle" || !settings.captures) return;
      const session = event.properties?.sessionID;
      const turn = turns.get(session);
      turns.delete(session);
      if (turn?.reply) await ask("session.idle", { ...turn, session_id: session }, directory);
    },
  };
};
