import { describe, expect, it } from 'vitest'
import { trusted } from '../../platform/ids.ts'
import { mayEnter } from './sign-on-reach.ts'

describe('mayEnter', () => {
  const [a, b] = [trusted.organizationId('1'), trusted.organizationId('2')]
  const capturedBy = (id: typeof a, provenByDns: boolean) => ({
    organization: { id, identityId: trusted.identityOrganizationId('org_x'), provenByDns },
  })
  const [proven, believed] = [capturedBy(a, true), capturedBy(a, false)]
  it.each([
    ['a code', 'magic_auth', null, a, undefined, true],
    ['a social sign-in', 'oauth', null, a, undefined, true],
    ['a code, where the domain demands single sign-on', 'magic_auth', null, a, proven, false],
    ['a social sign-in, where the domain demands single sign-on', 'oauth', null, b, proven, false],
    ['a code, where a believed domain demands single sign-on', 'magic_auth', null, b, believed, false],
    ['single sign-on, towards its own organization', 'sso', a, a, believed, true],
    ['single sign-on of the proven domain, towards another', 'sso', a, b, proven, true],
    ['single sign-on of a domain that is only believed, towards another', 'sso', a, b, believed, false],
    ['single sign-on of whoever does not have the domain', 'sso', b, a, proven, false],
    ['single sign-on of whoever does not have the domain any more', 'sso', a, b, undefined, false],
    ['the developer', 'dev', null, a, proven, true],
  ] as const)('%s', (_, method, ssoOrganizationId, target, enforcedSso, allowed) => {
    expect(mayEnter({ method, ssoOrganizationId }, target, enforcedSso)).toBe(allowed)
  })
})
