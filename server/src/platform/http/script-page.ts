import { createHash } from 'node:crypto'
import type { Server } from './server.ts'

/** A page and the policy that it is served with: its one script runs, nothing else does. */
export interface ScriptPage {
  html: string
  policy: string
}

const STYLE = `
:root{color-scheme:light dark;--background:#fbfaf7;--ink:#1c2430;--soft:#5c6675;--line:#dfdcd4;--accent:#0b6e5f;--on:#fff}
@media (prefers-color-scheme:dark){:root{--background:#14181d;--ink:#e9e6df;--soft:#a4abb6;--line:#2c333c;--accent:#5fd0bd;--on:#14181d}}
*{box-sizing:border-box}
body{margin:0;padding:14vh 1.25rem;background:var(--background);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
main{margin:0 auto;max-width:30rem}
h1{margin:0 0 .4rem;font-size:2rem;overflow-wrap:anywhere}
p{margin:0 0 2rem;color:var(--soft);overflow-wrap:anywhere}
a{color:var(--accent)}
form{display:grid;gap:.6rem;margin:0 0 2rem;max-width:24rem}
input,button{padding:.65rem .8rem;border:1px solid var(--line);border-radius:.5rem;background:transparent;color:inherit;font:inherit}
button{border-color:var(--accent);background:var(--accent);color:var(--on);font-weight:600;cursor:pointer}
[hidden]{display:none}:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
`

/**
 * One of the small pages that finish what a link began, where there is no front end beside this server. Everything in
 * it is fixed: what comes from outside is written into it by its script, as text.
 * @param page `body` stands between the text and the way to the office
 */
export function scriptPage(page: {
  title: string
  heading: string
  text: string
  body?: string
  script: string
}): ScriptPage {
  const hash = createHash('sha256').update(page.script).digest('base64')
  const policy = `default-src 'none'; script-src 'sha256-${hash}'; connect-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${page.title} · Atrium</title>
<style>${STYLE}</style>
</head>
<body><main>
<h1 aria-live="polite">${page.heading}</h1>
<p>${page.text}</p>
${page.body ?? ''}<a href="/">To the office</a>
</main><script type="module">${page.script}</script></body>
</html>
`
  return { html, policy }
}

/** Serves such pages by their paths, where this server is its own front end: elsewhere the front end has them. */
export function serveScriptPages(
  server: Server,
  { baseUrl, frontendUrl }: { baseUrl: string; frontendUrl: string },
  pages: Readonly<Record<string, ScriptPage>>,
): void {
  if (frontendUrl !== baseUrl) return
  for (const [path, { html, policy }] of Object.entries(pages)) {
    server.get(path, async (_request, reply) =>
      reply.type('text/html; charset=utf-8').header('content-security-policy', policy).send(html),
    )
  }
}
