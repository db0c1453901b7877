"""Checks a built site where MkDocs does not: every link and anchor leads somewhere, and nothing is loaded from elsewhere."""

import html.parser
import urllib.parse


class Html(html.parser.HTMLParser):
    """Collects the anchors, links and loaded files of one page."""

    LOADED = {"link": "href", "script": "src", "img": "src", "iframe": "src"}

    def __init__(self, text):
        super().__init__()
        self.anchors, self.links, self.loaded = {""}, [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.anchors.update(values[name] for name in ("id", "name") if values.get(name))
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])
        if (name := self.LOADED.get(tag)) and values.get(name) and values.get("rel") != "canonical":
            self.loaded.append(values[name])


def check(site):
    """Returns how much there is to look at, and the faults of the site in a folder."""
    parsed = {path: Html(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    links, faults = sum(len(page.loaded + page.links) for page in parsed.values()), []
    for path, page in parsed.items():
        name = path.relative_to(site)
        for link in page.loaded + page.links:
            url = urllib.parse.urlsplit(link)
            if url.scheme or url.netloc:
                if link in page.loaded:
                    faults.append(f"{name}: loads {link} from the network")
                continue
            target = (path.parent / urllib.parse.unquote(url.path)).resolve() if url.path else path
            if target.is_dir():
                target = target / "index.html"
            if not target.is_file():
                faults.append(f"{name}: the link {link} leads to no file")
            elif url.fragment and target in parsed and urllib.parse.unquote(url.fragment) not in parsed[target].anchors:
                faults.append(f"{name}: the link {link} leads to no anchor")
    return f"{len(parsed)} pages, {links} links", faults
