import { type LimitName, limitNames, organizationLimits } from '@atrium/contract'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../configuration/config.ts'
import type { Setting } from '../../configuration/settings/setting.ts'
import { settings } from '../../configuration/settings.ts'
import { deploymentLimits } from './deployment-limits.ts'

const settingOf = (name: LimitName) =>
  settings.find((one) => one.name === organizationLimits[name].setting) as Setting | undefined

describe('the limits of the deployment', () => {
  it.each(limitNames)('%s is what its setting says', (name) => {
    const setting = settingOf(name)
    expect(setting?.range, 'a number with a smallest and a largest value').toHaveLength(2)
    const [, largest = 0] = setting?.range ?? []
    const environment = { ATRIUM_ENV: 'test', [setting?.name ?? '']: String(largest) }
    expect(deploymentLimits(readConfig(environment, '/nowhere'))[name]).toBe(largest)
  })

  it('all service tokens of an organization together call as often as five, unless it is said', () => {
    const limitsOf = (settings: Record<string, string>) =>
      deploymentLimits(readConfig({ ATRIUM_ENV: 'test', ...settings }, '/nowhere'))['token-calls']
    expect(limitsOf({})).toBe(3_000)
    expect(limitsOf({ RATE_LIMIT_PER_TOKEN: '7' })).toBe(35)
    expect(limitsOf({ RATE_LIMIT_PER_TOKEN: '0' })).toBe(0)
    expect(limitsOf({ RATE_LIMIT_TOKENS_PER_ORGANIZATION: '0' })).toBe(0)
  })
})
