// Typesets formulas: reads {"tex", "display"} a line, answers {"html"} or {"error"} a line. katex.py talks to it.

import { createInterface } from "node:readline";
import katex from "katex";

// A minus in the name of a linear question stands among words, where KaTeX knows only the hyphen. Anything else ends the build.
const strict = (code, message) => (code === "unknownSymbol" && message.includes("−") ? "ignore" : "error");

for await (const line of createInterface({ input: process.stdin })) {
  const { tex, display } = JSON.parse(line);
  let answer;
  try {
    answer = { html: katex.renderToString(tex, { displayMode: display, strict }) };
  } catch (error) {
    answer = { error: error.message };
  }
  console.log(JSON.stringify(answer));
}
