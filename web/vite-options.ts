import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import type { InlineConfig, Plugin } from 'vite'

/** What a build and the development server share. */
export const viteOptions: InlineConfig = {
  root: fileURLToPath(new URL('.', import.meta.url)),
  configFile: false,
  plugins: [react(), onlyOurLanguages()],
  css: { devSourcemap: true },
}

/** The components bring 34 languages along; the web office has two. */
function onlyOurLanguages(): Plugin {
  const OTHER = /[\\/](?!en-US|de-DE)[a-z]{2}-[A-Z]{2}\.(mjs|js|cjs)$/
  return {
    name: 'only-our-languages',
    enforce: 'pre',
    load: (id) =>
      OTHER.test(id) && /react-(aria|stately)|@react-(aria|stately)/.test(id) ? 'export default {}' : null,
  }
}
