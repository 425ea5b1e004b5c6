import assert from 'node:assert/strict'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createAtriumClient, createCookieJar } from '@atrium/client'
import { run } from '../commands.ts'
import type { Check, Engine } from '../engine.ts'
import { openFreshOffice } from '../fresh-office.ts'
import { keep, keptAt } from '../kept.ts'
import type { Ends } from '../processes.ts'

const VERSION = '0.5.2'
const CLIENT_VERSION = '0.13.2'
const KEPT = [`scim2-tester-${VERSION}`, 'bin/python'] as const
const CHECK = fileURLToPath(new URL('check.py', import.meta.url))
/** Of the organization of `devSignIn`, which has proven it. */
const DOMAIN = 'sso.example'

interface Result {
  status: 'SUCCESS' | 'COMPLIANT' | 'ACCEPTABLE' | 'DEVIATION' | 'SKIPPED' | 'ERROR' | 'CRITICAL'
  title: string
  resource: string | null
  reason: string
}

interface Known {
  /** Not given: whatever it was about to do. */
  title?: string
  reason: RegExp
  because: string
  /** It fills in values at random: not every run comes upon it. */
  sometimes?: true
}

/** What it holds against us, each with our reason. Another one fails. */
const KNOWN: readonly Known[] = [
  {
    title: 'check_remove_attribute',
    reason: /did not remove attribute 'active'/,
    because: 'whether somebody is active is always said: a directory has to see it',
  },
  {
    reason: /The address of this account cannot be changed by this directory/,
    because:
      'an address changes only where DNS proves both domains; the one of the sandbox was proven by the operator',
    sometimes: true,
  },
]

/** An independent suite of the RFCs, run against an office as a directory would speak to it. */
export const scim: Engine = {
  name: 'scim',
  about: `scim2-tester ${VERSION} (PyPI): every resource, attribute and operation that /scim/v2 publishes`,
  install,
  async try(check) {
    const ends: Ends = []
    try {
      await tryOffice(await openFreshOffice({ RATE_LIMIT_PER_DIRECTORY: '0' }, ends), check)
    } finally {
      for (let end = ends.pop(); end; end = ends.pop()) await end()
    }
  },
}

/** Into a virtual environment of its own, which is kept. @returns why it cannot be had here */
async function install(): Promise<string | undefined> {
  try {
    await keep(...KEPT, async (draft) => {
      await run('python3', ['-m', 'venv', '--clear', draft])
      const packages = [`scim2-tester==${VERSION}`, `scim2-client[httpx2]==${CLIENT_VERSION}`]
      await run(join(draft, 'bin/pip'), ['install', '--quiet', ...packages])
    })
  } catch (error) {
    return `Python 3 with scim2-tester cannot be had: ${(error as Error).message.split('\n')[0]}`
  }
  return undefined
}

async function tryOffice(url: string, check: Check): Promise<void> {
  const admin = createAtriumClient({ baseUrl: url, cookies: createCookieJar() })
  await admin.call('devSignIn')
  const connection = await admin.call('createDirectoryConnection', { name: 'scim2-tester' })
  const written = await run(keptAt(...KEPT), [CHECK, connection.url, connection.token, DOMAIN])
  const results = JSON.parse(written.slice(written.indexOf('['))) as Result[]
  const counts = Map.groupBy(results, ({ status }) => status)
  const summary = [...counts].map(([status, found]) => `${found.length} ${status.toLowerCase()}`).join(', ')

  await check(`it says of ${results.length} things: ${summary}`, async () => {
    assert.ok((counts.get('SUCCESS') ?? []).length >= 40, summary)
  })
  await check('nothing is wrong but what we know of', async () => {
    const wrong = results.filter(({ status }) => status === 'ERROR' || status === 'CRITICAL')
    const news = wrong.filter(
      ({ title, reason }) =>
        !KNOWN.some((known) => (known.title ?? title) === title && known.reason.test(reason)),
    )
    assert.deepEqual(news, [])
    const gone = KNOWN.filter(
      ({ reason, sometimes }) => !sometimes && !wrong.some((one) => reason.test(one.reason)),
    )
    assert.deepEqual(gone, [], 'what is known is not found any more')
  })
}
