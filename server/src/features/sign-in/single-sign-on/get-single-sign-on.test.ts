import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectToIssuer } from '../../../../tests/chapters/single-sign-on.ts'
import { openTestOffice, type TestOffice } from '../../../../tests/office.ts'
import { newFounder } from '../../../../tests/people.ts'
import { openWorkosOffice } from '../../../../tests/vendors/workos-office.ts'

describe('getSingleSignOn', () => {
  let office: TestOffice
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())

  it('tells of nothing where nothing is set up', async () => {
    const founder = await newFounder(office)
    expect(await founder.browser.call('getSingleSignOn')).toEqual({
      inForce: null,
      draft: null,
      lastTest: null,
    })
  })

  it('tells of what an operator has connected, with its redirect address and without its secret', async () => {
    const founder = await newFounder(office)
    await connectToIssuer(office, founder.organizationId, 'https://login.example')
    const found = await founder.browser.call('getSingleSignOn')
    expect(found).toEqual({
      inForce: {
        issuer: 'https://login.example',
        clientId: 'us',
        trustsEmail: false,
        redirectAddress: expect.stringMatching(/\/auth\/callback\/sso\/[0-9a-f]{32}$/),
      },
      draft: null,
      lastTest: null,
    })
    const other = await newFounder(office)
    expect((await other.browser.call('getSingleSignOn')).inForce).toBeNull()
  })
})

it('is elsewhere where the identity provider keeps connections', async () => {
  const { office, stub, founded } = await openWorkosOffice()
  try {
    const { founder } = await founded()
    for (const id of ['getSingleSignOn', 'testSingleSignOn', 'activateSingleSignOn'] as const)
      expect(await founder.browser.request(id)).toMatchObject({
        status: 409,
        body: { error: 'single-sign-on-elsewhere' },
      })
  } finally {
    await office.close()
    await stub.close()
  }
})
