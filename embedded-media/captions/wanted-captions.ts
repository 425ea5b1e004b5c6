import { ParticipantInfo_Kind, type UpdateParticipantMetadata } from '@livekit/protocol'
import type { Person } from '../messages.ts'
import type { NewParticipant } from '../rooms/rooms.ts'

/**
 * The attribute by which a participant asks for captions: `on`, or `off`. Where it is not there, none can be asked for.
 * All in the room read it, and so are told that what they say is written down.
 */
const CAPTIONS = 'captions'

const PERSON = ParticipantInfo_Kind[ParticipantInfo_Kind.STANDARD]

export function wantsCaptions({ attributes }: Pick<Person, 'attributes'>): boolean {
  return attributes[CAPTIONS] === 'on'
}

/** Tells a newcomer that captions can be asked for, where nothing that is said is sealed. */
export function offered(newcomer: NewParticipant): NewParticipant {
  if (newcomer.encryptedOnly || newcomer.kind !== PERSON) return newcomer
  return { ...newcomer, attributes: { [CAPTIONS]: 'off', ...newcomer.attributes } }
}

/** Whether captions are all that a participant asks to change: that is open to all who hear the others. */
export function setsCaptionsAlone(person: Person, wanted: UpdateParticipantMetadata): boolean {
  const { name, metadata, attributes } = wanted
  const [[key, text] = [], ...more] = Object.entries(attributes)
  const isSame = ['', person.name].includes(name) && ['', person.metadata].includes(metadata)
  return isSame && more.length === 0 && key === CAPTIONS && (text === 'on' || text === 'off')
}

/** @returns why captions cannot be asked for; undefined where they can, or are not asked for */
export function captionsRefused(
  { encryptedOnly, permission }: Person,
  { attributes }: UpdateParticipantMetadata,
  hasCaptions: boolean,
): string | undefined {
  if (attributes[CAPTIONS] !== 'on') return undefined
  if (!hasCaptions) return 'There are no captions here: no transcriber is set up'
  if (encryptedOnly)
    return 'There are no captions in a sealed room: nothing but the devices inside can hear what is said'
  if (!permission.canSubscribe) return 'There are no captions for those who wait'
  return undefined
}
