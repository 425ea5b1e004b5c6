import type { Static, TObject } from 'typebox'
import type { EventScope } from './events.ts'

/** One realtime event: what arrives with it, and on which channels. Everything else about it is derived from this. */
export interface EventDeclaration {
  /** The kinds of channels that it may be published on. */
  scopes: readonly [EventScope, ...EventScope[]]
  /** When it is published, and to whom: a sentence for a person. */
  summary: string
  /** Shape of `data` in the envelope. */
  data: TObject
  /** One `data`, as a client would receive it. */
  example: object
}

/** Declares a realtime event and keeps its literal types. A test holds that the example has the shape of `data`. */
export function realtimeEvent<
  const Scopes extends EventDeclaration['scopes'],
  const Data extends TObject,
>(declared: { scopes: Scopes; summary: string; data: Data; example: object }) {
  return declared
}

/** What a declared event carries. */
export type DataOf<Declared extends EventDeclaration> = Static<Declared['data']>

/** The kinds of channels that a declared event may be published on. */
export type ScopesOf<Declared extends EventDeclaration> = Declared['scopes'][number]
