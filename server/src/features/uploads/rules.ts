import { imageContentTypes } from '@atrium/contract'
import { invalidInput, Refusal } from '../../platform/refusal.ts'
import type { ImageFault, ImageType, ImageVerdict } from '../../ports/image-check.ts'

/** 2 MiB and 256 KiB of grace. */
export const IMAGE_BYTES_MAX = 2 * 1024 * 1024 + 256 * 1024
const SIDE_PIXELS_MIN = 128
const SIDE_PIXELS_MAX = 1024

const EXTENSIONS: Record<ImageType, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
}

const UNSUPPORTED_TYPE = `Choose an image of one of the types ${imageContentTypes.join(', ')}`

/** @throws Refusal invalid where no such image may be uploaded */
export function requireImageType(contentType: string): ImageType {
  const known = imageContentTypes.find((type) => type === contentType)
  if (known) return known
  throw invalidInput([{ field: 'contentType', message: UNSUPPORTED_TYPE }], {
    error: 'unsupported-content-type',
  })
}

/** The key of a new upload. */
export function tmpKeyOf(ownerId: string, uuid: string, type: ImageType): string {
  return `tmp/${ownerId}/${uuid}.${EXTENSIONS[type]}`
}

/** Where a temporary object goes for good: the client has no say in it. */
export function permanentKeyOf(folder: 'avatars' | 'logos', tmpKey: string): string {
  return tmpKey.replace(/^tmp\//, `${folder}/`)
}

/**
 * The first rule of finalizing: the key lies with its owner, and in no reading of it elsewhere.
 * @throws Refusal forbidden
 */
export function requireOwnKey(tmpKey: string, ownerId: string): void {
  const prefix = `tmp/${ownerId}/`
  const rest = tmpKey.slice(prefix.length)
  if (tmpKey.startsWith(prefix) && !leavesFolder(rest)) return
  throw Refusal.of('not-your-upload')
}

/** Dots, empty segments, encoded characters, backslashes: what some store or proxy may take for a way out. */
function leavesFolder(rest: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what is looked for
  if (/[%\\\u0000-\u001f\u007f]/.test(rest)) return true
  const segments = rest.split('/')
  return segments.includes('..') || segments.includes('.') || (segments.length > 1 && segments.includes(''))
}

const FAULT_MESSAGES: Record<ImageFault, string> = {
  'not-an-image': `The file is not an image of a supported format (${imageContentTypes.join(', ')})`,
  damaged: 'The image is damaged',
  'too-many-pixels': `The image is larger than ${SIDE_PIXELS_MAX} × ${SIDE_PIXELS_MAX} pixels, or has too many frames`,
}

/** @throws Refusal invalid where the file is too large */
export function requireSize(sizeBytes: number): void {
  if (sizeBytes > IMAGE_BYTES_MAX) throw invalidImage(`The file has more than ${IMAGE_BYTES_MAX} bytes`)
}

/** @throws Refusal invalid where it is no image that we show */
export function requireGoodImage(verdict: ImageVerdict): Extract<ImageVerdict, { accepted: true }> {
  if (!verdict.accepted) throw invalidImage(FAULT_MESSAGES[verdict.fault])
  const { width, height } = verdict
  if (width !== height) throw invalidImage('The image is not square')
  if (width < SIDE_PIXELS_MIN || width > SIDE_PIXELS_MAX) {
    throw invalidImage(`The image must have ${SIDE_PIXELS_MIN} to ${SIDE_PIXELS_MAX} pixels each way`)
  }
  return verdict
}

function invalidImage(message: string): Refusal {
  return Refusal.of('invalid-image', { message })
}

/**
 * How far an upload has come while it is finalized. It moves from left to right; `rejected` and `overtaken` are ends
 * beside the way: the image is not one that we show, another call has the upload by now.
 */
export type FinalizingState =
  | 'claimed'
  | 'try-spent'
  | 'rejected'
  | 'accepted'
  | 'placed'
  | 'overtaken'
  | 'shown'

/** How finalizing ends: with the image, with a refusal, or with a failure of ours. */
export type FinalizingEnd = 'shown' | 'refused' | 'failed'

/** One thing that an end leaves to do. */
export type Cleanup = 'remove-image' | 'remove-upload' | 'settle-budget' | 'return-try' | 'release-claim'

const MOVES: Record<FinalizingState, readonly FinalizingState[]> = {
  claimed: ['try-spent'],
  'try-spent': ['accepted', 'rejected'],
  rejected: [],
  accepted: ['placed'],
  placed: ['shown', 'overtaken'],
  overtaken: [],
  shown: [],
}

/** @throws where the upload cannot come there from where it is: a mistake of ours */
export function moved(from: FinalizingState, to: FinalizingState): FinalizingState {
  if (MOVES[from].includes(to)) return to
  throw new Error(`an upload that is ${from} cannot become ${to}`)
}

/**
 * What an end leaves to do, in order. A failure of ours costs no try and keeps the upload for another call; a
 * refusal has cost its try, and gives back what the budget holds beyond the size of the upload.
 */
export function cleanupsAfter(state: FinalizingState, end: FinalizingEnd): readonly Cleanup[] {
  if (end === 'shown') return ['remove-upload', 'settle-budget']
  if (state === 'claimed') return ['release-claim']
  const ended: readonly Cleanup[] =
    end === 'refused' ? ['settle-budget', 'release-claim'] : ['return-try', 'release-claim']
  if (state === 'rejected' && end === 'refused') return ['remove-upload', ...ended]
  if (state === 'placed') return ['remove-image', ...ended]
  return ended
}
