import { DAY_SECONDS } from '../../platform/clock.ts'

/** How long an archive is kept. */
export const EXPORT_SECONDS = DAY_SECONDS

/** How long one address of it is good: who may no longer ask for the next one soon has none. */
export const EXPORT_ADDRESS_SECONDS = 5 * 60
