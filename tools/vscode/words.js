// A list of words as one line that can be edited, as a shell would read it.
"use strict";

/** Returns the words as a line; those with spaces, quotes or nothing in them are quoted. */
function join(words) {
  return words.map((word) => (/^[^\s'"\\]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(" ");
}

/** Returns the words of a line, or nothing where a quote is open at its end. */
function split(line) {
  const piece = /\\([^])|'([^']*)'|"((?:[^"\\]|\\[^])*)"|([^\s'"\\]+)/y;
  const words = [];
  for (let at = 0, word; ; ) {
    const space = /\s*/y;
    space.lastIndex = at;
    at += space.exec(line)[0].length;
    if (at === line.length) return words;
    for (word = ""; at < line.length && !/\s/.test(line[at]); at = piece.lastIndex) {
      piece.lastIndex = at;
      const found = piece.exec(line);
      if (!found) return undefined;
      word += found[1] ?? found[2] ?? found[3]?.replace(/\\(["\\])/g, "$1") ?? found[4];
    }
    words.push(word);
  }
}

module.exports = { join, split };
