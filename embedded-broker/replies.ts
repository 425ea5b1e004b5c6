import type { Publication } from './history.ts'

/** How a client stands in a channel. */
export interface Subscribed {
  publications?: readonly Publication[]
  [field: string]: unknown
}

/** What a client is told, with the names of Centrifugo's JSON. Empty: a ping. */
export interface Reply {
  id?: number
  push?: { channel?: string; pub?: Publication; [kind: string]: unknown }
  connect?: { subs?: Readonly<Record<string, Subscribed>>; [field: string]: unknown }
  subscribe?: Subscribed
  [method: string]: unknown
}
