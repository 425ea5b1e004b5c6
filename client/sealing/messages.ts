import type { Bytes } from './bytes.ts'

/** The topic of the packets by which those inside tell each other what they need to share a key. */
export const SEALING_TOPIC = 'atrium.sealing'

export type SealingMessage =
  /** Who they are. `asks`: others shall say it too. */
  | { kind: 'hello'; publicKey: string; visit: string; deviceId?: string; asks: boolean }
  /** To a number for the words of an epoch. */
  | ({ kind: 'commitment'; commitment: string } & SaidEpoch)
  /** That number. */
  | ({ kind: 'opening'; secret: string } & SaidEpoch)

/** The office counts from 1 again after a session: the number alone names no epoch. */
export interface SaidEpoch {
  epoch: number
  /** Of everybody whom its key is for. */
  roster: string
}

/** Nothing that is said here is longer. */
const BYTES_MAX = 512
/** 32 bytes as base64url. */
const DIGEST = /^[A-Za-z0-9_-]{43}$/
const VISIT = /^[A-Za-z0-9_-]{22}$/
const DEVICE = /^[0-9a-f-]{36}$/

export function encodeMessage(message: SealingMessage): Bytes {
  return new TextEncoder().encode(JSON.stringify(message))
}

/** @returns undefined for anything that is not said here: a packet may come from any sender */
export function decodeMessage(payload: Uint8Array): SealingMessage | undefined {
  if (payload.byteLength > BYTES_MAX) return undefined
  const said = parse(payload)
  const { kind, publicKey, visit, deviceId, epoch, roster, commitment, secret } = said
  if (kind === 'hello') {
    if (!matches(publicKey, DIGEST) || !matches(visit, VISIT)) return undefined
    const device = matches(deviceId, DEVICE) ? { deviceId } : {}
    return { kind, publicKey, visit, ...device, asks: said.asks === true }
  }
  if (!isEpoch(epoch) || !matches(roster, DIGEST)) return undefined
  if (kind === 'commitment' && matches(commitment, DIGEST)) return { kind, epoch, roster, commitment }
  if (kind === 'opening' && matches(secret, DIGEST)) return { kind, epoch, roster, secret }
  return undefined
}

function matches(value: unknown, pattern: RegExp): value is string {
  return typeof value === 'string' && pattern.test(value)
}

function isEpoch(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
}

function parse(payload: Uint8Array): Record<string, unknown> {
  try {
    return (JSON.parse(new TextDecoder().decode(payload)) as Record<string, unknown> | null) ?? {}
  } catch {
    return {}
  }
}
