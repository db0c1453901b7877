// Splits a line of code into tokens, as far as colouring needs it.

const longestLine = 2000; // characters; longer ones are shown without colour

const rules = {
  python: [
    ['comment', /#.*/y], ['string', /"""|'''|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/y], ['number', /\b\d[\w.]*/y],
    ['keyword', /\b(?:def|return|for|in|if|elif|else|while|and|or|not|is|None|True|False|import|from|as|class|pass|assert|with|lambda|break|continue)\b/y],
    ['call', /@[\w.]+|\b\w+(?=\()/y], ['word', /\w+/y]],
  mlir: [
    ['comment', /\/\/.*/y], ['string', /"(?:[^"\\]|\\.)*"/y], ['value', /%[\w$.#-]+/y], ['type', /![\w.]+(?:<[^<>]*>)?|#[\w.$]+/y],
    ['call', /\b[a-z_]\w*\.[\w.]+/y], ['number', /\b-?\d[\w.]*/y],
    ['keyword', /\b(?:func|return|module|attributes|iter_args|to|step|else|dense|loc)\b/y], ['word', /[\w$]+/y]],
  ptx: [
    ['comment', /\/\/.*|\/\*.*?\*\//y], ['string', /"(?:[^"\\]|\\.)*"/y], ['value', /%[\w.]+|\$\w+/y],
    ['type', /\.(?:reg|visible|entry|param|shared|global|local|pred|loc|file|section|target|version|align|func|maxntid|reqntid|[bsuf]\d+(?:x2)?)\b/y],
    ['call', /\b[a-z][\w]*(?:\.[\w:]+)+|\b(?:ret|bra|mov)\b|\b[A-Z][A-Z0-9]+(?:\.[\w]+)*/y], ['number', /\b-?\d[\w.]*/y], ['word', /[\w$]+/y]],
};

/**
 * Returns the tokens of a line as pairs of kind and text; text between them has the kind ''. `inString` is the quote of a
 * Python string that lines before have left open, or ''.
 * @param {string} line
 * @param {string} language
 * @param {string} inString
 * @returns {{tokens: [string, string][], inString: string}}
 */
export function tokenize(line, language, inString = '') {
  if (line.length > longestLine) return {tokens: [['', line]], inString};
  const tokens = [];
  let at = 0, plain = 0;
  const emit = (kind, end) => {
    if (plain < at) tokens.push(['', line.slice(plain, at)]);
    tokens.push([kind, line.slice(at, end)]);
    plain = at = end;
  };
  while (at < line.length || inString) {
    if (inString) {
      const end = line.indexOf(inString, at);
      const until = end < 0 ? line.length : end + 3;
      if (until > at) emit('string', until);
      if (end < 0) break;
      inString = '';
      continue;
    }
    const [kind, length] = match(line, at, language);
    if (!length) { ++at; continue; }
    const text = line.substr(at, length);
    if (kind === 'string' && (text === '"""' || text === "'''")) {
      emit('string', at + 3);
      inString = text;
    } else if (kind === 'word') at += length;
    else emit(kind, at + length);
  }
  if (plain < line.length) tokens.push(['', line.slice(plain)]);
  return {tokens, inString};
}

function match(line, at, language) {
  for (const [kind, rule] of rules[language] ?? []) {
    rule.lastIndex = at;
    const found = rule.exec(line);
    if (found) return [kind, found[0].length];
  }
  return ['', 0];
}
