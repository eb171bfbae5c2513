// openai: Chat Completions, streamed.
import OpenAI from "openai";
import { description, name, runTool, tasks } from "./play.mjs";

const client = new OpenAI();
for (const [question, parameters] of tasks) {
  const tools = [{ type: "function", function: { name, description, parameters } }];
  const messages = [{ role: "user", content: question }];
  for (;;) {
    const stream = client.chat.completions.stream({ model: "gpt-4o-mini", messages, tools });
    const { message } = (await stream.finalChatCompletion()).choices[0];
    if (!message.tool_calls?.length) {
      console.log(message.content);
      break;
    }
    const calls = message.tool_calls.map(({ id, function: f }) => ({
      id, type: "function", function: { name: f.name, arguments: f.arguments },
    }));
    messages.push({ role: "assistant", content: message.content, tool_calls: calls });
    for (const call of calls) {
      const content = await runTool(JSON.parse(call.function.arguments));
      messages.push({ role: "tool", tool_call_id: call.id, content });
    }
  }
}
