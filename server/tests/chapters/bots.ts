import type { TestOffice } from '../office.ts'
import type { Person } from '../people.ts'

/** A bot that an administrator has made, calling by its token. */
export async function newBot(office: TestOffice, { browser }: Pick<Person, 'browser'>, name = 'Minutes') {
  const { botId, token } = await browser.call('createBot', { name })
  return { id: botId, token, browser: office.program(token) }
}
