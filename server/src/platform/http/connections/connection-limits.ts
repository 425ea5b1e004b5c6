/** How many connections of clients a node holds. */
export interface ConnectionLimits {
  /** In all. */
  all: number
  /** From one network, as `networkOf` has it; of trusted proxies any number. */
  perAddress: number
}

/** Of files, calls to the outside, and what the process has open by itself. */
const FILES_RESERVED = 80
/** Beside those of requests: for chat, events, jobs and notifications (README). */
export const FURTHER_DATABASE_CONNECTIONS = 21
/** Of large limits this share is kept free as well. */
const RESERVED_SHARE = 0.1
/** Also where little is left: a node that answers no client is of no use. */
const SHARE_MIN = 0.25
/** Where the system knows no limit. */
const UNLIMITED = 1_000_000

export interface GivenLimits {
  /** Of files and connections that the process may have open; undefined: none is known. */
  openFiles: number | undefined
  databasePoolSize: number
  /** As set by the operator; 0: worked out. */
  all: number
  perAddress: number
}

/** What must stay free for the database and for files. */
export function reservedOf(databasePoolSize: number): number {
  return FILES_RESERVED + databasePoolSize + FURTHER_DATABASE_CONNECTIONS
}

/** The limits as set, else from what the process may have open, with room kept for the database and for files. */
export function connectionLimits({
  openFiles,
  databasePoolSize,
  all,
  perAddress,
}: GivenLimits): ConnectionLimits {
  const worked = openFiles === undefined ? UNLIMITED : roomIn(openFiles, databasePoolSize)
  const total = all || worked
  return { all: total, perAddress: perAddress || Math.max(1, Math.floor(total / 2)) }
}

function roomIn(openFiles: number, databasePoolSize: number): number {
  const reserved = Math.max(reservedOf(databasePoolSize), openFiles * RESERVED_SHARE)
  return Math.floor(Math.max(openFiles - reserved, openFiles * SHARE_MIN))
}
