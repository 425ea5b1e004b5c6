/**
 * The headers of a tar file (POSIX ustar), of plain files alone. Nothing else is written, and nothing else is read: no
 * folders, links, devices or extended headers, which is where readers of tar files go wrong.
 */

export const TAR_BLOCK = 512
const NAME_MAX = 100
const SIZE_MAX = 0o77777777777
/** Of what is in an archive: segments of letters, digits, `_`, `-` and `.` that do not begin with a dot. */
const NAME = /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/
const MAGIC = 'ustar\u000000'

const MESSAGE_MAX = 500

/**
 * An archive is not as this office writes them. The message is a sentence for the operator; what it quotes of the
 * archive may be meant for their terminal.
 */
export class ArchiveProblem extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message.replaceAll(/[\p{Cc}\p{Cf}]/gu, '\ufffd').slice(0, MESSAGE_MAX), options)
    this.name = 'ArchiveProblem'
  }
}

export interface TarEntry {
  name: string
  sizeBytes: number
}

/** The block before the bytes of a file. @throws Error where it cannot be named or is too large */
export function tarHeader({ name, sizeBytes }: TarEntry, modifiedAt: Date): Buffer {
  if (!NAME.test(name) || name.length > NAME_MAX)
    throw new Error(`${name} is not a name of a file in an archive`)
  if (sizeBytes > SIZE_MAX) throw new Error(`${name} is too large for an archive`)
  const block = Buffer.alloc(TAR_BLOCK)
  block.write(name, 0, 'ascii')
  block.write(octal(0o600, 7), 100, 'ascii')
  block.write(octal(0, 7), 108, 'ascii')
  block.write(octal(0, 7), 116, 'ascii')
  block.write(octal(sizeBytes, 11), 124, 'ascii')
  block.write(octal(Math.floor(modifiedAt.getTime() / 1_000), 11), 136, 'ascii')
  block.write('0', 156, 'ascii')
  block.write(MAGIC, 257, 'ascii')
  block.write(`${octal(checksumOf(block), 6)}\u0000 `, 148, 'ascii')
  return block
}

/** What follows the bytes of a file, up to the next block. */
export function tarPadding(sizeBytes: number): Buffer {
  return Buffer.alloc((TAR_BLOCK - (sizeBytes % TAR_BLOCK)) % TAR_BLOCK)
}

/** What a tar file ends with. */
export const TAR_END = Buffer.alloc(2 * TAR_BLOCK)

/** What a block says; undefined where it is one of the end. @throws ArchiveProblem */
export function readTarHeader(block: Buffer): TarEntry | undefined {
  if (block.every((byte) => byte === 0)) return undefined
  if (block.toString('latin1', 257, 265) !== MAGIC || octalAt(block, 148, 8) !== checksumOf(block))
    throw new ArchiveProblem('The file is damaged, or no archive of this kind')
  const name = textAt(block, 0, NAME_MAX)
  if (textAt(block, 345, 155) !== '' || !NAME.test(name))
    throw new ArchiveProblem(
      `The archive names a file as no archive of this kind does: ${JSON.stringify(name)}`,
    )
  if (block.toString('latin1', 156, 157) !== '0' || textAt(block, 157, 100) !== '')
    throw new ArchiveProblem(`${name} is not a plain file in the archive`)
  return { name, sizeBytes: octalAt(block, 124, 12) }
}

/** The sum of all bytes, with spaces where the sum itself stands. */
function checksumOf(block: Buffer): number {
  let sum = 8 * 0x20
  for (const [index, byte] of block.entries()) if (index < 148 || index >= 156) sum += byte
  return sum
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0')
}

function octalAt(block: Buffer, at: number, length: number): number {
  const text = textAt(block, at, length).trim()
  if (!/^[0-7]{1,11}$/.test(text)) throw new ArchiveProblem('The file is damaged, or no archive of this kind')
  return Number.parseInt(text, 8)
}

function textAt(block: Buffer, at: number, length: number): string {
  const text = block.toString('latin1', at, at + length)
  const end = text.indexOf('\u0000')
  return end < 0 ? text : text.slice(0, end)
}
