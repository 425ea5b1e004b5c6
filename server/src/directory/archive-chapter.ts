import { type RawBuilder, sql } from 'kysely'
import type { OrganizationId, UserId } from '../platform/ids.ts'

/**
 * What archives hold of one table (docs/exports.md). Declared by the owner of the table. Every column is either named or
 * withheld with a reason: a test holds that none is forgotten.
 */
export interface ArchiveChapter {
  /** Names its folder in the archive. Never changed. */
  name: string
  table: string
  columns: readonly string[]
  /** Columns that no archive has, and why. */
  withheld: Readonly<Record<string, string>>
  /** Together unique: two archives of the same rows are the same. */
  order: readonly string[]
  /** Where rows are large: how many are fetched at once. */
  rowsAtOnce?: number
  /** Where rows are large: how long a line may be that is imported, in characters. A file has 32 MiB. */
  lineMax?: number
  /** Where it is part of an organization's archive. */
  organization?: OrganizationChapter
  /** Where it is part of a person's archive. */
  person?: PersonChapter
}

/**
 * The sequences that number what archives hold. An office has its own numbers: into one with people an archive comes with
 * new ones.
 */
export const SEQUENCES = {
  organizations: 'organizations_id_seq',
  users: 'users_id_seq',
  conversations: 'conversations_conversation_id_seq',
  messages: 'message_ids',
  attachments: 'attachments_attachment_id_seq',
  tokens: 'bearer_tokens_id_seq',
  webhooks: 'webhooks_id_seq',
} as const
export type Numbered = keyof typeof SEQUENCES

/** The numbers that the rows of an archive get in this office. */
export interface NewNumbers {
  /** Undefined where no row of the archive has that number. */
  of(numbered: Numbered, number: string): string | undefined
}

export interface OrganizationChapter extends Selected {
  /**
   * Which rows, of `t`. @param people ids of all users that rows of the archive name
   */
  where(organization: OrganizationId, people: RawBuilder<unknown>): RawBuilder<boolean>
  /** Of some columns what is shown in their place. */
  shown?(organization: OrganizationId): Readonly<Record<string, RawBuilder<unknown>>>
  /** The column with the id of the organization. */
  organizationColumn: string
  /** Columns with ids of users. */
  people?: readonly string[]
  /** Columns with numbers of other rows, its own among them. */
  numbers?: Readonly<Record<string, Numbered>>
  /** How its rows come back; a reason where they do not. */
  imported: ChapterImport | { never: string }
}

/** Of a table with the id of the organization in each row: all of them. */
export const ROWS_OF_ORGANIZATION = {
  where: (organization) => sql`t.organization_id = ${organization}`,
  organizationColumn: 'organization_id',
} as const satisfies Pick<OrganizationChapter, 'where' | 'organizationColumn'>

export interface PersonChapter extends Selected {
  /** Which rows, of `t`. */
  where(person: ArchivedPerson): RawBuilder<boolean>
  shown?(person: ArchivedPerson): Readonly<Record<string, RawBuilder<unknown>>>
}

interface Selected {
  /** Of the columns; all where not given. */
  columns?: readonly string[]
}

/** The person of an archive. */
export interface ArchivedPerson {
  id: UserId
  email: string
  /** Those that they are an active member of: nothing of others is theirs to take along. */
  organizations: readonly OrganizationId[]
}

/** A row of an archive, as it was read from it. */
export type ArchivedRow = Readonly<Record<string, unknown>>

export interface ChapterImport {
  /** Of rows that a sequence numbers: the column of their numbers. */
  sequence?: { of: Numbered; column: string }
  /**
   * What is wrong with a row beyond what the database itself refuses, for the operator who restores the archive.
   * @param organizationId of the archive, as the identity provider knows it
   */
  problem?(row: ArchivedRow, organizationId: string): string | undefined
  /** What the row gets for columns that are withheld, or that were not shown. */
  complete?(row: ArchivedRow): ArchivedRow
  /** What is stored in the place of columns, of `r`: what only the rows of earlier chapters say. */
  filled?: Readonly<Record<string, RawBuilder<unknown>>>
  /** The row with what its texts and values name by number, under the numbers of this office. */
  renumbered?(row: ArchivedRow, numbers: NewNumbers): ArchivedRow
}

/** The columns of a chapter in one kind of archive. */
export function columnsOf(chapter: ArchiveChapter, kind: 'organization' | 'person'): readonly string[] {
  return chapter[kind]?.columns ?? chapter.columns
}

/** The columns of an organization's chapter that hold numbers of rows. */
export function numbersOf({ organization }: ArchiveChapter): [column: string, Numbered][] {
  if (!organization) return []
  const { organizationColumn, people = [], numbers = {}, imported } = organization
  const own = 'never' in imported ? undefined : imported.sequence
  return [
    ...(organizationColumn === '' ? [] : [[organizationColumn, 'organizations'] as [string, Numbered]]),
    ...people.map((column): [string, Numbered] => [column, 'users']),
    ...(own ? [[own.column, own.of] as [string, Numbered]] : []),
    ...Object.entries(numbers),
  ]
}
