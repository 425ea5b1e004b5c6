import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmAutolinkLiteralFromMarkdown } from 'mdast-util-gfm-autolink-literal'
import { gfmStrikethroughFromMarkdown } from 'mdast-util-gfm-strikethrough'
import { gfmAutolinkLiteral } from 'micromark-extension-gfm-autolink-literal'
import { gfmStrikethrough } from 'micromark-extension-gfm-strikethrough'

/** What a text is made of: elements, never markup. */
export type Part =
  | { kind: 'text'; text: string }
  | { kind: 'mention'; of: string }
  | { kind: 'code' | 'code-block'; text: string }
  | { kind: 'bold' | 'italic' | 'strike' | 'quote' | 'paragraph' | 'item'; parts: readonly Part[] }
  | { kind: 'list'; start: number | null; parts: readonly Part[] }
  | { kind: 'link'; href: string; parts: readonly Part[] }

/** Everything of CommonMark that chat has not: it stays the text that it is. */
const NOT_READ = [
  ...['headingAtx', 'setextUnderline', 'thematicBreak', 'codeIndented', 'definition'],
  ...['htmlFlow', 'htmlText', 'labelStartImage', 'characterReference'],
]
const OPTIONS = {
  extensions: [gfmStrikethrough(), gfmAutolinkLiteral(), { disable: { null: NOT_READ } }],
  mdastExtensions: [gfmStrikethroughFromMarkdown(), gfmAutolinkLiteralFromMarkdown()],
}

/**
 * Above these the parser's work grows with the square of a text; such a one is shown as it is. What
 * is nested deeper by indentation is shown without its form.
 */
const NESTED_MAX = 12
const DELIMITERS_MAX = 500

/** A text as CommonMark's subset of chat reads it. */
export function parsedText(text: string): readonly Part[] {
  if (isHostile(text)) return [{ kind: 'paragraph', parts: withMentions(text) }]
  return fromMarkdown(text, OPTIONS).children.flatMap((node) => partsOf(node, 0))
}

/** Looks at each character once, or twice. */
function isHostile(text: string): boolean {
  if ((text.match(/[*_~[\]]+/g)?.length ?? 0) > DELIMITERS_MAX) return true
  return text.split(/\r\n?|\n/).some((line) => markersOf(line) > NESTED_MAX)
}

/** How many quotes and lists a line begins within each other. */
function markersOf(line: string): number {
  const marker = /[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$))/y
  let count = 0
  while (count <= NESTED_MAX && marker.test(line)) count += 1
  return count
}

type Node = ReturnType<typeof fromMarkdown>['children'][number]

function partsOf(node: Node, depth: number): readonly Part[] {
  if (node.type === 'text') return withMentions(node.value)
  if (node.type === 'break') return [{ kind: 'text', text: '\n' }]
  if (node.type === 'inlineCode') return [{ kind: 'code', text: node.value }]
  if (node.type === 'code') return [{ kind: 'code-block', text: node.value }]
  if (!('children' in node)) return []
  const parts = node.children.flatMap((child) => partsOf(child, depth + 1))
  return depth > NESTED_MAX ? parts : [formed(node, parts)]
}

type Parent = Extract<Node, { children: unknown }>

const KINDS = {
  strong: 'bold',
  emphasis: 'italic',
  delete: 'strike',
  blockquote: 'quote',
  listItem: 'item',
} as const

function formed(node: Parent, parts: readonly Part[]): Part {
  if (node.type === 'list') return { kind: 'list', start: node.ordered ? (node.start ?? 1) : null, parts }
  const href = node.type === 'link' ? safeAddress(node.url) : undefined
  if (href !== undefined) return { kind: 'link', href, parts }
  return { kind: KINDS[node.type as keyof typeof KINDS] ?? 'paragraph', parts }
}

const SCHEMES = ['http:', 'https:', 'mailto:']

/** An address that a press may lead to; undefined for any other. */
export function safeAddress(address: string): string | undefined {
  const url = URL.parse(address)
  return url && SCHEMES.includes(url.protocol) ? url.href : undefined
}

const MENTION = /<@(\d{1,18}|room)>/g

function withMentions(text: string): readonly Part[] {
  return text
    .split(MENTION)
    .map((part, at): Part => (at % 2 === 1 ? { kind: 'mention', of: part } : { kind: 'text', text: part }))
    .filter((part) => part.kind !== 'text' || part.text !== '')
}
