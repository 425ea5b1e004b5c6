import type { IncomingMessage } from 'node:http'
import { jwtVerify, SignJWT } from 'jose'
import type { NewParticipant, Participant } from '../rooms/rooms.ts'
import { recordOf, textOf } from './api-messages.ts'

export interface TokenKeys {
  apiKey: string
  apiSecret: string
}

/** What a token allows, as far as the stand-in knows it. */
export interface Grants {
  identity: string
  name: string
  metadata: string
  attributes: Record<string, string>
  kind: string
  video: Record<string, unknown>
}

const LEEWAY_SECONDS = 60
/** Of the tokens that those who are inside are given, to begin again with where they must. */
const REFRESHED_SECONDS = 600
/** A worker starts a process for its job first. */
const JOB_SECONDS = 3_600

/** The grants of a token of ours that is valid now; undefined where it is not. The media server's own clock decides. */
export async function grantsOf(keys: TokenKeys, token: string, now: Date): Promise<Grants | undefined> {
  try {
    const { payload } = await jwtVerify(token, new TextEncoder().encode(keys.apiSecret), {
      algorithms: ['HS256'],
      issuer: keys.apiKey,
      clockTolerance: LEEWAY_SECONDS,
      requiredClaims: ['exp'],
      currentDate: now,
    })
    const attributes = Object.entries(recordOf(payload.attributes)).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    )
    return {
      identity: payload.sub ?? '',
      name: textOf(payload, 'name'),
      metadata: textOf(payload, 'metadata'),
      attributes: Object.fromEntries(attributes),
      kind: (textOf(payload, 'kind') || 'standard').toUpperCase(),
      video: recordOf(payload.video),
    }
  } catch {
    return undefined
  }
}

/** The token of a request for a WebSocket; empty: none. */
export function tokenIn({ headers, url }: Pick<IncomingMessage, 'headers' | 'url'>): string {
  const bearer = /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1]
  return bearer ?? new URL(url ?? '/', 'http://localhost').searchParams.get('access_token') ?? ''
}

/** A token that says what the participant is and may now, whatever the first one said. */
export async function refreshedToken(
  keys: TokenKeys,
  { room, participant, now }: { room: string; participant: Participant; now: Date },
): Promise<string> {
  return await signed(keys, { room, now, seconds: REFRESHED_SECONDS }, participant)
}

/** A token for the participant of a job, as its worker wants it to be. */
export async function jobToken(
  keys: TokenKeys,
  { room, now, ...participant }: Omit<Described, 'kind'> & { room: string; now: Date },
): Promise<string> {
  return await signed(keys, { room, now, seconds: JOB_SECONDS }, { ...participant, kind: 'AGENT' })
}

type Described = Pick<
  Participant,
  'identity' | 'name' | 'metadata' | 'attributes' | 'kind' | 'permission' | 'encryptedOnly'
>

async function signed(
  { apiKey, apiSecret }: TokenKeys,
  { room, now, seconds }: { room: string; now: Date; seconds: number },
  { identity, name, metadata, attributes, kind, permission, encryptedOnly }: Described,
): Promise<string> {
  const { canUpdateMetadata: canUpdateOwnMetadata, ...rights } = permission
  const video = {
    roomJoin: true,
    room,
    canUpdateOwnMetadata,
    ...rights,
    ...(encryptedOnly && { encryptedOnly }),
  }
  const at = Math.floor(now.getTime() / 1_000)
  return await new SignJWT({ name, metadata, attributes, kind: kind.toLowerCase(), video })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(apiKey)
    .setSubject(identity)
    .setNotBefore(at)
    .setExpirationTime(at + seconds)
    .sign(new TextEncoder().encode(apiSecret))
}

/** Who comes in with these grants, and with which rights: publishing and subscribing are allowed where not denied. */
export function newcomerOf({ video, ...person }: Grants): NewParticipant {
  const canPublish = video.canPublish !== false
  return {
    ...person,
    ...(video.encryptedOnly === true && { encryptedOnly: true }),
    permission: {
      canSubscribe: video.canSubscribe !== false,
      canPublish,
      canPublishData: typeof video.canPublishData === 'boolean' ? video.canPublishData : canPublish,
      canUpdateMetadata: video.canUpdateOwnMetadata === true,
      hidden: video.hidden === true,
      recorder: video.recorder === true,
      agent: video.agent === true,
    },
  }
}
