import Type, { type Static } from 'typebox'
import { operation } from './operation.ts'
import { nullable, TimeZone } from './shapes.ts'

const chapter = 'User and avatar'

const TimeOfDay = Type.String({
  pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
  minLength: 5,
  maxLength: 5,
  sentence: 'Enter a time of day from 00:00 to 23:59',
  examples: ['18:00'],
})

const QuietHours = Type.Object(
  {
    from: TimeOfDay,
    to: TimeOfDay,
    zone: TimeZone,
  },
  { title: 'QuietHours', description: 'Every day; over midnight where `to` is not after `from`' },
)

export const NotificationSettings = Type.Object(
  {
    quietHours: nullable(QuietHours),
    sounds: Type.Boolean({ description: 'Whether the office may sound' }),
  },
  { title: 'NotificationSettings' },
)
export type NotificationSettings = Static<typeof NotificationSettings>

export const notificationOperations = {
  getNotificationSettings: operation({
    method: 'POST',
    path: '/user/notifications/get',
    summary: 'Read when the caller is left in peace, and whether their office sounds',
    description: 'Of who has chosen nothing: no quiet hours, and sounds.',
    chapter,
    access: { kind: 'session' },
    replies: { 200: NotificationSettings },
  }),
  updateNotificationSettings: operation({
    method: 'POST',
    path: '/user/notifications/update',
    summary: 'Choose when one is left in peace, and whether one’s office sounds',
    description: 'What is not given stays; `quietHours: null` ends them.',
    chapter,
    access: { kind: 'session' },
    body: Type.Object({
      quietHours: Type.Optional(nullable(QuietHours)),
      sounds: Type.Optional(Type.Boolean()),
    }),
    replies: { 200: NotificationSettings },
  }),
} as const
