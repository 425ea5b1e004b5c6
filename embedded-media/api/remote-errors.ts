import { type FaultCode, MediaFault } from './api-messages.ts'

/** What came of a call of a method in a client, as the client or the server says it. */
export interface RemoteError {
  code: number
  message: string
  data: string
}

/** Numbers and words of LiveKit's SDKs, with the code that its server answers for each. */
const KNOWN: Readonly<Record<number, readonly [message: string, code: FaultCode]>> = {
  1400: ['Method not supported at destination', 'invalid_argument'],
  1401: ['Recipient not found', 'not_found'],
  1402: ['Request payload too large', 'malformed'],
  1403: ['RPC not supported by server', 'unimplemented'],
  1404: ['Unsupported RPC version', 'unimplemented'],
  1501: ['Connection timeout', 'canceled'],
  1502: ['Response timeout', 'canceled'],
  1503: ['Recipient disconnected', 'unavailable'],
  1504: ['Response payload too large', 'malformed'],
}
export const PAYLOAD_TOO_LARGE = 1402
export const CONNECTION_TIMEOUT = 1501
export const RESPONSE_TIMEOUT = 1502
export const RECIPIENT_DISCONNECTED = 1503

/** Errors of an application, and others that are not named above, are internal. */
export function remoteFault({ code, message, data }: RemoteError): MediaFault {
  const detail = data === '' ? '' : `: ${data}`
  return new MediaFault(KNOWN[code]?.[1] ?? 'internal', `RpcError ${code}: ${message}${detail}`)
}

export function knownFault(code: number): MediaFault {
  return remoteFault({ code, message: KNOWN[code]?.[0] ?? '', data: '' })
}
