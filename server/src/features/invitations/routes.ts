import type { Server } from '../../platform/http/server.ts'
import { invitationPage, joinPage } from './invite-pages.ts'

export interface InviteRoutesNeeds {
  baseUrl: string
  frontendUrl: string
}

/** The pages that links and mails lead to, where this server is its own front end. */
export function serveInvitePages(server: Server, needs: InviteRoutesNeeds): void {
  if (needs.frontendUrl !== needs.baseUrl) return
  for (const [path, { html, policy }] of [
    ['/join', joinPage()],
    ['/invitation', invitationPage()],
  ] as const) {
    server.get(path, async (_request, reply) =>
      reply.type('text/html; charset=utf-8').header('content-security-policy', policy).send(html),
    )
  }
}
