import { AsyncLocalStorage } from 'node:async_hooks'
import { expect, it } from 'vitest'
import { gatheredBatches } from './gathered-batches.ts'

function open() {
  const batches = gatheredBatches()
  const begun: string[] = []
  const answers = new Map<string, PromiseWithResolvers<void>>()
  const ask = (name: string) =>
    batches.schedule(() => {
      begun.push(name)
      const answer = Promise.withResolvers<void>()
      answers.set(name, answer)
      batches.run(() => answer.promise).catch(() => {})
    })
  return { ask, begun, answers }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

it('begins at the end of the turn while few are under way', async () => {
  const { ask, begun } = open()
  ask('first')
  expect(begun).toEqual([])
  await turn()
  ask('second')
  await turn()
  expect(begun).toEqual(['first', 'second'])
})

it.each(['resolve', 'reject'] as const)('begins the next when one before it ends (%s)', async (ends) => {
  const { ask, begun, answers } = open()
  for (const name of ['first', 'second', 'third']) {
    ask(name)
    await turn()
  }
  answers.get('second')?.[ends]()
  await expect.poll(() => begun).toEqual(['first', 'second', 'third'])
})

it('lets nothing hang behind batches that are not answered, and begins each once', async () => {
  const { ask, begun, answers } = open()
  for (const name of ['first', 'second', 'third', 'fourth']) {
    ask(name)
    await expect.poll(() => begun, { timeout: 10_000 }).toContain(name)
  }
  for (const { resolve } of answers.values()) resolve()
  await turn()
  expect(begun).toEqual(['first', 'second', 'third', 'fourth'])
})

it('begins a full one when the next gathers', async () => {
  const { ask, begun } = open()
  for (const name of ['first', 'second']) {
    ask(name)
    await turn()
  }
  ask('full')
  ask('next')
  expect(begun).toEqual(['first', 'second', 'full'])
  await expect.poll(() => begun, { timeout: 10_000 }).toContain('next')
})

it('begins a batch in the context of the one who asked', async () => {
  const asker = new AsyncLocalStorage<string>()
  const batches = gatheredBatches()
  const answer = Promise.withResolvers<void>()
  const running = [1, 2].map(() => asker.run('earlier', () => batches.run(() => answer.promise)))
  const seen: (string | undefined)[] = []
  asker.run('later', () => batches.schedule(() => seen.push(asker.getStore())))
  answer.resolve()
  await Promise.all(running)
  await expect.poll(() => seen).toEqual(['later'])
})
