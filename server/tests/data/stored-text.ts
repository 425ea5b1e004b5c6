import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listWork } from '../../src/platform/background/work-items.ts'
import { MAIL_QUEUE } from '../../src/platform/mail/mail-queue.ts'
import { open } from '../../src/platform/secrets/sealed-column.ts'
import type { MailMessage } from '../../src/ports/mail.ts'
import type { TestOffice } from '../office.ts'

/**
 * Everywhere that one of some texts is stored, in any case of letters: columns of every table, names and bytes of
 * files, and mails that wait to be sent. Sealed columns cannot be looked into, but for the mails.
 */
export async function whereStored(office: TestOffice, texts: readonly string[]): Promise<string[]> {
  const found = [
    ...(await inTables(office, texts)),
    ...(await inFiles(join(office.dataDir, 'storage'), texts)),
    ...(await inMails(office, texts)),
  ]
  return [...new Set(found)].sort()
}

async function inTables({ database: { pool } }: TestOffice, texts: readonly string[]): Promise<string[]> {
  const { rows: columns } = await pool.query<{ table: string; column: string; type: string }>(
    `select c.table_name as table, c.column_name as column, c.data_type as type
      from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = 'public' and t.table_type = 'BASE TABLE'`,
  )
  const found: string[] = []
  for (const { table, column, type } of columns) {
    const text = type === 'bytea' ? `encode("${column}", 'escape')` : `"${column}"::text`
    const { rows } = await pool.query<{ text: string }>(
      `select known as text from unnest($1::text[]) as known
        where exists (select from "${table}" where strpos(lower(${text}), lower(known)) > 0)`,
      [texts],
    )
    found.push(...rows.map((row) => `${table}.${column}: ${row.text}`))
  }
  return found
}

async function inFiles(folder: string, texts: readonly string[]): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const found: string[] = []
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name)
    const bytes = (await readFile(path)).toString('latin1').toLowerCase()
    for (const text of texts)
      if (path.includes(text) || bytes.includes(text.toLowerCase())) found.push(`${path}: ${text}`)
  }
  return found
}

async function inMails(office: TestOffice, texts: readonly string[]): Promise<string[]> {
  const mails = (await waitingMails(office)).map((mail) => JSON.stringify(mail).toLowerCase())
  const found = texts.filter((text) => mails.some((mail) => mail.includes(text.toLowerCase())))
  return found.map((text) => `a mail: ${text}`)
}

/** What waits to be sent. */
export async function waitingMails(office: TestOffice): Promise<MailMessage[]> {
  const { db, mailRing } = office.office.needs
  const mails: MailMessage[] = []
  for await (const items of listWork(db, MAIL_QUEUE))
    for (const { payload, createdAt, expiresAt } of items) {
      const times = [createdAt.toISOString(), (expiresAt as Date).toISOString()] as const
      const sealed = Buffer.from((payload as { sealed: string }).sealed, 'base64')
      mails.push(JSON.parse(open(mailRing, sealed, ['mail_queue.sealed_message', ...times]).toString()))
    }
  return mails
}
