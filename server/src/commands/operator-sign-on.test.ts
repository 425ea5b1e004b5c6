import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freshEmail, openTestOffice, type TestOffice } from '../../tests/office.ts'
import { atrium } from '../../tests/operator/command-line.ts'
import { newFounder, newPerson, type Person } from '../../tests/people.ts'
import { until } from '../../tests/until.ts'

const BASE_URL = 'http://localhost:3999'

describe("the operator's commands of single sign-on, beside the open office", () => {
  let office: TestOffice
  let folder: string
  beforeAll(async () => {
    office = await openTestOffice()
    folder = await mkdtemp(join(tmpdir(), 'atrium-test-'))
  })
  afterAll(async () => {
    await office.close()
    await rm(folder, { recursive: true, force: true })
  })

  /** What a command prints. */
  const run = (...args: string[]) => atrium(office, args, { settings: { BASE_URL } })
  const refused = (...args: string[]) =>
    run(...args).then(
      (printed) => Promise.reject(new Error(`it was not refused: ${printed}`)),
      (error: Error) => error.message,
    )
  const freshDomain = () => `${freshEmail('d').split('@')[0]}.example`
  const isSignedIn = async ({ browser }: Person) => (await browser.request('getCurrentUser')).status === 200

  async function connect(id: string, issuer = 'https://login.example/realms/acme'): Promise<string> {
    const secretFile = join(folder, 'secret')
    await writeFile(secretFile, 'canary-of-a-secret\n')
    return await run(
      'sso',
      'add',
      id,
      '--issuer',
      issuer,
      '--client-id',
      'atrium',
      '--client-secret-file',
      secretFile,
    )
  }

  it('give an organization a domain, and take it away', async () => {
    const [{ organizationId: acme }, { organizationId: other }] = [
      await newFounder(office),
      await newFounder(office),
    ]
    const domain = freshDomain()
    expect(await refused('domain', 'verify', acme, domain)).toContain('is not claimed')
    const record = /^_atrium\.\S+ {2}TXT {2}"atrium-domain-verification=dns_[\w-]{43}" {2}\(pending\)$/
    for (const id of [acme, other]) expect(await run('domain', 'add', id, domain)).toMatch(record)
    expect(await run('domain', 'verify', acme, domain, '--without-dns')).toBe(`${domain} is verified`)
    expect(await refused('domain', 'verify', other, domain, '--without-dns')).toContain(
      'another organization',
    )
    expect(await run('domain', 'list', acme)).toBe(`${domain}  verified  (not proven by DNS)`)
    expect(await run('domain', 'remove', acme, domain)).toBe(`${domain} is removed`)
    expect(await run('domain', 'list', acme)).toBe('')
    expect(await refused('domain', 'add', acme, 'gmail.com')).toContain('is no domain that one')
    expect(await refused('domain', 'list', 'org_nowhere')).toContain('There is no organization')
  })

  it('give a domain that the identity provider has verified a record of ours', async () => {
    const { organizationId } = await newFounder(office)
    const domain = freshDomain()
    await run('domain', 'add', organizationId, domain)
    await office.database.pool.query(
      `update organization_domains set challenge = '', state = 'verified' where domain = $1`,
      [domain],
    )
    const printed = await run('domain', 'add', organizationId, domain)
    expect(printed).toMatch(/dns_[\w-]{43}" {2}\(verified\)$/)
    expect(await run('domain', 'add', organizationId, domain)).toBe(printed)
  })

  it('connect an organization, with the secret sealed, say where to come back to, and disconnect it', async () => {
    const { organizationId } = await newFounder(office)
    const added = await connect(organizationId)
    const address = /^Redirect address to register there: (\S+)$/m.exec(added)?.[1] ?? ''
    expect(address).toMatch(new RegExp(`^${BASE_URL}/auth/callback/sso/[0-9a-f]{32}$`))
    const line = `${organizationId}  https://login.example/realms/acme  atrium  ${address}`
    expect((await run('sso', 'list')).split('\n')).toContain(line)
    const { rows } = await office.database.pool.query(
      `select encode(sealed_client_secret, 'escape') as sealed from sso_connections where client_id = 'atrium'`,
    )
    expect(rows.length).toBeGreaterThan(0)
    for (const { sealed } of rows) expect(sealed).not.toContain('canary')
    await office.database.pool.query('update sso_connections set shares_address = true')
    expect(await run('sso', 'list')).toContain(`${line}  (old: registered with the shared address`)
    expect(await connect(organizationId)).toBe(added)
    expect((await run('sso', 'list')).split('\n')).toContain(line)
    expect(await run('sso', 'remove', organizationId)).toContain('no single sign-on any more')
    expect(await refused('sso', 'remove', organizationId)).toContain('has no single sign-on')
  })

  it.each(['ftp://login.example', 'javascript:alert(1)', 'login.example', 'https://'])(
    'refuse the issuer %s',
    async (issuer) => {
      const { organizationId } = await newFounder(office)
      await expect(connect(organizationId, issuer)).rejects.toThrow('--issuer must be')
    },
  )

  it('sign out at once people who may not be signed in any more, and say how many', async () => {
    const { organizationId } = await newFounder(office)
    const domain = freshDomain()
    const [ada, stranger] = [await newPerson(office, `ada@${domain}`), await newPerson(office)]
    await run('domain', 'add', organizationId, domain)
    await run('domain', 'verify', organizationId, domain, '--without-dns')
    expect(await isSignedIn(ada)).toBe(true)
    expect(await connect(organizationId)).toContain('Signed out: 1')
    // this office hears of it from the database
    await until(async () => !(await isSignedIn(ada)))
    expect(await isSignedIn(stranger)).toBe(true)
  })
})
