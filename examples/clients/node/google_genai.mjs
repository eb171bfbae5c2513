// @google/genai: generateContentStream.
import { GoogleGenAI } from "@google/genai";
import { description, name, runTool, server, tasks } from "./play.mjs";

const client = new GoogleGenAI({ apiKey: process.env.GEMINI_API_KEY, httpOptions: { baseUrl: server } });
for (const [question, parametersJsonSchema] of tasks) {
  const config = { tools: [{ functionDeclarations: [{ name, description, parametersJsonSchema }] }] };
  const contents = [{ role: "user", parts: [{ text: question }] }];
  for (;;) {
    const parts = [];
    const stream = await client.models.generateContentStream({ model: "gemini-3-flash-preview", contents, config });
    for await (const chunk of stream) parts.push(...(chunk.candidates?.[0]?.content?.parts ?? []));
    const calls = parts.filter((part) => part.functionCall).map((part) => part.functionCall);
    if (!calls.length) {
      console.log(parts.map((part) => part.text ?? "").join(""));
      break;
    }
    contents.push({ role: "model", parts });
    const results = [];
    for (const call of calls) {
      const response = { output: await runTool(call.args) };
      results.push({ functionResponse: { id: call.id, name: call.name, response } });
    }
    contents.push({ role: "user", parts: results });
  }
}
