import type { Namespace } from '@atrium/embedded-broker/namespaces.ts'

/** The same as in deploy/centrifugo/config.json (tested). */
export const namespaces: Readonly<Record<string, Namespace>> = {
  status: {
    proxied: true,
    presence: false,
    historySize: 20,
    historyTtlSeconds: 300,
    form: /^[A-Za-z0-9_-]+:[A-Za-z0-9_-]+$/,
  },
  user: { proxied: false, presence: false, historySize: 100, historyTtlSeconds: 300 },
  org: { proxied: false, presence: true, historySize: 100, historyTtlSeconds: 300 },
}
