import type { Operation } from '@atrium/contract'

/** Where the handler of an operation may stand. */
export interface HandlerPlace {
  /** What the file is named after. */
  name: string
  /** How the file exports the handler. */
  exports: RegExp
}

/**
 * An operation has a file and a function of its own. An earlier path may be served by those of the operation that took
 * its place; operations that differ only in the provider share a file, named without the provider: its function of that
 * name makes the handler of each.
 */
export function handlerPlaces(id: string, { supersededBy }: Operation): HandlerPlace[] {
  const places = [id, supersededBy]
    .filter((name) => name !== undefined)
    .map((name) => ({ name, exports: new RegExp(`^export (async )?function ${name}\\b`, 'm') }))
  const [, verb = '', letter = '', object = ''] = /^(\w+)Provider([AB])([A-Z]\w*)?$/.exec(id) ?? []
  if (letter === '') return places
  const name = verb + (object || 'Provider')
  const made = `^export const ${id} = ${name}\\('provider-${letter.toLowerCase()}'`
  return [...places, { name, exports: new RegExp(made, 'm') }]
}

/** Whether a path is that of a handler of this name (`end` is `.ts`), or of its test (`.test.ts`). */
export function isHandlerFile(path: string, name: string, end: string): boolean {
  return (
    /^server\/src\/features\/[^/]+\/([^/]+\/)?[^/]+$/.test(path) && path.endsWith(`/${kebab(name)}${end}`)
  )
}

/** `createRoom` → `create-room` */
export function kebab(id: string): string {
  return id.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
