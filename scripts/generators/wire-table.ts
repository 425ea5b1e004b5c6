import type { Operation } from '@atrium/contract'
import type { Generator } from './generator.ts'

const HEAD = `// Generated from the contract by \`npm run generate\`: do not edit.
import type { OperationId } from '@atrium/contract'

/**
 * What a client has to know of each operation, without the schemas, which weigh ten times as much in a browser:
 * \`METHOD path?query,fields {}\`, the braces where there is a body, and \`idempotent\` where it takes an idempotency key.
 */
export const wireTable: Readonly<Record<OperationId, string>> = {
`
const LINE_WIDTH = 110

/** `client/wire-table.ts`: method and path of every operation, and what of its input belongs into the query. */
export function wireTable(operations: readonly (readonly [string, Operation])[]): Generator {
  return {
    path: 'client/wire-table.ts',
    make: () => `${HEAD}${operations.map(([id, declared]) => lineOf(id, wireOf(id, declared))).join('')}}\n`,
  }
}

function wireOf(id: string, declared: Operation): string {
  for (const [status, schema] of Object.entries(declared.replies)) {
    // the client takes an empty answer for a success by its status alone
    if ((schema === null) !== (status === '204')) throw new Error(`${id}: 204, and only 204, has no body`)
  }
  const query = Object.keys(declared.query?.properties ?? {})
  return [
    declared.method,
    declared.path + (query.length > 0 ? `?${query.join(',')}` : ''),
    ...(declared.body ? ['{}'] : []),
    ...(declared.idempotent ? ['idempotent'] : []),
  ].join(' ')
}

/** As the formatter of the repository writes it. */
function lineOf(id: string, wire: string): string {
  const line = `  ${id}: '${wire}',`
  return line.length <= LINE_WIDTH ? `${line}\n` : `  ${id}:\n    '${wire}',\n`
}
