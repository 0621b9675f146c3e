/* The order of results. A page counts once, by the words of the query in its text, title and headings, the rarer a word the more, and by the
   phrases that it names for itself (PHRASES, written before this script); developers' pages come last. Sphinx's own order asks for every word. */
{
  const AREAS = [
    [/^reference\/command/, 0.8],
    [/^(reference\/|archive\/|names$)/, 0.45],
    [/^(advice|archive|calibration|studies|gallery)$/, 0.7],
  ];
  const LAST = /^(design|project)\//;
  const stemmer = new Stemmer();
  const words = (text) =>
    splitQuery(text.toLowerCase()).filter((word) => !stopwords.has(word)).map((word) => stemmer.stemWord(word));
  const listed = (files) => (files === undefined ? [] : [].concat(files));

  /** How much of a phrase is the query, and of the query the phrase: 1 where both are one. */
  const likeness = (phrase, query) => {
    const shared = phrase.filter((word) => query.includes(word)).length;
    return shared && (shared * shared) / (phrase.length * query.length);
  };

  const own = Search._performSearch;
  Search._performSearch = (query, ...rest) => {
    const index = Search._index, typed = [...new Set(words(query))];
    if (!typed.length) return own(query, ...rest);
    const points = new Map(), anchors = new Map();
    const add = (file, more) => points.set(file, (points.get(file) || 0) + more);

    for (const word of typed) {
      const parts = Object.hasOwn(index.terms, word) || word.length < 4 ? [word] : Object.keys(index.terms).filter((term) => term.startsWith(word));
      const inText = new Set(parts.flatMap((part) => (Object.hasOwn(index.terms, part) ? listed(index.terms[part]) : [])));
      const inTitle = new Set(Object.hasOwn(index.titleterms, word) ? listed(index.titleterms[word]) : []);
      const rarity = Math.log(1 + index.docnames.length / (1 + new Set([...inText, ...inTitle]).size));
      inText.forEach((file) => add(file, rarity));
      inTitle.forEach((file) => add(file, rarity));
    }
    const full = typed.length * Math.log(1 + index.docnames.length);

    for (const [title, places] of Object.entries(index.alltitles)) {
      const like = likeness(words(title), typed);
      for (const [file, id] of places)
        if (like > 0.3 && like > (anchors.get(file)?.like || 0))
          anchors.set(file, { like, id: index.titles[file] === title ? null : id, title });
    }
    anchors.forEach(({ like }, file) => add(file, 0.5 * like * full));
    index.docnames.forEach((page, file) => {
      const like = Math.max(0, ...(PHRASES[page] || []).map((phrase) => likeness(words(phrase), typed)));
      if (like > 0.2) add(file, 1.5 * like * full);
    });
    const names = new Set(splitQuery(query.toLowerCase()).filter((word) => word !== "ro" && word !== "runoff"));
    if (names.size === 1)
      for (const name of names)
        for (const [page, , anchor, , score] of Search.performObjectSearch(name, names)) {
          const file = index.docnames.indexOf(page), own = page === `reference/runoff.${name}`;
          if (score > 15) add(file, (own ? 4 : 1) * full), anchors.set(file, { like: 1, id: own ? null : anchor.slice(1), title: anchor.slice(1) });
        }

    return [...points]
      .map(([file, sum]) => {
        const page = index.docnames[file], area = AREAS.find(([pattern]) => pattern.test(page));
        const { id, title } = anchors.get(file) || {}, name = index.titles[file];
        const score = sum * (area ? area[1] : 1) - (LAST.test(page) ? 1000 : 0);
        return [page, id ? `${name} > ${title}` : name, id ? `#${id}` : "", null, score, index.filenames[file], SearchResultKind.text];
      })
      .sort((a, b) => a[4] - b[4] || (a[1] < b[1] ? 1 : -1))
      .slice(-30); // the best is last
  };
}
