// A report as the views ask for it: the document with its joins computed once.

/**
 * @typedef {[number, number, number, number, number, number]} Place file, line, column, end line, end column, call
 * @typedef {{instructions: number, sectors: number, sectorsLeast: number, passes: number, passesLeast: number,
 *            barriers: number, registers: number}} Cost
 * @typedef {{key: string, title: string, language: string, text: string, spans: [number, number][]}} Text
 */

/** @returns {Cost} */
const noCost = () => ({instructions: 0, sectors: 0, sectorsLeast: 0, passes: 0, passesLeast: 0, barriers: 0, registers: 0});

export class Report {
  /** @param {any} document a document of schema `tegula-insight/1` */
  constructor(document) {
    this.document = document;
    /** @type {Place[]} */
    this.places = document.places ?? [];
    this.files = document.files ?? [];
    this.values = document.values ?? [];
    this.accesses = document.accesses ?? [];
    this.loops = document.loops ?? [];
    this.remarks = document.remarks ?? [];
    this.findings = document.findings ?? [];
    this.layouts = document.layouts ?? [];
    this.conversions = document.conversions ?? [];
    this.stages = document.stages ?? [];
    this.kernel = document.kernel ?? {};
    this.spec = this.kernel.spec ?? {};
    this.resources = document.resources ?? {};
    this.hasRun = Boolean(document.counters);
    this.mainFile = Math.max(0, this.files.findIndex(file => file.path === this.kernel.file));
    this.texts = this.#texts();
    this.#indexLines();
    this.#indexCosts();
  }

  /** @returns {Text[]} every text of the report, source first, machine code last */
  #texts() {
    const texts = this.files.map((file, index) => ({
      key: `file${index}`, title: index === this.mainFile ? 'source' : file.path, language: 'python',
      text: file.text ?? '', spans: this.#sourceSpans(index), file: index}));
    texts.sort((a, b) => (b.file === this.mainFile) - (a.file === this.mainFile));
    const used = new Set(this.places.map(place => place[0]));
    const kept = texts.filter(text => text.file === this.mainFile || (text.text && used.has(text.file)));
    for (const stage of this.stages)
      kept.push({key: stage.name, title: stage.name, language: 'mlir', text: stage.text, spans: stage.spans});
    const {ptx, sass} = this.document;
    if (ptx?.text) kept.push({key: 'ptx', title: 'PTX', language: 'ptx', text: ptx.text, spans: ptx.spans});
    if (sass?.addresses?.length) kept.push(this.#sass(sass, ptx?.spans ?? []));
    return kept;
  }

  /** Spans of a source file: a place belongs to the line where it begins, and to those of the calls that inlined it. */
  #sourceSpans(file) {
    const spans = [];
    this.places.forEach((place, index) => {
      for (const at of this.chain(index))
        if (this.places[at][0] === file) spans.push([this.places[at][1], index]);
    });
    return spans;
  }

  /** The text of the machine code; where there is no disassembly, its addresses with the PTX that each comes from. */
  #sass(sass, ptxSpans) {
    const placeOf = new Map(ptxSpans);
    const ptxLines = this.document.ptx?.text.split('\n') ?? [];
    const hex = number => number.toString(16).padStart(4, '0');
    const spans = [];
    let rows;
    if (sass.text) {
      rows = sass.text.split('\n');
      const lineOf = new Map(sass.addresses.map((address, i) => [address, sass.ptxLines[i]]));
      rows.forEach((row, i) => {
        const at = /\/\*([0-9a-f]{4,})\*\//.exec(row);
        const place = at && placeOf.get(lineOf.get(parseInt(at[1], 16)));
        if (place >= 0) spans.push([i + 1, place]);
      });
    } else {
      rows = sass.addresses.map((address, i) => {
        const place = placeOf.get(sass.ptxLines[i]);
        if (place >= 0) spans.push([i + 1, place]);
        return `/*${hex(address)}*/  from ${(ptxLines[sass.ptxLines[i] - 1] ?? '').trim()}`;
      });
    }
    return {key: 'sass', title: sass.text ? 'SASS' : 'SASS addresses', language: 'ptx', text: rows.join('\n'), spans};
  }

  #indexLines() {
    for (const text of this.texts) {
      text.lines = text.text.split('\n');
      if (text.lines.length > 1 && text.lines.at(-1) === '') text.lines.pop();
      text.placesOf = new Map();
      text.linesOf = new Map();
      for (const [line, place] of text.spans ?? []) {
        if (!this.places[place]) continue;
        if (!text.placesOf.has(line)) text.placesOf.set(line, []);
        text.placesOf.get(line).push(place);
        if (!text.linesOf.has(place)) text.linesOf.set(place, []);
        text.linesOf.get(place).push(line);
      }
    }
    this.source = this.texts.find(text => text.file === this.mainFile) ?? {lines: [], placesOf: new Map(), linesOf: new Map()};
  }

  /** Adds up, for each line of a file, what its places cost. */
  #indexCosts() {
    /** @type {Map<string, Cost>} */
    this.costs = new Map();
    this.total = noCost();
    this.elsewhere = noCost();
    const {counters, pressure} = this.document;
    const add = (place, column, number) => {
      this.total[column] += number;
      const at = this.places[place];
      if (!at) { this.elsewhere[column] += number; return; }
      this.#costAt(at[0], at[1])[column] += number;
    };
    const ptxPlace = new Map(this.document.ptx?.spans ?? []);
    const column = counters ? counters.columns.indexOf('warpInstructions') + 1 : 0;
    const lines = this.document.ptx?.text.split('\n') ?? [];
    for (const row of counters?.perPtxLine ?? []) {
      const place = ptxPlace.get(row[0]) ?? -1;
      add(place, 'instructions', column > 0 ? row[column] : 0);
      if (/^\s*(@!?%\w+\s+)?(bar|barrier)\.(?!warp)/.test(lines[row[0] - 1] ?? '')) add(place, 'barriers', column > 0 ? row[column] : 0);
    }
    for (const access of this.accesses) {
      const [units, least] = access.space === 'global' ? ['sectors', 'sectorsLeast'] : ['passes', 'passesLeast'];
      add(access.place, units, access.units);
      add(access.place, least, access.unitsLeast);
    }
    const stage = pressure && this.stages[pressure.stage];
    const placesOf = stage && this.texts.find(text => text.key === stage.name)?.placesOf;
    for (const [line, registers] of pressure?.rows ?? [])
      for (const place of placesOf?.get(line) ?? []) {
        const at = this.places[place];
        const cost = this.#costAt(at[0], at[1]);
        cost.registers = Math.max(cost.registers, registers);
        this.total.registers = Math.max(this.total.registers, registers);
      }
  }

  #costAt(file, line) {
    const key = `${file}:${line}`;
    if (!this.costs.has(key)) this.costs.set(key, noCost());
    return this.costs.get(key);
  }

  /** @returns {Cost} what the places of a line cost */
  costOf(file, line) { return this.costs.get(`${file}:${line}`) ?? noCost(); }

  /** Returns a place as a person names it: `matmul.py:71`. */
  nameOf(place) {
    const at = this.places[place];
    return at ? `${(this.files[at[0]]?.path ?? '?').split('/').pop()}:${at[1]}` : 'no line';
  }

  /** Returns the text of the source that a place covers, or its whole line where only its start is known. */
  sourceOf(place) {
    const at = this.places[place];
    const row = at && (this.files[at[0]]?.text ?? '').split('\n')[at[1] - 1];
    if (row === undefined) return '';
    const end = at[3] > at[1] ? undefined : at[4] - 1;
    return at[4] > at[2] || at[3] > at[1] ? row.slice(Math.max(0, at[2] - 1), end) : row.trim();
  }

  /** Returns the place and the calls that it was inlined by, innermost first. */
  chain(place) {
    const chain = [];
    for (let at = place; at >= 0 && this.places[at] && chain.length < 64; at = this.places[at][5]) chain.push(at);
    return chain;
  }

  /** Returns the text of a remark without its name, reason and metrics, which are members of their own. */
  remarkText({text, name}) {
    const own = text.startsWith(`${name}: `) ? text.slice(name.length + 2) : text;
    return own.split(/; (?=reason: |\w+=)/)[0];
  }

  /** Returns the name of a value as a person knows it. */
  valueName(value) { return value.name || value.ssa; }

  /** Returns `fp16[64, 32]`. */
  valueType(value) { return `${value.dtype}[${value.shape.join(', ')}]`; }
}
