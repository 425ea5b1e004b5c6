import { describe, expect, it } from 'vitest'
import { excerpt } from './excerpt.ts'

const short = (content: string, ...highlights: [from: number, to: number][]) =>
  excerpt(
    content,
    highlights.map(([from, to]) => ({ from, to })),
    () => 'Ada',
  )
    .map(({ text, isHit }) => (isHit ? `[${text}]` : text))
    .join('')

describe('where something was found', () => {
  it('is told apart', () => {
    expect(short('the carry lever', [4, 9])).toBe('the [carry] lever')
    expect(short('carry carry', [0, 5], [6, 11])).toBe('[carry] [carry]')
    expect(short('nothing')).toBe('nothing')
  })

  it('is in sight in a long text, which is cut between words', () => {
    const text = `${'word '.repeat(100)}carry ${'more '.repeat(100)}`
    const said = short(text, [500, 505])
    expect(said).toMatch(/^… word .*\[carry\] more .* …$/)
    expect(said.length).toBeLessThan(260)
  })

  it('is plain words, whatever the form', () => {
    expect(short('**carry** `lever`', [2, 7])).toBe('[carry] lever')
    expect(short('a **carry lever**', [4, 9])).toBe('a [carry] lever')
    expect(short('<@42>, carry', [7, 12])).toBe('@Ada, [carry]')
    expect(short('[the log](https://log.example/7)', [5, 8], [18, 21])).toBe('the [log]')
  })

  it('holds where ranges overlap or reach beyond the text', () => {
    expect(short('carry', [0, 3], [2, 5])).toBe('[car]ry')
    expect(short('carry', [3, 50])).toBe('car[ry]')
    expect(short('carry', [50, 60])).toBe('carry')
  })
})
