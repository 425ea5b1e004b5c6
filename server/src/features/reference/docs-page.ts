import { createHash } from 'node:crypto'

/** Scalar's quieter colours are too faint to be read on their backgrounds (WCAG 2.2, 1.4.3). */
const STYLE = `
.light-mode {
  --scalar-color-2: #565656; --scalar-color-3: #616161; --scalar-color-accent: #00578f;
  --scalar-color-green: #00633b; --scalar-color-blue: #005a94; --scalar-color-orange: #9c3400;
  --scalar-color-red: #b00020; --scalar-color-purple: #5203d1; --scalar-color-alert: #9c3400;
  --scalar-color-danger: #b00020; --scalar-color-yellow: #6d5500;
}
.dark-mode {
  --scalar-color-2: #b5b5b5; --scalar-color-3: #a6a6a6; --scalar-color-accent: #4fc3ff;
  --scalar-color-red: #ff7b7b; --scalar-color-danger: #ff7b7b;
}
`

/** Nothing that would lead to, or ask, a service outside. */
const CONFIGURATION = {
  pageTitle: 'Atrium: reference',
  customCss: STYLE,
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
}

/**
 * Starts Scalar on the document of the page. Its buttons that copy have no name until something points at them, and no
 * key gets into a long list of a chapter's operations, which scrolls within itself.
 */
const START = `
const { content, ...configuration } = JSON.parse(document.getElementById('reference').textContent)
Scalar.createApiReference('#app', { ...configuration, content })
const name = () => {
  for (const button of document.querySelectorAll('button[class*="copy-button"]:not([aria-label])'))
    button.setAttribute('aria-label', 'Copy')
  for (const list of document.querySelectorAll('.endpoints:not([tabindex])')) list.tabIndex = 0
}
new MutationObserver(name).observe(document.body, { childList: true, subtree: true })
name()
`

/** Scalar keeps settings of its reader in the storage of the browser, which a page of an opaque origin does not have. */
const STORAGE = `
for (const name of ['localStorage', 'sessionStorage']) {
  try {
    window[name].length
  } catch {
    const kept = new Map()
    const value = {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, text) => kept.set(key, String(text)),
      removeItem: (key) => kept.delete(key),
      clear: () => kept.clear(),
    }
    Object.defineProperty(window, name, { value })
  }
}
`
const SCRIPT_SOURCES = ["'self'", ...[STORAGE, START].map(hashOf)].join(' ')

function hashOf(script: string): string {
  return `'sha256-${createHash('sha256').update(script).digest('base64')}'`
}

/**
 * What the page that Scalar makes may do.
 * @param isSandboxed its origin is opaque: its script reaches neither the cookies nor the operations of this office. An
 * opener policy beside it would keep the page from being shown at all (HTML, creating navigation params by fetching).
 */
export function docsHeaders(isSandboxed: boolean): Readonly<Record<string, string>> {
  const connections = isSandboxed ? "'none'" : "'self'"
  const policy = `${isSandboxed ? 'sandbox allow-scripts; ' : ''}default-src 'none'; script-src ${SCRIPT_SOURCES}; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src ${connections}; worker-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
  return {
    'content-security-policy': policy,
    ...(isSandboxed ? { 'cross-origin-opener-policy': 'unsafe-none' } : {}),
  }
}

/** @param document what `/openapi.json` answers: the page holds it, since a sandboxed one may fetch nothing */
export function docsPage(document: string, isSandboxed: boolean): string {
  const reference = { ...CONFIGURATION, hideTestRequestButton: isSandboxed, content: JSON.parse(document) }
  // no text of the document ends the element that holds it
  const json = JSON.stringify(reference).replaceAll('<', '\\u003c')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${CONFIGURATION.pageTitle}</title>
</head>
<body>
<div id="app"></div>
<script type="application/json" id="reference">${json}</script>
<script>${STORAGE}</script>
<script src="/docs/js/scalar.js"></script>
<script>${START}</script>
</body>
</html>
`
}
