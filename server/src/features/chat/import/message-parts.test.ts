import { describe, expect, it } from 'vitest'
import { partsOf } from './message-parts.ts'
import { slackText } from './slack-text.ts'

const parts = (text: string, files: string[] = []) =>
  partsOf({ text, files }, slackText, (key) => ({ name: `Person ${key}`, id: key.slice(1) }))

describe('partsOf', () => {
  it('composes, divides what is longer than a message, and counts characters', () => {
    expect(parts('e\u0301')).toEqual(['é'])
    const long = parts('😀'.repeat(9_000))
    expect(long).toMatchObject({ length: 3 })
    expect((long as string[]).map((part) => [...part].length)).toEqual([4_000, 4_000, 1_000])
    expect((long as string[]).join('')).toBe('😀'.repeat(9_000))
  })

  it('says why there is none', () => {
    expect(parts('')).toBe('without-text')
    expect(parts('\u200b \0')).toBe('without-text')
    expect(parts(`a${'\u0301'.repeat(40)}`)).toBe('unreadable')
    expect(parts('x'.repeat(70_000))).toBe('too-long')
  })

  it('names files below the text, or alone', () => {
    expect(parts('Look', ['plan.png'])).toEqual(['Look\n📎 plan.png'])
    expect(parts('', ['plan.png'])).toEqual(['📎 plan.png'])
  })

  it.each([
    ['&lt;&lt;@42&gt;', []],
    ['&lt;<!room>&gt;', []],
    ['&lt;<@U9|42>&gt;', []],
    ['&lt;\0@42&gt;', []],
    ['<<<<@42>>>>', []],
    ['\ue0000\ue001 &lt;@\ue0000\ue001&gt; <@U7>', []],
    ['Look', ['<@42>.pdf', '<\0@room>']],
  ])('makes no mention of what looks like a mention: %j', (text, files) => {
    const [seen = ''] = partsOf({ text, files }, slackText, (key) => ({
      name: 'Ada',
      id: key === 'U7' ? '7' : undefined,
    })) as string[]
    expect(seen.replaceAll('<@7>', '')).not.toMatch(/<@(\d+|room)>/)
  })

  it('mentions fifty people, and names the others', () => {
    const [text = ''] = parts(Array.from({ length: 60 }, (_, n) => `<@U${n + 1}>`).join(' ')) as string[]
    expect(text.match(/<@\d+>/g)).toHaveLength(50)
    expect(text).toContain('@Person U60')
  })

  it('keeps half of a surrogate pair out of the database', () => {
    expect(parts('a\ud83d')).toEqual(['a\ufffd'])
  })
})
