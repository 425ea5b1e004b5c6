declare module '*.css'
declare module '*.woff2' {
  export const address: string
}

/** Of Vite: the modules of a pattern, by path, each loaded when it is called. */
interface ImportMeta {
  glob<Module>(pattern: string): Record<string, (() => Promise<Module>) | undefined>
}
/** Of Vite: where the script of a worker lies. */
declare module '*?worker&url' {
  const address: string
  // biome-ignore lint/style/noDefaultExport: so Vite makes it
  export default address
}
/** A browser of today answers these with a promise, which the types of the DOM do not say: no effect and no ref may give it back. */
interface Element {
  scrollIntoView(how?: ScrollIntoViewOptions): Promise<void> | undefined
  scrollTo(how: ScrollToOptions): Promise<void> | undefined
}
