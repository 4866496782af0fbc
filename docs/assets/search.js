// The search in the words that readers use: what they call otherwise is put into the words of the pages, words that say
// nothing are left out, and a word that is nowhere is sought again as one that was mistyped.

(function () {
  const QUERY = 2, RESULT = 3; // the messages of the theme's worker
  const CALLED = [
    [/\bJ48\b/gi, "J48 programs"], // the page is called C4.5 as programs have it
    [/节点/g, "结点"],
    [/^熵$/, "信息熵"],
    [/\b(?:numeric|numerical)\b/gi, "continuous"],
    [/\bfeatures?\b/gi, "attribute"],
    [/\b(?:impurity)\b/gi, "gini entropy"],
    [/\b(?:ccp(?:_alpha)?|weakest link)\b/gi, "cost complexity"],
    [/\b(max|min)_(\w+)/gi, (_, bound, what) => `${bound} ${what.replaceAll("_", " ")}`], // as the options of other programs
    [/\bvisuali[sz](?:e|ing|ation)\b/gi, "draw"],
  ];
  const EMPTY = /^(?:how|to|do|does|i|what|is|are|the|a|an|of|in|when|why)\s+/i, ARTICLE = /\s+(?:a|an|the|my)(?=\s)/gi;
  const post = Worker.prototype.postMessage, asked = new WeakMap();

  function said(query) {
    let words = CALLED.reduce((text, [other, ours]) => text.replace(other, ours), query);
    while (EMPTY.test(words)) words = words.replace(EMPTY, "");
    return words.replace(ARTICLE, "");
  }

  // As a word of one letter more, less or otherwise, or by its beginning; a word is indexed without its ending.
  const mistyped = (query) => query.split(/\s+/)
    .flatMap((word) => (/^[a-z]{4,}$/i.test(word) ? [`${word}~1`, `${word.slice(0, Math.max(4, word.length - 4))}*`] : [word]))
    .join(" ");

  Worker.prototype.postMessage = function (message, ...rest) {
    if (message?.type !== QUERY || typeof message.data !== "string") return post.call(this, message, ...rest);
    if (!asked.has(this)) this.addEventListener("message", ({ data }) => {
      const query = asked.get(this);
      if (data?.type !== RESULT || data.data?.items?.length || !query) return;
      asked.set(this, ""); // once
      if (mistyped(query) !== query) post.call(this, { type: QUERY, data: mistyped(query) });
    });
    const query = said(message.data.trim());
    asked.set(this, query);
    return post.call(this, { ...message, data: query }, ...rest);
  };
})();
