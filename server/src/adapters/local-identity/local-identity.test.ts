import { connectToIssuer } from '../../../tests/chapters/single-sign-on.ts'
import { openTestOffice } from '../../../tests/office.ts'
import { mailsTo } from '../../../tests/people.ts'
import { openHostileIssuer } from '../../../tests/vendors/hostile-issuer.ts'
import { describeIdentity } from '../../ports/identity.conformance.ts'

describeIdentity('local', async () => {
  const issuer = await openHostileIssuer()
  const office = await openTestOffice({
    settings: {
      GOOGLE_CLIENT_ID: 'us',
      GOOGLE_CLIENT_SECRET: 'short',
      GOOGLE_ISSUER_URL: issuer.issuer,
    },
  })
  const { db } = office.database
  return {
    identity: office.office.needs.identity,
    db,
    codeFor: async (email) => (await mailsTo(office, email))[0]?.code ?? '',
    connect: (organization) => connectToIssuer(office, organization, issuer.issuer),
    async authorize(redirectURL, email) {
      issuer.person = { sub: email, email, email_verified: true, hd: 'people.example' }
      const query = new URL(redirectURL).searchParams
      const back = new URL(query.get('redirect_uri') ?? '')
      const answer = { code: query.get('nonce') ?? '', state: query.get('state') ?? '' }
      back.search = new URLSearchParams(answer).toString()
      return back
    },
    setSubject(subject) {
      issuer.mischief = subject === undefined ? {} : { claims: { sub: subject } }
    },
    setAway(away) {
      issuer.mischief = away ? { answer: { at: 'token', hang: true } } : {}
    },
    async close() {
      await office.close()
      await issuer.close()
    },
  }
})
