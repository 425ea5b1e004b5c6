import { type Operation, type OperationId, operationEntries } from '@atrium/contract'
import { withoutNotes } from '@atrium/contract/published-shapes'
import type { KnownToken } from '../../access/bearers/bearer-token-store.ts'

/** A tool as the protocol lists it. Its texts are the contract's alone: nothing that people write changes what it means. */
export interface Tool {
  name: OperationId
  description: string
  inputSchema: Readonly<Record<string, unknown>>
}

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

/** Which of its fields exclude each other is told in words: models take no alternatives beside the fields of a tool. */
function toolOf(name: OperationId, { summary, description, body }: Operation): Tool {
  const { properties = {}, required = [] } = body ?? {}
  const { sentence } = (body ?? {}) as { sentence?: string }
  return {
    name,
    description: [summary, description, sentence].filter(Boolean).join('. '),
    inputSchema: withoutNotes({ type: 'object', properties, required: [...required] }),
  }
}

/** The request of an operation with this input. All of it is the body: paths of tools have no places to fill. */
export function requestOf(
  { method, path, body }: Operation,
  input: Readonly<Record<string, unknown>>,
): { method: Operation['method']; url: string; payload?: string } {
  return { method, url: path, ...(body ? { payload: JSON.stringify(input) } : {}) }
}
