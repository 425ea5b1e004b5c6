import type { Setting } from './setting.ts'

/** Settings of the broker, of presence and of chat. */
export const realtimeSettings = [
  {
    name: 'BROKER',
    group: 'Realtime',
    kind: 'choice',
    choices: ['embedded', 'centrifugo'],
    default: 'embedded',
    description: 'Who holds the realtime connections: this server itself (one node), or Centrifugo.',
  },
  {
    name: 'BROKER_PUBLIC_URL',
    group: 'Realtime',
    kind: 'url',
    protocols: ['ws:', 'wss:'],
    neededWhere: { setting: 'BROKER', is: 'centrifugo' },
    description:
      'WebSocket address that clients connect to. The embedded broker answers at /connection/websocket of BASE_URL.',
  },
  {
    name: 'BROKER_TOKEN_SECRET',
    group: 'Realtime',
    kind: 'secret',
    neededWhere: { setting: 'BROKER', is: 'centrifugo' },
    description: 'Signs connection tokens (HS256). Derived from SECRET_KEY where the broker is embedded.',
  },
  {
    name: 'BROKER_TOKEN_SECRET_PREVIOUS',
    group: 'Realtime',
    kind: 'secret',
    isList: true,
    description:
      'Former ones: tokens signed with them are still accepted by the embedded broker. Centrifugo has client.token.hmac_previous_secret_key.',
  },
  {
    name: 'BROKER_TOKEN_SECRET_NEXT',
    group: 'Realtime',
    kind: 'secret',
    description: 'The next one: accepted by the embedded broker, not used to sign yet.',
  },
  {
    name: 'BROKER_PROXY_SECRET',
    group: 'Realtime',
    kind: 'secret',
    neededWhere: { setting: 'BROKER', is: 'centrifugo' },
    description:
      'What the broker sends in X-Broker-Proxy-Secret. Derived from SECRET_KEY where the broker is embedded.',
  },
  {
    name: 'BROKER_PROXY_SECRET_PREVIOUS',
    group: 'Realtime',
    kind: 'secret',
    isList: true,
    description: 'Former ones, which are accepted too, until the broker sends the one that is set now.',
  },
  {
    name: 'CONNECTIONS_PER_USER',
    group: 'Realtime',
    kind: 'number',
    range: [0, 10_000],
    default: '20',
    description:
      "Realtime connections that one person may have at the same time; 0: no limit. Of the embedded broker; Centrifugo's own is client.user_connection_limit (deploy/centrifugo).",
  },
  {
    name: 'OUTBOX_PARTITIONS',
    group: 'Realtime',
    kind: 'number',
    range: [1, 64],
    default: '4',
    description:
      'Queues in which changes wait for the broker, each read in order by one reader: more of them for an office that changes faster than four can tell. Of Centrifugo, num_partitions is raised first. It only grows: a smaller number changes nothing.',
  },
  {
    name: 'CENTRIFUGO_API_URL',
    group: 'Realtime',
    kind: 'url',
    neededWhere: { setting: 'BROKER', is: 'centrifugo' },
    description: "Centrifugo's HTTP API: http://host:9000/api",
  },
  {
    name: 'CENTRIFUGO_API_KEY',
    group: 'Realtime',
    kind: 'secret',
    neededWhere: { setting: 'BROKER', is: 'centrifugo' },
    description: "Key of Centrifugo's HTTP API.",
  },
  {
    name: 'PRESENCE_RESTORE_MANUAL',
    group: 'Realtime',
    kind: 'boolean',
    default: 'false',
    description:
      'Whether busy, away and appear_offline come back with the next connection. Otherwise whoever connects is online, also who was invisible before.',
  },
  {
    name: 'PRESENCE_FROM_CALENDAR',
    group: 'Realtime',
    kind: 'boolean',
    default: 'true',
    description:
      'Whether people may choose that meetings of their connected calendars show as busy. Titles never leave.',
  },
  {
    name: 'CHAT_TOKEN_SECRET',
    group: 'Chat',
    kind: 'secret',
    description:
      'Signs the tokens of the chat data (HS256). Derived from SECRET_KEY where not set; set it where another program checks them too.',
  },
  {
    name: 'CHAT_TOKEN_SECRET_PREVIOUS',
    group: 'Chat',
    kind: 'secret',
    isList: true,
    description: 'Former ones: tokens signed with them are still accepted. They end within an hour.',
  },
  {
    name: 'CHAT_TOKEN_SECRET_NEXT',
    group: 'Chat',
    kind: 'secret',
    description: 'The next one: accepted, not used to sign yet.',
  },
] as const satisfies readonly Setting[]
