import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { KeyRing } from '../../../platform/secrets/sealed-column.ts'
import type { ConnectionRecord } from '../store.ts'
import type { OfferNeeds } from './offered-calendars.ts'

/** Refreshes under way on this node, by user and provider. */
export type RefreshFlights = Map<string, Promise<ConnectionRecord>>

/** What it takes to ask a connected calendar. */
export interface ConnectionNeeds extends OfferNeeds {
  clock: Clock
  log: Log
  calendarRing: KeyRing
  calendarFlights: RefreshFlights
}
