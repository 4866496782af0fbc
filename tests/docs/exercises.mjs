// What an exercise answers: node exercises.mjs < tasks > words, a task with what is typed on each line.
import { createInterface } from "node:readline";
import { judge } from "../../docs/assets/play/exercise.mjs";

for await (const line of createInterface({ input: process.stdin })) {
  const { task, typed } = JSON.parse(line);
  console.log(JSON.stringify(typed.map((one) => judge(task, one))));
}
