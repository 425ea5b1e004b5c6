/** The folders of the server that are told of one by one; all others are told of by the folder above. */
const BY_SUBFOLDER = /\/server\/src\/((?:platform|features|adapters)\/[^/]+)\//
const BY_FOLDER = /\/server\/src\/([^/]+)\//
const PACKAGE = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*\/node_modules\/)/
const FASTIFY =
  /^(fastify|@fastify\/.*|find-my-way|fast-json-stringify|avvio|secure-json-parse|reusify|fast-.*)$/
const POSTGRES = /^(pg|pg-.*|postgres-.*)$/
const LOG = /^(pino.*|sonic-boom|thread-stream|quick-format-unescaped|safe-stable-stringify)$/

/** Which part of the office a function belongs to, by its file, or by its name where it has none. */
export function layerOf(url: string, functionName: string): string {
  if (url.startsWith('node:')) return 'node internals'
  const name = PACKAGE.exec(url)?.[1]
  if (name !== undefined) return layerOfPackage(name)
  if (/\/server\/src\/platform\/(pretty-)?log\.ts$/.test(url)) return 'log'
  const folder = BY_SUBFOLDER.exec(url)?.[1] ?? BY_FOLDER.exec(url)?.[1]
  if (folder !== undefined) return `server/src/${folder}`
  if (url.includes('/contract/')) return 'contract'
  return url === '' ? layerOfNative(functionName) : 'everything else'
}

function layerOfPackage(name: string): string {
  if (FASTIFY.test(name)) return 'fastify'
  if (POSTGRES.test(name)) return 'pg'
  if (LOG.test(name)) return 'log'
  return name
}

function layerOfNative(functionName: string): string {
  if (functionName === '(garbage collector)') return 'garbage collector'
  if (functionName === '(idle)') return 'idle'
  // system calls, libuv and the parser of HTTP
  if (functionName === '(program)') return 'outside of JavaScript'
  return 'native functions'
}
