import assert from 'node:assert/strict'
import { type AtriumClient, createAtriumClient, createCookieJar } from '@atrium/client'

/** A browser, as far as an issuer's pages and the office need one: cookies by host, redirects, a login form. */
export interface Visitor {
  client: AtriumClient
  /** Follows redirects. @returns where they end, or where one leads that `stops` names */
  follow(address: string, stops: (at: URL) => boolean): Promise<URL>
  /** Fills in the issuer's login form. @returns as `follow` */
  logIn(address: string, username: string, stops: (at: URL) => boolean): Promise<URL>
}

export function openVisitor(office: string): Visitor {
  const jars = new Map<string, ReturnType<typeof createCookieJar>>()
  const jarOf = (at: URL) => {
    const jar = jars.get(at.origin) ?? createCookieJar()
    jars.set(at.origin, jar)
    return jar
  }
  const send = async (at: URL, init: RequestInit = {}) => {
    const headers = new Headers(init.headers)
    const cookie = jarOf(at).headerFor(at)
    if (cookie) headers.set('cookie', cookie)
    const response = await fetch(at, { ...init, headers, redirect: 'manual' })
    jarOf(at).receive(response.headers.getSetCookie(), at)
    return response
  }
  const goOn = async (from: URL, first: Response, stops: (at: URL) => boolean) => {
    let [at, response] = [from, first]
    for (
      let location = first.headers.get('location');
      location;
      location = response.headers.get('location')
    ) {
      at = new URL(location, at)
      if (stops(at)) break
      response = await send(at)
    }
    return { at, response }
  }
  return {
    client: createAtriumClient({ baseUrl: office, cookies: jarOf(new URL(office)) }),
    async follow(address, stops) {
      const at = new URL(address)
      return (await goOn(at, await send(at), stops)).at
    },
    async logIn(address, username, stops) {
      const begun = new URL(address)
      const form = await goOn(begun, await send(begun), () => false)
      const page = await form.response.text()
      const action = /<form[^>]*action="([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&')
      assert.ok(action, `the issuer has a login form: ${page.slice(0, 500)}`)
      const at = new URL(action, form.at)
      const hidden = [...page.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)]
      const fields = hidden.map(([, name = '', value = '']) => [name, value])
      const filled = { ...Object.fromEntries(fields), username, password: 'password' }
      const response = await send(at, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(filled).toString(),
      })
      return (await goOn(at, response, stops)).at
    },
  }
}
