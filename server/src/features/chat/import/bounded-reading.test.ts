import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { type Line, readBounded, readLines } from './bounded-reading.ts'

const of = (...chunks: string[]) => Readable.from(chunks.map((chunk) => Buffer.from(chunk)))

it('reads lines however they are cut, and tells which one is too long', async () => {
  const lines: Line[] = []
  for await (const line of readLines(of('on', 'e\ntwo', '\n', 'x'.repeat(50), 'y\nfo\u00fcr'), 20))
    lines.push(line)
  expect(lines).toEqual([
    { number: 1, text: 'one' },
    { number: 2, text: 'two' },
    { number: 3, text: undefined },
    { number: 4, text: 'foür' },
  ])
})

it('reads all of a text, up to a bound', async () => {
  expect(await readBounded(of('ab', 'cd'), 4)).toBe('abcd')
  expect(await readBounded(of('ab', 'cd', 'e'), 4)).toBeUndefined()
})
