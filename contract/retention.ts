import Type, { type Static } from 'typebox'
import { operation } from './operation.ts'
import { nullable } from './shapes.ts'

const chapter = 'Organizations and invitations'

/** The longest that anything can be kept for by a number, in days. */
const DAYS_MAX = 36_500

const Days = Type.Integer({ minimum: 1, maximum: DAYS_MAX })
/** null: as the deployment says. */
const ownDays = (description: string) =>
  nullable(
    Type.Integer({
      minimum: 1,
      maximum: DAYS_MAX,
      description,
      sentence: 'Enter a whole number of days, within what `deployment` says, or null',
    }),
  )
const own = {
  chatDays: ownDays('Messages, from when they were written'),
  auditDays: ownDays('Entries of the audit trail, from when they were written'),
  recordingDays: ownDays('Recordings with their files, from their end; those under legal hold stay'),
  sessionDays: ownDays('Sessions at work in the organization, from the sign-in; then people sign in again'),
} as const

const Retention = Type.Object(
  {
    ...own,
    deployment: Type.Object(
      {
        chatDays: nullable(Days),
        auditDays: nullable(Days),
        auditDaysMin: Days,
        recordingDays: Days,
        sessionDays: Days,
      },
      {
        description:
          'What holds where the organization has decided nothing, and the most that it can decide; null: kept for ever. `auditDaysMin` is the least for the audit trail.',
      },
    ),
  },
  { title: 'Retention' },
)
export type Retention = Static<typeof Retention>

export const retentionOperations = {
  getOrganizationRetention: operation({
    method: 'POST',
    path: '/api/v1/organizations/retention/get',
    summary: 'Read for how many days the organization keeps what it has',
    description: 'For everybody in it. null: as the deployment says.',
    chapter,
    access: { kind: 'organization' },
    replies: { 200: Retention },
  }),
  updateOrganizationRetention: operation({
    method: 'POST',
    path: '/api/v1/organizations/retention/update',
    summary: 'Decide for how many days the organization keeps what it has',
    description:
      'What is not given stays as it is; null: as the deployment says. Never longer than the deployment keeps it, and the audit trail never shorter than it says. What is older is deleted within an hour, and cannot be brought back.',
    chapter,
    access: { kind: 'organization', permission: 'EditOrganization' },
    body: Type.Object({
      chatDays: Type.Optional(own.chatDays),
      auditDays: Type.Optional(own.auditDays),
      recordingDays: Type.Optional(own.recordingDays),
      sessionDays: Type.Optional(own.sessionDays),
    }),
    replies: { 200: Retention },
  }),
} as const
