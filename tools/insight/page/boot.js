// Unpacks the style and the script of the page, which come compressed as its report does.
async function unpacked(id) {
  const bytes = Uint8Array.from(atob(document.getElementById(id).textContent), c => c.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'))).text();
}

async function boot() {
  for (const tag of ['style', 'script']) {
    const element = document.createElement(tag);
    element.textContent = await unpacked(`packed-${tag}`);
    document.head.append(element);
  }
}

boot().catch(error => { document.body.textContent = `This browser cannot show the report: ${error.message}`; });
