// openai: Responses, streamed, with the server keeping the history.
import OpenAI from "openai";
import { description, name, runTool, tasks } from "./play.mjs";

const client = new OpenAI();
for (const [question, parameters] of tasks) {
  const tools = [{ type: "function", name, description, parameters, strict: true }];
  let input = [{ role: "user", content: question }];
  let previous_response_id;
  for (;;) {
    const response = await client.responses
      .stream({ model: "gpt-4o-mini", input, tools, previous_response_id })
      .finalResponse();
    const calls = response.output.filter((item) => item.type === "function_call");
    if (!calls.length) {
      console.log(response.output_text);
      break;
    }
    previous_response_id = response.id;
    input = [];
    for (const call of calls) {
      const output = await runTool(JSON.parse(call.arguments));
      input.push({ type: "function_call_output", call_id: call.call_id, output });
    }
  }
}
