import { createHash, createHmac, randomBytes } from 'node:crypto'

export const MEDIA_KEY = 'bench'

/** Of an office that takes the events of a media server at a dead address. */
export function mediaSettings(secret: string): Record<string, string> {
  return {
    LIVEKIT_URL: 'http://127.0.0.1:9',
    LIVEKIT_API_KEY: MEDIA_KEY,
    LIVEKIT_API_SECRET: secret,
    LIVEKIT_PUBLIC_URL: 'ws://127.0.0.1:9',
    RECORDINGS_WEBHOOK_SECRET: randomBytes(32).toString('base64url'),
    MEDIA_SWEEP_SECONDS: '0',
  }
}

/** One event as the media server would send it. */
export interface Delivery {
  headers: Record<string, string>
  body: string
}

export function deliveryOf(event: object, secret: string): Delivery {
  const body = JSON.stringify(event)
  return { headers: { 'content-type': 'application/webhook+json', authorization: sign(body, secret) }, body }
}

/** @param now seconds */
export function sessionOf(room: string, sid: string, now: number): object {
  return { sid, name: room, creationTime: String(now), creationTimeMs: `${now}000` }
}

/** @param now seconds */
export function participantOf(identity: string, sid: string, now: number): object {
  return {
    sid,
    identity,
    state: 'ACTIVE',
    joinedAt: String(now),
    joinedAtMs: `${now}000`,
    name: `Person ${identity}`,
    version: 2,
    permission: { canSubscribe: true, canPublish: true, canPublishData: true },
  }
}

function sign(body: string, secret: string): string {
  const now = Math.floor(Date.now() / 1_000)
  const sha256 = createHash('sha256').update(body).digest('base64')
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = { iss: MEDIA_KEY, nbf: now, iat: now, exp: now + 300, sha256 }
  const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}
