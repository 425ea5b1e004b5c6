import { RequestResponse, RequestResponse_Reason, type UpdateParticipantMetadata } from '@livekit/protocol'
import { captionsRefused, setsCaptionsAlone } from '../captions/wanted-captions.ts'
import type { Person } from '../messages.ts'

/** What becomes of a person who changes what is said of them. */
export interface Described {
  answer: RequestResponse
  /** Undefined where they may not. */
  person: Person | undefined
}

/** As LiveKit has them by default. */
const NAME_MAX = 256
const METADATA_BYTES_MAX = 512 * 1024
const ATTRIBUTES_BYTES_MAX = 64 * 1024

/**
 * Empty texts leave what was; an empty attribute takes it away.
 * @param hasCaptions whether they can be asked for in the room
 */
export function describeAnew(
  person: Person,
  wanted: UpdateParticipantMetadata,
  { hasCaptions }: { hasCaptions: boolean },
): Described {
  const { requestId, name, metadata } = wanted
  const message =
    person.permission.canUpdateMetadata || setsCaptionsAlone(person, wanted)
      ? captionsRefused(person, wanted, hasCaptions)
      : 'You may not change what is said of you here'
  if (message !== undefined) {
    const reason = RequestResponse_Reason.NOT_ALLOWED
    return { answer: new RequestResponse({ requestId, reason, message }), person: undefined }
  }
  const isTooLong =
    name.length > NAME_MAX ||
    Buffer.byteLength(metadata) > METADATA_BYTES_MAX ||
    Buffer.byteLength(JSON.stringify({ ...person.attributes, ...wanted.attributes })) > ATTRIBUTES_BYTES_MAX
  if (isTooLong) {
    const reason = RequestResponse_Reason.LIMIT_EXCEEDED
    const message = 'What is said of you would be too long'
    return { answer: new RequestResponse({ requestId, reason, message }), person: undefined }
  }
  const attributes = { ...person.attributes, ...wanted.attributes }
  for (const [key, text] of Object.entries(attributes)) if (text === '') delete attributes[key]
  return {
    answer: new RequestResponse({ requestId, reason: RequestResponse_Reason.OK }),
    person: { ...person, attributes, name: name || person.name, metadata: metadata || person.metadata },
  }
}
