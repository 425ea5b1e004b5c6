// Between Atrium's check of files (docs/file-check.md) and ClamAV's daemon: a file comes by HTTP, and goes on as a stream as
// it comes. It keeps nothing. Node 20 or later, no packages: `CLAMD=/run/clamav/clamd.ctl node file-check.js`.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { pipeline } from 'node:stream/promises'

const { CLAMD = '/run/clamav/clamd.ctl', HOST = '127.0.0.1', PORT = '3200' } = process.env
/** The office waits for a minute. */
const WITHIN_MS = 55_000
const ANSWER_MAX = 4_096

/** Where the daemon listens: the path of a socket, or `host:port`. */
function openDaemon() {
  const [, host, port] = /^([^/]+):(\d+)$/.exec(CLAMD) ?? []
  const socket = host === undefined ? connect(CLAMD) : connect(Number(port), host)
  socket.setTimeout(WITHIN_MS, () => socket.destroy(new Error('the daemon is silent')))
  return socket
}

/** What the daemon says, up to its end. */
async function answerOf(socket) {
  let answer = ''
  for await (const bytes of socket) {
    answer += bytes.toString('latin1')
    if (answer.length > ANSWER_MAX) throw new Error('the daemon says too much')
  }
  return answer.replaceAll('\0', '').trim()
}

/** Each piece with its length before it, and an empty one as the end. */
async function* asStream(pieces) {
  yield Buffer.from('zINSTREAM\0')
  for await (const piece of pieces) {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(piece.length)
    yield length
    yield piece
  }
  yield Buffer.alloc(4)
}

/** @returns 204 nothing was found, 422 something was, 502 nothing is known */
async function check(request) {
  const socket = openDaemon()
  try {
    const answered = answerOf(socket)
    // the daemon may have said why before all of the file has come
    const sent = pipeline(asStream(request), socket, { end: false }).catch(() => {})
    const answer = await answered
    await Promise.race([sent, once(request, 'close')])
    if (answer === 'stream: OK') return 204
    if (answer.startsWith('stream: ') && answer.endsWith(' FOUND')) return 422
    throw new Error(answer === '' ? 'the daemon has said nothing' : answer)
  } finally {
    socket.destroy()
  }
}

async function isReady() {
  const socket = openDaemon()
  try {
    socket.write('zPING\0')
    return (await answerOf(socket)) === 'PONG'
  } finally {
    socket.destroy()
  }
}

const server = createServer(async (request, response) => {
  let status = 404
  try {
    if (request.method === 'POST' && request.url === '/check') status = await check(request)
    else if (request.method === 'GET' && request.url === '/ready') status = (await isReady()) ? 204 : 503
  } catch (error) {
    status = request.method === 'GET' ? 503 : 502
    // the reason, and nothing of the file
    process.stderr.write(`nothing is known of a file: ${error.message}\n`)
  }
  response.writeHead(status, status === 204 || status === 422 ? {} : { connection: 'close' }).end()
  request.resume()
})
server.requestTimeout = WITHIN_MS
server.listen(Number(PORT), HOST, () =>
  process.stdout.write(`checks files at http://${HOST}:${server.address().port}\n`),
)
process.once('SIGTERM', () => server.close())
