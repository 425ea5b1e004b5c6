import { escapeHtml } from '../escape-html.ts'

export interface PlainPage {
  title: string
  /** HTML. */
  body: string
  /** Beside the style of all of them. */
  style: string
  /** Further elements of the head: HTML. */
  head?: string
}

/** A page that this process writes itself, without a bundler: all of one look. Nothing in it comes from elsewhere. */
export function plainPage({ title, body, style, head = '' }: PlainPage): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${head}<title>${escapeHtml(title)}</title>
<style>${STYLE}${style}</style>
</head>
<body>
${body}
</body>
</html>
`
}

const STYLE = `
:root{color-scheme:light dark;--background:#fbfaf7;--sheet:#fff;--ink:#1c2430;--soft:#5c6675;--line:#dfdcd4;--accent:#0b6e5f;--on:#fff;--bad:#b3261e}
@media (prefers-color-scheme:dark){:root{--background:#14181d;--sheet:#1b2027;--ink:#e9e6df;--soft:#a4abb6;--line:#2c333c;--accent:#5fd0bd;--on:#14181d;--bad:#ffb4ab}}
*{box-sizing:border-box}
body{margin:0;background:var(--background);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
p{color:var(--soft)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
`
