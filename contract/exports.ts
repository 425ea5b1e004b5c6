import Type, { type Static } from 'typebox'
import { operation } from './operation.ts'
import { Timestamp, words } from './shapes.ts'

const chapter = 'Exports'
const mayExport = { kind: 'organization', permission: 'ExportOrganization' } as const

export const exportStates = ['running', 'ready', 'failed', 'expired'] as const
export type ExportState = (typeof exportStates)[number]

const Export = Type.Object(
  {
    exportId: Type.String(),
    state: words(exportStates, { title: 'ExportState' }),
    startedAt: Timestamp,
    progress: Type.Integer({ description: 'Per cent of the rows that are written: 0 to 100' }),
    downloadUrl: Type.Optional(
      Type.String({
        description:
          'While it is `ready`, for a day from then on: another address each time, good for five minutes, for whoever has it. Ask again for the next one.',
      }),
    ),
  },
  { title: 'Export' },
)
export type Export = Static<typeof Export>

const Started = Type.Object({ exportId: Type.String() })
const Exports = Type.Object({ exports: Type.Array(Export) })

export const exportOperations = {
  startOrganizationExport: operation({
    method: 'POST',
    path: '/api/v1/organizations/export/start',
    summary: 'Export everything that is stored of the organization',
    description:
      'In the background; `list` says how far it is. People, rooms, chat, invitations, guests, recordings (which there are, not their files), pictures and the audit trail, in a documented format; never a secret. It holds the conversations of everybody in the organization. One at a time (409).',
    chapter,
    access: mayExport,
    replies: { 202: Started },
    errors: ['export-running'],
  }),
  listOrganizationExports: operation({
    method: 'POST',
    path: '/api/v1/organizations/export/list',
    summary: "List the organization's exports, newest first",
    description: 'Of the last 30 days, at most 50.',
    chapter,
    access: mayExport,
    replies: { 200: Exports },
  }),
  startUserExport: operation({
    method: 'POST',
    path: '/user/export/start',
    summary: 'Export everything that is stored of the caller',
    description:
      'In the background; `list` says how far it is. Profile, organizations, messages written, status, calendars connected, sessions, visits of rooms and audit entries about the caller, in a documented format; never a secret, and nothing of organizations that they have left. One at a time (409).',
    chapter,
    access: { kind: 'session' },
    replies: { 202: Started },
    errors: ['export-running', 'sign-in-method-not-accepted'],
  }),
  listUserExports: operation({
    method: 'POST',
    path: '/user/export/list',
    summary: "List the caller's own exports, newest first",
    description: 'Of the last 30 days, at most 50.',
    chapter,
    access: { kind: 'session' },
    replies: { 200: Exports },
    errors: ['sign-in-method-not-accepted'],
  }),
} as const
