import type { Operation } from '@atrium/contract'
import { openApiDocument } from '@atrium/contract/openapi'
import type { Generator } from './generator.ts'
import { handlerPlaces, isHandlerFile } from './handler-places.ts'

const INTRODUCTION = `<!-- Generated from the contract and the tree by \`npm run generate\`: do not edit. -->

# Operations: where each is served

Every operation with what it takes (\`?\`: may be left out) and answers, and the file of its handler below
\`server/src/features/\`. Its test stands beside it (\`x.test.ts\`), and \`server/tests/operations/\` tries it by every role, by
other organizations and at the audit trail. Refusals, bounds and examples are in [openapi.json](openapi.json); what the
interface asks beyond this, in [the ledger](spec-ledger.md). A path that stands here stays: callers use it.
`
const FEATURES = 'server/src/features/'

type Entries = readonly (readonly [id: string, declared: Operation])[]

/** The part of JSON Schema that names of fields are read from. */
interface Schema {
  $ref?: string
  type?: string
  properties?: Record<string, Schema>
  required?: readonly string[]
  items?: Schema
  anyOf?: readonly Schema[]
}

interface Described {
  parameters?: { name: string; required?: boolean }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

/**
 * `docs/operations.md`: every operation with its fields and its handler, and the shapes that several of them share.
 * @param paths of all files below `server/src/features`
 * @throws Error where an operation has no handler, or a path that stands there is served no longer
 */
export function operationsReference(entries: Entries, paths: readonly string[]): Generator {
  return {
    path: 'docs/operations.md',
    make: (current) => {
      refuseGone(entries, current ?? '')
      const { paths: described, components } = openApiDocument({ version: '' }, entries)
      const chapters = Map.groupBy(entries, ([, { chapter }]) => chapter)
      const sections = [...chapters].map(([chapter, list]) => {
        const rows = list.map(([id, declared]) =>
          rowOf(id, declared, described[declared.path]?.[declared.method.toLowerCase()] as never, paths),
        )
        return section(chapter, '| request | operation | takes | answers | handler |', rows)
      })
      const shapes = Object.entries(components.schemas as Record<string, Schema>)
        .filter(([, { properties }]) => properties)
        .map(([name, schema]) => `| \`${name}\` | \`${fieldsOf(schema)}\` |`)
      return [INTRODUCTION, ...sections, section('Shapes', '| shape | fields |', shapes)].join('\n')
    },
  }
}

function refuseGone(entries: Entries, current: string): void {
  const served = new Set(entries.map(([, { method, path }]) => `${method} ${path}`))
  const [gone] = [...current.matchAll(/^\| `([A-Z]+ \/[^`]*)`/gm)]
    .map(([, request = '']) => request)
    .filter((request) => !served.has(request))
  if (!gone) return
  throw new Error(
    `${gone} is served no longer, and callers use it: leave it beside the new one (supersededBy). ` +
      '(Only where it was in no release: delete its row.)',
  )
}

function section(title: string, head: string, rows: readonly string[]): string {
  const line = head.replaceAll(/[^|]+/g, '---')
  return `## ${title}\n\n${[head, line, ...rows].join('\n')}\n`
}

function rowOf(id: string, declared: Operation, described: Described, paths: readonly string[]): string {
  const file = paths.find((path) =>
    handlerPlaces(id, declared).some(({ name }) => isHandlerFile(path, name, '.ts')),
  )
  if (!file) throw new Error(`${id} has no handler below ${FEATURES}`)
  const cells = [`${declared.method} ${declared.path}`, id, takenBy(described), answerOf(described)]
  const served = file.slice(FEATURES.length)
  return `| ${[...cells, served].map((text) => (text === '' ? '' : `\`${text.replaceAll('|', '\\|')}\``)).join(' | ')} |`
}

function takenBy({ parameters = [], requestBody }: Described): string {
  const named = parameters.map(({ name, required }) => name + (required ? '' : '?'))
  const body = contentOf(requestBody)
  return [...named, ...(body ? [fieldsOf(body)] : [])].filter(Boolean).join(', ')
}

function answerOf({ responses }: Described): string {
  const success = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  return success
    .map(([status, reply]) => {
      const schema = contentOf(reply)
      return schema ? `${status} ${nameOf(schema)}` : status
    })
    .join(', ')
}

function contentOf(part: { content?: Record<string, { schema: Schema }> } | undefined): Schema | undefined {
  return part?.content?.['application/json']?.schema
}

/** `{rooms: ListedRoom[]}`; of a text or number nothing but that it is there. */
function nameOf(schema: Schema): string {
  const { $ref, items, properties, anyOf } = schema
  if ($ref) return $ref.replace(/.*\//, '')
  if (items) return `${nameOf(items)}[]`
  if (properties) return `{${fieldsOf(schema)}}`
  return [...new Set((anyOf ?? []).map(nameOf).filter(Boolean))].join(' | ')
}

function fieldsOf({ properties = {}, required = [], anyOf }: Schema): string {
  if (anyOf) return anyOf.map(nameOf).join(' | ')
  return Object.entries(properties)
    .map(([field, schema]) => {
      const name = nameOf(schema)
      return field + (required.includes(field) ? '' : '?') + (name && name !== '[]' ? `: ${name}` : name)
    })
    .join(', ')
}
