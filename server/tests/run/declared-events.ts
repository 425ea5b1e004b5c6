import { type EventDeclaration, realtimeEvents } from '@atrium/contract'
import { type EventScope, organizationChannel, statusChannel, userChannel } from '@atrium/contract/events'
import type { TObject } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import type { EventCheck } from '../../src/platform/background/outbox.ts'

const events: Readonly<Record<string, EventDeclaration>> = realtimeEvents
const compiled = new Map<string, Validator>()

const NAMESPACES: Record<EventScope, string> = {
  user: namespaceOf(userChannel('', '')),
  organization: namespaceOf(organizationChannel('')),
  status: namespaceOf(statusChannel('', '')),
}

/** Throws where an event is not declared, is on a channel of another scope, or has other data than declared. */
export const requireDeclared: EventCheck = ({ channels, type, data }) => {
  const declared = Object.hasOwn(events, type) ? events[type] : undefined
  if (!declared) throw new Error(`the event ${type} is not declared in the contract`)
  const namespaces = declared.scopes.map((scope) => NAMESPACES[scope])
  const stray = channels.find((channel) => !namespaces.includes(namespaceOf(channel)))
  if (stray !== undefined) throw new Error(`the event ${type} is not declared for the channel ${stray}`)
  const validator = validatorOf(type, declared.data)
  if (validator.Check(data)) return
  const [fault] = validator.Errors(data)
  throw new Error(
    `the data of ${type} are not as declared: ${fault?.instancePath} ${fault?.message}: ${JSON.stringify(data)}`,
  )
}

/** Undeclared fields are faults, too. */
function validatorOf(type: string, data: TObject): Validator {
  const known = compiled.get(type)
  if (known) return known
  const validator = Compile({ ...data, additionalProperties: false })
  compiled.set(type, validator)
  return validator
}

function namespaceOf(channel: string): string {
  return channel.slice(0, channel.indexOf(':'))
}
