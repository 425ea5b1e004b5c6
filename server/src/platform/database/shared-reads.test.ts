import { AsyncLocalStorage } from 'node:async_hooks'
import { describe, expect, it } from 'vitest'
import { sharedReads } from './shared-reads.ts'
import { newWaitingBudget, withinWaitingBudget } from './waiting-budget.ts'

/** A database that answers by hand, as of the moment of the answer. */
function slowDatabase() {
  const statements: { questions: readonly string[]; answer(value?: number): void; fail(): void }[] = []
  const ask = sharedReads((questions: readonly string[]) => {
    const { promise, resolve, reject } = Promise.withResolvers<string[]>()
    statements.push({
      questions,
      answer: (value = 0) => resolve(questions.map((question) => `${question} ${value}`)),
      fail: () => reject(new Error('away')),
    })
    return promise
  })
  const begun = () => statements.map(({ questions }) => questions.join(' '))
  return { statements, ask, begun }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('shared reads', () => {
  it('are one statement for all who ask in one turn, each with their own answer', async () => {
    const { ask, begun, statements } = slowDatabase()
    const asked = ['ada', 'ben', 'ada'].map((name) => ask(name))
    expect(begun()).toEqual([])
    await turn()
    expect(begun()).toEqual(['ada ben ada'])
    statements[0]?.answer(7)
    expect(await Promise.all(asked)).toEqual(['ada 7', 'ben 7', 'ada 7'])
  })

  it.each(['answer', 'fail'] as const)(
    'gather while two are under way, until one ends (%s)',
    async (ends) => {
      const { ask, begun, statements } = slowDatabase()
      const answers: Promise<unknown>[] = []
      for (const question of ['first', 'second', 'third', 'fourth']) {
        answers.push(ask(question).catch(() => 'away'))
        await turn()
      }
      expect(begun()).toEqual(['first', 'second'])
      statements[1]?.[ends]()
      await expect.poll(begun).toEqual(['first', 'second', 'third fourth'])
      for (const { answer } of statements) answer()
      const second = ends === 'fail' ? 'away' : 'second 0'
      expect(await Promise.all(answers)).toEqual(['first 0', second, 'third 0', 'fourth 0'])
    },
  )

  it('never answer with what was read before the question', async () => {
    const { ask, begun, statements } = slowDatabase()
    const early = ask('status')
    await turn()
    const late = ask('status')
    await turn()
    expect(begun()).toEqual(['status', 'status'])
    statements[0]?.answer(1)
    statements[1]?.answer(2)
    expect(await Promise.all([early, late])).toEqual(['status 1', 'status 2'])
  })

  it('do not hang behind statements that are not answered', async () => {
    const { ask, begun, statements } = slowDatabase()
    const answers: Promise<string>[] = []
    for (const question of ['first', 'second', 'third', 'fourth']) {
      answers.push(ask(question))
      await expect.poll(begun, { timeout: 10_000 }).toContain(question)
    }
    for (const { answer } of statements) answer()
    expect(await Promise.all(answers)).toHaveLength(4)
    expect(begun()).toEqual(['first', 'second', 'third', 'fourth'])
  })

  it('take a hundred together, and the next beside them', async () => {
    const { ask, statements } = slowDatabase()
    const answers = Array.from({ length: 250 }, (_, at) => ask(`${at}`))
    for (let at = 0; at < 3; at += 1) {
      await expect.poll(() => statements.length, { timeout: 10_000 }).toBeGreaterThan(at)
      statements[at]?.answer()
    }
    expect((await Promise.all(answers)).at(-1)).toBe('249 0')
    expect(statements.map(({ questions }) => questions.length)).toEqual([100, 100, 50])
  })

  it('begin at once where they are full, though two hang before them', async () => {
    const { ask, statements } = slowDatabase()
    const answers: Promise<string>[] = []
    for (const question of ['first', 'second']) {
      answers.push(ask(question))
      await turn()
    }
    for (let at = 0; at < 100; at += 1) answers.push(ask(`${at}`))
    expect(statements.map(({ questions }) => questions.length)).toEqual([1, 1])
    answers.push(ask('next'))
    expect(statements.map(({ questions }) => questions.length)).toEqual([1, 1, 100])
    await expect.poll(() => statements.length, { timeout: 10_000 }).toBe(4)
    for (const { answer } of statements) answer()
    expect((await Promise.all(answers)).at(-1)).toBe('next 0')
  })

  it('fail for those who waited, and for no other', async () => {
    const { ask, statements } = slowDatabase()
    const failing = Promise.allSettled([ask('one'), ask('two')])
    await turn()
    const next = ask('one')
    statements[0]?.fail()
    expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await turn()
    statements[1]?.answer(3)
    expect(await next).toBe('one 3')
  })

  it('that wait begin as a part of what asked first', async () => {
    const request = new AsyncLocalStorage<string>()
    const seen: (string | undefined)[] = []
    const held = Promise.withResolvers<void>()
    const ask = sharedReads(async (questions: readonly string[]) => {
      seen.push(request.getStore())
      await held.promise
      return questions
    })
    const answers: Promise<string>[] = []
    for (const name of ['one', 'two', 'three']) {
      answers.push(request.run(name, () => ask(name)))
      await turn()
    }
    held.resolve()
    await Promise.all(answers)
    expect(seen).toEqual(['one', 'two', 'three'])
  })

  it('leave the room of a request to others where its question is answered by the statement of another, and is the last one', async () => {
    const { ask, statements } = slowDatabase()
    const left: string[] = []
    const answers = ['first', 'second', 'third', 'asks more'].map((name) => {
      const budget = newWaitingBudget(1_000)
      const lease = { isHeld: () => true, release() {}, releaseUnanswered: () => left.push(name) }
      budget.underWay = { lease, takeAgain: async () => lease }
      return withinWaitingBudget(budget, () => ask(name, { asksMore: name === 'asks more' }))
    })
    expect(left).toEqual(['second', 'third'])
    await turn()
    statements[0]?.answer()
    await Promise.all(answers)
    expect(left).toEqual(['second', 'third'])
  })
})
