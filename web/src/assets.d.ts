declare module '*.css'
declare module '*.woff2' {
  export const address: string
}

/** Of Vite: the modules of a pattern, by path, each loaded when it is called. */
interface ImportMeta {
  glob<Module>(pattern: string): Record<string, (() => Promise<Module>) | undefined>
}
