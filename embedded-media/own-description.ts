import { RequestResponse, RequestResponse_Reason, type UpdateParticipantMetadata } from '@livekit/protocol'
import type { Person } from './messages.ts'

/** What becomes of a person who changes what is said of them. */
export interface Described {
  answer: RequestResponse
  /** Undefined where they may not. */
  person: Person | undefined
}

/** Empty texts leave what was; an empty attribute takes it away. */
export function describeAnew(person: Person, wanted: UpdateParticipantMetadata): Described {
  const { requestId, name, metadata } = wanted
  if (!person.permission.canUpdateMetadata) {
    const reason = RequestResponse_Reason.NOT_ALLOWED
    const message = 'You may not change what is said of you here'
    return { answer: new RequestResponse({ requestId, reason, message }), person: undefined }
  }
  const attributes = { ...person.attributes, ...wanted.attributes }
  for (const [key, text] of Object.entries(attributes)) if (text === '') delete attributes[key]
  return {
    answer: new RequestResponse({ requestId, reason: RequestResponse_Reason.OK }),
    person: { ...person, attributes, name: name || person.name, metadata: metadata || person.metadata },
  }
}
