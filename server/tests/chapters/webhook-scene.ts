import type { AtriumClient } from '@atrium/client'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { openTestOffice, type TestOffice } from '../office.ts'
import { newFounder, type Person } from '../people.ts'
import { until } from '../until.ts'
import { openWebhookReceiver, type WebhookReceiver } from '../vendors/webhook-receiver.ts'

export interface WebhookScene {
  office: TestOffice
  founder: Person & { organizationId: string }
  /** Takes everything until told otherwise. */
  receiver: WebhookReceiver
  /** A webhook to the receiver, which has agreed. */
  subscribe(events?: string[]): Promise<{ id: string; secret: string }>
  makeRoom(name: string): Promise<{ room: { id: string } }>
  deliveries(
    id: string,
  ): Promise<{ id: string; eventId: string; state: string; status: number | null; attempts: number }[]>
  /** Does what is due now. */
  drain(): Promise<void>
}

/** One office for all tests of a file, and a founder and a receiver of their own for each. @returns those of the test that runs */
export function webhookScenes(): () => WebhookScene {
  let office: TestOffice
  let scene: WebhookScene
  beforeAll(async () => {
    office = await openTestOffice()
  })
  afterAll(() => office.close())
  beforeEach(async () => {
    scene = await setScene(office)
  })
  afterEach(() => scene.receiver.close())
  return () => scene
}

/** A webhook with a receiver that has agreed. */
export async function newWebhook(
  browser: Pick<AtriumClient, 'call'>,
  webhook: { url: string; events: string[] },
): Promise<{ id: string; secret: string }> {
  const made = await browser.call('createWebhook', webhook)
  await until(async () => {
    const { webhooks } = await browser.call('listWebhooks')
    return webhooks.find(({ id }) => id === made.id)?.state === 'verified'
  })
  return made
}

async function setScene(office: TestOffice): Promise<WebhookScene> {
  const receiver = await openWebhookReceiver()
  const founder = await newFounder(office)
  return {
    office,
    founder,
    receiver,
    subscribe: (events = ['room.created']) => newWebhook(founder.browser, { url: receiver.url, events }),
    makeRoom: (name) => founder.browser.call('createRoom', { name }),
    deliveries: async (id) => (await founder.browser.call('listWebhookDeliveries', { id, limit: 100 })).data,
    drain: () => office.office.work.worker('webhooks').drain(),
  }
}
