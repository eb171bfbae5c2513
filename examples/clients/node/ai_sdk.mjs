// Vercel AI SDK: streamText with the provider that the argument names (openai, openai-chat, anthropic, google).
import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { jsonSchema, stepCountIs, streamText, tool } from "ai";
import { description, name, runTool, server, tasks } from "./play.mjs";

const models = {
  openai: () => createOpenAI({ baseURL: `${server}/v1` })("gpt-4o-mini"),
  "openai-chat": () => createOpenAI({ baseURL: `${server}/v1` }).chat("gpt-4o-mini"),
  anthropic: () => createAnthropic({ baseURL: `${server}/v1` })("claude-sonnet-4-6"),
  google: () => createGoogleGenerativeAI({ baseURL: `${server}/v1beta` })("gemini-3-flash-preview"),
};
for (const [prompt, schema] of tasks) {
  let failure;
  const result = streamText({
    model: models[process.argv[2]](),
    prompt,
    tools: { [name]: tool({ description, inputSchema: jsonSchema(schema), execute: runTool }) },
    stopWhen: stepCountIs(5),
    onError: ({ error }) => { failure ??= error; },
  });
  await result.consumeStream();
  if (failure) throw failure;
  console.log(await result.text);
}
