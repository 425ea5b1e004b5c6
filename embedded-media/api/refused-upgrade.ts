import type { Duplex } from 'node:stream'

const STATUS_TEXTS = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  503: 'Service Unavailable',
}

/** Why no WebSocket is opened: clients show the text to people. */
export interface Refused {
  status: keyof typeof STATUS_TEXTS
  text: string
}

export function refuseUpgrade(socket: Duplex, { status, text }: Refused): void {
  const head = `HTTP/1.1 ${status} ${STATUS_TEXTS[status]}\r\nConnection: close\r\nContent-Type: text/plain\r\n`
  socket.end(`${head}Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`)
}
