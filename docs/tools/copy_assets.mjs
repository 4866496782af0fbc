// Copies what a reader's browser needs: of KaTeX its style sheet and fonts with their licence, to docs/assets/katex;
// of Pyodide the Python that runs in the playground, to docs/assets/pyodide, with the file that names its licence.
// npm runs it after every install. The copies are not committed.

import { cp, mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";

const PYTHON = [
  "pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json", "package.json",
];

const katex = new URL("node_modules/katex/", import.meta.url);
const site = new URL("../assets/katex/", import.meta.url);

// Every browser of the last ten years takes WOFF2, so the two older forms of each font stay behind.
const styles = await readFile(new URL("dist/katex.min.css", katex), "utf8");
const slim = styles.replaceAll(/,url\([^)]*\.(woff|ttf)\) format\("\w+"\)/g, "");

await rm(site, { recursive: true, force: true });
await mkdir(new URL("fonts/", site), { recursive: true });
await writeFile(new URL("katex.min.css", site), slim);
await cp(new URL("LICENSE", katex), new URL("LICENSE", site));
for (const font of await readdir(new URL("dist/fonts/", katex))) {
  if (font.endsWith(".woff2")) {
    await cp(new URL(`dist/fonts/${font}`, katex), new URL(`fonts/${font}`, site));
  }
}

const python = new URL("../assets/pyodide/", import.meta.url);
await rm(python, { recursive: true, force: true });
await mkdir(python, { recursive: true });
for (const file of PYTHON) {
  await cp(new URL(`node_modules/pyodide/${file}`, import.meta.url), new URL(file, python));
}
