import type { Access, BearerKind, OperationId, Operations, Role } from '@atrium/contract'
import type { Cookies } from '../platform/http/cookies.ts'
import type { IdentityOrganizationId, IdentityUserId, OrganizationId, UserId } from '../platform/ids.ts'
import type { Taken } from '../platform/limits/rate-limit.ts'
import type { MailLanguage } from '../platform/mail/mail-language.ts'

/** How a session came to be. */
export type SignInMethod = 'magic_auth' | 'oauth' | 'sso' | 'dev'

/** The sender of a request, signed in or not. */
export interface Visitor {
  requestId: string
  /** Network address, as TRUST_PROXY lets it be known. */
  address: string
  /** What their browser calls itself; undefined where it says nothing. */
  userAgent: string | undefined
  /** Of mails that follow from what they do. */
  language: MailLanguage
  cookies: Cookies
  /** Tells them, in the headers of the reply, what is left of a budget that they have drawn on. */
  tellLimit(taken: Taken): void
}

export interface Session {
  id: string
  /** What others may know it by (`session-mark.ts`). */
  mark: string
  method: SignInMethod
  /** The organization of the single sign-on that made it; it cannot enter another. */
  ssoOrganizationId: OrganizationId | null
  /** The identity provider's own session, where it has one. */
  upstreamSession: string | null
  /** They gave the id that it had before it moved into its organization: good for nothing but the same move. */
  askedByEarlierId?: true
  /** When it ends at the latest, and with it what is minted from it. */
  endsAt: Date
}

export interface ActiveOrganization {
  id: OrganizationId
  identityId: IdentityOrganizationId
  role: Role
  /** Names this stretch of membership: another one after leaving and coming back. */
  membershipGeneration: string
}

/** A person with a valid session. `organization` is null while none is active. */
export interface SignedInCaller extends Visitor {
  session: Session
  user: { id: UserId; identityId: IdentityUserId; email: string }
  organization: ActiveOrganization | null
}

/** An active member at work in their organization. */
export interface MemberCaller extends SignedInCaller {
  organization: ActiveOrganization
}

/** A program of an organization, known by a bearer token. It has no session. */
export interface TokenCaller extends Visitor {
  /** `operations`: ids of those that it is made for. */
  token: { id: string; kind: BearerKind; operations: readonly string[] }
  organization: Pick<ActiveOrganization, 'id' | 'identityId'>
}

/** A bot: a program that is a member, known by a bearer token. It has no session and no address. */
export interface BotCaller extends Visitor {
  bot: { tokenId: string }
  user: Pick<SignedInCaller['user'], 'id' | 'identityId'>
  organization: ActiveOrganization
}

/** Whom the guard lets in. */
export type CallerFor<Declared extends Access> = Declared extends { kind: 'public' | 'guest' }
  ? Visitor
  : Declared extends { kind: 'session' | 'any-organization' }
    ? SignedInCaller
    : Declared extends { kind: 'bearer' }
      ? TokenCaller
      :
          | MemberCaller
          | (Declared extends { serviceTokens: true } ? TokenCaller : never)
          | (Declared extends { bots: true } ? BotCaller : never)

/** Who the handler of an operation is given, as its access says. */
export type CallerOf<Id extends OperationId> = CallerFor<Operations[Id]['access']>

export type AnyCaller = Visitor | SignedInCaller | MemberCaller | TokenCaller | BotCaller
