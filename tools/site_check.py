"""Looks through a finished site: nothing leads nowhere, and nothing is fetched from elsewhere."""
import html.parser
import urllib.parse


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.links, self.fetched, self.ids = [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.ids |= {given[key] for key in ("id", "name") if given.get(key)}
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        for key in ("src", "href"):
            if given.get(key) and (key == "src" or tag == "link" and given.get("rel") != "canonical"):
                self.fetched.append(given[key])


def wrong_pages(site):
    site = site.resolve()
    pages = {file: Page(file.read_text()) for file in sorted(site.glob("**/*.html"))}
    wrong = [] if len(pages) > 50 else [f"only {len(pages)} pages"]
    for file, page in pages.items():
        for link in page.fetched:
            if urllib.parse.urlparse(link).netloc:
                wrong.append(f"{file.relative_to(site)}: {link} is fetched from elsewhere")
        if file.name in ("404.html", "search.html"):
            continue
        for link in page.links + page.fetched:
            parts = urllib.parse.urlparse(link)
            if parts.scheme or parts.netloc or link.startswith("javascript"):
                continue
            target = (file.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else file
            if target.is_dir():
                target /= "index.html"
            if not target.exists():
                wrong.append(f"{file.relative_to(site)}: {link} leads nowhere")
            elif parts.fragment and target in pages and urllib.parse.unquote(parts.fragment) not in pages[target].ids:
                wrong.append(f"{file.relative_to(site)}: {link}: there is no such place")
    return wrong
