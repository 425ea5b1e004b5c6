import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { recordedLog } from '../../../tests/recorded-log.ts'
import { scriptPage, serveScriptPages } from './script-page.ts'
import { createServer } from './server.ts'

const about = { title: 'A title', heading: 'A heading', text: 'A text', script: 'document.title' }

it('lets its one script run, and nothing else', () => {
  const { html, policy } = scriptPage(about)
  const [, script = ''] = /<script type="module">(.*?)<\/script>/s.exec(html) ?? []
  expect(policy).toContain(`script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`)
  for (const part of ["default-src 'none'", "form-action 'none'", "frame-ancestors 'none'"])
    expect(policy).toContain(part)
})

it('has a way to the office', () => {
  expect(scriptPage(about).html).toContain('href="/"')
})

it.each([
  ['its own front end', 'https://office.example', 200],
  ['behind another front end', 'https://front.example', 404],
])('is served by an office that is %s', async (_name, frontendUrl, status) => {
  const server = await createServer({ log: recordedLog().log, trustProxy: [], origins: [], secure: true })
  const page = scriptPage(about)
  serveScriptPages(server, { baseUrl: 'https://office.example', frontendUrl }, { '/page': page })
  const answer = await server.inject('/page')
  expect(answer.statusCode).toBe(status)
  if (status === 200) expect(answer.headers['content-security-policy']).toBe(page.policy)
  await server.close()
})
