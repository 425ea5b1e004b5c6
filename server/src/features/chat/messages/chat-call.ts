import { sql } from 'kysely'
import type { Pool, Tx } from '../../../platform/database/database.ts'
import { runPipeline } from '../../../platform/database/pipeline.ts'
import type { IdentityOrganizationId, OrganizationId, UserId } from '../../../platform/ids.ts'
import type { OrganizationReads, ReadSource } from '../../../platform/replicas/organization-reads.ts'
import { DATABASE_ROLE } from '../claims.ts'
import { enter } from '../statements.ts'
import { refusalOfRaised } from './raised.ts'

export interface ChatCallNeeds {
  /** Of requests: row-level security decides who sees what, whichever way they come. */
  chatPool: Pool
}

/** Who calls, in which organization. */
export interface ChatCaller {
  user: { id: UserId }
  organization: { id: OrganizationId }
}

type Value = string | number | boolean | null | undefined

/**
 * Calls one function of chat as the role of its tokens, with the claims of the caller: the rules are those of the earlier
 * data access. One trip to the database.
 * @param call `list_messages($1, $2)`
 * @returns what it answers, as text
 * @throws Refusal
 */
export async function callChat(
  { chatPool }: ChatCallNeeds,
  { user, organization }: ChatCaller,
  call: string,
  values: readonly Value[],
): Promise<string> {
  const send: Send = (statements) => runPipeline(chatPool, statements)
  return await orRefused(askBy(send, { user, organization }, call, values))
}

/** As `callChat`, of what only reads: a replica may answer. */
export async function readChat(
  { reads }: { reads: OrganizationReads },
  caller: ChatCaller & { organization: { identityId: IdentityOrganizationId } },
  call: string,
  values: readonly Value[],
): Promise<string> {
  const { identityId } = caller.organization
  return await orRefused(reads.read(identityId, ({ send }) => askBy(send, caller, call, values)))
}

type Send = ReadSource['send']

async function askBy(
  send: Send,
  { user, organization }: ChatCaller,
  call: string,
  values: readonly Value[],
): Promise<string> {
  const claims = { userId: user.id, organizationId: organization.id }
  const asked = { prepared: true, binary: true, text: `select ${call}::text`, values: values.map(textOf) }
  const [, rows] = await send([enter(claims), asked])
  return rows?.[0]?.[0] ?? ''
}

/** What the functions of chat raise is a refusal to the caller. */
async function orRefused<T>(asking: Promise<T>): Promise<T> {
  try {
    return await asking
  } catch (error) {
    throw refusalOfRaised(error) ?? error
  }
}

/** The same, read as JSON. */
export async function askChat<Answer>(...asking: Parameters<typeof callChat>): Promise<Answer> {
  return JSON.parse(await callChat(...asking)) as Answer
}

/** Does something as the role of chat within a transaction, which goes on as itself. @throws Refusal */
export async function asMember<Answer>(
  tx: Tx,
  { user, organization }: ChatCaller,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const claims = JSON.stringify({ role: DATABASE_ROLE, user_id: user.id, org_id: organization.id })
  await sql`select set_config('role', ${DATABASE_ROLE}, true), set_config('request.jwt.claims', ${claims}, true)`.execute(
    tx,
  )
  const answer = await work().catch((error: unknown) => {
    throw refusalOfRaised(error) ?? error
  })
  await sql`select set_config('role', 'none', true)`.execute(tx)
  return answer
}

function textOf(value: Value): string | null {
  return value === null || value === undefined ? null : String(value)
}
