declare module '*.css'
declare module '*.woff2' {
  export const address: string
}
