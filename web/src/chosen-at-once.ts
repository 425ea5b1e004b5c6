/**
 * A script of its own that the page waits for: the appearance chosen on this device holds before anything is painted. The
 * modules, which apply all that is chosen (`live/preferences.ts`), may come seconds later.
 */
try {
  const { theme, language } = JSON.parse(localStorage.getItem('atrium-preferences') ?? '{}')
  if (theme === 'light' || theme === 'dark') {
    document.documentElement.dataset.theme = theme
    for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]'))
      meta.media = meta.dataset.of === theme ? 'all' : 'not all'
  }
  if (typeof language === 'string' && language !== 'system') document.documentElement.lang = language
} catch {
  // forbidden, or of another form: it is as the system wants it
}
