import { parseAst } from 'rolldown/parseAst'
import { lineAt } from './scan-text.ts'
import type { SourceFile } from './source-files.ts'

/** A function of more lines than a reader takes in at a glance, those of the functions inside it among them. */
export interface LongFunction {
  path: string
  line: number
  name: string
  lines: number
}

/** What this reads of the syntax tree (ESTree with TypeScript). */
interface Node {
  type: string
  start: number
  end: number
  id?: { name?: string } | null
  key?: { name?: string }
}

const FUNCTION = /^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/

/** Of one file, in its order. A shorter file is not parsed. */
export function longFunctions(
  { path, text }: Pick<SourceFile, 'path' | 'text'>,
  max: number,
): LongFunction[] {
  const found: LongFunction[] = []
  if (lineAt(text, text.length) <= max) return found
  const look = (value: unknown, name: string) => {
    if (Array.isArray(value)) for (const one of value) look(one, name)
    if (!isNode(value)) return
    const own = value.id?.name ?? value.key?.name ?? name
    const lines = lineAt(text, value.end) - lineAt(text, value.start) + 1
    if (lines <= max) return
    if (FUNCTION.test(value.type)) found.push({ path, line: lineAt(text, value.start), name: own, lines })
    for (const child of Object.values(value)) look(child, own)
  }
  look(parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }), '')
  return found
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}
