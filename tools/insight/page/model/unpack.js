// Turns the text of the data block into the document that it packs.

/**
 * Returns the document packed in `text`: JSON, compressed as a zlib stream and written in base64.
 * @param {string} text
 * @returns {Promise<object>}
 */
export async function unpack(text) {
  const packed = Uint8Array.from(atob(text.trim()), c => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
  return parse(await new Response(stream).text());
}

/**
 * Returns the document that a file holds: JSON as `--json` writes it, or a page as `--html` writes it.
 * @param {string} text
 * @returns {Promise<object>}
 */
export async function readReport(text) {
  if (!/^\s*</.test(text)) return parse(text);
  const page = new DOMParser().parseFromString(text, 'text/html');
  const block = page.getElementById('insight');
  if (!block) throw new Error('this page holds no report');
  return unpack(block.textContent);
}

function parse(text) {
  const document = JSON.parse(text);
  if (!String(document?.schema).startsWith('tegula-insight/1'))
    throw new Error('expected a document of schema `tegula-insight/1`');
  return document;
}
