/**
 * Who owns which table (ARCHITECTURE.md §5). The owner's folder declares its columns, and holds every statement
 * that names it.
 */
export const TABLE_OWNERS: Record<string, string> = {
  organizations: 'server/src/directory',
  users: 'server/src/directory',
  memberships: 'server/src/directory',
  sessions: 'server/src/access',
  pending_sign_ins: 'server/src/features/sign-in',
  email_codes: 'server/src/adapters/local-identity',
  centrifugo_outbox: 'server/src/platform',
  mail_queue: 'server/src/platform',
  rate_limits: 'server/src/platform',
  upload_tickets: 'server/src/features/uploads',
  sandbox_mails: 'server/src/sandbox',
}

/** Tables without columns in `Tables`, because no query of ours names them. */
export const SERVED_BY_A_LIBRARY: Record<string, string> = {
  rate_limits: 'rate-limiter-flexible writes its own statements',
}

/** Statements outside the owner. Each is a coupling that a reader of the owner's folder does not see: few, with a reason. */
export const FOREIGN_STATEMENTS: readonly { path: string; tables: readonly string[]; reason: string }[] = [
  {
    path: 'server/src/access/session-store.ts',
    tables: ['users', 'memberships', 'organizations'],
    reason: 'who asks, as what and where is one query, made for nearly every request',
  },
]
