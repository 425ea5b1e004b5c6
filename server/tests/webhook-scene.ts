import type { TestOffice } from './office.ts'
import { newFounder, type Person } from './people.ts'
import { openWebhookReceiver, type WebhookReceiver } from './webhook-receiver.ts'

export interface WebhookScene {
  founder: Person & { organizationId: string }
  receiver: WebhookReceiver
  subscribe(events?: string[]): Promise<{ id: string; secret: string }>
  makeRoom(name: string): Promise<{ room: { id: string } }>
  deliveries(id: string): Promise<{ id: string; eventId: string; state: string; status: number | null }[]>
  /** Does what is due now. */
  drain(): Promise<void>
}

/** A founder, and a receiver that takes everything; the receiver is to be closed. */
export async function webhookScene(office: TestOffice): Promise<WebhookScene> {
  const receiver = await openWebhookReceiver()
  const founder = await newFounder(office)
  return {
    founder,
    receiver,
    subscribe: (events = ['room.created']) =>
      founder.browser.call('createWebhook', { url: receiver.url, events }),
    makeRoom: (name) => founder.browser.call('createRoom', { name }),
    deliveries: async (id) => (await founder.browser.call('listWebhookDeliveries', { id, limit: 100 })).data,
    drain: () => office.office.work.worker('webhooks').drain(),
  }
}
