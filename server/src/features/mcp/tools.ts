import { type Operation, type OperationId, operationEntries } from '@atrium/contract'
import type { KnownToken } from '../../access/bearers/bearer-token-store.ts'

/** A tool as the protocol lists it. Its texts are the contract's alone: nothing that people write changes what it means. */
export interface Tool {
  name: OperationId
  description: string
  inputSchema: Readonly<Record<string, unknown>>
}

/** Where the fields of an operation's input stand in its request. */
const PLACES = ['params', 'query', 'body'] as const

const tools = new Map<OperationId, { declared: Operation; tool: Tool }>(
  operationEntries
    .filter(([, { access }]) => access.kind === 'organization' && (access.serviceTokens || access.bots))
    .map(([id, declared]) => [id, { declared, tool: toolOf(id, declared) }]),
)

/** Whether a token may call an operation: a bot what is open to bots, a service token what it was made for. */
function isOpen({ token, bot }: KnownToken, id: OperationId, { access }: Operation): boolean {
  if (access.kind !== 'organization') return false
  if (bot) return access.bots === true
  return access.serviceTokens === true && token.operations.includes(id)
}

/** What the owner of a token may call, in the order of the contract. */
export function toolsOf(known: KnownToken): Tool[] {
  return [...tools].flatMap(([id, { declared, tool }]) => (isOpen(known, id, declared) ? [tool] : []))
}

/** The operation of a tool; undefined where there is no such tool for this token. */
export function operationOf(known: KnownToken, name: unknown): Operation | undefined {
  const found = tools.get(name as OperationId)
  return found && isOpen(known, found.tool.name, found.declared) ? found.declared : undefined
}

function toolOf(name: OperationId, declared: Operation): Tool {
  const schemas = PLACES.flatMap((place) => declared[place] ?? [])
  const inputSchema = {
    type: 'object',
    properties: Object.assign({}, ...schemas.map(({ properties }) => properties)),
    required: schemas.flatMap(({ required = [] }) => required),
  }
  const description = [declared.summary, declared.description].filter(Boolean).join('. ')
  // without what the schemas hold for the compiler alone
  return { name, description, inputSchema: JSON.parse(JSON.stringify(inputSchema)) }
}

/** The request of an operation with this input. What the contract does not name stays in the body, and is refused there. */
export function requestOf(
  { method, path, params, query, body }: Operation,
  input: Readonly<Record<string, unknown>>,
): { method: Operation['method']; url: string; payload?: string } {
  const named = (names: object = {}) => Object.entries(input).filter(([name]) => Object.hasOwn(names, name))
  const rest = { ...input }
  let url = path
  for (const [name, value] of named(params?.properties)) {
    url = url.replace(`{${name}}`, encodeURIComponent(String(value)))
    delete rest[name]
  }
  const asked = new URLSearchParams()
  for (const [name, value] of named(query?.properties)) {
    asked.set(name, String(value))
    delete rest[name]
  }
  if (asked.size > 0) url += `?${asked}`
  return method === 'GET' || !body ? { method, url } : { method, url, payload: JSON.stringify(rest) }
}
