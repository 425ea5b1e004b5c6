import Type from 'typebox'
import { operation } from './operation.ts'
import { calendarProviders, words } from './shapes.ts'

/** Vendors with accounts that sign in here. */
export const socialProviders = ['provider-a', 'provider-b'] as const
export type SocialProvider = (typeof socialProviders)[number]
/** Ways of signing in that an office may offer. */
export const waysIn = ['code', 'sso', ...socialProviders] as const
export type WayIn = (typeof waysIn)[number]

export const officeOperations = {
  describeOffice: operation({
    method: 'GET',
    path: '/office',
    summary: 'Read what this office offers, before anybody signs in',
    description: 'Of the deployment, never of an organization. A front end builds its sign-in page from it.',
    chapter: 'The office',
    access: { kind: 'public' },
    replies: {
      200: Type.Object(
        {
          name: Type.String({ description: 'Of the deployment' }),
          environment: words(['development', 'test', 'production'] as const),
          version: Type.String(),
          signUp: words(['open', 'invitation'] as const),
          ways: Type.Array(words(waysIn), { description: 'Ways of signing in' }),
          media: words(['livekit', 'embedded', 'none'] as const),
          calendars: Type.Array(words(calendarProviders)),
          pushKey: Type.String({
            description: 'The `applicationServerKey` for `/user/push/subscribe`, in base64url',
          }),
          session: Type.Optional(
            Type.Boolean({
              description:
                'The browser has brought the cookie of a session, good or not: ask `/user/get` whose it is. Absent where it has none, so that nobody need be asked for who is not there.',
            }),
          ),
        },
        { title: 'Office' },
      ),
    },
  }),
} as const
