// Mastra: an Agent on OpenAI, streamed.
import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { z } from "zod";
import { description, name, runTool, server, tasks } from "./play.mjs";

const inputs = [z.object({ latitude: z.number(), longitude: z.number() }), z.object({ city: z.enum(["Seoul", "Busan"]) })];
for (const [number, [question]] of tasks.entries()) {
  const weather = createTool({
    id: name, description, inputSchema: inputs[number], execute: (given) => runTool(given.context ?? given),
  });
  const model = { id: "openai/gpt-4o-mini", url: `${server}/v1`, apiKey: process.env.OPENAI_API_KEY };
  const agent = new Agent({ id: "client", name: "client", instructions: "Use the tool.", model, tools: { [name]: weather } });
  const stream = await agent.stream(question);
  const text = await stream.text;
  if (stream.error) throw stream.error;
  console.log(text);
}
