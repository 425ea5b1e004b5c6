import { describe, expect, it } from 'vitest'
import { type Part, parsedText, safeAddress } from './parsed-text.ts'

/** Parts in short: `bold(a)`. */
function short(parts: readonly Part[]): string {
  return parts
    .map((part) => {
      if (part.kind === 'text') return part.text
      if (part.kind === 'mention') return `@${part.of}`
      if ('text' in part) return `${part.kind}(${part.text})`
      if (part.kind === 'link') return `link<${part.href}>(${short(part.parts)})`
      return `${part.kind}(${short(part.parts)})`
    })
    .join('')
}

describe('a text of chat', () => {
  it.each([
    ['**a** and *b*', 'paragraph(bold(a) and italic(b))'],
    ['~~gone~~', 'paragraph(strike(gone))'],
    ['`let a`', 'paragraph(code(let a))'],
    ['```ts\nlet a = "*"\n```', 'code-block(let a = "*")'],
    ['> said\n\nanswered', 'quote(paragraph(said))paragraph(answered)'],
    ['- a\n- b', 'list(item(paragraph(a))item(paragraph(b)))'],
    ['3. a', 'list(item(paragraph(a)))'],
    ['one\ntwo', 'paragraph(one\ntwo)'],
    ['[here](https://a.example/b)', 'paragraph(link<https://a.example/b>(here))'],
    ['see https://a.example/b.', 'paragraph(see link<https://a.example/b>(https://a.example/b).)'],
    ['www.a.example', 'paragraph(link<http://www.a.example/>(www.a.example))'],
    ['to a@b.example', 'paragraph(to link<mailto:a@b.example>(a@b.example))'],
  ])('reads %j', (text, expected) => {
    expect(short(parsedText(text))).toBe(expected)
  })

  it.each([
    ['# no heading', 'paragraph(# no heading)'],
    ['a\n===', 'paragraph(a\n===)'],
    ['<b>no markup</b>', 'paragraph(<b>no markup</b>)'],
    ['<script>alert(1)</script>', 'paragraph(<script>alert(1)</script>)'],
    ['![picture](https://a.example/b.png)', 'paragraph(!link<https://a.example/b.png>(picture))'],
    ['&lt;&copy;', 'paragraph(&lt;&copy;)'],
    ['---', 'paragraph(---)'],
    ['5 * 3 * 2', 'paragraph(5 * 3 * 2)'],
    ['snake_case_name', 'paragraph(snake_case_name)'],
  ])('leaves %j as it is', (text, expected) => {
    expect(short(parsedText(text))).toBe(expected)
  })

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,a',
    'vbscript:a',
    '/path',
    'file:///a',
  ])('is no link to %s', (address) => {
    expect(safeAddress(address)).toBeUndefined()
    expect(short(parsedText(`[a](<${address}>)`))).not.toContain('link<')
  })

  it('mentions people, but not in code', () => {
    expect(short(parsedText('<@42> and **<@7>**, <@room>: `<@42>` <@x>'))).toBe(
      'paragraph(@42 and bold(@7), @room: code(<@42>) <@x>)',
    )
  })
})

describe('a hostile text', () => {
  const CHARACTERS = 4_000
  const filled = (unit: string) => unit.repeat(Math.ceil(CHARACTERS / unit.length)).slice(0, CHARACTERS)
  const HOSTILE = {
    'nested quotes': filled('>'),
    '10,000 nested quotes': '>'.repeat(10_000),
    'nested quotes with spaces': filled('> '),
    'nested lists': filled('- '),
    'nested numbers': filled('1. '),
    'lists by indentation': Array.from({ length: 88 }, (_, at) => `${' '.repeat(at)}- a`).join('\n'),
    asterisks: filled('*'),
    'asterisks that open': filled('*a '),
    'asterisks that do not match': filled('*a** '),
    'emphasis within emphasis': `${'*a'.repeat(1_000)}${'a*'.repeat(1_000)}`,
    'all delimiters': filled('*a _b ~c '),
    brackets: filled('['),
    'links that do not end': filled('[a]('),
    'backticks of all lengths': Array.from({ length: 88 }, (_, at) => '`'.repeat(at + 1)).join(' '),
    addresses: filled('http://a.'),
    'mail addresses': filled('a@b.'),
    'less-than signs': filled('<@'),
    'lines of quotes': filled('>a\n'),
  }
  /** What people write, of the same length: what a hostile text costs is held against it, on whichever machine. */
  const ORDINARY = filled('**Done**: see [the log](https://log.example/7), `carry` and *wheel*.\n\n')
  /** 4,000 nested quotes cost 30 times as much before they were looked at first. */
  const TIMES_MAX = 10

  /** Some systems count the time of a processor by four milliseconds: a single parse would be noise. */
  const PARSES = 12
  const ordinary = costOf(ORDINARY)

  it.each(Object.entries(HOSTILE))(
    'of %s costs little more than an ordinary one, and is never too deep',
    (_, text) => {
      expect(costOf(text) / ordinary).toBeLessThan(TIMES_MAX)
      expect(depthOf(parsedText(text))).toBeLessThan(20)
    },
  )

  function costOf(text: string): number {
    const before = process.cpuUsage()
    for (let turn = 0; turn < PARSES; turn += 1) parsedText(text)
    return process.cpuUsage(before).user
  }

  function depthOf(parts: readonly Part[]): number {
    return 1 + Math.max(0, ...parts.map((part) => ('parts' in part ? depthOf(part.parts) : 0)))
  }
})
