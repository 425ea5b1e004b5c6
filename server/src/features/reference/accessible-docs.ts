/** Scalar's quieter colours are too faint to be read on their backgrounds (WCAG 2.2, 1.4.3). */
export const DOCS_STYLE = `
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

/**
 * Its page says no language, its buttons that copy have no name while nobody points at them, and no key gets into a long
 * list of a chapter's operations, which scrolls within itself.
 */
const SCRIPT = `
const name = () => {
  for (const button of document.querySelectorAll('button[class*="copy-button"]:not([aria-label])'))
    button.setAttribute('aria-label', 'Copy')
  for (const list of document.querySelectorAll('.endpoints:not([tabindex])')) list.tabIndex = 0
}
new MutationObserver(name).observe(document.body, { childList: true, subtree: true })
name()`

/** The page of Scalar for whoever does not see it. */
export function accessibleDocs(html: string): string {
  return html.replace('<html>', '<html lang="en">').replace('</body>', `<script>{${SCRIPT}}</script></body>`)
}
