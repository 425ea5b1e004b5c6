import type { IncomingMessage } from 'node:http'
import { gunzipSync } from 'node:zlib'
import {
  JoinRequest,
  type SessionDescription,
  WrappedJoinRequest,
  WrappedJoinRequest_Compression,
} from '@livekit/protocol'

export const SIGNAL_PATH = '/rtc'
/** Newer clients ask here: one connection carries everything, by offers of the client. */
export const NEWER_SIGNAL_PATH = '/rtc/v1'

/** How a client asks to come in. */
export interface JoinAsked {
  isOneConnection: boolean
  /** The signals of a session that goes on. */
  isBack: boolean
  sid: string
  autoSubscribe: boolean
  /** The first one of the only connection, where it comes along. */
  offer: SessionDescription | undefined
}

/** A first offer has some 10 KB. */
const REQUEST_BYTES_MAX = 256 * 1024

/** @returns undefined where it is no request that a client makes */
export function joinAskedIn({ pathname, searchParams }: URL): JoinAsked | undefined {
  if (!isBelow(pathname, NEWER_SIGNAL_PATH))
    return {
      isOneConnection: false,
      isBack: searchParams.get('reconnect') === '1',
      sid: searchParams.get('sid') ?? '',
      autoSubscribe: searchParams.get('auto_subscribe') !== '0',
      offer: undefined,
    }
  const request = requestIn(searchParams.get('join_request') ?? '')
  return (
    request && {
      isOneConnection: true,
      isBack: request.reconnect,
      sid: request.participantSid,
      autoSubscribe: request.connectionSettings?.autoSubscribe ?? false,
      offer: request.publisherOffer,
    }
  )
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`)
}

function requestIn(text: string): JoinRequest | undefined {
  if (text === '') return undefined
  try {
    // Node reads both alphabets of base64
    const { compression, joinRequest } = WrappedJoinRequest.fromBinary(Buffer.from(text, 'base64'))
    const isCompressed = compression === WrappedJoinRequest_Compression.GZIP
    const bytes = isCompressed ? gunzipSync(joinRequest, { maxOutputLength: REQUEST_BYTES_MAX }) : joinRequest
    return JoinRequest.fromBinary(bytes)
  } catch {
    return undefined
  }
}

/** Of a request, without its query; empty where its address is none. */
export function pathOf({ url = '/' }: IncomingMessage): string {
  return URL.parse(url, 'http://localhost')?.pathname ?? ''
}
