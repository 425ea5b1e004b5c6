import { type Bytes, digestOf, toText } from './bytes.ts'

/** A client that the key is sealed to. */
export interface Entrant {
  /** As the media server names them. */
  identity: string
  /** X25519, as base64url. */
  publicKey: string
  /** Random, made anew for each visit: a client that returns is a new one. */
  visit: string
}

/** Everybody whom the key of an epoch is for, in 32 bytes. */
export async function rosterOf(roomId: string, entrants: readonly Entrant[]): Promise<string> {
  const sorted = entrants.map(({ identity, publicKey, visit }) =>
    JSON.stringify([identity, publicKey, visit]),
  )
  return toText(await digestOf(['atrium roster', roomId, ...sorted.sort()]))
}

/** What all inside have to agree on. */
export interface Epoch {
  number: number
  roster: string
}

/** Binds a client to its number before it learns those of others, and says nothing of the number. */
export async function commitmentTo(
  secret: string,
  { identity, publicKey }: Entrant,
  { number, roster }: Epoch,
): Promise<string> {
  return toText(await digestOf(['atrium commitment', roster, number, identity, publicKey, secret]))
}

/** @param secrets of everybody on the roster, by their identity */
export async function wordsFor(
  key: Uint8Array,
  { number, roster }: Epoch,
  secrets: ReadonlyMap<string, string>,
): Promise<string> {
  const sorted = [...secrets].map((one) => JSON.stringify(one)).sort()
  const digest = await digestOf(['atrium words', roster, number, toText(key), ...sorted])
  return spoken(digest)
}

const CONSONANTS = 'bdfghjklmnprstvz'
const VOWELS = 'aiou'

/** Four words of 16 bits that can be read aloud in any language: five letters each, consonants and vowels in turns. */
export function spoken(digest: Bytes): string {
  const view = new DataView(digest.buffer, digest.byteOffset)
  return [0, 2, 4, 6].map((at) => wordOf(view.getUint16(at))).join(' ')
}

function wordOf(bits: number): string {
  const letter = (letters: string, shift: number) => letters[(bits >> shift) & (letters.length - 1)]
  return [
    letter(CONSONANTS, 12),
    letter(VOWELS, 10),
    letter(CONSONANTS, 6),
    letter(VOWELS, 4),
    letter(CONSONANTS, 0),
  ].join('')
}
