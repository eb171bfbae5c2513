// @openai/agents: Responses, streamed.
import { Agent, run, setTracingDisabled, tool } from "@openai/agents";
import { description, name, runTool, tasks } from "./play.mjs";

setTracingDisabled(true);
for (const [question, parameters] of tasks) {
  const tools = [tool({ name, description, parameters, strict: true, execute: runTool })];
  const result = await run(new Agent({ name: "client", model: "gpt-4o-mini", tools }), question, { stream: true });
  await result.completed;
  console.log(result.finalOutput);
}
