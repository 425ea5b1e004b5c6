/** Requests as no well-behaved client sends them, and pages, which are no operations. */

export interface RawAnswer {
  status: number
  headers: Headers
  text: string
}

export interface RawRequest {
  method?: string
  headers?: Record<string, string>
  body?: string
}

/** One request, as given. A body has no content type unless the headers name one. */
export async function sendRaw(url: string, request: RawRequest = {}): Promise<RawAnswer> {
  const { method = 'GET', headers = {}, body } = request
  const response = await fetch(url, {
    method,
    headers,
    // bytes, because fetch would declare a string as text/plain
    ...(body === undefined ? {} : { body: new TextEncoder().encode(body) }),
    signal: AbortSignal.timeout(30_000),
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** A POST of JSON text, well formed or not. */
export async function postJson(
  url: string,
  body: string,
  headers: Record<string, string> = {},
): Promise<RawAnswer> {
  return await sendRaw(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  })
}
