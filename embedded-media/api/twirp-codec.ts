import { isUtf8 } from 'node:buffer'
import { apiText, MediaFault, type Message } from './api-messages.ts'

/** A message of LiveKit's schema, as `@livekit/protocol` has it. */
interface WireMessage {
  toJson(): unknown
  toBinary(): Uint8Array
}

interface ReadOptions {
  ignoreUnknownFields: boolean
}

/** The class of one kind of message. */
export interface MessageForm {
  fromBinary(bytes: Uint8Array): WireMessage
  fromJsonString(text: string, options: ReadOptions): WireMessage
}

/** One of the two encodings of Twirp. */
export interface Codec {
  contentType: string
  /** The fields in camelCase, defaults left out. @throws MediaFault malformed */
  read(form: MessageForm, bytes: Buffer): Record<string, unknown>
  write(form: MessageForm, message: Message): Buffer
}

/** Newer SDKs send fields that this version of the schema does not have. */
const LENIENT: ReadOptions = { ignoreUnknownFields: true }

const json: Codec = {
  contentType: 'application/json',
  read: (form, bytes) =>
    fieldsOf('json', () => {
      if (!isUtf8(bytes)) throw new Error('no UTF-8')
      const text = bytes.toString('utf8')
      if (isTooLarge(JSON.parse(text))) throw new Error('too deep or too wide')
      return form.fromJsonString(text, LENIENT)
    }),
  write: (_form, message) => Buffer.from(apiText(message)),
}

const protobuf: Codec = {
  contentType: 'application/protobuf',
  read: (form, bytes) => fieldsOf('protobuf', () => form.fromBinary(bytes)),
  write: (form, message) => Buffer.from(form.fromJsonString(apiText(message), LENIENT).toBinary()),
}

const CODECS = new Map([json, protobuf].map((codec) => [codec.contentType, codec]))

/** The codec that a request names. @throws MediaFault bad_route */
export function codecOf(contentType = ''): Codec {
  const [type = ''] = contentType.split(';')
  const codec = CODECS.get(type.trim().toLowerCase())
  if (!codec) throw unexpectedType(contentType)
  return codec
}

export function unexpectedType(contentType = ''): MediaFault {
  return new MediaFault('bad_route', `unexpected Content-Type: ${JSON.stringify(contentType)}`)
}

function fieldsOf(name: string, read: () => WireMessage): Record<string, unknown> {
  try {
    return read().toJson() as Record<string, unknown>
  } catch {
    throw new MediaFault('malformed', `the ${name} request could not be decoded`)
  }
}

const DEPTH_MAX = 32
const VALUES_MAX = 20_000

/** Whether a value is deeper, or of more values in all, than any message is. */
function isTooLarge(value: unknown): boolean {
  let values = 0
  const isWithin = (one: unknown, depth: number): boolean => {
    values += 1
    if (values > VALUES_MAX || depth > DEPTH_MAX) return false
    if (typeof one !== 'object' || one === null) return true
    return Object.values(one).every((inner) => isWithin(inner, depth + 1))
  }
  return !isWithin(value, 1)
}
