import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import type { InlineConfig, Plugin } from 'vite'

/** What a build and the development server share. */
export const viteOptions: InlineConfig = {
  root: fileURLToPath(new URL('.', import.meta.url)),
  configFile: false,
  plugins: [
    react(),
    onlyOurLanguages(),
    withoutEntities(),
    withoutNodesCrypto(),
    fontAtOnce(),
    chosenAtOnce(),
  ],
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

/**
 * Texts of chat have no names of characters (`&copy;`): their list is 12 kB, and its form for browsers writes markup, which
 * the policy of the page refuses.
 */
function withoutEntities(): Plugin {
  const ENTITIES = /[\\/]decode-named-character-reference[\\/]index\.(dom\.)?js$/
  return {
    name: 'without-entities',
    enforce: 'pre',
    load: (id) => (ENTITIES.test(id) ? 'export const decodeNamedCharacterReference = () => false' : null),
  }
}

/** HPKE asks Node for what browsers have: nothing of Node is in a page. */
function withoutNodesCrypto(): Plugin {
  const OF_BROWSERS = '\0crypto-of-browsers'
  return {
    name: 'without-nodes-crypto',
    enforce: 'pre',
    resolveId: (id, importer) => (id === 'crypto' && importer?.includes('@hpke') ? OF_BROWSERS : null),
    load: (id) => (id === OF_BROWSERS ? 'export const webcrypto = globalThis.crypto' : null),
  }
}

/** The font is asked for with the page: one that comes after the first text moves its lines. */
function fontAtOnce(): Plugin {
  const FONT = /inter-latin-wght-normal.*\.woff2$/
  return {
    name: 'font-at-once',
    transformIndexHtml: {
      order: 'post',
      handler(_, { bundle = {} }) {
        const font = Object.keys(bundle).find((file) => FONT.test(file))
        if (!font) return []
        const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${font}`, crossorigin: '' }
        return [{ tag: 'link', attrs, injectTo: 'head' }]
      },
    },
  }
}

/** What was chosen on this device is applied by a script that the first picture waits for, as no module can be. */
function chosenAtOnce(): Plugin {
  const SCRIPT = /chosen-at-once.*\.js$/
  return {
    name: 'chosen-at-once',
    apply: 'build',
    buildStart() {
      const id = fileURLToPath(new URL('src/chosen-at-once.ts', import.meta.url))
      this.emitFile({ type: 'chunk', name: 'chosen-at-once', id })
    },
    transformIndexHtml: {
      order: 'post',
      handler(_, { bundle = {} }) {
        const script = Object.keys(bundle).find((file) => SCRIPT.test(file))
        return script ? [{ tag: 'script', attrs: { src: `/${script}` }, injectTo: 'head' }] : []
      },
    },
  }
}
