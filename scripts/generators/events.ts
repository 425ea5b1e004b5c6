import type { EventDeclaration } from '@atrium/contract'
import { exampleEvent } from '@atrium/contract/asyncapi'
import { type EventScope, organizationChannel, statusChannel, userChannel } from '@atrium/contract/events'
import type { Generator } from './generator.ts'

const INTRODUCTION = `<!-- Generated from the table of events in contract/ by \`npm run generate\`: do not edit. -->

# Realtime events

What arrives over the realtime connection (\`POST /websocket/token\`; \`@atrium/client/realtime\` keeps one). Every
publication has the envelope \`{id, type, time, data}\`: \`type\` is the name of the event, \`id\` the same where an event is
delivered twice. Pass over names and fields that are unknown: releases add some. For programs, the same is at
\`/asyncapi.json\` (AsyncAPI 3).
`

const CHANNELS: Record<EventScope, string> = {
  user: userChannel('<org>', '<uid>'),
  organization: organizationChannel('<org>'),
  status: statusChannel('<org>', '<uid>'),
}

type Entries = readonly (readonly [name: string, declared: EventDeclaration])[]

/** `docs/events.md`: every realtime event there is. */
export function eventsReference(entries: Entries): Generator {
  return {
    path: 'docs/events.md',
    make: () => INTRODUCTION + tableOf(entries) + entries.map(sectionOf).join(''),
  }
}

function tableOf(entries: Entries): string {
  const rows = entries.map(
    ([name, { scopes, summary }]) => `| \`${name}\` | ${channelsOf(scopes)} | ${summary} |`,
  )
  return `\n${['| event | channel | meaning |', '|---|---|---|', ...rows].join('\n')}\n`
}

function sectionOf([name, { data, example }]: Entries[number]): string {
  const rows = Object.entries(data.properties as Record<string, Schema>).map(
    ([field, schema]) => `| \`${field}\` | ${typeOf(schema)} | ${schema.description ?? ''} |`,
  )
  const json = JSON.stringify(exampleEvent(name, example), null, 2)
  return `\n## ${name}\n\n${['| data | type | meaning |', '|---|---|---|', ...rows].join('\n')}\n\n\`\`\`json\n${json}\n\`\`\`\n`
}

interface Schema {
  type?: string
  format?: string
  enum?: readonly string[]
  anyOf?: readonly Schema[]
  description?: string
}

function channelsOf(scopes: readonly EventScope[]): string {
  return scopes.map((scope) => `\`${CHANNELS[scope]}\``).join(', ')
}

function typeOf({ type, format, enum: words, anyOf }: Schema): string {
  if (anyOf) return anyOf.map(typeOf).join(' or ')
  if (words) return words.map((word) => `\`${word}\``).join(', ')
  return format ? `${type} (${format})` : (type ?? '')
}
