// @anthropic-ai/sdk: Messages, streamed.
import Anthropic from "@anthropic-ai/sdk";
import { description, name, runTool, tasks } from "./play.mjs";

const client = new Anthropic();
for (const [question, input_schema] of tasks) {
  const tools = [{ name, description, input_schema }];
  const messages = [{ role: "user", content: question }];
  for (;;) {
    const { content } = await client.messages
      .stream({ model: "claude-sonnet-4-6", max_tokens: 1024, messages, tools })
      .finalMessage();
    const calls = content.filter((block) => block.type === "tool_use");
    if (!calls.length) {
      console.log(content.map((block) => block.text ?? "").join(""));
      break;
    }
    messages.push({ role: "assistant", content });
    const results = [];
    for (const call of calls) {
      results.push({ type: "tool_result", tool_use_id: call.id, content: await runTool(call.input) });
    }
    messages.push({ role: "user", content: results });
  }
}
