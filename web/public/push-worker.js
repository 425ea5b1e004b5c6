// Tells of what the office pushes while no page of it is open, and leads to what it is about. It keeps the shell of the
// pages as they were built with it, and answers with that where the network has no answer. Of what the office says it keeps
// nothing.

/** `web/build.ts` writes it before this file: which build this is, its files, and where pages are. */
const { version, files = [], pages = [] } = self.SHELL ?? {}
const NAME = `shell ${version}`
const kept = new Set(files)

addEventListener('install', (event) => {
  skipWaiting()
  if (version) event.waitUntil(keepShell())
})

/** All of it or nothing: a page of another build would ask for other files. */
async function keepShell() {
  const page = await fetch('/', { cache: 'no-cache', headers: { accept: 'text/html' } })
  if (!page.ok || !(await page.clone().text()).includes(version)) throw new Error('this is another build')
  const shell = await caches.open(NAME)
  await shell.addAll(files)
  await shell.put('/', page)
}

addEventListener('activate', (event) => event.waitUntil(dropFormer()))

async function dropFormer() {
  for (const name of await caches.keys()) if (name !== NAME) await caches.delete(name)
}

addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (origin !== location.origin || request.method !== 'GET') return
  if (kept.has(pathname)) event.respondWith(keptFile(request))
  else if (request.mode === 'navigate' && pages.includes(pathname.split('/')[1]))
    event.respondWith(fetch(request).catch(keptPage))
})

/** Its name changes with its content. */
async function keptFile(request) {
  return (await caches.match(request, { ignoreVary: true })) ?? (await fetch(request))
}

async function keptPage() {
  return (await caches.match('/', { ignoreVary: true })) ?? Response.error()
}

addEventListener('push', (event) => {
  const { title, body, tag, path } = event.data.json()
  event.waitUntil(registration.showNotification(title, { body, tag, icon: '/favicon.svg', data: path }))
})

addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(show(event.notification.data))
})

async function show(path) {
  const [page] = await clients.matchAll({ type: 'window', includeUncontrolled: true })
  if (!page) return await clients.openWindow(path)
  // it goes there by itself: a call that it is in goes on
  page.postMessage({ show: path })
  return await page.focus()
}
