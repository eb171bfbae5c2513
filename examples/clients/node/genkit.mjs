// Genkit: generateStream on the provider that the argument names (openai, google).
import { genkit } from "genkit";
import { z } from "zod";
import { description, name, runTool, server, tasks } from "./play.mjs";

let ai, model;
if (process.argv[2] === "openai") {
  const { openAI } = await import("@genkit-ai/compat-oai/openai");
  ai = genkit({ plugins: [openAI({ baseURL: `${server}/v1` })] });
  model = openAI.model("gpt-4o-mini");
} else {
  const { googleAI } = await import("@genkit-ai/google-genai");
  ai = genkit({ plugins: [googleAI({ baseUrl: server })] });
  model = googleAI.model("gemini-3-flash-preview");
}
const inputs = [z.object({ latitude: z.number(), longitude: z.number() }), z.object({ city: z.enum(["Seoul", "Busan"]) })];
for (const [number, [prompt]] of tasks.entries()) {
  const weather = ai.dynamicTool({ name, description, inputSchema: inputs[number] }, runTool);
  const { response } = ai.generateStream({ model, prompt, tools: [weather] });
  console.log((await response).text);
}
