// Python, in a thread of its own: Pyodide, the wheel of the package, and playground.py beside this file.
// It answers one question at a time: {id, call: "view" or "take", state, what}. To stop it is to terminate it.

import { loadPyodide } from "../pyodide/pyodide.mjs";

const started = start();

async function start() {
  const wheel = new URL(location).searchParams.get("wheel");
  const [python, packed, room] = await Promise.all([
    loadPyodide(),
    fetch(new URL(wheel, import.meta.url)).then(found),
    fetch(new URL("playground.py", import.meta.url)).then(found),
  ]);
  python.unpackArchive(packed, "wheel");
  python.FS.writeFile("playground.py", new Uint8Array(room));
  return python.runPython(`
    import json, playground
    def answer(call, state, *further):
        try:
            return json.dumps({"answer": getattr(playground, call)(playground.State.of(json.loads(state)), *further)})
        except ValueError as error:  # an InputError is one
            return json.dumps({"error": str(error)})

    answer`);
}

async function found(response) {
  if (!response.ok) throw new Error(`${response.url} cannot be loaded (${response.status})`);
  return response.arrayBuffer();
}

addEventListener("message", async ({ data: { id, call, state, what } }) => {
  try {
    const answer = await started;
    const further = what === undefined ? [] : [what];
    postMessage({ id, ...JSON.parse(answer(call, JSON.stringify(state), ...further)) });
  } catch (error) {
    const last = String(error.message).trim().split("\n").at(-1);
    postMessage({ id, error: `the playground stumbled: ${last}` });
  }
});
