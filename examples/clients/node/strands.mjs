// Strands for TypeScript: an Agent on the provider that the argument names (openai, responses, anthropic), streamed.
import { Agent, tool } from "@strands-agents/sdk";
import { z } from "zod";
import { description, name, runTool, server, tasks } from "./play.mjs";

let model;
if (process.argv[2] === "anthropic") {
  const { AnthropicModel } = await import("@strands-agents/sdk/models/anthropic");
  model = new AnthropicModel({ modelId: "claude-sonnet-4-6", maxTokens: 1024, clientConfig: { baseURL: server } });
} else {
  const { OpenAIModel } = await import("@strands-agents/sdk/models/openai");
  const api = process.argv[2] === "openai" ? "chat" : "responses";
  model = new OpenAIModel({ api, modelId: "gpt-4o-mini", clientConfig: { baseURL: `${server}/v1` } });
}
const inputs = [z.object({ latitude: z.number(), longitude: z.number() }), z.object({ city: z.enum(["Seoul", "Busan"]) })];
for (const [number, [question]] of tasks.entries()) {
  const weather = tool({ name, description, inputSchema: inputs[number], callback: runTool });
  const agent = new Agent({ model, tools: [weather], printer: false });
  console.log(String(await agent.invoke(question)));
}
