// LangChain for JavaScript: createAgent with the provider that the argument names (openai, anthropic), streamed.
import { ChatAnthropic } from "@langchain/anthropic";
import { tool } from "@langchain/core/tools";
import { ChatOpenAI } from "@langchain/openai";
import { createAgent } from "langchain";
import { description, name, runTool, server, tasks } from "./play.mjs";

const models = {
  openai: () => new ChatOpenAI({ model: "gpt-4o-mini", streaming: true, configuration: { baseURL: `${server}/v1` } }),
  anthropic: () => new ChatAnthropic({ model: "claude-sonnet-4-6", streaming: true, anthropicApiUrl: server }),
};
for (const [content, schema] of tasks) {
  const tools = [tool(runTool, { name, description, schema })];
  const agent = createAgent({ model: models[process.argv[2]](), tools });
  const { messages } = await agent.invoke({ messages: [{ role: "user", content }] });
  console.log(messages.at(-1).content);
}
