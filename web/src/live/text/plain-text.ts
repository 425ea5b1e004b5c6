import { type Part, parsedText } from './parsed-text.ts'

/** What a person is called, by the id of a mention; `room` is everybody. Undefined: the id stays as it is. */
type NameOf = (id: string) => string | undefined

/** A text of chat in plain words: without the marks of its form, with the names of those whom it mentions. */
export function plainText(text: string, nameOf: NameOf): string {
  return joined(parsedText(text), nameOf)
}

const BLOCKS: readonly Part['kind'][] = ['paragraph', 'quote', 'list', 'item', 'code-block']

/** Each block begins a line. */
function joined(parts: readonly Part[], nameOf: NameOf): string {
  return parts.reduce(
    (before, part) =>
      before + (before !== '' && BLOCKS.includes(part.kind) ? '\n' : '') + plainPart(part, nameOf),
    '',
  )
}

function plainPart(part: Part, nameOf: NameOf): string {
  if (part.kind === 'mention') {
    const name = nameOf(part.of)
    return name === undefined ? `<@${part.of}>` : `@${name}`
  }
  return 'parts' in part ? joined(part.parts, nameOf) : part.text
}
