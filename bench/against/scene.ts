import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { mediaSettings } from '../media-deliveries.ts'
import { prepareOffice } from '../office.ts'
import { type Ends, openBare } from '../opening.ts'
import { type Furnished, furnish } from './furnish.ts'

const MEDIA_SERVER = fileURLToPath(new URL('../room-token-media-server.ts', import.meta.url))
/** What is measured is what a request costs; one address makes them all. An older office passes over what it has not. */
const NO_LIMITS = [
  'RATE_LIMIT_PER_USER',
  'RATE_LIMIT_SIGN_IN_PER_ADDRESS',
  'RATE_LIMIT_GUESSES_PER_ADDRESS',
  'RATE_LIMIT_MESSAGES_PER_USER',
  'RATE_LIMIT_MESSAGES_PER_CONVERSATION',
]

/** An office of one checkout, furnished, as production serves it. */
export interface Scene extends Furnished {
  pid: number
  /** Without a look-up of its name. */
  base: string
  mediaSecret: string
  proxySecret: string
}

interface Opening {
  /** Of the checkout. */
  root?: string
  /** Of Node, for the process that is measured. */
  nodeOptions?: readonly string[]
}

export async function openScene(ends: Ends, opening: Opening = {}): Promise<Scene> {
  const mediaSecret = randomBytes(32).toString('base64url')
  const proxySecret = randomBytes(32).toString('base64url')
  const media = await openBare(ends, MEDIA_SERVER)
  const settings = {
    ...Object.fromEntries(NO_LIMITS.map((name) => [name, '0'])),
    ...mediaSettings(mediaSecret),
    LIVEKIT_URL: media.base,
    BROKER_PROXY_SECRET: proxySecret,
  }
  const office = await prepareOffice(settings, opening)
  ends.push(() => office.remove())
  const development = await office.start('development')
  const furnished = await furnish(office.url, mediaSecret).finally(() => development.stop())
  const running = await office.start('production')
  ends.push(() => running.stop())
  const base = office.url.replace('localhost', '127.0.0.1')
  return { ...furnished, pid: running.pid, base, mediaSecret, proxySecret }
}
