import type { Readable } from 'node:stream'

/** A line, or the number of one that is too long to be kept. */
export type Line = { number: number; text: string | undefined }

const NEWLINE = 10

/** The lines of a text, one at a time; of a longer one than `bytesMax` nothing is kept. */
export async function* readLines(source: Readable, bytesMax: number): AsyncIterable<Line> {
  let kept: Buffer[] = []
  let bytes = 0
  let number = 0
  const end = (): Line => {
    number += 1
    const line = { number, text: bytes > bytesMax ? undefined : Buffer.concat(kept).toString('utf8') }
    kept = []
    bytes = 0
    return line
  }
  const keep = (part: Buffer) => {
    bytes += part.length
    if (bytes > bytesMax) kept = []
    else kept.push(part)
  }
  for await (const chunk of source as AsyncIterable<Buffer>) {
    let from = 0
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      keep(chunk.subarray(from, at))
      from = at + 1
      yield end()
    }
    keep(chunk.subarray(from))
  }
  if (bytes > 0) yield end()
}

/** All of a text. @returns undefined where it is longer than `bytesMax` */
export async function readBounded(source: Readable, bytesMax: number): Promise<string | undefined> {
  const kept: Buffer[] = []
  let bytes = 0
  for await (const chunk of source as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > bytesMax) {
      source.destroy()
      return undefined
    }
    kept.push(chunk)
  }
  return Buffer.concat(kept).toString('utf8')
}

/** JSON of a stranger as an object, or as a list of such: what is neither is left out. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export type Fields = Readonly<Record<string, unknown>>

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function textsOf(value: unknown): string[] {
  return listOf(value).filter((one) => typeof one === 'string')
}
