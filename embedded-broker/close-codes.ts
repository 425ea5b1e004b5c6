/** Why a connection is closed. Codes and reasons are Centrifugo's; a reason is never empty: clients would come back for ever. */
export interface CloseReason {
  code: number
  reason: string
}

/** 3000–3499: the client comes back. 3500–3999: it does not. */
export const closings = {
  shutdown: { code: 3001, reason: 'shutdown' },
  expired: { code: 3005, reason: 'connection expired' },
  slow: { code: 3008, reason: 'slow' },
  insufficientState: { code: 3010, reason: 'insufficient state' },
  noPong: { code: 3012, reason: 'no pong' },
  invalidToken: { code: 3500, reason: 'invalid token' },
  badRequest: { code: 3501, reason: 'bad request' },
  stale: { code: 3502, reason: 'stale' },
  forceDisconnect: { code: 3503, reason: 'force disconnect' },
  connectionLimit: { code: 3504, reason: 'connection limit' },
  channelLimit: { code: 3505, reason: 'channel limit' },
  notAvailable: { code: 3508, reason: 'not available' },
} as const satisfies Record<string, CloseReason>

/** Why a subscription ends while the connection goes on. */
export const endings = {
  byServer: { code: 2000, reason: 'server unsubscribe' },
  expired: { code: 2501, reason: 'subscription expired' },
} as const

/** A command's "no" that leaves the connection open. */
export interface CommandError {
  code: number
  message: string
  /** Clients try again by themselves. */
  temporary?: boolean
}

export const errors = {
  internal: { code: 100, message: 'internal server error', temporary: true },
  unknownChannel: { code: 102, message: 'unknown channel' },
  permissionDenied: { code: 103, message: 'permission denied' },
  alreadySubscribed: { code: 105, message: 'already subscribed' },
  limitExceeded: { code: 106, message: 'limit exceeded' },
  badRequest: { code: 107, message: 'bad request' },
  notAvailable: { code: 108, message: 'not available' },
  tokenExpired: { code: 109, message: 'token expired' },
  expired: { code: 110, message: 'expired' },
  unrecoverablePosition: { code: 112, message: 'unrecoverable position' },
} as const satisfies Record<string, CommandError>
