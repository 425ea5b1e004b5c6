import { expect, it } from 'vitest'
import { commandsOf, MalformedFrame } from './frames.ts'
import { processorTime } from './processor-time-fixture.ts'

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

it.each([
  ['lists without end', `{"id":1,"subscribe":{"channel":"a","data":${nested(30_000)}}}`],
  ['33 of them', `{"id":1,"subscribe":{"channel":"a","data":${nested(31)}}}`],
  ['more values than any command has', `{"id":1,"rpc":{"data":[${Array(20_000).fill(1).join()}]}}`],
  [
    'more keys',
    `{"id":1,"connect":{"subs":{${Array.from({ length: 10_000 }, (_, at) => `"${at}":1`).join()}}}}`,
  ],
])('a frame of %s is none', (_case, frame) => {
  expect(processorTime(() => expect(() => commandsOf(frame)).toThrow(MalformedFrame))).toBeLessThan(100)
})

it('a frame with 32 is one, and texts in it may be as long as it is', () => {
  const [command] = commandsOf(
    `{"id":1,"subscribe":{"channel":"${'c'.repeat(60_000)}","data":${nested(30)}}}`,
  )
  expect(command).toMatchObject({ method: 'subscribe', id: 1 })
})
