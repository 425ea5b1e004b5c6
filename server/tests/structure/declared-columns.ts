import { parseAst } from 'rolldown/parseAst'
import type { SourceFile } from './source-files.ts'

/** What a file says of one column of a table. */
export interface DeclaredColumn {
  path: string
  table: string
  column: string
  /** As written, of what a query answers, without `null`: `string`, `Date`, `string[]`; a name for a narrower type. */
  type: string
  nullable: boolean
  /** Whether a new row may leave it out (`Generated`), or never gives it (`GeneratedAlways`). */
  given: 'required' | 'optional' | 'never'
}

/** What this reads of the syntax tree (ESTree with TypeScript). */
interface Node {
  type: string
  start: number
  end: number
  body: Node[] & { body: Node[] }
  declaration?: Node
  id: { name: string }
  key: { name: string }
  members: Node[]
  types: Node[]
  typeName: { name: string }
  typeArguments?: { params: Node[] }
  typeAnnotation: Node
}

/** The columns that `interface Tables` of a file declares; those of a table may be an interface of the same file. */
export function declaredColumns({ path, text }: Pick<SourceFile, 'path' | 'text'>): DeclaredColumn[] {
  if (!/\binterface Tables \{/.test(text)) return []
  const program = parseAst(text, { lang: 'ts' }) as unknown as { body: Node[] }
  const statements = program.body.map((statement) => statement.declaration ?? statement)
  const interfaces = new Map(
    statements.filter(isInterface).map((found) => [found.id.name, found.body.body] as const),
  )
  return statements
    .filter(({ type }) => type === 'TSModuleDeclaration')
    .flatMap((module) => module.body.body.map((statement) => statement.declaration ?? statement))
    .filter((found) => isInterface(found) && found.id.name === 'Tables')
    .flatMap((tables) => tables.body.body)
    .flatMap((table) => {
      const shape = typeOf(table)
      const columns = shape.members ?? interfaces.get(shape.typeName?.name) ?? []
      return columns.map((column) => ({
        ...{ path, table: table.key.name, column: column.key.name },
        ...readColumn(typeOf(column), text),
      }))
    })
}

function readColumn(declared: Node, text: string): Pick<DeclaredColumn, 'type' | 'nullable' | 'given'> {
  const [selected, inserted] = declared.typeArguments?.params ?? []
  switch (declared.typeName?.name) {
    case 'GeneratedAlways':
      return { ...readType(selected as Node, text), given: 'never' }
    case 'Generated':
      return { ...readType(selected as Node, text), given: 'optional' }
    case 'ColumnType': {
      const ways = inserted?.type === 'TSUnionType' ? inserted.types : [inserted]
      const mayBeLeftOut = ways.some((way) => way?.type === 'TSUndefinedKeyword')
      const given = inserted?.type === 'TSNeverKeyword' ? 'never' : mayBeLeftOut ? 'optional' : 'required'
      return { ...readType(selected as Node, text), given }
    }
    default: {
      const read = readType(declared, text)
      return { ...read, given: read.nullable ? 'optional' : 'required' }
    }
  }
}

function readType(declared: Node, text: string): Pick<DeclaredColumn, 'type' | 'nullable'> {
  const parts = declared.type === 'TSUnionType' ? declared.types : [declared]
  const values = parts.filter(({ type }) => type !== 'TSNullKeyword')
  const written = values.map(({ start, end }) => text.slice(start, end)).join(' | ')
  return { type: written, nullable: values.length < parts.length }
}

function typeOf(member: Node): Node {
  // the annotation is a node of its own around the type
  return member.typeAnnotation.typeAnnotation
}

function isInterface({ type }: Node): boolean {
  return type === 'TSInterfaceDeclaration'
}
