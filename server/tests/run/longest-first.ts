import { relative, sep } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The files that take long, in seconds of a whole run on a machine with two cores. Rough is good enough: a long file that is
 * started last leaves the other workers with nothing to do.
 */
export const SECONDS: Readonly<Record<string, number>> = {
  'server/tests/operations/isolation.test.ts': 89,
  'embedded-media/captions/captions-in-rooms.test.ts': 53,
  'server/tests/operations/roles.test.ts': 39,
  'server/src/adapters/workos/workos-identity.test.ts': 36,
  'server/tests/operations/audit.test.ts': 33,
  'server/tests/operations/invisible.test.ts': 26,
  'server/src/adapters/embedded-broker/embedded-broker.test.ts': 24,
  'server/tests/sealing/keys-go-round.test.ts': 22,
  'server/src/access/guard.test.ts': 21,
  'server/tests/operations/log.test.ts': 19,
  'server/src/features/media-events/disorder.test.ts': 19,
  'server/src/features/scim/resources/access-first.test.ts': 18,
  'server/tests/operations/second-claim.test.ts': 17,
  'client/sealing/sealed-room.test.ts': 16,
  'embedded-media/rooms/sealed-rooms.test.ts': 16,
  'embedded-media/rooms/live-rooms.test.ts': 16,
  'server/src/features/webhooks/deliver.test.ts': 15,
  'server/src/platform/database/migrate.test.ts': 14,
  'server/src/features/media-events/process.test.ts': 13,
  'server/src/access/budgets/budgets.test.ts': 13,
  'server/src/platform/background/jobs.test.ts': 13,
  'server/src/commands/organization-move.test.ts': 13,
  'server/src/commands/organization-erase.test.ts': 13,
  'server/src/features/chat/injection.test.ts': 12,
  'embedded-broker/protobuf-clients.test.ts': 12,
  'server/src/features/account/confirm-email-change.test.ts': 12,
  'server/src/features/chat/fair-use.test.ts': 11,
  'server/src/features/guests/authorize-guest.test.ts': 11,
  'server/tests/realtime/presence-model.test.ts': 11,
  'server/tests/realtime/live-lists.test.ts': 10,
  'server/src/features/exports/start-organization-export.test.ts': 10,
  'server/src/features/exports/stored-files.test.ts': 10,
  'server/src/adapters/google-calendar/google-calendar.test.ts': 10,
  'server/src/platform/background/outbox-relay.test.ts': 9,
  'server/src/platform/http/server.test.ts': 9,
  'server/src/platform/database/database.test.ts': 9,
  'server/src/adapters/microsoft-calendar/microsoft-calendar.test.ts': 9,
  'server/src/features/guests/admit-guest.test.ts': 9,
  'server/tests/data/long-transcripts.test.ts': 9,
  'server/src/access/budgets/organization-limits.test.ts': 9,
  'server/src/features/guests/door.test.ts': 9,
  'server/tests/realtime/presence-client.test.ts': 8,
  'server/tests/operations/examples.test.ts': 8,
  'server/src/access/sessions/session-expiry.test.ts': 8,
  'server/src/adapters/filesystem-storage/filesystem-storage.test.ts': 8,
  'server/src/features/rooms/activity/set-activity.test.ts': 8,
  'server/src/features/identity-sync/compare-identity.test.ts': 8,
  'server/src/features/calendar/events/list-events.test.ts': 8,
  'server/src/features/calendar/connection/refresh-tokens.test.ts': 8,
  'server/src/features/members/remove-member.test.ts': 8,
  'server/src/features/media-events/routes.test.ts': 8,
  'server/src/features/scim/resources/lists.test.ts': 8,
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
