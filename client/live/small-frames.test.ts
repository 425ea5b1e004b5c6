import { expect, it } from 'vitest'
import { framesOf } from './small-frames.ts'

it('leaves what is short as it is', () => {
  expect(framesOf('{"id":1}\n{"id":2}')).toEqual(['{"id":1}\n{"id":2}'])
  expect(framesOf('')).toEqual([''])
})

it('sends many commands in frames that any broker takes, each whole and in order', () => {
  const commands = Array.from({ length: 2_000 }, (_, id) =>
    JSON.stringify({ subscribe: { channel: `status:org_1:user_${'x'.repeat(60)}` }, id }),
  )
  const frames = framesOf(commands.join('\n'))
  expect(frames.length).toBeGreaterThan(5)
  expect(Math.max(...frames.map((frame) => frame.length))).toBeLessThan(32_000)
  expect(frames.flatMap((frame) => frame.split('\n'))).toEqual(commands)
})

it('never cuts a command in two', () => {
  const long = 'x'.repeat(60_000)
  expect(framesOf(`a\n${long}\nb`)).toEqual(['a', long, 'b'])
})
