import type { PipelinedStatement, TextRows } from '../../platform/database/pipeline.ts'
import type { Preferences } from './preferences.ts'
import type { QueryString } from './query-string.ts'

/** What an answer is made from. */
export interface Question {
  method: string
  /** Of the table or function. */
  name: string
  query: QueryString
  body: unknown
  headers: Readonly<Record<string, string | readonly string[] | undefined>>
  preferences: Preferences
  /** Runs statements as the role, with the claims of the bearer: one transaction. */
  ask(statements: readonly PipelinedStatement[]): Promise<TextRows[]>
  /** As `ask`, for what may look at many rows. */
  askForRows(statements: readonly PipelinedStatement[]): Promise<TextRows[]>
}

export interface Answer {
  status: number
  headers?: Record<string, string>
  /** JSON. */
  text?: string
  /** How many calls more than one it was worth, beside its length. */
  calls?: number
}
