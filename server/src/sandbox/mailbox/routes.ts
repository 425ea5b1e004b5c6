import type { Db } from '../../platform/database/database.ts'
import type { Server } from '../../platform/http/server.ts'
import { renderMailbox } from './mailbox-page.ts'
import { listSandboxMails } from './sandbox-mail.ts'

export interface MailboxNeeds {
  db: Db
  /** Hands over what still waits in the queue, so that a mail is here as soon as its request was answered. */
  deliverNow: () => Promise<void>
}

const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'"

/** `GET /sandbox/mail`: a page for a person; JSON for programs; `?to=` shows one address only. */
export function serveMailbox(server: Server, needs: MailboxNeeds): void {
  server.get<{ Querystring: { to?: unknown; paused?: unknown } }>('/sandbox/mail', async (request, reply) => {
    await needs.deliverNow()
    const to =
      typeof request.query.to === 'string' && request.query.to.trim() !== ''
        ? request.query.to.trim().toLowerCase()
        : undefined
    const mails = await listSandboxMails(needs.db, to === undefined ? {} : { to })
    reply.header('vary', 'origin, accept')
    const { accept = '' } = request.headers
    if (accept.includes('application/json') && !accept.includes('text/html')) return mails
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', PAGE_POLICY)
      .send(
        renderMailbox(mails, {
          ...(to === undefined ? {} : { to }),
          paused: request.query.paused !== undefined,
        }),
      )
  })
}
