// What the client programs share: the questions, and the tools, which run on the reference server so that it sees them.
export const server = process.env.CONFORMANCE_URL;
export const name = "get_weather";
export const description = "Get the current weather.";
const number = { type: "number" };
const coordinates = {
  type: "object",
  properties: { latitude: number, longitude: number },
  required: ["latitude", "longitude"],
  additionalProperties: false,
};
const city = {
  type: "object",
  properties: { city: { type: "string", enum: ["Seoul", "Busan"] } },
  required: ["city"],
  additionalProperties: false,
};
export const tasks = [
  ["지금 서울 날씨가 어때? 기온을 알려줘.", coordinates],
  ["How warm is it in Seoul and in Busan right now?", city],
];

export async function runTool(args) {
  const answer = await fetch(`${server}/_conformance/tools/${name}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(args),
  });
  return answer.text();
}
