import { relative, sep } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The files that take long, in seconds on a quiet machine with two cores. Rough is good enough: a long file that is
 * started last leaves the other workers with nothing to do.
 */
export const SECONDS: Readonly<Record<string, number>> = {
  'server/tests/operations/isolation.test.ts': 38,
  'server/src/adapters/workos/workos-identity.test.ts': 34,
  'server/tests/operations/roles.test.ts': 22,
  'server/src/features/media-events/disorder.test.ts': 17,
  'server/src/compose/parts.test.ts': 17,
  'server/tests/operations/audit.test.ts': 16,
  'server/tests/operations/invisible.test.ts': 16,
  'server/src/access/guard.test.ts': 15,
  'server/tests/realtime/silent-broker.test.ts': 15,
  'server/src/features/chat/injection.test.ts': 13,
  'server/src/adapters/embedded-broker/embedded-broker.test.ts': 26,
  'embedded-broker/protobuf-clients.test.ts': 11,
  'server/tests/operations/log.test.ts': 12,
  'server/src/features/media-events/process.test.ts': 12,
  'server/src/platform/background/jobs.test.ts': 12,
  'server/src/features/exports/start-organization-export.test.ts': 11,
  'server/src/commands/doctor/doctor.test.ts': 11,
  'server/src/features/guests/authorize-guest.test.ts': 9,
  'server/tests/operator/traces.test.ts': 9,
  'embedded-media/rooms/live-rooms.test.ts': 8,
  'server/src/adapters/microsoft-calendar/microsoft-calendar.test.ts': 8,
  'server/src/access/budgets/budgets.test.ts': 8,
  'server/src/platform/background/outbox-relay.test.ts': 8,
  'server/src/adapters/google-calendar/google-calendar.test.ts': 8,
  'server/src/access/budgets/organization-limits.test.ts': 8,
  'server/tests/structure/environment.test.ts': 8,
  'server/src/features/identity-sync/compare-identity.test.ts': 8,
  'server/src/features/chat/fair-use.test.ts': 7,
  'server/src/features/scim/resources/lists.test.ts': 7,
  'server/src/features/sign-in/federated/finish-federated.test.ts': 7,
  'server/src/platform/database/database.test.ts': 7,
  'server/tests/realtime/realtime.test.ts': 7,
  'server/src/access/sessions/session-expiry.test.ts': 7,
  'server/src/adapters/livekit/livekit-media.test.ts': 6,
  'server/src/adapters/filesystem-storage/filesystem-storage.test.ts': 6,
  'server/tests/realtime/live-lists.test.ts': 6,
  'server/tests/realtime/presence-model.test.ts': 6,
  'server/src/features/account/confirm-email-change.test.ts': 6,
  'contract/examples.test.ts': 6,
  'server/src/platform/database/migrate.test.ts': 6,
  'server/src/features/organizations/sweep-pending-organizations.test.ts': 6,
  'server/src/features/webhooks/deliver.test.ts': 6,
  'server/src/adapters/local-identity/local-identity.test.ts': 6,
  'server/tests/data/erasure.test.ts': 6,
  'server/src/features/uploads/upload-tries.test.ts': 6,
  'server/src/features/uploads/finalize-avatar-upload.test.ts': 6,
  'server/src/features/sign-in/single-sign-on/test-single-sign-on.test.ts': 6,
  'server/tests/operator/node-metrics.test.ts': 6,
  'server/src/features/presence/jobs.test.ts': 6,
  'server/src/features/exports/hostile-archives.test.ts': 6,
  'server/src/adapters/smtp/smtp-mail.test.ts': 5,
  'server/src/commands/doctor/breaks.test.ts': 5,
  'server/src/features/exports/import-organization.test.ts': 5,
  'server/src/features/uploads/create-avatar-upload-ticket.test.ts': 5,
  'server/src/features/guests/admit-guest.test.ts': 5,
  'server/tests/realtime/presence-client.test.ts': 5,
  'server/src/access/bearers/bearers.test.ts': 5,
  'server/src/features/invitations/send-invitation.test.ts': 5,
  'server/src/features/sign-in/code/emailed-codes.test.ts': 5,
  'server/src/features/calendar/connection/refresh-tokens.test.ts': 5,
  'server/src/features/presence/mirror.test.ts': 5,
  'server/src/features/health/routes.test.ts': 5,
  'server/src/features/members/remove-member.test.ts': 5,
  'server/src/platform/log.test.ts': 5,
  'server/src/features/chat/reading-at-once.test.ts': 5,
  'server/src/features/chat/taking-access-away.test.ts': 5,
  'server/src/features/rooms/connections.test.ts': 5,
  'server/src/features/rooms/jobs.test.ts': 5,
  'server/src/features/calendar/events/list-events.test.ts': 4,
  'server/src/features/rooms/delete-room.test.ts': 4,
  'server/tests/operator/chat-role.test.ts': 4,
  'server/src/features/scim/resources/deactivation.test.ts': 4,
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
