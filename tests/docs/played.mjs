// What a figure of the pages shows after some of its buttons: node played.mjs < figures > slots, a figure on each line.
import { createInterface } from "node:readline";
import { Figure } from "../../docs/assets/play/play.mjs";

for await (const line of createInterface({ input: process.stdin })) {
  const { kind, known, acts } = JSON.parse(line);
  const { does, view } = await import(`../../docs/assets/play/${kind}.mjs`);
  const figure = new Figure(null, known);
  for (const act of acts) figure.act(does, ...act.split(" "));
  const { texts = {}, counts = {}, marks = {} } = view(figure.state, figure);
  console.log(JSON.stringify({ state: figure.state, texts, counts, marks }));
}
