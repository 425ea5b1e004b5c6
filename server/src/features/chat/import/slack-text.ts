import { outsideCode } from './code-parts.ts'
import { withEmoji } from './emoji-names.ts'
import type { KnownPerson } from './found.ts'

const MARKED = /<([^<>\n]{1,2000})>/g
const BOLD = /(^|[\s(])\*([^*\n]{1,2000})\*(?=[\s).,!?;:]|$)/gm
const STRUCK = /(^|[\s(])~([^~\n]{1,2000})~(?=[\s).,!?;:]|$)/gm
const ENTITIES: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&amp;': '&' }

/** The markup of Slack as messages have it here: mentions by id, links and emphasis of CommonMark. */
export function slackText(text: string, personOf: (key: string) => KnownPerson | undefined): string {
  return outsideCode(
    text,
    (part) =>
      unmarked(part.replace(BOLD, '$1**$2**').replace(STRUCK, '$1~~$2~~'), personOf, (said) =>
        withEmoji(unescaped(said)),
      ),
    // code has marks of people and links all the same
    (part) => unmarked(part, personOf, unescaped),
  )
}

/** What stands between marks is written by people; what looks like a mention of ours there is none. */
function unmarked(
  text: string,
  personOf: (key: string) => KnownPerson | undefined,
  plain: (text: string) => string,
): string {
  let said = ''
  let from = 0
  for (const match of text.matchAll(MARKED)) {
    said += plain(text.slice(from, match.index)) + meaningOf(match[1] ?? '', personOf)
    from = match.index + match[0].length
  }
  return said + plain(text.slice(from))
}

function meaningOf(mark: string, personOf: (key: string) => KnownPerson | undefined): string {
  const bar = mark.indexOf('|')
  const [target, label] = bar === -1 ? [mark, undefined] : [mark.slice(0, bar), mark.slice(bar + 1)]
  if (target.startsWith('@')) {
    const person = personOf(target.slice(1))
    if (person?.id !== undefined) return `<@${person.id}>`
    return `@${unescaped(label ?? person?.name ?? target.slice(1))}`
  }
  if (target.startsWith('#')) return `#${unescaped(label ?? target.slice(1))}`
  if (target.startsWith('!')) return label === undefined ? `@${target.slice(1)}` : unescaped(label)
  const address = unescaped(target)
  if (label === undefined || unescaped(label) === address.replace(/^mailto:/, ''))
    return address.replace(/^mailto:/, '')
  return `[${unescaped(label).replaceAll(/[[\]]/g, '')}](${address})`
}

function unescaped(text: string): string {
  return withoutMentions(text.replaceAll(/&(?:lt|gt|amp);/g, (entity) => ENTITIES[entity] ?? entity))
}

/** A text of another chat in which `<@42>` stands mentions no member of this office. */
export function withoutMentions(text: string): string {
  return text.replaceAll(/<@(?=\d|room>)/g, '@')
}
