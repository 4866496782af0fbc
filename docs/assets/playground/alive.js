// What the pages that come alive share: Python in a worker, and a state in the address.

// Started when a reader first turns to something on the page, and thrown away when it is stopped.
export class Python {
  #worker; #asked = 0; #waiting = new Map(); #address; #failed;
  isReady = false;

  constructor({ wheel, modules }, failed) { // by the names of the page's data
    this.#address = `worker.js?wheel=${wheel}&modules=${modules}`;
    this.#failed = failed;
  }

  begin() {
    if (this.#worker) return;
    this.#worker = new Worker(new URL(this.#address, import.meta.url), { type: "module" });
    this.#worker.onmessage = ({ data: { id, ...reply } }) => {
      this.isReady = true;
      this.#waiting.get(id)?.(reply);
      this.#waiting.delete(id);
    };
    this.#worker.onerror = () => {
      this.stop();
      this.#failed();
    };
  }

  ask(call, state, what) { // {answer}, {error}, or nothing if it is stopped before
    this.begin();
    this.#asked += 1;
    this.#worker.postMessage({ id: this.#asked, call, state, what });
    return new Promise((answered) => this.#waiting.set(this.#asked, answered));
  }

  stop() {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.isReady = false;
    for (const answered of this.#waiting.values()) answered({});
    this.#waiting.clear();
  }
}

export function written(state) { // as an address holds it: a list is written as often as it has something
  const found = new URLSearchParams();
  for (const [name, value] of Object.entries(state)) for (const one of [value].flat()) if (one !== "") found.append(name, one);
  return found.toString();
}

export const read = () => new URLSearchParams(location.hash.slice(1));

export const holdsState = () => location.hash === "" || location.hash.includes("="); // and not the name of a heading
