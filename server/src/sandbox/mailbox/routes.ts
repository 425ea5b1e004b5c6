import type { Db } from '../../platform/database/database.ts'
import type { Server } from '../../platform/http/server.ts'
import { sendSandboxPage } from '../sandbox-page.ts'
import { mailboxPage } from './mailbox-page.ts'
import { listSandboxMails } from './sandbox-mail.ts'

export interface MailboxNeeds {
  db: Db
  /** Hands over what still waits in the queue, so that a mail is here as soon as its request was answered. */
  deliverNow: () => Promise<void>
  /** An address in the form that mails have; undefined where a text is none. */
  normalizeEmail: (text: string) => string | undefined
}

/** `GET /sandbox/mail`: a page for a person; JSON for programs; `?to=` shows one address only. */
export function serveMailbox(server: Server, needs: MailboxNeeds): void {
  server.get<{ Querystring: { to?: unknown; paused?: unknown } }>('/sandbox/mail', async (request, reply) => {
    await needs.deliverNow()
    const to = addressIn(needs, request.query.to)
    const mails = await listSandboxMails(needs.db, to === undefined ? {} : { to })
    reply.header('vary', 'origin, accept')
    const { accept = '' } = request.headers
    if (accept.includes('application/json') && !accept.includes('text/html')) return mails
    const paused = request.query.paused !== undefined
    return sendSandboxPage(reply, mailboxPage(mails, { ...(to === undefined ? {} : { to }), paused }))
  })
}

/** As mails have it, so far as it is an address. */
function addressIn({ normalizeEmail }: MailboxNeeds, to: unknown): string | undefined {
  if (typeof to !== 'string' || to.trim() === '') return undefined
  return normalizeEmail(to) ?? to.trim().toLowerCase()
}
