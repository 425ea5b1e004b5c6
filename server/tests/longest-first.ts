import { relative, sep } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The files that take long, in seconds on a quiet machine with two cores. Rough is good enough: a long file that is
 * started last leaves the other workers with nothing to do.
 */
const SECONDS: Record<string, number> = {
  'server/src/adapters/workos/workos-identity.test.ts': 40,
  'server/tests/operations/isolation-former.test.ts': 35,
  'server/tests/operations/isolation.test.ts': 33,
  'server/src/features/guests/authorize-guest.test.ts': 28,
  'server/src/features/chat/shared-reading.test.ts': 26,
  'server/src/features/media-events/disorder.test.ts': 25,
  'server/src/features/media-events/process.test.ts': 23,
  'server/src/access/guard.test.ts': 22,
  'server/src/compose/parts.test.ts': 21,
  'server/tests/backup.test.ts': 21,
  'server/src/features/calendar/connection/finalize-calendar.test.ts': 21,
  'server/src/features/uploads/create-avatar-upload-ticket.test.ts': 20,
  'server/tests/operations/roles.test.ts': 19,
  'server/tests/operations/audit.test.ts': 18,
  'server/src/features/invitations/send-invitation.test.ts': 18,
  'server/src/platform/background/outbox-relay.test.ts': 17,
  'server/tests/rotation.test.ts': 17,
  'server/src/features/guests/admit-guest.test.ts': 16,
  'server/src/features/chat/injection.test.ts': 16,
  'server/src/features/uploads/finalize-upload.test.ts': 16,
  'server/src/adapters/image-check/image-check.test.ts': 15,
  'server/src/features/members/coming-back.test.ts': 14,
  'server/src/features/rooms/jobs.test.ts': 14,
  'server/src/features/calendar/connection/refresh-tokens.test.ts': 14,
  'server/tests/presence-client.test.ts': 14,
  'server/src/features/media-events/outage.test.ts': 14,
  'server/src/features/calendar/connection/connect-calendar.test.ts': 14,
  'server/src/features/sign-in/code/emailed-codes.test.ts': 13,
  'server/tests/realtime.test.ts': 13,
  'server/src/features/exports/start-organization-export.test.ts': 13,
  'server/src/access/budgets/budgets.test.ts': 11,
  'server/src/adapters/embedded-broker/embedded-broker.test.ts': 11,
  'server/src/adapters/s3/s3-storage.test.ts': 11,
  'server/src/features/presence/jobs.test.ts': 10,
  'server/src/features/presence/mirror.test.ts': 10,
  'contract/examples.test.ts': 9,
  'server/src/features/chat/routes.test.ts': 9,
  'server/src/access/sessions/session-expiry.test.ts': 8,
  'server/tests/presence-model.test.ts': 8,
  'server/src/features/organizations/sweep-pending-organizations.test.ts': 8,
  'server/src/platform/database/shared-connections.test.ts': 8,
  'server/src/features/guests/invites/revoke-guest-invite.test.ts': 8,
  'server/src/features/account/confirm-email-change.test.ts': 8,
  'server/src/features/sign-in/recovery/recover-access.test.ts': 8,
  'server/src/features/guests/connections.test.ts': 8,
  'server/src/features/exports/import-organization.test.ts': 8,
  'server/src/features/metrics/routes.test.ts': 8,
  'server/tests/ended-access.test.ts': 8,
  'server/src/features/invitations/accept-invitation.test.ts': 8,
  'server/src/features/members/remove-member.test.ts': 7,
  'server/src/platform/database/catalogue.test.ts': 7,
}

/** Starts the longest test files first, so that all workers end together; the others by their size. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const secondsOf = ({ moduleId }: TestSpecification): number =>
      SECONDS[relative(this.ctx.config.root, moduleId).replaceAll(sep, '/')] ?? 0
    // a stable sort: what is not in the list stays in the order of Vitest
    return (await super.sort(files)).sort((one, other) => secondsOf(other) - secondsOf(one))
  }
}
