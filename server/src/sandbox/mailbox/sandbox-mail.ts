import { type GeneratedAlways, sql } from 'kysely'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/database.ts'
import { outside } from '../../platform/outside/outside.ts'
import type { MailPort } from '../../ports/mail.ts'

declare module '../../platform/database/database.ts' {
  interface Tables {
    sandbox_mails: {
      id: GeneratedAlways<string>
      recipient: string
      subject: string
      text_body: string
      html_body: string
      received_at: Date
    }
  }
}

export interface SandboxMail {
  to: string
  subject: string
  text: string
  html: string
  /** The first number of 6 to 10 digits in the text. */
  code?: string
  /** The first web address in the text. */
  link?: string
  /** RFC 3339, UTC. */
  at: string
}

const MAILS_MAX = 500

/** The mail port served by a table: nothing leaves the machine. Keeps the newest 500. */
export function sandboxMail(db: Db, clock: Clock): MailPort {
  return {
    send: ({ to, subject, text, html }) =>
      call('mail.send', async () => {
        await db
          .insertInto('sandbox_mails')
          .values({ recipient: to, subject, text_body: text, html_body: html, received_at: clock.now() })
          .execute()
        await db
          .deleteFrom('sandbox_mails')
          .where('id', '<=', (of) =>
            of.selectFrom('sandbox_mails').select('id').orderBy('id', 'desc').offset(MAILS_MAX).limit(1),
          )
          .execute()
      }),
    check: () => call('mail.check', async () => {}),
  }
}

/** As a mail server is called; errors of our own database stay what they are. */
function call(action: string, work: () => Promise<void>): Promise<void> {
  return outside({ provider: 'sandbox mail', action }, work, (error) => error)
}

/** Forgets mails that hold one of these texts, or go to it. */
export async function deleteSandboxMails(db: Db, texts: readonly string[], until: Date): Promise<void> {
  await sql`
    delete from sandbox_mails where received_at <= ${until} and exists (select from unnest(${texts}::text[]) as known
      where strpos(lower(concat_ws(E'\n', recipient, subject, text_body, html_body)), lower(known)) > 0)`.execute(
    db,
  )
}

/** What has been received, newest first; `to` narrows it to one address, however it is capitalized. */
export async function listSandboxMails(db: Db, { to = '' }: { to?: string } = {}): Promise<SandboxMail[]> {
  const address = to.trim().toLowerCase()
  const rows = await db
    .selectFrom('sandbox_mails')
    .select(['recipient', 'subject', 'text_body', 'html_body', 'received_at'])
    .$if(address !== '', (query) => query.where((of) => of.fn('lower', ['recipient']), '=', address))
    .orderBy('id', 'desc')
    .execute()
  return rows.map((row) => ({
    to: row.recipient,
    subject: row.subject,
    text: row.text_body,
    html: row.html_body,
    ...findCodeAndLink(row.text_body),
    at: row.received_at.toISOString(),
  }))
}

const WEB_ADDRESS = /https?:\/\/[^\s<>"'`]+/g

function findCodeAndLink(text: string): { code?: string; link?: string } {
  const link = text.match(WEB_ADDRESS)?.[0].replace(/[.,;:!?)\]}]+$/, '')
  // digits of an address are not a code
  const code = text.replace(WEB_ADDRESS, ' ').match(/(?<![\w.-])\d{6,10}(?![\w-])/)?.[0]
  return { ...(code ? { code } : {}), ...(link ? { link } : {}) }
}
