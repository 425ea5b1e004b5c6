import { compactVerify } from 'jose'

/** What a connection token says. */
export interface ConnectionClaims {
  user: string
  channels: string[]
  meta: unknown
  /** What the issuer keeps beside the connection; shown to no client. */
  info: unknown
  /** Unix seconds; undefined: never. */
  expiresAt: number | undefined
}

/** What a token that allows one subscription says. Atrium never signs one; Centrifugo would accept it. */
export interface SubscriptionClaims {
  user: string
  channel: string
  expiresAt: number | undefined
}

export type Verified<Claims> = { claims: Claims } | 'expired' | 'invalid'

export interface Tokens {
  connection(token: string): Promise<Verified<ConnectionClaims>>
  subscription(token: string): Promise<Verified<SubscriptionClaims>>
}

type Payload = Record<string, unknown>

const ALGORITHMS = ['HS256', 'HS384', 'HS512']
const TIMES = ['exp', 'nbf', 'iat'] as const

/** Verifies tokens as Centrifugo does, signed with any of the keys. A token of one kind never passes for the other. */
export function verifyTokens(keys: readonly Uint8Array[], now: () => Date): Tokens {
  const payloadOf = async (token: string): Promise<Payload | 'expired' | 'invalid'> => {
    const payload = await signed(token, keys)
    if (!payload || !isWellFormed(payload)) return 'invalid'
    const seconds = now().getTime() / 1_000
    const over = typeof payload.exp === 'number' && payload.exp <= seconds
    const early = typeof payload.nbf === 'number' && payload.nbf > seconds
    return over || early ? 'expired' : payload
  }
  return {
    async connection(token) {
      const payload = await payloadOf(token)
      if (typeof payload === 'string') return payload
      const { channels = [], channel = '' } = payload
      if (channel !== '' || !isTexts(channels)) return 'invalid'
      return {
        claims: {
          user: userOf(payload),
          channels,
          meta: payload.meta,
          info: payload.info,
          expiresAt: expiryOf(payload),
        },
      }
    },
    async subscription(token) {
      const payload = await payloadOf(token)
      if (typeof payload === 'string') return payload
      const { channel } = payload
      if (typeof channel !== 'string' || channel === '') return 'invalid'
      return { claims: { user: userOf(payload), channel, expiresAt: expiryOf(payload) } }
    },
  }
}

async function signed(token: string, keys: readonly Uint8Array[]): Promise<Payload | undefined> {
  for (const key of keys) {
    const payload = await signedWith(token, key)
    if (payload) return payload
  }
  return undefined
}

async function signedWith(token: string, key: Uint8Array): Promise<Payload | undefined> {
  try {
    const { payload } = await compactVerify(token, key, { algorithms: ALGORITHMS })
    const claims: unknown = JSON.parse(new TextDecoder().decode(payload))
    return typeof claims === 'object' && claims !== null ? (claims as Payload) : undefined
  } catch {
    return undefined
  }
}

function isWellFormed(payload: Payload): boolean {
  const timesAreNumbers = TIMES.every((name) => ['number', 'undefined'].includes(typeof payload[name]))
  return timesAreNumbers && ['string', 'undefined'].includes(typeof payload.sub)
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string')
}

function userOf({ sub }: Payload): string {
  return typeof sub === 'string' ? sub : ''
}

function expiryOf({ exp }: Payload): number | undefined {
  return typeof exp === 'number' ? Math.floor(exp) : undefined
}
