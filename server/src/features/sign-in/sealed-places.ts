import { sql } from 'kysely'
import type { KeyRing } from '../../platform/secrets/sealed-column.ts'
import { passingColumn, type SealedPlace } from '../../platform/secrets/sealed-place.ts'

/** What is sealed of sign-ins under way, for the count of what a key still opens. */
export function sealedSignIns(rings: {
  choiceRing: KeyRing
  signUpRing: KeyRing
  redirectRing: KeyRing
}): SealedPlace[] {
  const endsAt = sql<Date>`expires_at`
  return [
    passingColumn({
      name: 'sign-ins that wait for a choice',
      ring: rings.choiceRing,
      table: 'pending_sign_ins',
      column: 'sealed_upstream',
      endsAt,
    }),
    passingColumn({
      name: 'codes that were asked for',
      ring: rings.signUpRing,
      table: 'code_requests',
      column: 'sealed_purpose',
      endsAt,
    }),
    passingColumn({
      name: 'test sign-ins that were begun',
      ring: rings.redirectRing,
      table: 'sso_tests',
      column: 'sealed_secrets',
      endsAt,
    }),
    ...['sealed_secrets', 'sealed_identity'].map((column) =>
      passingColumn({
        name: `sign-ins at a provider (${column === 'sealed_secrets' ? 'begun' : 'come back'})`,
        ring: rings.redirectRing,
        table: 'redirect_sign_ins',
        column,
        endsAt,
      }),
    ),
  ]
}
