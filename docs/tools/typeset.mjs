// Typesets formulas: reads {"tex", "display"} a line, answers {"html", "wide"} or {"error"} a line. katex.py talks to it.

import { createInterface } from "node:readline";
import katex from "katex";

// A minus in the name of a linear question stands among words, where KaTeX knows only the hyphen. Anything else ends the build.
const strict = (code, message) => (code === "unknownSymbol" && message.includes("−") ? "ignore" : "error");

const SIZES = [0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.2, 1.44, 1.728, 2.074, 2.488]; // KaTeX's own, from size1 on

const DELIMITER = 0.12; // beside a fraction; KaTeX's style sheet says so

// About how wide a node of KaTeX's tree is, in em: parts of a vlist stand one above the other, all others side by side.
function wide(node) {
  const { classes = [], children = [], style = {}, text } = node;
  if (classes.includes("katex-mathml") || classes.includes("vlist-s")) return 0;
  if (classes.includes("nulldelimiter")) return DELIMITER;
  const lengths = [style.marginLeft, style.marginRight, style.paddingLeft, style.width ?? style.minWidth];
  const [left, right, padding, own] = lengths.map((length) => Number.parseFloat(length) || 0);
  const parts = children.map(wide);
  const inside = classes.includes("vlist") ? Math.max(0, ...parts) : parts.reduce((sum, part) => sum + part, 0);
  const [from, to] = ["reset-size", "size"].map((name) =>
    Number(classes.map((one) => one.match(`^${name}(\\d+)$`)?.[1]).find(Boolean)));
  const scale = from && to ? SIZES[to - 1] / SIZES[from - 1] : 1;
  return scale * (left + right + padding + Math.max(own, inside, text ? written(text, node.width) : 0));
}

function written(text, width) { // KaTeX joins letters and digits, and keeps the width of the first alone
  const letters = [...text];
  return letters.length === 1 && width ? width : letters.reduce((sum, one) => sum + (one >= "\u2e80" ? 1 : 0.5), 0);
}

for await (const line of createInterface({ input: process.stdin })) {
  const { tex, display } = JSON.parse(line);
  let answer;
  try {
    const options = { displayMode: display, strict };
    answer = { html: katex.renderToString(tex, options), wide: wide(katex.__renderToDomTree(tex, options)) };
  } catch (error) {
    answer = { error: error.message };
  }
  console.log(JSON.stringify(answer));
}
