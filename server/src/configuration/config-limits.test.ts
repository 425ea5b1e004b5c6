import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'
import type { Setting } from './settings/setting.ts'
import { settings } from './settings.ts'

const limitsOf = (environment: Record<string, string>) =>
  readConfig({ ATRIUM_ENV: 'test', ...environment }, '/nowhere').limits

describe('the limits of the configuration', () => {
  it('have a default each', () => {
    expect(limitsOf({})).toEqual({
      codesPerEmail: 5,
      codesPerEmailHour: 20,
      signInPerAddress: 60,
      guessesPerAddress: 50,
      guessesPerEmailHour: 10,
      guessesPerEmailDay: 30,
      knocksPerUser: 20,
      guestPerAddress: 10,
      uploadBytesPerUser: 67_108_864,
      perUser: 600,
      perToken: 600,
      perDirectory: 1800,
      invitationsPerUser: 200,
      invitationsPerOrganization: 1000,
      invitationsPerAddress: 2000,
      invitationsPerEmail: 3,
      exportsPerUser: 5,
      exportsPerOrganization: 5,
      signOnTrialsPerOrganization: 60,
      ...{ tokensPerOrganization: 3000, messagesPerConversation: 5, messagesPerUser: 20 },
      organizationsPerUser: 20,
      ...{
        groupsPerUser: 10,
        peoplePerGroup: 50,
        reactionsPerUser: 60,
        editMinutes: 0,
        ...{
          fileBytesMax: 26_214_400,
          fileBytesPerUser: 536_870_912,
          fileBytesPerOrganization: 10_737_418_240,
        },
        rooms: 1000,
        webhooks: 20,
        serviceTokens: 100,
        bots: 50,
      },
      ...{ webhookTestsPerHost: 3, webhookTestsPerAddress: 30 },
      ...{ directoryConnections: 50, domains: 50, guestsWaitingPerRoom: 100, unfinishedUploads: 100 },
    })
  })

  it('are each read of a setting of its own', () => {
    const usual = limitsOf({ RATE_LIMIT_TOKENS_PER_ORGANIZATION: '3000' })
    const changed = (settings as readonly Setting[])
      .filter(({ kind, range }) => kind === 'number' && range)
      .flatMap(({ name, range: [, largest] = [0, 0] }) => {
        const limits = limitsOf({ RATE_LIMIT_TOKENS_PER_ORGANIZATION: '3000', [name]: String(largest) })
        const keys = Object.keys(limits) as (keyof typeof limits)[]
        return keys
          .filter((key) => limits[key] !== usual[key])
          .map((key) => ({ key, is: limits[key], largest }))
      })
    expect(changed.map(({ key }) => key).toSorted()).toEqual(Object.keys(usual).toSorted())
    expect(changed.filter(({ is, largest }) => is !== largest)).toEqual([])
  })
})
