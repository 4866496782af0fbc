// Python, in a thread of its own: Pyodide, the wheel of the package, and the modules beside this file that are named in
// the address. The last of these answers, and may lean on the others.
// It answers one question at a time: {id, call: "view" or "take", state, what}. To stop it is to terminate it.

import { loadPyodide } from "../pyodide/pyodide.mjs";

const started = start();

async function start() {
  const given = new URL(location).searchParams;
  const modules = given.get("modules").split(","), folder = "docs/assets/playground";
  const [python, packed, ...texts] = await Promise.all([
    loadPyodide(),
    ...[given.get("wheel"), ...modules.map((name) => `${name}.py`)].map((name) =>
      fetch(new URL(name, import.meta.url)).then(found)),
  ]);
  python.unpackArchive(packed, "wheel");
  python.FS.mkdirTree(folder);
  modules.forEach((name, place) => python.FS.writeFile(`${folder}/${name}.py`, new Uint8Array(texts[place])));
  python.globals.set("room", modules.at(-1));
  return python.runPython(`
    import importlib, json
    room = importlib.import_module(f"docs.assets.playground.{room}")
    def answer(call, state, *further):
        try:
            return json.dumps({"answer": getattr(room, call)(room.State.of(json.loads(state)), *further)})
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
    postMessage({ id, error: `Python stumbled: ${last}` });
  }
});
